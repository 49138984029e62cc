package projection

import (
	"slices"

	"tlog/log"
	"tlog/objects"
)

// findCompaction looks for the last compaction that is not undone, what it keeps, and where that stands.
func (b *builder) findCompaction() error {
	for pos := len(b.path) - 1; pos >= 0 && b.compact < 0; pos-- {
		if b.typeAt(pos) == objects.TypeCompaction && !b.undone(pos) {
			b.compact = pos
		}
	}
	if b.compact < 0 {
		return nil
	}
	e, err := b.read(b.compact)
	if err != nil {
		return err
	}
	b.summary = e
	says, _ := b.log.Compaction(e) // what cannot be read keeps nothing
	b.says = says
	b.from = b.firstKept(says.FirstKept)
	b.kept = b.listed(says.Kept)
	if says.KeepsPrompts {
		if err := b.keepPrompts(); err != nil {
			return err
		}
	}
	b.anchor = b.compact
	if at := b.lookup(says.KeptAfter); at != log.None {
		b.anchor += max(0, slices.Index(b.path[b.compact:], at))
	}
	c := &Compaction{At: b.path[b.compact], FirstKeptEntryID: says.FirstKept, TokensBefore: says.TokensBefore}
	if len(says.Kept) > 0 && len(b.kept) > 0 {
		c.FirstKeptEntryID = says.Kept[0]
	}
	b.context.Compaction = c
	return nil
}

// firstKept is the position of the first entry that the compaction keeps; that
// of the compaction itself if it keeps nothing.
func (b *builder) firstKept(id objects.ID) int {
	target := b.lookup(id)
	if target == log.None {
		return b.compact
	}
	if r := b.log.Record(target); !r.Tree() {
		// A program that takes journal lines for entries may name one. It
		// keeps what hangs below that line.
		pos := b.position(r.Parent) + 1
		if (pos > 0 || r.Parent == log.None) && b.log.HangsBelow(b.path[pos], target) {
			return pos
		}
		return b.compact
	}
	if pos := b.position(target); pos >= 0 {
		return pos
	}
	return b.compact
}

// position is that of an entry before the compaction, or -1.
func (b *builder) position(entry int) int {
	return slices.Index(b.path[:b.compact], entry)
}

// listed are the positions of entries that the compaction keeps one by one, each once. If one of them is
// nowhere in the log, nothing is kept, as Claude Code has it (formats/claude.md section 3, item 2).
func (b *builder) listed(ids []objects.ID) []int {
	if len(ids) == 0 {
		return nil
	}
	before := make(map[int]int, b.compact)
	for pos, i := range b.path[:b.compact] {
		before[i] = pos
	}
	var kept []int
	for _, id := range ids {
		i := b.lookup(id)
		if i == log.None {
			return nil
		}
		if pos, ok := before[i]; ok {
			kept = append(kept, pos)
			delete(before, i)
		}
	}
	return kept
}

// keepPrompts finds what the user said before the compaction, as far back as to one that replaced all before it.
func (b *builder) keepPrompts() error {
	b.earlier = map[int][]Message{}
	for pos := b.compact - 1; pos >= 0; pos-- {
		t := b.typeAt(pos)
		if b.undone(pos) || t != objects.TypeMessage && t != objects.TypeCompaction {
			continue
		}
		e, err := b.read(pos)
		if err != nil {
			return err
		}
		if m, ok := b.log.Message(e); t == objects.TypeMessage && ok && m.Prompt() {
			b.kept = append(b.kept, pos)
		}
		says, ok := b.log.Compaction(e)
		if !ok || !says.Replaces {
			continue
		}
		says.Replacement = slices.DeleteFunc(says.Replacement, func(m objects.Message) bool { return !m.Prompt() })
		b.earlier[pos] = replacement(says, b.path[pos])
		b.kept = append(b.kept, pos)
		if !says.KeepsPrompts {
			break
		}
	}
	slices.Reverse(b.kept)
	return nil
}

// replacement are the messages that stand for a compaction and what is before it.
func replacement(says objects.Compaction, at int) []Message {
	var messages []Message
	for _, m := range says.Replacement {
		message := withContent(at, m.Raw)
		message.Role = m.Role
		messages = append(messages, message)
	}
	return messages
}

// summarised reports for each position whether the compaction's summary stands for it.
func (b *builder) summarised() func(pos int) bool {
	if len(b.kept) == 0 {
		return func(pos int) bool { return pos < b.from }
	}
	kept := make(map[int]bool, len(b.kept))
	for _, pos := range b.kept {
		kept[pos] = true
	}
	return func(pos int) bool { return pos < b.compact && !kept[pos] }
}

// order gives all positions in the order in which their messages stand in the context: the compaction and what
// follows it up to its anchor, what it keeps, the others.
func (b *builder) order() []int {
	order := make([]int, 0, len(b.path)+len(b.kept))
	if b.says.KeepsPrompts {
		order = append(order, b.kept...)
	}
	for pos := b.compact; pos >= 0 && pos <= b.anchor; pos++ {
		order = append(order, pos)
	}
	if !b.says.KeepsPrompts {
		order = append(order, b.kept...)
	}
	taken := make([]bool, len(b.path))
	for _, pos := range order {
		taken[pos] = true
	}
	for pos := range b.path {
		if !taken[pos] {
			order = append(order, pos)
		}
	}
	return order
}

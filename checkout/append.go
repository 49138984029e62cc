package checkout

import (
	"context"
	"fmt"

	"tlog/agents"
	"tlog/log"
	"tlog/objects"
)

// AppendOptions say where to append.
type AppendOptions struct {
	Branch string // the branch to append to; empty for HEAD
}

// Append appends entries in one write and returns their ids. Each line is a whole entry (an object with a
// "type") or a bare message (an object with "role" and no "type", or the type "message" without a message in it); its bytes are kept, what it lacks of id, parentId and timestamp is added.
// An entry without parentId goes on top of the one before it, the first one on top of the branch. An entry that ends with a
// "ref" goes to the branch of that name. A branch must be there (objects.ErrNotFound).
//
// An entry that names its parent must go on top: its parent must be the tip, an entry of the same call, or, for a tool
// result, the entry with its call if only results of that entry lie between. So of two programs that go on from one stale tip
// the second is refused (objects.ErrRefused) with the tip named; checkout says that a new line is meant. Nothing goes to the tracking branch of an import (a *TrackingError).
// Journal entries, a header, lines with chain and such that are not UTF-8 are refused (objects.ErrInvalid). Targets of label, context_edit, skip and unskip must be entries,
// that of a context_edit a message on the branch with content that can be edited.
func (s *Session) Append(ctx context.Context, lines [][]byte, opt AppendOptions) ([]objects.ID, error) {
	if len(lines) == 0 {
		return nil, nil
	}
	drafts := make([]*draft, len(lines))
	ids := make([]objects.ID, len(lines))
	for i, line := range lines {
		d, err := s.newDraft(line)
		if err != nil {
			return nil, atLine(i, len(lines), err)
		}
		drafts[i], ids[i] = d, d.id
	}
	err := s.update(ctx, func(b *batch) error {
		b.branch = opt.Branch
		for i, d := range drafts {
			if err := b.place(d); err != nil {
				return atLine(i, len(lines), err)
			}
		}
		return b.settle()
	})
	if err != nil {
		return nil, err
	}
	return ids, nil
}

// atLine says which of several lines an error is about.
func atLine(i, lines int, err error) error {
	if lines == 1 {
		return err
	}
	return fmt.Errorf("line %d: %w", i+1, err)
}

// place puts a draft on top of its branch. On an error the batch is as it was.
func (b *batch) place(d *draft) error {
	_, twice := b.added[d.id]
	if _, known := b.s.Log.Find(d.id); known || twice {
		return fmt.Errorf("%w id %s: there is an entry with this id", objects.ErrInvalid, d.id)
	}
	ref, own := d.entry.Ref, d.entry.Ref != ""
	if !own {
		ref = b.branch
	}
	key := b.key(ref)
	if b.tracks(key) {
		return &TrackingError{Branch: b.s.Log.Header().Agent}
	}
	tip, err := b.tip(key)
	if err != nil {
		return err
	}
	parent, err := b.parentOf(d, key, tip)
	if err != nil {
		return err
	}
	if err := b.checkTargets(d, parent); err != nil {
		return err
	}
	if !b.dry {
		if own || key == "" {
			ref = "" // it stands in the line, or need not
		}
		b.lines = append(b.lines, log.Line{Bytes: d.line(parent, ref)})
	}
	b.away = key != ""
	b.tips[key] = d.id
	b.added[d.id] = addition{entry: d.entry, parent: parent}
	return nil
}

// parentOf is the entry that a draft hangs under, journal entries stepped over.
func (b *batch) parentOf(d *draft, key string, tip objects.ID) (objects.ID, error) {
	named := d.entry.ParentID
	if !d.entry.HasParent || named == tip {
		return tip, nil
	}
	if _, ok := b.added[named]; ok {
		return named, nil
	}
	parent := b.node(named)
	if parent == tip {
		return tip, nil
	}
	switch ok, err := b.answers(d, parent, tip); {
	case err != nil:
		return "", err
	case ok:
		return parent, nil
	}
	return "", fmt.Errorf("%w: parent %s is not the tip of %s, which is %s",
		objects.ErrRefused, quoted(named), b.name(key), at(tip))
}

// node is the tree entry that an id in a parentId stands for.
func (b *batch) node(id objects.ID) objects.ID {
	i, ok := b.s.Log.Find(id)
	if !ok || b.s.Log.Record(i).Tree() {
		return id
	}
	return b.s.idOf(b.s.Log.Record(i).Parent)
}

// name is a branch's name for people.
func (b *batch) name(key string) string {
	switch {
	case key != "":
		return "'" + key + "'"
	case b.head.Detached():
		return "the detached HEAD"
	}
	return "'" + b.head.Branch + "'"
}

func quoted(id objects.ID) string {
	if id == "" {
		return "null"
	}
	return "'" + string(id) + "'"
}

func at(tip objects.ID) string {
	if tip == "" {
		return "unborn"
	}
	return "now at " + string(tip)
}

// answers reports whether the draft holds results of calls that the entry parent made, and
// nothing but such results lies between that entry and the tip.
func (b *batch) answers(d *draft, parent, tip objects.ID) (bool, error) {
	caller, _, ok, err := b.lookup(parent)
	if err != nil || !ok {
		return false, err
	}
	calls := callsOf(caller)
	if !answer(d.entry, calls) {
		return false, nil
	}
	for id := tip; id != parent; {
		e, up, ok, err := b.lookup(id)
		if err != nil || !ok || !answer(e, calls) {
			return false, err
		}
		id = up
	}
	return true, nil
}

// callsOf are the ids of the tool calls in an entry.
func callsOf(e objects.Entry) map[string]bool {
	m, _ := decode(e)
	calls := map[string]bool{}
	for _, call := range m.Calls() {
		calls[call.CallID] = true
	}
	return calls
}

// answer reports whether the entry holds tool results, all of them of the given calls.
func answer(e objects.Entry, calls map[string]bool) bool {
	m, _ := decode(e)
	results := m.Results()
	for _, r := range results {
		if !calls[r.CallID] {
			return false
		}
	}
	return len(results) > 0
}

// decode decodes the message of an entry of type message; only those hold calls and results.
func decode(e objects.Entry) (objects.Message, bool) {
	if e.Type != objects.TypeMessage {
		return objects.Message{}, false
	}
	return agents.Message(e)
}

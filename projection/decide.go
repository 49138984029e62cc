package projection

import (
	"slices"

	"tlog/log"
	"tlog/objects"
)

// decideAll decides on each entry of the path and collects the messages in the order of the context.
func (b *builder) decideAll() error {
	c := b.context
	c.Decisions = make([]Decision, len(b.path))
	isSummarised, summarised := b.summarised(), ""
	if b.compact > 0 {
		summarised = "summarised by " + b.shortID(b.path[b.compact])
	}
	for _, pos := range b.order() {
		i, t := b.path[pos], b.typeAt(pos)
		d := &c.Decisions[pos]
		d.At = i
		if pos == b.compact {
			d.In, d.Reason = b.take(pos, b.summary)
			continue
		}
		if by := b.history.SkippedBy(i); by != log.None {
			d.Reason = "undone by " + b.shortID(by)
			continue
		}
		if isSummarised(pos) && (t.Visible() || t == objects.TypeContextEdit) {
			d.Reason = summarised
			if b.log.Record(i).Visible() {
				c.Compaction.Dropped++
			}
			continue
		}
		var err error
		if d.In, d.Reason, err = b.decide(pos, t); err != nil {
			return err
		}
		if d.In && pos < b.compact {
			c.Compaction.Kept++
		}
	}
	return nil
}

// decide decides on an entry that is neither undone nor summarised.
func (b *builder) decide(pos int, t objects.Type) (in bool, reason string, err error) {
	switch {
	case t == objects.TypeCompaction && b.earlier[pos] != nil:
		b.context.Messages = append(b.context.Messages, b.earlier[pos]...)
		return true, "what the user said is kept by the compaction " + b.shortID(b.path[b.compact]), nil
	case t == objects.TypeCompaction:
		return false, "replaced by the compaction " + b.shortID(b.path[b.compact]), nil
	case t == objects.TypeContextEdit:
		return b.decideEdit(pos)
	case !t.Visible():
		return false, neverIn(t), nil
	}
	e, err := b.read(pos)
	if err != nil {
		return false, "", err
	}
	if pos < b.compact && t == objects.TypeMessage && text(e.Get("message"), "role") == objects.RoleSystem {
		return false, "a compaction keeps no system message", nil
	}
	in, reason = b.take(pos, e)
	return in, reason, nil
}

// take puts the messages of an entry into the context, as its edit leaves them.
func (b *builder) take(pos int, e objects.Entry) (in bool, reason string) {
	i := b.path[pos]
	messages := b.messagesOf(e, i)
	if pos == b.compact && b.says.Replaces {
		if messages = replacement(b.says, i); len(messages) == 0 {
			return true, "nothing stands for what was before"
		}
	}
	if len(messages) == 0 {
		switch e.Type {
		case objects.TypeBranchSummary:
			return false, "its summary is empty"
		case objects.TypeCompaction:
			return false, "what is before it is summarised by the entry behind it"
		}
		return false, "it holds no message"
	}
	edit, edited := b.edits[i]
	hole := b.holes[i]
	if edited {
		messages = edit.apply(messages)
		if slices.ContainsFunc(messages, replaceable) {
			hole = b.holes[edit.by]
		}
	}
	if hole != nil {
		b.context.holes[i] = hole
	}
	b.context.Messages = append(b.context.Messages, messages...)
	switch {
	case edited && len(messages) == 0:
		return false, "left out by the edit " + b.shortID(edit.by)
	case edited && slices.ContainsFunc(messages, replaceable):
		return true, "replaced by the edit " + b.shortID(edit.by)
	case pos == b.compact:
		return true, "its summary stands for what was before"
	case pos < b.compact:
		return true, "kept by the compaction " + b.shortID(b.path[b.compact])
	}
	return true, "in the context"
}

func (b *builder) decideEdit(pos int) (in bool, reason string, err error) {
	e, err := b.read(pos)
	if err != nil {
		return false, "", err
	}
	id, _ := e.Text("targetId")
	target := b.lookup(objects.ID(id))
	last, counts := b.edits[target]
	switch {
	case e.Get("replacement") == nil:
		return false, "it has no replacement and changes nothing", nil
	case !counts:
		return false, "it edits an entry that is not there", nil
	case last.by != b.path[pos]:
		return false, "replaced by the edit " + b.shortID(last.by), nil
	}
	return false, "edits " + b.shortID(target), nil
}

// neverIn says why entries of a type give no message.
func neverIn(t objects.Type) string {
	switch t {
	case objects.TypeModelChange:
		return "it sets the model and is no message"
	case objects.TypeThinkingLevel:
		return "it sets the thinking level and is no message"
	case objects.TypeQueue:
		return "the queue is not in the context until its turn comes"
	case objects.TypeLabel:
		return "a label is never in the context"
	case objects.TypeSessionInfo:
		return "the session's name is never in the context"
	case objects.TypeUsage:
		return "a usage record is never in the context"
	case objects.TypeCustom:
		return "a custom entry is never in the context"
	case objects.TypeSkip, objects.TypeUnskip:
		return "an undo or redo is never in the context"
	}
	return "an entry of an unknown type is never in the context"
}

func (b *builder) shortID(i int) string {
	s, ok := b.short[i]
	if !ok {
		s = b.log.Short(i)
		b.short[i] = s
	}
	return s
}

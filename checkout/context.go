package checkout

import (
	"context"
	"fmt"
	"strconv"

	"tlog/log"
	"tlog/objects"
)

// EditContext replaces (content is a JSON string or array) or, with nil, leaves out an entry of HEAD's path in what the model is sent.
// An assistant's message and a tool result hold blocks: a string becomes a text block there (formats/pi.md section 5). The error wraps
// objects.ErrNotFound for a missing entry, objects.ErrRefused for one that is not on the path, and objects.ErrInvalid
// for one without content that can be edited, or if content is neither.
func (s *Session) EditContext(ctx context.Context, at int, content []byte) (id objects.ID, err error) {
	err = s.update(ctx, func(b *batch) error {
		if err := s.checkEntry(at); err != nil {
			return err
		}
		if content != nil && (!isContent(content) || !objects.Valid(content)) {
			return fmt.Errorf("%w content: expected a JSON string or list, got %.40q", objects.ErrInvalid, content)
		}
		target := s.idOf(at)
		if err := b.checkEditable(target, b.headTip()); err != nil {
			return err
		}
		replacement, err := s.replacement(at, content)
		if err != nil {
			return err
		}
		id, err = b.entry(objects.TypeContextEdit, objects.IDField("targetId", target), replacement)
		return err
	})
	return id, err
}

// replacement is the field of that name for new content of an entry.
func (s *Session) replacement(at int, content []byte) (objects.Field, error) {
	f := objects.Field{Key: "replacement"}
	if content == nil {
		return f, nil
	}
	e, err := s.Log.Entry(at)
	if err != nil {
		return f, err
	}
	switch m, _ := decode(e); m.Role {
	case objects.RoleAssistant, objects.RoleToolResult:
		if content[0] == '"' {
			content = fmt.Appendf(nil, `[{"type":"text","text":%s}]`, content)
		}
	}
	f.Value = fmt.Appendf(nil, `{"content":%s}`, content)
	return f, nil
}

// Compact appends a compaction. firstKept is log.None to keep nothing, else an entry of HEAD's path. The system
// messages of the context are folded into the entry's systemMessage (formats/pi.md section 2). The error wraps
// objects.ErrNotFound if there is nothing to compact.
func (s *Session) Compact(ctx context.Context, summary string, firstKept int, tokensBefore int64) (id objects.ID, err error) {
	err = s.update(ctx, func(b *batch) error {
		if b.head.At == log.None {
			return fmt.Errorf("nothing to compact: %w", objects.ErrNotFound)
		}
		if firstKept != log.None {
			if err := s.checkEntry(firstKept); err != nil {
				return err
			}
			if !s.Log.IsAncestor(firstKept, b.head.At) {
				return fmt.Errorf("%w: entry '%s' is not on the branch", objects.ErrRefused, s.idOf(firstKept))
			}
		}
		if tokensBefore < 0 {
			return fmt.Errorf("%w: %d tokens before a compaction", objects.ErrInvalid, tokensBefore)
		}
		id, err = b.compaction(summary, s.idOf(firstKept), tokensBefore)
		return err
	})
	return id, err
}

// compaction adds the entry. One that keeps nothing names itself.
func (b *batch) compaction(summary string, firstKept objects.ID, tokensBefore int64) (objects.ID, error) {
	c, err := b.s.Context(b.head.At)
	if err != nil {
		return "", err
	}
	st, err := b.stamp()
	if err != nil {
		return "", err
	}
	if firstKept == "" {
		firstKept = st.id
	}
	payload := []objects.Field{
		objects.StringField("summary", summary),
		objects.IDField("firstKeptEntryId", firstKept),
		{Key: "tokensBefore", Value: strconv.AppendInt(nil, tokensBefore, 10)},
	}
	if system := foldSystem(c.Messages); system != nil {
		payload = append(payload, objects.Field{Key: "systemMessage", Value: system.json(st.time)})
	}
	b.add(st, b.headTip(), objects.TypeCompaction, payload...)
	return st.id, nil
}

// BranchSummary goes back to an entry (log.None: before the first) and appends a summary of the path that was left. HEAD
// is detached there, unless it stands at the entry already: then its branch goes on.
func (s *Session) BranchSummary(ctx context.Context, at int, summary string) (id objects.ID, err error) {
	err = s.update(ctx, func(b *batch) error {
		if at != log.None {
			if err := s.checkEntry(at); err != nil {
				return err
			}
		}
		from := b.headTip()
		if from == "" {
			from = "root"
		}
		if at != b.head.At && !b.head.Detached() {
			if err := b.leave(at); err != nil {
				return err
			}
		}
		id, err = b.entryOn(s.idOf(at), objects.TypeBranchSummary,
			objects.IDField("fromId", from), objects.StringField("summary", summary))
		return err
	})
	return id, err
}

// leave detaches HEAD at an entry. To begin a new root it is detached where it stands: the
// root that comes next moves it.
func (b *batch) leave(at int) error {
	if at == log.None {
		at = b.head.At
	}
	return b.detach(b.s.idOf(at), b.moving(b.s.Log.Short(at)))
}

package checkout

import (
	"context"
	"strings"

	"tlog/objects"
	"tlog/refs"
)

// SetLabel labels an entry; an empty label clears. A label that would hide another entry's
// id is refused, other than short ones, which hide nothing that tlog prints.
func (s *Session) SetLabel(ctx context.Context, at int, label string) (id objects.ID, err error) {
	err = s.update(ctx, func(b *batch) error {
		if err := s.checkEntry(at); err != nil {
			return err
		}
		value := objects.Field{Key: "label"}
		if label != "" {
			if err := s.checkLabel(label); err != nil {
				return err
			}
			value = objects.StringField("label", label)
		}
		id, err = b.entry(objects.TypeLabel, objects.IDField("targetId", s.idOf(at)), value)
		return err
	})
	return id, err
}

func (s *Session) checkLabel(label string) error {
	if err := refs.CheckName(label); err != nil {
		return err
	}
	return s.checkHides("label", label)
}

// SetName names the session.
func (s *Session) SetName(ctx context.Context, name string) (id objects.ID, err error) {
	err = s.update(ctx, func(b *batch) error {
		id, err = b.entry(objects.TypeSessionInfo, objects.StringField("name", strings.TrimSpace(name)))
		return err
	})
	return id, err
}

package checkout

import (
	"fmt"

	"tlog/objects"
)

// checkTargets checks the entries that a draft names, if it names any. parent is the entry
// under which it will hang.
func (b *batch) checkTargets(d *draft, parent objects.ID) error {
	switch e := d.entry; e.Type {
	case objects.TypeLabel:
		_, err := b.target(e)
		return err
	case objects.TypeContextEdit:
		if err := checkReplacement(e.Get("replacement")); err != nil {
			return err
		}
		target, err := b.target(e)
		if err != nil {
			return err
		}
		return b.checkEditable(target, parent)
	case objects.TypeSkip, objects.TypeUnskip:
		return b.checkSkipTargets(e)
	}
	return nil
}

// target is the id in an entry's targetId, which must be an entry.
func (b *batch) target(e objects.Entry) (objects.ID, error) {
	id, ok := e.Text("targetId")
	if !ok {
		return "", fmt.Errorf("%w %s: expected a string as targetId", objects.ErrInvalid, e.Type)
	}
	_, _, ok, err := b.lookup(objects.ID(id))
	if err == nil && !ok {
		err = fmt.Errorf("%s of '%s': %w: no entry has this id", e.Type, id, objects.ErrNotFound)
	}
	return objects.ID(id), err
}

// checkSkipTargets checks the entries that a skip or unskip names.
func (b *batch) checkSkipTargets(e objects.Entry) error {
	n, ids := 0, e.TargetIDs()
	ok := objects.Elements(e.Get("targetIds"), func([]byte) { n++ })
	if !ok || n == 0 || n != len(ids) {
		return fmt.Errorf("%w %s: expected targetIds to be a list of ids", objects.ErrInvalid, e.Type)
	}
	for _, id := range ids {
		target, _, ok, err := b.lookup(id)
		switch {
		case err != nil:
			return err
		case !ok:
			return fmt.Errorf("%s of '%s': %w: no entry has this id", e.Type, id, objects.ErrNotFound)
		case undoes(target.Type):
			return fmt.Errorf("%w %s: '%s' is a %s, which cannot be undone", objects.ErrInvalid, e.Type, id, target.Type)
		}
	}
	return nil
}

// undoes reports whether entries of the type say what is undone.
func undoes(t objects.Type) bool { return t == objects.TypeSkip || t == objects.TypeUnskip }

// checkReplacement checks what a context_edit puts in the place of its target's content.
func checkReplacement(value []byte) error {
	if string(value) == "null" {
		return nil
	}
	if r, err := objects.ParseEntry(value); err == nil && isContent(r.Get("content")) {
		return nil
	}
	return fmt.Errorf("%w context_edit: expected replacement to be null or an object with content (a string or a list), got %.40q",
		objects.ErrInvalid, value)
}

// isContent reports whether value may be the content of a message.
func isContent(value []byte) bool { return len(value) > 0 && (value[0] == '"' || value[0] == '[') }

// checkEditable checks that an entry is on the path to tip and adds content to the
// context that can be edited (formats/pi.md section 5).
func (b *batch) checkEditable(id, tip objects.ID) error {
	if !b.onPath(id, tip) {
		return fmt.Errorf("%w: entry '%s' is not on the branch", objects.ErrRefused, id)
	}
	e, _, _, err := b.lookup(id)
	if err != nil {
		return err
	}
	if e.Type == objects.TypeCustomMessage {
		return nil
	}
	m, ok := decode(e)
	switch m.Role {
	case objects.RoleUser, objects.RoleAssistant, objects.RoleToolResult, "tool":
		if ok {
			return nil
		}
	}
	return fmt.Errorf("%w: entry '%s' (%s) has no content that can be edited", objects.ErrInvalid, id, what(e, m))
}

// what says what an entry is.
func what(e objects.Entry, m objects.Message) string {
	if m.Role != "" {
		return m.Role + " message"
	}
	return string(e.Type)
}

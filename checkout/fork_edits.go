package checkout

import (
	"tlog/log"
	"tlog/objects"
)

// leaves reports whether an entry of the path is left out for what it is itself.
func (f *forker) leaves(i int, t objects.Type, undone bool) (bool, error) {
	switch {
	case !f.flatten:
		return false, nil
	case t == objects.TypeSkip, t == objects.TypeUnskip:
		return true, nil
	case !f.opt.Edits:
		return undone, nil
	case t == objects.TypeQueue:
		return true, nil
	case undone:
		if t != objects.TypeMessage && t != objects.TypeCustomMessage && t != objects.TypeBranchSummary {
			return true, nil // no edit takes back what it does
		}
	case t != objects.TypeMessage && t != objects.TypeContextEdit:
		return false, nil
	}
	return f.unloadable(i, t)
}

// unloadable reports whether pi fails to load a session with the entry (formats/pi.md section 7).
func (f *forker) unloadable(i int, t objects.Type) (bool, error) {
	if t != objects.TypeMessage && t != objects.TypeContextEdit {
		return false, nil
	}
	e, err := f.s.Log.Entry(i)
	if err != nil {
		return false, err
	}
	if t == objects.TypeContextEdit {
		return e.Get("replacement") == nil, nil
	}
	message := e.Get("message")
	return len(message) == 0 || message[0] != '{', nil
}

// hide adds the edits that keep undone messages out of the context, and the model that goes on without them.
func (f *forker) hide() error {
	for _, i := range f.hidden {
		nothing := objects.Field{Key: "replacement"}
		if err := f.add(objects.TypeContextEdit, objects.IDField("targetId", f.s.Log.Record(i).ID), nothing); err != nil {
			return err
		}
	}
	if len(f.hidden) == 0 {
		return nil
	}
	seen, err := f.seenModel()
	if err != nil || seen == log.None {
		return err
	}
	c, err := f.s.Context(f.path[len(f.path)-1])
	if err != nil {
		return err
	}
	model := objects.Entry{Raw: c.Model}
	provider, known := model.Text("provider")
	id, named := model.Text("modelId")
	if !known || !named {
		return nil
	}
	return f.add(objects.TypeModelChange, objects.StringField("provider", provider), objects.StringField("modelId", id))
}

// seenModel is the entry that sets the model for who knows no undo, if it is an undone one; else log.None.
func (f *forker) seenModel() (int, error) {
	undone := map[int]bool{}
	for _, i := range f.hidden {
		undone[i] = true
	}
	for n := len(f.kept) - 1; n >= 0; n-- {
		i := f.kept[n]
		switch f.s.Log.Record(i).Type {
		case objects.TypeModelChange:
			return log.None, nil
		case objects.TypeMessage:
			e, err := f.s.Log.Entry(i)
			if err != nil {
				return log.None, err
			}
			if m, _ := decode(e); m.Role == objects.RoleAssistant {
				if undone[i] {
					return i, nil
				}
				return log.None, nil
			}
		}
	}
	return log.None, nil
}

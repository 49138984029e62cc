package refs

import (
	"errors"
	"slices"
	"strings"

	"tlog/log"
	"tlog/objects"
)

// step takes one suffix from entry at.
func (r *Resolver) step(at int, s step) (int, error) {
	l := r.State.log
	switch s.kind {
	case stepParent:
		if parent := l.Record(at).Parent; parent != log.None {
			return parent, nil
		}
		return log.None, notFound("entry '%s' has no parent", l.Short(at))
	case stepBack, stepTurn:
		h, err := NewHistory(l, at)
		if err != nil {
			return log.None, err
		}
		if s.kind == stepTurn {
			return turnStart(h, at)
		}
		if back, ok := h.Back(s.n); ok {
			return back, nil
		}
		return log.None, notFound("entry '%s' has no '%s': the log shows %d up to it", l.Short(at), s.text, len(h.Visible()))
	}
	return at, nil
}

func turnStart(h *History, at int) (int, error) {
	prompt, err := h.lastPrompt()
	if err == nil && prompt == log.None {
		err = notFound("no user prompt at or before entry '%s'", h.log.Short(at))
	}
	return prompt, err
}

// moved resolves a revision that begins with <ref>@{n}, @{n} or @{-n}.
func (r *Resolver) moved(ref string, s step) (Rev, error) {
	if s.kind == stepFormer {
		return r.former(s)
	}
	name := ref
	if name == "" {
		name = r.State.Head().Branch
	}
	if name == "" || name == "@" {
		name = headName
	}
	moves, err := Reflog(r.State.log, name)
	if err != nil {
		return Rev{}, r.noReflog(ref, name, err)
	}
	if s.n >= len(moves) {
		return Rev{}, notFound("reflog of '%s' has %d lines, got '%s'", name, len(moves), s.text)
	}
	if moves[s.n].At == log.None {
		return Rev{}, notFound("'%s' had no entry at '%s'", name, s.text)
	}
	return Rev{State: r.State, At: moves[s.n].At}, nil
}

// noReflog is the error for a name without reflog: it may be another kind of name.
func (r *Resolver) noReflog(ref, name string, err error) error {
	switch found, nameErr := r.name(name); {
	case nameErr != nil:
		return nameErr
	case found.At == log.None:
		return found.wantTree()
	case ref != "":
		return invalid("'%s' has no reflog: expected HEAD or a branch", shorten(ref))
	}
	return err
}

func (r *Resolver) former(s step) (Rev, error) {
	head, ok, err := r.State.formerHead(s.n)
	if err != nil {
		return Rev{}, err
	}
	if !ok {
		return Rev{}, notFound("no branch for '%s': HEAD was not at so many before", s.text)
	}
	return Rev{State: r.State, At: head.At, Name: head.Branch}, nil
}

// search resolves :/<text>: the newest entry on HEAD's path, undone ones left
// out, whose text contains it. It reads from the newest on and no further than it must.
func (r *Resolver) search(text string) (Rev, error) {
	if text == "" {
		return Rev{}, invalid("invalid revision ':/': expected a text")
	}
	l := r.State.log
	h, err := NewHistory(l, r.State.Head().At)
	if err != nil {
		return Rev{}, err
	}
	for _, i := range slices.Backward(h.path) {
		if !h.visible(i) {
			continue
		}
		e, err := l.Whole(i)
		var hole *log.BlobError
		if err != nil && !errors.As(err, &hole) { // what is there of the entry can be searched
			return Rev{}, err
		}
		if strings.Contains(entryText(l, e), text) {
			return Rev{State: r.State, At: i}, nil
		}
	}
	return Rev{}, notFound("no entry on HEAD's path has the text '%s'", shorten(text))
}

// entryText is what a visible entry says: the text of a message, the summary of others.
func entryText(l *log.Log, e objects.Entry) string {
	switch e.Type {
	case objects.TypeCompaction, objects.TypeBranchSummary:
		summary, _ := e.Text("summary")
		return summary
	}
	m, _ := l.Message(e)
	return m.Text()
}

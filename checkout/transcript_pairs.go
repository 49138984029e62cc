package checkout

import (
	"tlog/log"
	"tlog/objects"
	"tlog/refs"
)

// callWindow is a reply of a model with what belongs to it: the calls in all its entries, and their results. Nothing behind
// another reply belongs to it any more.
type callWindow struct {
	begun   bool
	reply   string
	open    map[string]bool // calls without a result so far
	entries []int           // from the first that belongs to the reply on
}

// ends reports whether a message begins another reply.
func (w *callWindow) ends(m objects.Message) bool {
	return m.Role == objects.RoleAssistant && w.begun && (m.ReplyID == "" || m.ReplyID != w.reply)
}

// take takes a message into the window.
func (w *callWindow) take(at int, m objects.Message) {
	if m.Role == objects.RoleAssistant {
		w.begun, w.reply = true, m.ReplyID
		for _, call := range m.Calls() {
			if w.open == nil {
				w.open = map[string]bool{}
			}
			w.open[call.CallID] = true
		}
	}
	if w.begun {
		w.entries = append(w.entries, at)
		w.answer(m)
	}
}

// answer takes the results in a message, and reports whether any was waited for.
func (w *callWindow) answer(m objects.Message) (any bool) {
	for _, r := range m.Results() {
		any = any || w.open[r.CallID]
		delete(w.open, r.CallID)
	}
	return any
}

// wholePairs is the entry, at or below an entry, up to which no call of its last reply is split from its results.
func (s *Session) wholePairs(at int) (int, error) {
	w, err := s.windowAt(at)
	if err != nil || len(w.open) == 0 {
		return at, err
	}
	head, err := refs.NewHistory(s.Log, s.Refs.Head().At)
	if err != nil {
		return at, err
	}
	end := at
	for i := at; len(w.open) > 0; {
		if i, err = s.below(i, w, head); err != nil || i == log.None {
			return end, err
		}
		if head.Contains(i) && head.SkippedBy(i) != log.None {
			continue
		}
		m, ok, err := s.messageAt(i)
		if err != nil {
			return at, err
		}
		if !ok {
			continue
		}
		if m.Prompt() || w.ends(m) {
			break
		}
		before := len(w.open)
		w.take(i, m)
		if len(w.open) < before {
			end = i
		}
	}
	return end, nil
}

// windowAt is the reply that an entry belongs to, up to that entry.
func (s *Session) windowAt(at int) (*callWindow, error) {
	h, err := refs.NewHistory(s.Log, at)
	if err != nil {
		return nil, err
	}
	path := h.Path()
	last := &callWindow{}
	from := len(path)
	for from > 0 {
		m, ok, err := s.messageAt(path[from-1])
		if err != nil {
			return nil, err
		}
		if ok && (m.Prompt() || last.ends(m)) {
			break
		}
		if ok && m.Role == objects.RoleAssistant {
			last.begun, last.reply = true, m.ReplyID
		}
		from--
	}
	w := &callWindow{}
	for _, i := range path[from:] {
		if h.SkippedBy(i) != log.None {
			continue
		}
		m, ok, err := s.messageAt(i)
		if err != nil {
			return nil, err
		}
		if ok {
			w.take(i, m)
		}
	}
	return w, nil
}

// below is the entry below i that leads to results that are waited for: that on the path to HEAD, else one that holds such a result,
// else the newest.
func (s *Session) below(i int, w *callWindow, head *refs.History) (int, error) {
	children := s.Log.Children(i)
	next := log.None
	for _, child := range children {
		if head.Contains(child) {
			return child, nil
		}
		m, ok, err := s.messageAt(child)
		if err != nil {
			return log.None, err
		}
		if ok {
			for _, r := range m.Results() {
				if w.open[r.CallID] {
					return child, nil
				}
			}
		}
		next = child
	}
	return next, nil
}

func (s *Session) messageAt(i int) (m objects.Message, ok bool, err error) {
	e, err := s.Log.Entry(i)
	if err != nil {
		return m, false, err
	}
	m, ok = s.Log.Message(e)
	return m, ok, nil
}

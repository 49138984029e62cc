package projection

import (
	"fmt"

	"tlog/agents"
	"tlog/log"
	"tlog/objects"
)

// CheckPairs finds tool calls that have no result on some branch, and results whose call
// is on no path to them. It reads every message of the log once.
// Calls of a reply that failed or was aborted need no result.
func CheckPairs(l *log.Log) ([]log.Finding, error) {
	w := &pairWalk{log: l, open: map[string][]*openCall{}, waiting: map[*openCall]bool{}}
	for _, root := range l.Children(log.None) {
		if err := w.walk(root); err != nil {
			return nil, err
		}
	}
	return w.findings, nil
}

// openCall is a tool call on the path that the walk stands at.
type openCall struct {
	at       int
	id       string
	reported bool
}

// pairWalk goes through the history depth first and knows at each entry the calls on the path to it.
type pairWalk struct {
	log      *log.Log
	open     map[string][]*openCall // by call id, the newest last
	waiting  map[*openCall]bool     // those without a result so far that are not reported yet
	findings []log.Finding
}

// visit is an entry on the way down, with what leaving it takes back.
type visit struct {
	children []int
	made     []*openCall
	answered []*openCall
}

func (w *pairWalk) walk(root int) error {
	first, err := w.enter(root)
	if err != nil {
		return err
	}
	for stack := []visit{first}; len(stack) > 0; {
		top := &stack[len(stack)-1]
		if len(top.children) == 0 {
			w.leave(*top)
			stack = stack[:len(stack)-1]
			continue
		}
		next := top.children[0]
		top.children = top.children[1:]
		v, err := w.enter(next)
		if err != nil {
			return err
		}
		stack = append(stack, v)
	}
	return nil
}

func (w *pairWalk) enter(at int) (visit, error) {
	v := visit{children: w.log.Children(at)}
	if r := w.log.Record(at); r.Type == objects.TypeMessage && !r.Replaced {
		e, err := w.log.Entry(at)
		if err != nil {
			return v, err
		}
		m, _ := agents.Message(e)
		for _, b := range m.Blocks { // a message may hold a call and its result
			switch b.Kind {
			case objects.BlockToolResult:
				w.answer(&v, at, b.CallID)
			case objects.BlockToolCall:
				w.call(&v, at, b.CallID, m)
			}
		}
	}
	if len(v.children) == 0 {
		w.leaf()
	}
	return v, nil
}

func (w *pairWalk) call(v *visit, at int, id string, m objects.Message) {
	c := &openCall{at: at, id: id}
	w.open[id] = append(w.open[id], c)
	v.made = append(v.made, c)
	if m.StopReason != "aborted" && m.StopReason != "error" {
		w.waiting[c] = true
	}
}

func (w *pairWalk) answer(v *visit, at int, id string) {
	calls := w.open[id]
	if len(calls) == 0 {
		w.find(log.OrphanResult, at, fmt.Sprintf("tool result for '%s' has no call", id))
		return
	}
	c := calls[len(calls)-1]
	if w.waiting[c] {
		delete(w.waiting, c)
		v.answered = append(v.answered, c)
	}
}

// leaf reports the calls that have no result down to here.
func (w *pairWalk) leaf() {
	for c := range w.waiting {
		c.reported = true
		w.find(log.UnansweredCall, c.at, fmt.Sprintf("tool call '%s' has no result", c.id))
	}
	clear(w.waiting)
}

func (w *pairWalk) leave(v visit) {
	for _, c := range v.answered {
		if !c.reported {
			w.waiting[c] = true
		}
	}
	for _, c := range v.made {
		delete(w.waiting, c)
		w.open[c.id] = w.open[c.id][:len(w.open[c.id])-1]
		if len(w.open[c.id]) == 0 {
			delete(w.open, c.id)
		}
	}
}

func (w *pairWalk) find(code log.Code, at int, message string) {
	r := w.log.Record(at)
	w.findings = append(w.findings, log.Finding{Code: code, Line: r.Line, Offset: r.Offset, ID: string(r.ID), Message: message})
}

package checkout

import (
	"tlog/log"
	"tlog/objects"
	"tlog/refs"
)

// unit is an entry as undo sees it: one of the log, or one that is pending in a stream.
type unit struct {
	at      int    // log.None if pending
	draft   *draft // nil if in the log
	visible bool   // of a visible type and not undone
	undone  bool   // before this undo
	message objects.Message

	asked  bool // the caller named it
	chosen bool // it is to be undone: asked for, or part of a tool pair that is

	calls   []*call // that it makes
	answers []*call // that it holds results of
}

// call is a tool call with its results on the path. The same id may name several
// calls of one path: a result belongs to the newest one before it.
type call struct {
	by      *unit // nil as long as the walk has not come to it
	results []*unit
}

// gone reports whether no result of the call stays.
func (c *call) gone() bool {
	for _, r := range c.results {
		if !r.chosen && !r.undone {
			return false
		}
	}
	return true
}

// closure chooses entries to be undone and what belongs to them by tool calls
// (docs/format.md "Undo"). It walks from the newest entry back and only as far as it must.
type closure struct {
	next    func() (*unit, error)    // the entry before the last one; nil at the root
	pick    func(u *unit) (ask bool) // called for each entry in turn
	more    func() bool              // whether pick has more to ask for
	units   []*unit                  // walked over, newest first
	open    map[string]*call         // calls that the walk has not come to, by id
	seeking map[*call]bool           // those of open whose results are all to be undone
	queue   []*unit                  // chosen, not looked into yet
}

// run walks until all that was asked for is complete.
func (c *closure) run() error {
	c.open, c.seeking = map[string]*call{}, map[*call]bool{}
	for c.more() || len(c.seeking) > 0 {
		u, err := c.next()
		if err != nil || u == nil {
			return err
		}
		c.units = append(c.units, u)
		claimed := c.connect(u)
		if c.more() && c.pick(u) {
			u.asked = true
			c.choose(u)
		}
		for _, call := range claimed {
			c.choose(call.by)
		}
		c.spread()
	}
	return nil
}

// connect ties u to the calls and results behind it. It returns the calls that were sought.
func (c *closure) connect(u *unit) (claimed []*call) {
	for _, r := range u.message.Results() {
		k := c.open[r.CallID]
		if k == nil {
			k = &call{}
			c.open[r.CallID] = k
		}
		k.results = append(k.results, u)
		u.answers = append(u.answers, k)
	}
	for _, block := range u.message.Calls() {
		k := c.open[block.CallID]
		delete(c.open, block.CallID)
		if k == nil {
			k = &call{}
		}
		k.by = u
		u.calls = append(u.calls, k)
		if c.seeking[k] && k.gone() {
			claimed = append(claimed, k)
		}
		delete(c.seeking, k)
	}
	return claimed
}

func (c *closure) choose(u *unit) {
	if !u.chosen && !u.undone {
		u.chosen = true
		c.queue = append(c.queue, u)
	}
}

// spread chooses what belongs to the chosen entries.
func (c *closure) spread() {
	for len(c.queue) > 0 {
		u := c.queue[0]
		c.queue = c.queue[1:]
		for _, k := range u.calls {
			for _, r := range k.results {
				c.choose(r)
			}
		}
		for _, k := range u.answers {
			switch {
			case !k.gone():
			case k.by != nil:
				c.choose(k.by)
			default:
				c.seeking[k] = true
			}
		}
	}
}

// walkPath yields the entries of a history from its end back. hidden says of an id
// whether it is undone, beyond what the history says; it may be nil.
func (s *Session) walkPath(h *refs.History, hidden func(objects.ID) (undone, known bool)) func() (*unit, error) {
	path := h.Path()
	return func() (*unit, error) {
		if len(path) == 0 {
			return nil, nil
		}
		at := path[len(path)-1]
		path = path[:len(path)-1]
		r := s.Log.Record(at)
		u := &unit{at: at, undone: h.SkippedBy(at) != log.None}
		if hidden != nil {
			if undone, known := hidden(r.ID); known {
				u.undone = undone
			}
		}
		u.visible = r.Visible() && !u.undone
		if r.Type != objects.TypeMessage {
			return u, nil
		}
		e, err := s.Log.Entry(at)
		if err != nil {
			return nil, err
		}
		u.message, _ = decode(e)
		return u, nil
	}
}

// siblings are the results of the unit's calls that hang directly under it and are not
// on the path: agents write the results of parallel calls side by side.
func (s *Session) siblings(h *refs.History, u *unit) ([]int, error) {
	if len(u.calls) == 0 {
		return nil, nil
	}
	calls := map[string]bool{}
	for _, block := range u.message.Calls() {
		calls[block.CallID] = true
	}
	var found []int
	for _, child := range s.Log.Children(u.at) {
		if s.Log.Record(child).Type != objects.TypeMessage || h.Contains(child) || h.SkippedBy(child) != log.None {
			continue
		}
		e, err := s.Log.Entry(child)
		if err != nil {
			return nil, err
		}
		if answer(e, calls) {
			found = append(found, child)
		}
	}
	return found, nil
}

// undone collects what the closure chose in the log, oldest first.
func (s *Session) undone(h *refs.History, units []*unit) (u Undone, err error) {
	for i := len(units) - 1; i >= 0; i-- {
		unit := units[i]
		if !unit.chosen || unit.draft != nil {
			continue
		}
		u.Targets = append(u.Targets, unit.at)
		if !unit.asked {
			u.Closure = append(u.Closure, unit.at)
		}
		beside, err := s.siblings(h, unit)
		if err != nil {
			return Undone{}, err
		}
		u.Targets = append(u.Targets, beside...)
		u.Closure = append(u.Closure, beside...)
	}
	return u, nil
}

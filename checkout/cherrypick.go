package checkout

import (
	"context"
	"fmt"
	"slices"

	"tlog/log"
	"tlog/objects"
	"tlog/refs"
)

// Pick says which entries are to be brought over.
type Pick struct {
	From *refs.State // of the session that they lie in
	// Entries are records of that session, each with what belongs to it by tool calls; those of Path that are undone are left out of a range by who asks.
	Entries []int
	// Branch is where they go; empty for HEAD.
	Branch string
	// DryRun: nothing is written.
	DryRun bool
}

// Picked says what a cherry-pick did.
type Picked struct {
	Copies []Copied
	// Closure are those of Copies that were not asked for but belong to a tool pair, by their origin.
	Closure []objects.ID
	// There are on the branch already, themselves or a copy, and not undone.
	There []objects.ID
	// Left are left out.
	Left []LeftOut
}

// Copied is an entry that was brought over.
type Copied struct{ Origin, ID objects.ID }

// LeftOut is an entry that was not brought over, and why.
type LeftOut struct {
	ID     objects.ID
	Reason string
}

const originKey = "origin" // see objects.Entry.Origin

// CherryPick appends copies of entries to a branch, in one write: new ids, the time of now, the payload byte for byte, and their origin (docs/diff.md
// "Bringing entries over"). With a call come its results, with a result its call and what else belongs to that. What would leave a call without
// its result is left out, and so is what no history of another branch can take: labels, names, undos, compactions, changes of the model. If nothing is left nothing is
// written. The error wraps objects.ErrRefused for lines of an agent in a session of another one, and is a *TrackingError on a tracking branch.
func (s *Session) CherryPick(ctx context.Context, p Pick) (done Picked, err error) {
	from := p.From.Log()
	c := &picker{session: s, from: from, asked: set(p.Entries), chosen: map[int]bool{}, pairs: &pairing{log: from, read: map[int]pairIDs{}}}
	if err := c.choose(p.Entries); err != nil {
		return Picked{}, err
	}
	if p.DryRun {
		err = c.plan(newBatch(s, p.Branch))
	} else {
		err = s.update(ctx, func(b *batch) error {
			b.branch = p.Branch
			if err := c.plan(b); err != nil || len(b.lines) == 0 {
				return err
			}
			return b.settle()
		})
	}
	if err != nil {
		return Picked{}, err
	}
	return c.done, nil
}

// picker finds the entries that are brought over.
type picker struct {
	session *Session
	from    *log.Log
	asked   map[int]bool
	chosen  map[int]bool
	pairs   *pairing
	left    []LeftOut
	done    Picked
}

// choose finds the entries that are brought over: those that can be, with what belongs to them by tool calls.
func (c *picker) choose(entries []int) error {
	var queue []int
	for _, at := range entries {
		if r := c.from.Record(at); brought(r) {
			queue = append(queue, at)
		} else {
			c.left = append(c.left, LeftOut{r.ID, fmt.Sprintf("a %s is not brought over", r.Type)})
		}
	}
	return c.close(queue)
}

// brought reports whether entries of a type are brought over.
func brought(r *log.Record) bool {
	switch r.Type {
	case objects.TypeMessage, objects.TypeCustomMessage, objects.TypeBranchSummary:
		return r.Tree()
	}
	return false
}

// inOrder are the chosen entries, parents first.
func (c *picker) inOrder() []int {
	placed := make(map[int]bool, len(c.chosen))
	var sorted []int
	var above []int
	for _, at := range slices.Sorted(keysOf(c.chosen)) {
		above = above[:0]
		for up := at; up != log.None && !placed[up]; up = c.from.Record(up).Parent {
			placed[up] = true
			if c.chosen[up] {
				above = append(above, up)
			}
		}
		slices.Reverse(above)
		sorted = append(sorted, above...)
	}
	return sorted
}

func keysOf(m map[int]bool) func(func(int) bool) {
	return func(yield func(int) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// plan makes the lines of the copies.
func (c *picker) plan(b *batch) error {
	c.done = Picked{Left: slices.Clone(c.left)}
	there, err := c.onBranch(b)
	if err != nil {
		return err
	}
	for _, at := range c.inOrder() {
		id := c.from.Record(at).ID
		e, err := c.from.Entry(at)
		if err != nil {
			return err
		}
		if there[id] || e.Origin() != "" && there[e.Origin()] {
			c.done.There = append(c.done.There, id)
			continue
		}
		d, err := c.copy(at)
		if err != nil {
			return fmt.Errorf("entry %s: %w", id, err)
		}
		if err := b.place(d); err != nil {
			return err
		}
		there[d.entry.Origin()] = true // the path of another entry that was asked for may have a copy too
		c.done.Copies = append(c.done.Copies, Copied{Origin: id, ID: d.id})
		if !c.asked[at] {
			c.done.Closure = append(c.done.Closure, id)
		}
	}
	return nil
}

// onBranch are the ids of the entries on the branch that are not undone, and of those that they are copies of.
func (c *picker) onBranch(b *batch) (map[objects.ID]bool, error) {
	tip, err := b.tip(b.key(b.branch))
	if err != nil {
		return nil, err
	}
	l := c.session.Log
	there := map[objects.ID]bool{}
	at, ok := l.Find(tip)
	if !ok {
		return there, nil
	}
	history, err := refs.NewHistory(l, at)
	if err != nil {
		return nil, err
	}
	for _, i := range history.Path() {
		if !brought(l.Record(i)) || history.SkippedBy(i) != log.None {
			continue
		}
		there[l.Record(i).ID] = true
		e, err := l.Entry(i)
		if err != nil {
			return nil, err
		}
		if origin := e.Origin(); origin != "" {
			there[origin] = true
		}
	}
	return there, nil
}

// originOf is the origin of a copy: that of the entry it is copied from, if this is a copy itself.
func (c *picker) originOf(at int, e objects.Entry) []byte {
	if e.Origin() != "" {
		return e.Get(originKey)
	}
	return objects.Object(objects.StringField("session", string(c.from.Header().ID)), objects.StringField("id", string(c.from.Record(at).ID)),
		objects.StringField("timestamp", e.Timestamp))
}

// own are the members of an entry that a copy has anew, or that say how its line stands in its file.
var own = []string{"id", "parentId", "timestamp", "gap", "joined", "completes", "base", originKey}

// copy is a copy of an entry, whole.
func (c *picker) copy(at int) (*draft, error) {
	whole, err := c.from.Whole(at)
	if err != nil {
		return nil, err
	}
	agent := c.session.Log.Header().Agent
	if whole.Foreign() && c.session.Log.Header().Source != nil && agent != whole.Agent {
		return nil, fmt.Errorf("%w: a line of %s cannot come into a session of %s", objects.ErrRefused, whole.Agent, agent)
	}
	object := whole.Body()
	for _, name := range own {
		object = objects.RemoveMember(object, name)
	}
	object = objects.AppendMembers(object, append([]byte(`"`+originKey+`":`), c.originOf(at, whole)...))
	e, err := objects.ParseEntry(object)
	if err != nil {
		return nil, err
	}
	now := c.session.opt.Now()
	id, err := objects.NewID(now, c.session.opt.Random)
	return &draft{entry: e, id: id, timestamp: timestamp(now)}, err
}

package checkout

import (
	"fmt"
	"time"

	"tlog/log"
	"tlog/objects"
	"tlog/refs"
)

// batch collects the lines of one write. It knows where HEAD and the branches
// will stand once they are written.
type batch struct {
	s      *Session
	branch string // where drafts go that name no branch; empty for HEAD
	head   refs.Head
	tips   map[string]objects.ID   // of the branches that the batch moves; "" is HEAD
	added  map[objects.ID]addition // the entries of the batch so far
	lines  []log.Line
	away   bool // the last line moves another branch than HEAD's
	dry    bool // drafts are only checked, no lines are made of them
	astray bool // an entry was added to the tracking branch
}

// addition is an entry that is not in the log yet.
type addition struct {
	entry  objects.Entry
	parent objects.ID
}

// newBatch starts a batch on what the session has read.
func newBatch(s *Session, branch string) *batch {
	head := s.Refs.Head()
	return &batch{
		s: s, branch: branch, head: head,
		tips:  map[string]objects.ID{"": s.idOf(head.At)},
		added: map[objects.ID]addition{},
	}
}

// key is the name under which a branch stands in tips.
func (b *batch) key(branch string) string {
	if branch == b.head.Branch {
		return ""
	}
	return branch
}

// tip is the id of the entry where a branch stands after the lines so far.
func (b *batch) tip(key string) (objects.ID, error) {
	if id, ok := b.tips[key]; ok {
		return id, nil
	}
	branch, ok := b.s.Refs.Branch(key)
	if !ok {
		return "", fmt.Errorf("branch '%s': %w", key, objects.ErrNotFound)
	}
	return b.s.idOf(branch.At), nil
}

// headTip is the id of the entry where HEAD stands after the lines so far.
func (b *batch) headTip() objects.ID { return b.tips[""] }

// entry adds an entry of tlog's own on top of HEAD.
func (b *batch) entry(t objects.Type, payload ...objects.Field) (objects.ID, error) {
	return b.entryOn(b.headTip(), t, payload...)
}

// entryOn adds an entry under parent; HEAD moves to it.
func (b *batch) entryOn(parent objects.ID, t objects.Type, payload ...objects.Field) (objects.ID, error) {
	st, err := b.stamp()
	if err != nil {
		return "", err
	}
	b.add(st, parent, t, payload...)
	return st.id, nil
}

// journal adds a journal entry. Its parent is the tip of HEAD, so what it
// changes about HEAD must be in the batch already.
func (b *batch) journal(t objects.Type, payload ...objects.Field) error {
	st, err := b.stamp()
	if err != nil {
		return err
	}
	b.write(objects.Build(t, st.id, b.headTip(), timestamp(st.time), payload...))
	return nil
}

// stamp is the id and the time of an entry.
type stamp struct {
	id   objects.ID
	time time.Time
}

func (b *batch) stamp() (stamp, error) {
	now := b.s.opt.Now()
	id, err := objects.NewID(now, b.s.opt.Random)
	return stamp{id, now}, err
}

// add adds an entry of HEAD.
func (b *batch) add(st stamp, parent objects.ID, t objects.Type, payload ...objects.Field) {
	b.astray = b.astray || b.tracks("")
	b.write(objects.Build(t, st.id, parent, timestamp(st.time), payload...))
	b.tips[""] = st.id
}

func (b *batch) write(line []byte) {
	b.lines = append(b.lines, log.Line{Bytes: line})
	b.away = false
}

// attach adds the line that attaches HEAD to a branch which stands at tip.
func (b *batch) attach(branch string, tip objects.ID, reason string) error {
	b.head = refs.Head{Branch: branch}
	b.tips[""] = tip
	return b.journal(objects.TypeHead, withReason(reason, objects.StringField("name", branch))...)
}

// detach adds the line that detaches HEAD at an entry.
func (b *batch) detach(tip objects.ID, reason string) error {
	b.head = refs.Head{}
	b.tips[""] = tip
	return b.journal(objects.TypeHead, withReason(reason, objects.IDField("targetId", tip))...)
}

// settle adds a line that says again where HEAD is, if the last line does not descend from there.
func (b *batch) settle() error {
	switch {
	case !b.away:
		return nil
	case b.head.Detached():
		return b.detach(b.headTip(), "")
	}
	return b.attach(b.head.Branch, b.headTip(), "")
}

// setRef adds the line that sets a branch to an entry; the empty id removes it.
func (b *batch) setRef(branch string, tip objects.ID, reason string) error {
	return b.journal(objects.TypeRef,
		withReason(reason, objects.StringField("name", branch), objects.IDField("targetId", tip))...)
}

// withReason adds the reason to a payload; an empty one is left out.
func withReason(reason string, payload ...objects.Field) []objects.Field {
	if reason == "" {
		return payload
	}
	return append(payload, objects.StringField("reason", reason))
}

// lookup is the entry with an id, of the batch or of the log, and its parent.
func (b *batch) lookup(id objects.ID) (e objects.Entry, parent objects.ID, ok bool, err error) {
	if a, ok := b.added[id]; ok {
		return a.entry, a.parent, true, nil
	}
	i, ok := b.s.Log.Find(id)
	if !ok || !b.s.Log.Record(i).Tree() {
		return objects.Entry{}, "", false, nil
	}
	if e, err = b.s.Log.Entry(i); err != nil {
		return objects.Entry{}, "", false, err
	}
	return e, b.s.idOf(b.s.Log.Record(i).Parent), true, nil
}

// onPath reports whether id is on the path to the entry tip.
func (b *batch) onPath(id, tip objects.ID) bool {
	for tip != "" {
		if tip == id {
			return true
		}
		a, ok := b.added[tip]
		if !ok {
			break
		}
		tip = a.parent
	}
	target, ok := b.s.Log.Find(id)
	if !ok {
		return false
	}
	at, ok := b.s.Log.Find(tip)
	return ok && b.s.Log.IsAncestor(target, at)
}

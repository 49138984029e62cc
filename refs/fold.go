package refs

import (
	"fmt"
	"strings"
	"unicode"

	"tlog/log"
	"tlog/objects"
)

// Fold reads the refs of a log. Of the lines it reads only those about names;
// the rest goes by the log's records. The error is one of reading the file.
func Fold(l *log.Log) (*State, error) {
	s := &State{log: l}
	if err := s.Advance(); err != nil {
		return nil, err
	}
	return s, nil
}

// Advance folds in the records that the log has read since. After an error it
// may be called again. The result is that of Fold.
func (s *State) Advance() error {
	if s.next == 0 || s.reread() || s.retargeted() {
		s.reset()
	}
	if s.next < s.log.Len() {
		s.tips = nil
	}
	for ; s.next < s.log.Len(); s.next++ {
		if err := s.step(s.next); err != nil {
			return err
		}
		s.last = *s.log.Record(s.next)
	}
	return nil
}

func (s *State) reset() {
	*s = State{
		log:     s.log,
		refs:    newRefSet(),
		targets: map[objects.ID]int{},
		labels:  map[objects.ID]string{},
	}
}

// reread reports whether the log has read lines anew that are folded in: after a
// Rewrite, or when a last line without "\n" has grown.
func (s *State) reread() bool {
	if s.log.Len() < s.next {
		return true
	}
	r := s.log.Record(s.next - 1)
	return r.Offset != s.last.Offset || r.Size != s.last.Size
}

// retargeted reports whether a new record has taken an id that a ref or head line
// named: one that was not there before, or that of a line that was the entry
// until now. Such lines must be folded again.
func (s *State) retargeted() bool {
	if len(s.targets) == 0 {
		return false
	}
	for i := s.next; i < s.log.Len(); i++ {
		id := s.log.Record(i).ID
		if was, ok := s.targets[id]; ok && was != findEntry(s.log, id) {
			return true
		}
	}
	return false
}

// step folds record i in. Nothing is changed if there is an error.
func (s *State) step(i int) error {
	r := s.log.Record(i)
	c, err := s.refs.read(s.log, i, r)
	if err != nil {
		return err
	}
	if c.target != "" {
		s.targets[c.target] = findEntry(s.log, c.target)
	}
	s.refs.apply(c)
	if r.Titled {
		return s.readTitle(i)
	}
	switch r.Type { // a repeat is no entry, but says again what it says
	case objects.TypeLabel:
		return s.readLabel(i)
	case objects.TypeSessionInfo:
		return s.readName(i)
	}
	return nil
}

// readLabel reads a label entry. The label is kept by its target's id: the
// target may stand further down.
func (s *State) readLabel(i int) error {
	e, err := s.log.Entry(i)
	if err != nil {
		return err
	}
	text, _ := e.Text("targetId")
	target := objects.ID(text)
	if !target.Valid() {
		// An id that breaks the rule names an entry that goes by another one.
		if at, ok := s.log.Find(target); ok {
			target = s.log.Record(at).ID
		}
	}
	label, _ := e.Text("label")
	if label = trim(label); label != "" {
		s.labels[target] = label
	} else {
		delete(s.labels, target)
	}
	return nil
}

func (s *State) readName(i int) error {
	e, err := s.log.Entry(i)
	if err != nil {
		return err
	}
	name, _ := e.Text("name")
	s.name, s.named = trim(name), true
	return nil
}

func (s *State) readTitle(i int) error {
	e, err := s.log.Entry(i)
	if err != nil {
		return err
	}
	name, _ := e.Text("name")
	s.title, s.titled = trim(name), true
	return nil
}

// trim cuts off the white space that JavaScript's String.trim does (formats/pi.md section 5).
func trim(s string) string {
	return strings.TrimFunc(s, func(r rune) bool {
		switch r {
		case '\t', '\n', '\v', '\f', '\r', '\u2028', '\u2029', '\ufeff':
			return true
		}
		return unicode.Is(unicode.Zs, r)
	})
}

// refSet is HEAD and the branches.
type refSet struct {
	attached string         // the branch that HEAD is attached to; empty if detached
	detached int            // where detached HEAD stands
	branches map[string]int // tips
}

func newRefSet() refSet {
	return refSet{attached: DefaultBranch, detached: log.None, branches: map[string]int{}}
}

func (rs *refSet) head() Head {
	if rs.attached == "" {
		return Head{At: rs.detached}
	}
	return Head{Branch: rs.attached, At: rs.tip(rs.attached)}
}

// tip is where a branch stands; log.None if it is not there.
func (rs *refSet) tip(branch string) int {
	if at, ok := rs.branches[branch]; ok {
		return at
	}
	return log.None
}

// changeKind says what a record does to refs.
type changeKind uint8

const (
	changeNothing changeKind = iota
	changeBranch             // branch stands at at, or is removed
	changeAttach             // HEAD is attached to branch
	changeDetach             // HEAD stands at at
)

// change is what a record does to refs.
type change struct {
	kind    changeKind
	branch  string
	at      int
	target  objects.ID // that a ref or head line names
	reason  string     // of a ref or head line
	problem string     // why a part of the line, or all of it, is ignored
}

func (rs *refSet) apply(c change) {
	switch c.kind {
	case changeBranch:
		if c.at == log.None {
			delete(rs.branches, c.branch)
		} else {
			rs.branches[c.branch] = c.at
		}
	case changeAttach:
		rs.attached, rs.detached = c.branch, log.None
	case changeDetach:
		rs.attached, rs.detached = "", c.at
	}
}

// read says what record i, r, does to refs. It reads the bytes of ref and head lines only.
func (rs *refSet) read(l *log.Log, i int, r *log.Record) (change, error) {
	switch r.Type {
	case objects.TypeRef:
		e, err := l.Entry(i)
		return readRef(l, e), err
	case objects.TypeHead:
		e, err := l.Entry(i)
		return readHead(l, e), err
	}
	if r.RepeatOf != log.None {
		return rs.move(l, r, r.RepeatOf), nil
	}
	return rs.move(l, r, i), nil
}

// move is what the entry to, or a repeat of it, does: its branch moves to it.
func (rs *refSet) move(l *log.Log, r *log.Record, to int) change {
	if !isEntry(l, to) {
		return change{} // meta, which is no node
	}
	c := change{kind: changeBranch, branch: rs.attached, at: to}
	if r.Ref != "" {
		// A name that stands already was checked when it came up.
		_, known := rs.branches[r.Ref]
		if known || CheckName(r.Ref) == nil {
			c.branch = r.Ref
		} else {
			c.problem = fmt.Sprintf("ref '%s' is no name of a branch", r.Ref)
		}
	}
	if c.branch == "" {
		c.kind = changeDetach
	}
	return c
}

// readRef reads a ref line. One with a bad name or target changes nothing.
func readRef(l *log.Log, e objects.Entry) change {
	name, _ := e.Text("name")
	c := change{branch: name}
	c.reason, _ = e.Text("reason")
	if CheckName(name) != nil {
		c.problem = fmt.Sprintf("'%s' is no name of a branch", name)
		return c
	}
	if string(e.Get("targetId")) == "null" {
		c.kind, c.at = changeBranch, log.None
		return c
	}
	if c.readTarget(l, e) {
		c.kind = changeBranch
	}
	return c
}

// readHead reads a head line. One with a bad name or target changes nothing.
func readHead(l *log.Log, e objects.Entry) change {
	var c change
	c.reason, _ = e.Text("reason")
	if name, ok := e.Text("name"); ok {
		if CheckName(name) != nil {
			c.problem = fmt.Sprintf("'%s' is no name of a branch", name)
			return c
		}
		c.kind, c.branch = changeAttach, name
		return c
	}
	if c.readTarget(l, e) {
		c.kind = changeDetach
	}
	return c
}

// readTarget reads the target of a ref or head line; false if it is no entry.
func (c *change) readTarget(l *log.Log, e objects.Entry) bool {
	target, ok := e.Text("targetId")
	if !ok || target == "" {
		c.problem = "names no target"
		return false
	}
	c.target, c.at = objects.ID(target), findEntry(l, objects.ID(target))
	if c.at == log.None {
		c.problem = noEntry(target)
		return false
	}
	return true
}

func noEntry(id string) string { return fmt.Sprintf("target '%s' is no entry", id) }

// Package refs says what names mean: HEAD, branches, labels, reflogs, what is
// undone on a path, and the revision grammar. All of it is a fold of the log
// (docs/format.md "Refs" and "Undo"): nothing is stored beside the lines, and
// folding the same lines gives the same names.
//
// Entries are named by their index in the log. Types here hold on to a log and
// are as safe for several goroutines as it is: not at all.
package refs

import (
	"slices"
	"strings"

	"tlog/log"
	"tlog/objects"
)

// DefaultBranch is the branch that HEAD is attached to when a log begins.
const DefaultBranch = "main"

// headName is HEAD as people write it.
const headName = "HEAD"

// Head is where HEAD is.
type Head struct {
	Branch string // the branch that HEAD is attached to; empty if detached
	At     int    // the entry that HEAD stands at; log.None if the branch is unborn
}

// Detached reports whether HEAD is on no branch.
func (h Head) Detached() bool { return h.Branch == "" }

// Branch is a named ref.
type Branch struct {
	Name string
	At   int // its tip
}

// State is the fold of a log's lines up to some line. After the log has read
// more lines, Advance brings it up to date.
type State struct {
	log  *log.Log
	next int        // the first record that is not folded in yet
	last log.Record // the one before it, as it was

	refs    refSet
	targets map[objects.ID]int // what ref and head lines named, and what it was found to be
	labels  map[objects.ID]string
	name    string
	named   bool   // a session_info was seen, so the header's name does not count
	title   string // what the agent called the session last
	titled  bool

	tips map[int][]string // names at an entry; nil until Names asks for it
}

// Log is the log that was folded.
func (s *State) Log() *log.Log { return s.log }

// Head is where HEAD is.
func (s *State) Head() Head { return s.refs.head() }

// Branches are the branches with a tip, by name. An unborn branch is none of them.
func (s *State) Branches() []Branch {
	branches := make([]Branch, 0, len(s.refs.branches))
	for name, at := range s.refs.branches {
		branches = append(branches, Branch{name, at})
	}
	slices.SortFunc(branches, func(a, b Branch) int { return strings.Compare(a.Name, b.Name) })
	return branches
}

// Branch looks a branch up.
func (s *State) Branch(name string) (Branch, bool) {
	at, ok := s.refs.branches[name]
	return Branch{name, at}, ok
}

// UnnamedLeaves are the leaves of the graph that no branch and not HEAD stands at, in file order. What an agent
// left hanging beside a history without showing it, as rows of its own or a side conversation, is no branch, nor is what a later import has in another form.
func (s *State) UnnamedLeaves() []int {
	var reached []bool // the entries on the paths to what has a name
	return slices.DeleteFunc(slices.Clone(s.log.Leaves()), func(i int) bool {
		if len(s.names()[i]) > 0 || s.log.Record(i).Replaced {
			return true
		}
		if r := s.log.Record(i); !r.Foreign || r.Visible() {
			return false
		}
		if reached == nil {
			reached = s.reached()
		}
		for at := i; at != log.None && !reached[at]; at = s.log.Record(at).Parent {
			if r := s.log.Record(at); !r.Foreign || r.Visible() {
				return false
			}
		}
		return true
	})
}

// reached are the entries on the paths to HEAD and all branches.
func (s *State) reached() []bool {
	reached := make([]bool, s.log.Len())
	tips := []int{s.Head().At}
	for _, branch := range s.Branches() {
		tips = append(tips, branch.At)
	}
	for _, at := range tips {
		for ; at != log.None && !reached[at]; at = s.log.Record(at).Parent {
			reached[at] = true
		}
	}
	return reached
}

// Label is the label of entry i, empty if it has none. The session's last word counts.
func (s *State) Label(i int) string {
	if len(s.labels) == 0 || !isEntry(s.log, i) {
		return ""
	}
	return s.labels[s.log.Record(i).ID]
}

// Labelled are the entries that carry the label, in file order.
func (s *State) Labelled(label string) []int {
	return s.labelled(func(l string) bool { return l == label })
}

// Labels are all labelled entries, in file order.
func (s *State) Labels() []int {
	return s.labelled(func(string) bool { return true })
}

// labelled are the entries whose label is wanted. A label whose target is not in
// the log (yet) is shown nowhere.
func (s *State) labelled(want func(label string) bool) []int {
	var entries []int
	for id, label := range s.labels {
		if !want(label) {
			continue
		}
		if i := findEntry(s.log, id); i != log.None {
			entries = append(entries, i)
		}
	}
	slices.Sort(entries)
	return entries
}

// Name is the session's name: its last session_info, else what the agent whose transcript was imported called it last, else the
// header's; empty if it has none. A session_info that clears the name clears the others as well.
func (s *State) Name() string {
	switch {
	case s.named:
		return s.name
	case s.titled:
		return s.title
	}
	return trim(s.log.Header().Name)
}

// Names are the names that stand at entry i for a decoration: "HEAD" if HEAD is
// there, then branches by name. The slice is shared: do not change it.
func (s *State) Names(i int) []string { return s.names()[i] }

func (s *State) names() map[int][]string {
	if s.tips != nil {
		return s.tips
	}
	s.tips = make(map[int][]string, len(s.refs.branches)+1)
	if at := s.Head().At; at != log.None {
		s.tips[at] = append(s.tips[at], headName)
	}
	for _, b := range s.Branches() {
		s.tips[b.At] = append(s.tips[b.At], b.Name)
	}
	return s.tips
}

// findEntry is the tree entry with the id, or log.None.
func findEntry(l *log.Log, id objects.ID) int {
	if i, ok := l.Find(id); ok && l.Record(i).Tree() {
		return i
	}
	return log.None
}

// isEntry reports whether i is the index of a tree entry.
func isEntry(l *log.Log, i int) bool {
	return i >= 0 && i < l.Len() && l.Record(i).Tree()
}

package main

import (
	"fmt"
	"strconv"
	"strings"

	"tlog/checkout"
	"tlog/cmd/tlog/internal/dates"
	"tlog/cmd/tlog/internal/jsonout"
	"tlog/cmd/tlog/internal/terminal"
	"tlog/cmd/tlog/internal/view"
	"tlog/objects"
	"tlog/store"
)

// Where the session that a fork was made of is, as the rows of a tree say.
const (
	parentListed    = "listed"
	parentElsewhere = "elsewhere" // in the store, but not in this list
	parentMissing   = "missing"
)

// sessionRow is a line of the list.
type sessionRow struct {
	info   store.Info
	depth  int    // in the tree
	parent string // where the parent is; empty if there is none, or if nobody asked
	state  store.SourceState
}

func flatRows(list []store.Info) []sessionRow {
	rows := make([]sessionRow, len(list))
	for i, info := range list {
		rows[i].info = info
	}
	return rows
}

// treeRows puts forks under their parents. Those without a parent in the list stand at the left. Forks that are each other's parents,
// which only a file edited by hand can say, are cut where the first of them stands.
func treeRows(st *store.Store, list []store.Info) ([]sessionRow, error) {
	parents := parentsOf(list)
	children := make([][]int, len(list))
	orphans := map[objects.ID]bool{}
	var roots []int
	for i, parent := range parents {
		switch {
		case parent >= 0:
			children[parent] = append(children[parent], i)
			continue
		case list[i].ParentSession != "":
			orphans[list[i].ParentSession] = true
		}
		roots = append(roots, i)
	}
	elsewhere := map[objects.ID]string{}
	if len(orphans) > 0 {
		var err error
		if elsewhere, err = st.Elsewhere(orphans); err != nil {
			return nil, err
		}
	}
	rows := make([]sessionRow, 0, len(list))
	placed := make([]bool, len(list))
	type step struct{ at, depth int }
	walk := func(root int) {
		for stack := []step{{root, 0}}; len(stack) > 0; {
			s := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if placed[s.at] {
				continue
			}
			placed[s.at] = true
			row := sessionRow{info: list[s.at], depth: s.depth}
			switch _, known := elsewhere[row.info.ParentSession]; {
			case row.info.ParentSession == "":
			case parents[s.at] >= 0:
				row.parent = parentListed
			case known:
				row.parent = parentElsewhere
			default:
				row.parent = parentMissing
			}
			rows = append(rows, row)
			for i := len(children[s.at]) - 1; i >= 0; i-- {
				stack = append(stack, step{children[s.at][i], s.depth + 1})
			}
		}
	}
	for _, root := range roots {
		walk(root)
	}
	for i := range list { // what hangs on a cycle
		walk(i)
	}
	return rows, nil
}

// parentsOf is for each session the index of the one that it was forked from, of the same project if two have the id; -1 for none.
func parentsOf(list []store.Info) []int {
	byID := map[objects.ID][]int{}
	for i, info := range list {
		byID[info.ID] = append(byID[info.ID], i)
	}
	parents := make([]int, len(list))
	for i, info := range list {
		parents[i] = -1
		for _, at := range byID[info.ParentSession] {
			if at == i {
				continue
			}
			if parents[i] < 0 || list[at].Project == info.Project {
				parents[i] = at
			}
		}
	}
	return parents
}

// maxIndent is how deep a tree is shown, in levels.
const maxIndent = 12

// wideTerminal is from which width on the ids of a list are whole, in cells.
const wideTerminal = 120

func (r sessionRow) print(a *App, all bool) error {
	out, info := a.IO.Out, r.info
	id := string(info.ID)
	if out.IsTerminal() && out.Width() < wideTerminal {
		id = info.ID.Tail()
	}
	agent, entries := info.Agent, ""
	if agent == "" {
		agent = "tlog"
	}
	if info.Entries >= 0 {
		entries = strconv.Itoa(info.Entries)
	}
	branch := info.Branch
	if info.Detached() {
		branch = "(detached)"
	}
	title := terminal.Concat(
		terminal.Line(strings.Repeat("  ", min(r.depth, maxIndent))), terminal.Yellow.Paint(id),
		terminal.Line(fmt.Sprintf("  %s  %s  %s  %s  %s  ", terminal.Pad(dates.Short(info.Modified, a.Now()), 4),
			terminal.Pad(terminal.Fit(agent, 8), 8), terminal.Pad(terminal.Fit(branch, 12), 12),
			terminal.PadLeft(entries, 6), terminal.PadLeft(view.Size(info.Size), 9))))
	words := r.words(all)
	room := max(out.Width()-title.Width(), 10)
	return out.Println(title, terminal.Line(terminal.Fit(words, room)))
}

// maxTitle is how much is shown of a title, in cells, also where a line may be of any length: a first prompt can be a page.
const maxTitle = 200

// words is what is told of the session behind the columns.
func (r sessionRow) words(all bool) string {
	var words []string
	switch parent := r.info.ParentSession; {
	case r.info.Subagent:
		if parent != "" && r.parent != parentListed {
			words = append(words, "(subagent of "+parent.Tail()+")")
		} else {
			words = append(words, "(subagent)")
		}
	case parent == "" || r.parent == parentListed:
	case r.parent == parentElsewhere:
		words = append(words, "(fork of "+parent.Tail()+" elsewhere)")
	case r.parent == parentMissing:
		words = append(words, "(fork of "+parent.Tail()+", which is missing)")
	default:
		words = append(words, "(fork of "+parent.Tail()+")")
	}
	if s := r.state; s != store.SourceUnknown && s != store.SourceCurrent {
		words = append(words, "(source "+string(s)+")")
	}
	words = append(words, terminal.Fit(sessionTitle(r.info), maxTitle))
	if all && r.info.Cwd != "" {
		words = append(words, " "+r.info.Cwd)
	}
	return strings.TrimSpace(strings.Join(words, " "))
}

func (r sessionRow) object() *jsonout.Object {
	info := r.info
	o := new(jsonout.Object).ID("session", info.ID).String("file", info.File).Known("cwd", info.Cwd)
	o.Known("name", info.Name).Known("prompt", info.FirstPrompt).Known("agent", info.Agent).Int("version", int64(info.Version))
	o.ID("parentSession", info.ParentSession).Time("created", info.Created).Time("modified", info.Modified).Int("size", info.Size)
	o.ID("parentEntry", info.ParentEntry).Known("parent", r.parent)
	if info.Entries >= 0 {
		o.Int("entries", int64(info.Entries))
	} else {
		o.Raw("entries", nil)
	}
	o.Known("branch", info.Branch)
	if info.HeadKnown {
		o.Bool("detached", info.Detached())
	} else {
		o.Raw("detached", nil)
	}
	return o.Bool("subagent", info.Subagent).Object("source", sourceObject(info.Source, r.state))
}

// sourceState tells what became of the source of an import; a source that cannot be read is not known.
func sourceState(a *App, mark checkout.SourceMark) store.SourceState {
	state, err := store.StateOf(mark)
	if err != nil {
		a.note("source '%s': %v", mark.Path, err)
	}
	return state
}

// sourceObject is the source of an import, nil if the session is none.
func sourceObject(mark checkout.SourceMark, state store.SourceState) *jsonout.Object {
	if mark.Path == "" {
		return nil
	}
	return new(jsonout.Object).String("path", mark.Path).Known("state", string(state))
}

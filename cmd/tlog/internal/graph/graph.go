// Package graph draws a history beside a list of its nodes, as git log --graph
// does: a star for each node, a bar for each line of descent that passes it.
//
//   - d  the tip of one branch
//     | * c  the tip of another
//     | * b
//     |/
//   - a  where they part
//
// Nodes come newest first, each after all of its children, and have at most one
// parent, so lines only ever join. A lane is a column of two cells that waits
// for one node; two lanes that wait for the same node join at once, the right
// one leaning into the left. The drawing is made as the nodes come and takes
// time and memory in proportion to the lanes that are open.
package graph

import (
	"slices"
	"strings"
)

// Drawer draws one graph. The zero value is ready for use.
type Drawer struct {
	lanes  []string // the node that each lane waits for, all different
	bars   string   // "| | | ", as long as was needed so far
	slants slants
	landed []int // lanes that the last connector of the last node leant into, ascending
}

// Rows are the graph's part of the lines of one node. They have the same
// width, except for those that [Rows.Rest] shortens. They are plain ASCII.
type Rows struct {
	Node  string   // beside the first line: "| * "
	After []string // below it, where lanes move: "|/  "
	Bars  string   // beside any further line: "| | "
}

// Prefix returns what to print before the i-th line of the node's text. As in
// git, further lines of text stand beside the connectors.
func (r Rows) Prefix(i int) string {
	switch {
	case i == 0:
		return r.Node
	case i <= len(r.After):
		return r.After[i-1]
	}
	return r.Bars
}

// Rest returns the connectors that are still to be printed, a line each, after n
// lines of text, without blanks at their ends. Without them the graph is broken.
func (r Rows) Rest(n int) []string {
	var rest []string
	for i := max(n, 1); i <= len(r.After); i++ {
		rest = append(rest, strings.TrimRight(r.After[i-1], " "))
	}
	return rest
}

// Next draws a node. Its parent is "" for a root, and else the nearest ancestor
// that will come: a lane whose node does not come stays open to the end.
func (d *Drawer) Next(id, parent string) Rows {
	at := slices.Index(d.lanes, id)
	if at < 0 {
		at = len(d.lanes)
		d.lanes = append(d.lanes, id)
	}
	width := len(d.lanes)
	shift := d.replace(at, parent)
	rows := Rows{Node: d.nodeRow(at, width, shift)}
	if shift.moves(width) {
		rows.After = d.slants.draw(shift, width)
	}
	d.landed = d.slants.landed(d.landed[:0], len(rows.After) > 0)
	rows.Bars = d.barRow(len(d.lanes), width)
	return rows
}

// shift says how lanes move from one node to the next: lane gone ends, or leans
// into lane into, and the lanes to its right close the gap.
type shift struct {
	gone int // the number of lanes if none goes
	into int // left of gone; -1 if the lane ends
}

// target returns where lane i goes; -1 if it ends.
func (s shift) target(i int) int {
	switch {
	case i < s.gone:
		return i
	case i == s.gone:
		return s.into
	}
	return i - 1
}

// moves reports whether any of width lanes leaves its column.
func (s shift) moves(width int) bool {
	return s.gone < width-1 || s.gone == width-1 && s.into >= 0
}

// replace lets lane at wait for parent from now on. If another lane waits for it
// already, the right one of the two joins the left one.
func (d *Drawer) replace(at int, parent string) shift {
	s := shift{gone: at, into: -1}
	if parent != "" {
		other := slices.Index(d.lanes, parent)
		if other < 0 {
			d.lanes[at] = parent
			return shift{gone: len(d.lanes), into: -1}
		}
		d.lanes[at] = parent
		s = shift{gone: max(at, other), into: min(at, other)}
	}
	d.lanes = slices.Delete(d.lanes, s.gone, s.gone+1)
	return s
}

// nodeRow draws the star of lane at among width lanes, before the shift. A lane
// that has just leant and is about to lean again goes on leaning.
func (d *Drawer) nodeRow(at, width int, s shift) string {
	if len(d.landed) == 0 {
		return d.barsOf(at) + "* " + d.barsOf(width-at-1)
	}
	row := []byte(d.barsOf(width))
	row[at*2] = '*'
	for _, lane := range d.landed {
		if lane != at && lane < width && lane >= s.gone {
			row[lane*2] = '/'
		}
	}
	return string(row)
}

// barRow draws lanes that go straight down, as wide as width lanes.
func (d *Drawer) barRow(lanes, width int) string {
	if lanes == width {
		return d.barsOf(width)
	}
	return d.barsOf(lanes) + strings.Repeat("  ", width-lanes)
}

func (d *Drawer) barsOf(lanes int) string {
	if len(d.bars) < lanes*2 {
		d.bars = strings.Repeat("| ", max(16, lanes*2))
	}
	return d.bars[:lanes*2]
}

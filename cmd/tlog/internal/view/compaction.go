package view

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"tlog/cmd/tlog/internal/jsonout"
	"tlog/log"
	"tlog/objects"
	"tlog/refs"
)

// Compaction is what log and show tell of a compaction.
type Compaction struct {
	objects.Compaction
	Before   int    // entries that log shows before it on the path
	KeptSeen int    // of these, how many it keeps
	Behind   string // the summary, where it is an entry of its own behind the compaction
}

// compaction is what the compaction at says; with whole, its summary without placeholders.
func (r *Reader) compaction(at int, e objects.Entry, whole bool) *Compaction {
	l := r.state.Log()
	says, _ := l.Compaction(e)
	c := &Compaction{Compaction: says}
	if says.Summary == "" && e.Foreign() {
		c.Behind = r.summaryBehind(at, whole)
	}
	parent := l.Record(at).Parent
	c.Before = r.shown(parent)
	for _, id := range says.Kept {
		if i, ok := l.Find(id); ok && l.Record(i).Visible() {
			c.KeptSeen++
		}
	}
	if first, ok := l.Find(says.FirstKept); ok && says.FirstKept != "" && parent != log.None && l.Record(first).Tree() && l.IsAncestor(first, parent) {
		c.KeptSeen = max(0, c.Before-r.shown(l.Record(first).Parent))
	}
	return c
}

// noteSummary is the note of a message that holds the summary of the compaction before it.
const noteSummary = "summary"

// maxBehind is among how many entries behind a compaction its summary is looked for.
const maxBehind = 16

// summaryBehind is the text of the summary that hangs below the compaction at; empty if there is none.
func (r *Reader) summaryBehind(at int, whole bool) string {
	l := r.state.Log()
	read := r.Read
	if whole {
		read = r.ReadWhole
	}
	children := l.Children(at)
	for _, child := range children[:min(len(children), maxBehind)] {
		if l.Record(child).Type != objects.TypeMessage {
			continue
		}
		if v, err := read(child, false); err == nil && v.Message.Note == noteSummary {
			return v.Text
		}
	}
	return ""
}

// shown is how many entries log shows of the path to at; 0 where that cannot be read.
func (r *Reader) shown(at int) int {
	if at == log.None {
		return 0
	}
	if r.tally == nil {
		r.tally = refs.NewTally(r.state.Log())
	}
	n, _, err := r.tally.Shown(at)
	if err != nil {
		return 0
	}
	return n
}

// Words tell of the compaction in a line: "manual, 149k tokens before; 42 entries before it, 1 kept".
func (c *Compaction) Words() string {
	var first []string
	if c.Trigger != "" {
		first = append(first, c.Trigger)
	}
	if n, err := strconv.ParseFloat(string(c.TokensBefore), 64); err == nil && n >= 0 && n < 1e15 {
		first = append(first, Count(int64(n))+" tokens before")
	}
	noun := "entries"
	if c.Before == 1 {
		noun = "entry"
	}
	second := fmt.Sprintf("%d %s before it, %d kept", c.Before, noun, c.KeptSeen)
	if len(first) == 0 {
		return second
	}
	return strings.Join(first, ", ") + "; " + second
}

// JSON is the compaction with the fields that docs/json.md lists; nil for none.
func (c *Compaction) JSON() *jsonout.Object {
	if c == nil {
		return nil
	}
	o := new(jsonout.Object).Known("trigger", c.Trigger).Raw("tokensBefore", c.TokensBefore)
	o.Known("summary", cmp.Or(c.Summary, c.Behind))
	return o.Int("before", int64(c.Before)).Int("kept", int64(c.KeptSeen))
}

// Count is a number for people, of three digits or so: 999, 12.3k, 149k, 1.2M.
func Count(n int64) string {
	for _, unit := range []struct {
		size int64
		name string
	}{{1e9, "G"}, {1e6, "M"}, {1e3, "k"}} {
		if n < unit.size-unit.size/2000 { // what would round to 1000 of the unit below is 1.0 of this one
			continue
		}
		f := float64(n) / float64(unit.size)
		if f < 99.95 {
			return strconv.FormatFloat(f, 'f', 1, 64) + unit.name
		}
		return strconv.FormatFloat(f, 'f', 0, 64) + unit.name
	}
	return strconv.FormatInt(n, 10)
}

package claude

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"tlog/objects"
)

func TestGraph(t *testing.T) {
	for _, test := range []struct{ name, rows, tree, leaf string }{
		{"a line", `
			u1<-- user
			a1<-u1 assistant re=m1
			u2<-a1 user`,
			"u1 a1<-u1 u2<-a1", "u2"},
		{"parallel calls, results after them", `
			u1<-- user
			a1<-u1 assistant re=m1
			a2<-a1 assistant re=m1
			a3<-a2 assistant re=m1
			r1<-a1 result
			r2<-a2 result
			r3<-a3 result
			b1<-r3 assistant re=m2`,
			"u1 a1<-u1 a2<-a1 a3<-a2 r1<-a3 r2<-r1 r3<-r2 b1<-r3", "b1"},
		{"parallel calls, results in another order, the last one in the file is not the parent", `
			u1<-- user
			a1<-u1 assistant re=m1
			a2<-a1 assistant re=m1
			r2<-a2 result
			r1<-a1 result
			b1<-r2 assistant re=m2`,
			"u1 a1<-u1 a2<-a1 r2<-a2 r1<-r2 b1<-r1", "b1"},
		{"results between the calls", `
			u1<-- user
			a1<-u1 assistant re=m1
			r1<-a1 result
			a2<-a1 assistant re=m1
			r2<-a2 result
			b1<-r2 assistant re=m2`,
			"u1 a1<-u1 r1<-a1 a2<-r1 r2<-a2 b1<-r2", "b1"},
		{"by the request where there is no id", `
			u1<-- user
			a1<-u1 assistant requestId=q
			a2<-a1 assistant requestId=q
			r1<-a1 result`,
			"u1 a1<-u1 a2<-a1 r1<-a2", "r1"},
		{"the same id where nothing connects them", `
			u1<-- user
			a1<-u1 assistant re=m1
			u2<-a1 user
			a2<-u2 assistant re=m1
			r1<-a1 result`,
			"u1 a1<-u1 u2<-a1 a2<-u2 r1<-a1", "r1"},
		{"a result that comes late is a leaf of its own", `
			u1<-- user
			a1<-u1 assistant re=m1
			a2<-a1 assistant re=m1
			r1<-a1 result
			b1<-r1 assistant re=m2
			r2<-a2 result
			u2<-b1 user`,
			"u1 a1<-u1 a2<-a1 r1<-a2 b1<-r1 r2<-r1 u2<-b1", "u2"},
		{"progress is stepped over", `
			u1<-- user
			a1<-u1 assistant re=m1
			p1<-a1 progress
			p2<-p1 progress
			r1<-p2 result
			p3<-- progress
			u2<-p3 user
			p4<-gone progress
			u3<-p4 user`,
			"u1 a1<-u1 r1<-a1 u2 u3<-u2?gone", "u3"},
		{"progress further down is stepped over", `
			u1<-- user
			u2<-p1 user
			p1<-p2 progress
			p2<-u1 progress`,
			"u1 u2<-u1", "u2"},
		{"progress rows in a circle", `
			u1<-- user
			p1<-p2 progress
			p2<-p1 progress
			u2<-p1 user`,
			"u1 u2<-u1?p1", "u2"},
		{"a rewind stays a branch", `
			u1<-- user
			a1<-u1 assistant re=m1
			u2<-a1 user
			a2<-u2 assistant re=m2
			u3<-a1 user
			last-prompt 00000000-0000-0000-0000-000000000000 explicit
			a3<-u3 assistant re=m3`,
			"u1 a1<-u1 u2<-a1 a2<-u2 u3<-a1 a3<-u3", "a3"},
		{"a made-up reply goes behind what is hidden", `
			u1<-- user
			a1<-u1 assistant re=m1
			k1<-a1 user text=<command-name>/model</command-name>
			k2<-k1 user text=<local-command-stdout>ok</local-command-stdout>
			n1<-k2 user meta
			d1<-n1 system:informational
			l1<-d1 system:local_command
			s1<-a1 synthetic
			u2<-s1 user`,
			"u1 a1<-u1 k1<-a1 k2<-k1 n1<-k2 d1<-n1 l1<-d1 s1<-l1 u2<-s1", "u2"},
		{"a made-up reply goes behind thinking that led to nothing", `
			u1<-- user
			a1<-u1 assistant re=m1
			r1<-a1 result
			h1<-r1 thinking re=m2
			s1<-r1 synthetic`,
			"u1 a1<-u1 r1<-a1 h1<-r1 s1<-h1", "s1"},
		{"a made-up reply stays where something was said since", `
			u1<-- user
			a1<-u1 assistant re=m1
			u2<-a1 user
			s1<-a1 synthetic`,
			"u1 a1<-u1 u2<-a1 s1<-a1", "s1"},
		{"compaction", `
			u1<-- user
			a1<-u1 assistant re=m1
			b1<-- boundary lp=a1
			c1<-b1 summary
			u2<-c1 user`,
			"u1 a1<-u1 b1<-a1 c1<-b1 u2<-c1", "u2"},
		{"compaction up to a row: what is behind it is kept", `
			u1<-- user
			a1<-u1 assistant re=m1
			u2<-a1 user
			b1<-- boundary lp=a1
			c1<-b1 summary`,
			"u1 a1<-u1 u2<-a1 b1<-u2 c1<-b1", "c1"},
		{"compaction of another branch than that of the last row", `
			u1<-- user
			a1<-u1 assistant re=m1
			u2<-a1 user
			u3<-a1 user
			b1<-- boundary lp=u2`,
			"u1 a1<-u1 u2<-a1 u3<-a1 b1<-u2", "b1"},
		{"compaction without a word on the parent, summary without parent", `
			u1<-- user
			b1<-- boundary
			c1<-- summary`,
			"u1 b1<-u1 c1<-b1", "c1"},
		{"compaction whose logical parent is missing", `
			u1<-- user
			b1<-- boundary lp=gone`,
			"u1 b1<-u1?gone", "b1"},
		{"gaps", `
			u1<-x0 user
			u2<-u1 user
			u3<-x1 user
			u4<-u3 user`,
			"u1?x0 u2<-u1 u3<-u2?x1 u4<-u3", "u4"},
		{"three conversations", `
			u1<-- user
			a1<-u1 assistant re=m1
			u2<-- user
			u3<-- user
			a3<-u3 assistant re=m3`,
			"u1 a1<-u1 u2 u3 a3<-u3", "a3"},
		{"a file that links no rows", `
			u1<-- user
			a1<-- assistant
			u2<-- user
			a2<-- assistant
			u3<-- user`,
			"u1 a1<-u1 u2<-a1 a2<-u2 u3<-a2", "u3"},
		{"a result cannot begin a conversation", `
			u1<-- user
			r1<-- result
			u2<-- user`,
			"u1 r1<-u1 u2<-r1", "u2"},
		{"no parent keys", `
			u1 user
			a1 assistant
			u2 user`,
			"u1 a1<-u1 u2<-a1", "u2"},
		{"parents that are no names", `
			={"type":"user","uuid":"u1","parentUuid":""}
			={"type":"user","uuid":"u2","parentUuid":7}
			={"type":"user","uuid":"u3","parentUuid":""}`,
			"u1 u2<-u1 u3", "u3"},
		{"later parents", `
			a2<-u2 assistant re=m2
			u2<-a1 user
			a1<-u1 assistant re=m1
			u1<-- user`,
			"a2<-u2 u2<-a1 a1<-u1 u1", "a2"},
		{"later parents, the last one missing", `
			u3<-u2 user
			u2<-u1 user
			u1<-gone user`,
			"u3<-u2 u2<-u1 u1?gone", "u3"},
		{"later parents, the first row has none", `
			u3<-u2 user
			u2<-u1 user
			u1 user`,
			"u3<-u2 u2<-u1 u1", "u3"},
		{"a cycle", `
			u0<-- user
			u1<-u3 user
			u2<-u1 user
			u3<-u2 user
			u4<-u3 user`,
			"u0 u1<-u0?u3 u2<-u1 u3<-u2 u4<-u3", "u4"},
		{"a cycle at the beginning, backwards", `
			u1<-u2 user
			u2<-u1 user`,
			"u1?u2 u2<-u1", "u2"},
		{"a row below a cycle that begins further down", `
			u1<-u3 user
			u2<-u3 user
			u3<-u2 user`,
			"u1?u3 u2<-u1?u3 u3<-u2", "u3"},
		{"a row below a cycle, beside where the client goes on", `
			u0<-u3 user
			a1<-u3 assistant re=m1
			u2<-a1 user
			u3<-u2 user`,
			"u0?u3 a1<-u0?u3 u2<-a1 u3<-u2", "u3"},
		{"the client goes on from a row above the cycle that it leads to", `
			u0<-u3 user
			u1<-u0 user
			u2<-u3 user
			u3<-u2 user
			u4<-u1 user
			u5<-u4 user`,
			"u0<-u3 u1<-u0 u2?u3 u3<-u2 u4<-u1 u5<-u4", "u5"},
		{"a cycle of two below what comes before", `
			u0<-u2 user
			u1<-u2 user
			u2<-u1 user
			u3<-u0 user`,
			"u0<-u2 u1?u2 u2<-u1 u3<-u0", "u3"},
		{"two cycles", `
			u0<-u1 user
			u1<-u0 user
			u2<-u3 user
			u3<-u2 user`,
			"u0?u1 u1<-u0 u2<-u1?u3 u3<-u2", "u3"},
		{"a cycle through progress", `
			u0<-- user
			p1<-u1 progress
			u1<-p1 user`,
			"u0 u1<-u0?u1", "u1"},
		{"a row that names itself", `
			u1<-- user
			u2<-u2 user
			u3<-u2 user`,
			"u1 u2<-u1?u2 u3<-u2", "u3"},
		{"repeated rows", `
			u1<-- user
			u1<-- user
			a1<-u1 assistant re=m1
			u2<-a1 user
			u1<-- user
			a1<-u1 assistant re=m1
			u3<-gone user`,
			"u1 u1 a1<-u1 u2<-a1 u1 a1<-u1 u3<-u2?gone", "u3"},
		{"a repeat of a bridged row, and of another text", `
			u1<-- user
			u2<-gone user
			u3<-u2 user
			u2<-gone user n=2`,
			"u1 u2<-u1?gone u3<-u2 u2<-u1?gone", "u3"},
		{"the same id with another parent", `
			u1<-- user
			u2<-u1 user
			u3<-u2 user
			u3<-u1 user
			u4<-u3 user
			u3<-u2 user`,
			"u1 u2<-u1 u3<-u2 u3<-u1 u4<-u3 u3<-u2", "u4"},
		{"the same id below itself", `
			u1<-- user
			u2<-u1 user
			u3<-u2 user
			u2<-u3 user`,
			"u1 u2<-u1 u3<-u2 u2<-u1?u3", "u3"},
		{"a repeat on another branch than the last row's", `
			u1<-- user at=1
			u2<-u1 user at=2
			u3<-u1 user at=3
			u2<-u1 user at=2`,
			"u1 u2<-u1 u3<-u1 u2<-u1", "u2"},
		{"a row written anew, later than those below it", `
			u1<-- user at=1
			u2<-u1 user at=2
			u3<-u2 user at=3
			u2<-u1 user at=4`,
			"u1 u2<-u1 u3<-u2 u2<-u1", "u2"},
		{"rows in no order: the newest counts", `
			a2<-u2 assistant re=m2 at=4
			u2<-a1 user at=3
			u1<-- user at=1
			a1<-u1 assistant re=m1 at=2`,
			"a2<-u2 u2<-a1 u1 a1<-u1", "a2"},
		{"sidechains", `
			u1<-- user
			a1<-u1 assistant re=m1
			x1<-- user side agent=x
			y1<-a1 user side agent=y
			x2<-x1 assistant side agent=x re=m2
			x3<-gone user side agent=x
			y2<-gone user side agent=y
			r1<-a1 result
			u2<-x3 user
			u3<-gone user`,
			"u1 a1<-u1 x1 y1 x2<-x1 x3<-x2?gone y2<-y1?gone r1<-a1 u2<-r1 u3<-u2?gone", "u3"},
		{"a sidechain without agent ids is in one line", `
			u1<-- user
			x1<-- user side
			x2<-gone user side
			u2<-u1 user`,
			"u1 x1 x2<-x1?gone u2<-u1", "u2"},
		{"a subagent's own transcript", `
			x1<-- user side agent=x
			x2<-x1 assistant side agent=x re=m1
			x3<-x1 result side agent=x`,
			"x1 x2<-x1 x3<-x1", "x3"},
	} {
		t.Run(test.name, func(t *testing.T) { checkTree(t, rows(test.rows), test.tree, test.leaf) })
	}
}

// TestCyclesKeepTheClientsRows holds against random parents that the path has what the client takes: the rows from the last one up as
// written, once round a cycle.
func TestCyclesKeepTheClientsRows(t *testing.T) {
	for seed := range uint64(3000) {
		rng := rand.New(rand.NewPCG(seed, 7))
		n := 2 + rng.IntN(7)
		parents := make([]int, n)
		var specs strings.Builder
		for i := range n {
			parents[i] = rng.IntN(n)
			fmt.Fprintf(&specs, "u%d<-u%d user\n", i, parents[i])
		}
		above := map[objects.ID]objects.ID{}
		r := NewReader("s")
		for _, v := range r.Read(rows(specs.String())) {
			above[v.ID] = v.ParentID
		}
		path := map[objects.ID]bool{}
		for at := r.Leaf(); at != ""; at = above[at] {
			path[at] = true
		}
		walked := map[int]bool{}
		for at := n - 1; !walked[at]; at = parents[at] {
			walked[at] = true
			if id := objects.ID(fmt.Sprint("u", at)); !path[id] {
				t.Fatalf("seed %d: the path lacks %s:\n%s%v", seed, id, specs.String(), path)
			}
		}
	}
}

// TestSlowShapes reads histories of shapes that a careless search would take ages for.
func TestSlowShapes(t *testing.T) {
	if testing.Short() {
		t.Skip("it measures time")
	}
	const n = 20_000
	each := func(format string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.NewReplacer("{i}", fmt.Sprint(i), "{i+1}", fmt.Sprint(i+1), "{last}", fmt.Sprint(n-1)).Replace(format))
		}
		return b.String()
	}
	for name, specs := range map[string]string{
		"reversed":                  each("u{i}<-u{i+1} user\n"),
		"one cycle":                 strings.Replace(each("u{i}<-u{i+1} user\n"), fmt.Sprintf("<-u%d ", n), "<-u0 ", 1),
		"small cycles":              each("u{i}<-v{i} user\nv{i}<-u{i} user\n"),
		"progress ahead":            each("u{i}<-p0 user\n") + each("p{i}<-p{i+1} progress\n"),
		"progress in a circle":      each("u{i}<-p0 user\n") + strings.Replace(each("p{i}<-p{i+1} progress\n"), fmt.Sprintf("<-p%d ", n), "<-p0 ", 1),
		"compactions":               each("u{i}<-u user\nb{i}<-- boundary lp=u0\n"),
		"made-up replies":           each("u{i}<-u user meta\ns{i}<-u0 synthetic\n"),
		"one id, many parents":      each("u{i}<-u{last} user\n") + each("u0<-u{i} user\n"),
		"reversed, then each again": each("u{i}<-u{i+1} user\n") + each("u{i}<-u0 user\n"),
		"equal side lines":          strings.Repeat("title x\n", n),
		"one long reply":            each("a{i}<-a0 assistant re=m\nr{i}<-a0 result\n"),
	} {
		data := rows(specs)
		start := time.Now()
		r := NewReader("s")
		envelopes := r.Read(data)
		r.Leaf()
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%s: took %s", name, took)
		} else {
			t.Logf("%-26s %8s", name, took.Round(time.Millisecond))
		}
		checkGraph(t, name, envelopes)
	}
}

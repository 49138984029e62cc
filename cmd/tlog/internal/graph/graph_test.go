package graph

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

var drawTests = []struct {
	name  string
	nodes string // "id:parent" in order
	want  string
}{
	{"empty", "", ``},
	{"one", "a:", `
* a`},
	{"line", "c:b b:a a:", `
* c
* b
* a`},
	{"fork", "d:a c:b b:a a:", `
* d
| * c
| * b
|/
* a`},
	{"fork with the short branch last", "d:c c:a b:a a:", `
* d
* c
| * b
|/
* a`},
	{"three tips on one node", "d:a c:a b:a a:", `
* d
| * c
|/
| * b
|/
* a`},
	{"fork in a fork", "f:b e:c d:c c:b b:a a:", `
* f
| * e
| | * d
| |/
| * c
|/
* b
* a`},
	{"far", "e:a d:b c:a b:a a:", `
* e
| * d
| | * c
| |/
|/|
| * b
|/
* a`},
	{"farther", "f:a e:b d:c x:a c:a b:a a:", `
* f
| * e
| | * d
| | | * x
| |_|/
|/| |
| | * c
| |/
|/|
| * b
|/
* a`},
	{"roots", "b2:b1 a2:a1 b1: a1:", `
* b2
| * a2
* | b1
 /
* a1`},
	{"root in the middle", "c:b x:y b: z:y y:", `
* c
| * x
* | b
 /
| * z
|/
* y`},
	{"parent never comes", "c:gone b:a a:", `
* c
| * b
| * a`},
	{"lane leans on past a node", "a:m b:n c:o m: n: o:", `
* a
| * b
| | * c
* | | m
 / /
* / n
 /
* o`},
}

func TestDraw(t *testing.T) {
	for _, test := range drawTests {
		t.Run(test.name, func(t *testing.T) {
			var d Drawer
			var b strings.Builder
			for node := range strings.FieldsSeq(test.nodes) {
				id, parent, _ := strings.Cut(node, ":")
				rows := d.Next(id, parent)
				fmt.Fprintf(&b, "\n%s%s", rows.Prefix(0), id)
				for _, row := range rows.Rest(1) {
					b.WriteString("\n" + row)
				}
			}
			if got := b.String(); got != test.want {
				t.Errorf("got%s\nwant%s", got, test.want)
			}
		})
	}
}

// A node's further lines stand beside the connectors, then beside bars.
func TestSeveralLines(t *testing.T) {
	var d Drawer
	d.Next("d", "a")
	rows := d.Next("c", "a")
	var got []string
	for i := range 4 {
		got = append(got, rows.Prefix(i))
	}
	if want := "| * ,|/  ,|   ,|   "; strings.Join(got, ",") != want {
		t.Errorf("got %q, want %q", strings.Join(got, ","), want)
	}
	for n, want := range []string{"|/", "|/", "", ""} {
		if got := strings.Join(rows.Rest(n), ","); got != want {
			t.Errorf("Rest(%d) = %q, want %q", n, got, want)
		}
	}
}

// Whatever comes, in whatever order, there is one star a node, and the number of
// connectors is bounded: a row moves a line by a cell at least.
func TestHostileOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var d Drawer
		for range 80 {
			rows := d.Next(fmt.Sprint(r.IntN(20)), []string{"", fmt.Sprint(r.IntN(20))}[r.IntN(2)])
			if strings.Count(rows.Node, "*") != 1 {
				t.Fatalf("node row %q", rows.Node)
			}
			if len(rows.After) > len(rows.Node) {
				t.Fatalf("%d connectors for %d cells", len(rows.After), len(rows.Node))
			}
			for i := range len(rows.After) + 2 {
				if p := rows.Prefix(i); len(p) != len(rows.Node) || strings.Trim(p, " |/_*") != "" {
					t.Fatalf("row %q beside %q", p, rows.Node)
				}
			}
		}
	}
}

func BenchmarkLine(b *testing.B) {
	ids := make([]string, 1001)
	for i := range ids {
		ids[i] = fmt.Sprintf("0197f3a2-%04d", i)
	}
	b.ReportAllocs()
	for b.Loop() {
		var d Drawer
		for i := range 1000 {
			d.Next(ids[i], ids[i+1])
		}
	}
}

// 2,000 lanes, each node of one, and each joining the first in its turn.
func BenchmarkManyLanes(b *testing.B) {
	const lanes = 2000
	var tips, forks [lanes]string
	for i := range lanes {
		tips[i], forks[i] = fmt.Sprintf("tip-%d", i), fmt.Sprintf("fork-%d", i)
	}
	b.ReportAllocs()
	for b.Loop() {
		var d Drawer
		for i := range lanes {
			d.Next(tips[i], forks[i])
		}
		for i := range lanes {
			d.Next(forks[i], "root")
		}
	}
}

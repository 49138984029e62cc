package checkout_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"tlog/checkout"
	"tlog/log"
	"tlog/objects"
	"tlog/refs"
)

// piView is what pi's session manager makes of a file; testdata/clients/pi-paths.mjs prints it.
type piView struct {
	File string
	Leaf objects.ID
	Path []objects.ID
}

// askPi opens files with the real pi. It skips the test where pi is not installed, and
// fails it where TLOG_REQUIRE_CLIENTS says that it must be.
func askPi(t *testing.T, files []string) []piView {
	t.Helper()
	dir, node := os.Getenv("TLOG_PI_DIR"), os.Getenv("TLOG_NODE")
	if dir == "" || node == "" {
		if os.Getenv("TLOG_REQUIRE_CLIENTS") != "" {
			t.Fatal("TLOG_REQUIRE_CLIENTS is set, but TLOG_PI_DIR or TLOG_NODE is not")
		}
		t.Skip("pi is not installed: TLOG_PI_DIR and TLOG_NODE are not set (see docs/testing.md)")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, node, append([]string{filepath.Join("..", "testdata", "clients", "pi-paths.mjs")}, files...)...)
	cmd.Env = append(os.Environ(), "PI_DIR="+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("pi: %v", err)
	}
	var views []piView
	for line := range bytes.Lines(out) {
		var v piView
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatalf("pi printed %q: %v", line, err)
		}
		views = append(views, v)
	}
	return views
}

// TestPiFollowsHEAD holds the rule of the last line against the real pi: whatever was done to a
// session, the path that pi goes on with is HEAD's.
func TestPiFollowsHEAD(t *testing.T) {
	const sequences, operations = 150, 40
	dir := t.TempDir()
	type built struct {
		bytes []byte
		path  []objects.ID
		ops   []string
	}
	want := map[string]built{}
	var files []string
	for seed := range uint64(sequences) {
		file := filepath.Join(dir, fmt.Sprintf("%03d.jsonl", seed))
		r := rand.New(rand.NewPCG(seed, 7))
		s, ops := randomSession(t, file, r, 1+r.IntN(operations))
		history, err := refs.NewHistory(s.Log, s.Refs.Head().At)
		if err != nil {
			t.Fatal(err)
		}
		b := built{ops: ops}
		for _, at := range history.Path() {
			b.path = append(b.path, s.Log.Record(at).ID)
		}
		s.Close()
		if b.bytes, err = os.ReadFile(file); err != nil {
			t.Fatal(err)
		}
		want[file] = b
		files = append(files, file)
	}
	views := askPi(t, files)
	if len(views) != len(files) {
		t.Fatalf("pi answered for %d files of %d", len(views), len(files))
	}
	for _, v := range views {
		b := want[v.File]
		if got := withoutJournal(t, v); !slices.Equal(got, b.path) {
			t.Errorf("%s: pi's path is %v, tlog's is %v\noperations: %q", filepath.Base(v.File), got, b.path, b.ops)
		}
		after, err := os.ReadFile(v.File)
		if err != nil || !bytes.Equal(after, b.bytes) {
			t.Errorf("%s: pi changed the file (error %v)", v.File, err)
		}
	}
}

// withoutJournal is pi's path without the lines that are no history to tlog.
func withoutJournal(t *testing.T, v piView) []objects.ID {
	t.Helper()
	l, err := log.Open(v.File)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return slices.DeleteFunc(slices.Clone(v.Path), func(id objects.ID) bool {
		at, ok := l.Find(id)
		return ok && l.Record(at).Type.Journal()
	})
}

// randomSession makes a session by random operations and names them.
func randomSession(t *testing.T, file string, r *rand.Rand, operations int) (*checkout.Session, []string) {
	t.Helper()
	clock := time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)
	opt := checkout.Options{
		Now:    func() time.Time { clock = clock.Add(time.Second); return clock },
		Random: rand.NewChaCha8([32]byte{byte(r.Uint64()), byte(r.Uint64()), byte(r.Uint64())}),
		Write:  log.WriteOptions{Durability: log.DurabilityOS},
	}
	s, err := checkout.Create(file, objects.Header{Cwd: t.TempDir()}, opt)
	if err != nil {
		t.Fatal(err)
	}
	g := &operator{t: t, s: s, r: r}
	var ops []string
	for range operations {
		ops = append(ops, g.step())
	}
	return s, ops
}

// operator does random operations. One that the session refuses is done all the same: it must not change anything.
type operator struct {
	t     *testing.T
	s     *checkout.Session
	r     *rand.Rand
	calls int
}

func (g *operator) step() string {
	ctx := g.t.Context()
	name, err := "", error(nil)
	switch g.r.IntN(12) {
	case 0, 1, 2, 3:
		lines := g.messages()
		name = fmt.Sprintf("append %d", len(lines))
		_, err = g.s.Append(ctx, lines, checkout.AppendOptions{})
	case 4:
		branch := g.branch()
		name = "append to " + branch
		_, err = g.s.Append(ctx, g.messages(), checkout.AppendOptions{Branch: branch})
	case 5:
		name, err = "detach", g.s.Detach(ctx, g.node())
	case 6:
		name = g.branch()
		name, err = "switch "+name, g.s.Switch(ctx, name)
	case 7:
		name = fmt.Sprintf("branch-%d", g.r.IntN(4))
		name, err = "switch new "+name, g.s.SwitchNew(ctx, name, g.node(), g.r.IntN(2) == 0)
	case 8:
		name = fmt.Sprintf("branch-%d", g.r.IntN(4))
		name, err = "branch "+name, g.s.CreateBranch(ctx, name, g.node(), true)
	case 9, 10:
		n := 1 + g.r.IntN(3)
		name = fmt.Sprintf("undo %d", n)
		_, err = g.s.Undo(ctx, n, "")
	case 11:
		name = "redo"
		_, err = g.s.Redo(ctx, "")
	}
	if err != nil {
		name += " (refused: " + err.Error() + ")"
	}
	return name
}

// node is a random node of the history.
func (g *operator) node() int {
	var nodes []int
	for at := range g.s.Log.Len() {
		if g.s.Log.Record(at).Tree() {
			nodes = append(nodes, at)
		}
	}
	if len(nodes) == 0 {
		return log.None
	}
	return nodes[g.r.IntN(len(nodes))]
}

func (g *operator) branch() string {
	branches := g.s.Refs.Branches()
	if len(branches) == 0 {
		return refs.DefaultBranch
	}
	return branches[g.r.IntN(len(branches))].Name
}

// messages are a prompt, an answer, or a group of parallel calls with their results.
func (g *operator) messages() [][]byte {
	switch g.r.IntN(3) {
	case 0:
		return [][]byte{[]byte(`{"role":"user","content":"go on"}`)}
	case 1:
		return [][]byte{[]byte(`{"role":"assistant","content":[{"type":"text","text":"done"}],"provider":"acme","model":"m"}`)}
	}
	g.calls += 2
	first, second := fmt.Sprintf("call-%d", g.calls), fmt.Sprintf("call-%d", g.calls+1)
	return [][]byte{
		fmt.Appendf(nil, `{"role":"assistant","content":[{"type":"toolCall","id":%q,"name":"bash","arguments":{}},{"type":"toolCall","id":%q,"name":"bash","arguments":{}}],"provider":"acme","model":"m"}`, first, second),
		fmt.Appendf(nil, `{"role":"toolResult","toolCallId":%q,"toolName":"bash","content":[],"isError":false}`, first),
		fmt.Appendf(nil, `{"role":"toolResult","toolCallId":%q,"toolName":"bash","content":[],"isError":false}`, second),
	}
}

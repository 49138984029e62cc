package graph

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestLikeGit draws random forests and compares with git's own drawings.
func TestLikeGit(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is missing: nothing to compare with")
	}
	rounds := 20
	if testing.Short() {
		rounds = 5
	}
	for seed := range rounds {
		r := rand.New(rand.NewPCG(7, uint64(seed)))
		dir := t.TempDir()
		makeForest(t, git, dir, r)
		for _, multi := range []bool{false, true} {
			want, order := gitDrawing(t, git, dir, multi)
			got := drawing(order, multi)
			if got != want {
				t.Fatalf("seed %d, several lines %v:\ngot\n%s\nwant\n%s", seed, multi, got, want)
			}
		}
	}
}

// makeForest makes a repository of commits named n0, n1, ... with random parents
// and a branch at each leaf.
func makeForest(t *testing.T, git, dir string, r *rand.Rand) {
	t.Helper()
	n := 1 + r.IntN(60)
	recent := 1 + r.IntN(12)
	var in strings.Builder
	children := make([]int, n)
	for i := range n {
		fmt.Fprintf(&in, "commit refs/heads/n%d\nmark :%d\ncommitter a <a@b> %d +0000\ndata <<E\nn%d\nE\n\n",
			i, i+1, 1000000000+i*60+r.IntN(600), i)
		if i > 0 && r.IntN(12) > 0 {
			parent := max(0, i-1-r.IntN(recent))
			children[parent]++
			fmt.Fprintf(&in, "from :%d\n\n", parent+1)
		}
	}
	for i := range n {
		if children[i] > 0 {
			fmt.Fprintf(&in, "reset refs/heads/n%d\nfrom 0000000000000000000000000000000000000000\n\n", i)
		}
	}
	runGit(t, dir, git, "", "init", "-q", "--bare")
	runGit(t, dir, git, in.String(), "fast-import", "--quiet", "--force")
}

func gitDrawing(t *testing.T, git, dir string, multi bool) (drawing string, order [][2]string) {
	t.Helper()
	format := "%x01%h %p%x02"
	if multi {
		format += "%nsecond%nthird%nfourth"
	}
	out := runGit(t, dir, git, "", "log", "--graph", "--branches", "--abbrev=40", "--format="+format)
	var b strings.Builder
	for line := range strings.Lines(out) {
		prefix, rest, found := strings.Cut(strings.TrimSuffix(line, "\n"), "\x01")
		if found {
			id, parent, _ := strings.Cut(strings.TrimSuffix(rest, "\x02"), " ")
			order = append(order, [2]string{id, parent})
			b.WriteString(prefix + "first\n")
			continue
		}
		b.WriteString(strings.TrimRight(prefix, " ") + "\n")
	}
	return b.String(), order
}

func drawing(order [][2]string, multi bool) string {
	var b strings.Builder
	var d Drawer
	texts := []string{"first"}
	if multi {
		texts = []string{"first", "second", "third", "fourth"}
	}
	for _, node := range order {
		rows := d.Next(node[0], node[1])
		for i, text := range texts {
			b.WriteString(rows.Prefix(i) + text + "\n")
		}
		for _, row := range rows.Rest(len(texts)) {
			b.WriteString(row + "\n")
		}
	}
	return b.String()
}

func runGit(t *testing.T, dir, git, in string, args ...string) string {
	t.Helper()
	cmd := exec.Command(git, args...)
	cmd.Dir = dir
	cmd.Stdin = strings.NewReader(in)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C", "GIT_DIR="+dir)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %v: %v: %s", args, err, stderr.String())
	}
	return string(out)
}

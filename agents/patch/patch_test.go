package patch

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tlog/objects"
)

func lines(text string) (lines []objects.HunkLine) {
	for line := range strings.SplitSeq(text, "\n") {
		lines = append(lines, objects.HunkLine{Op: line[0], Text: line[1:]})
	}
	return lines
}

func TestEnvelope(t *testing.T) {
	const text = `*** Begin Patch
*** Add File: new.txt
+one
+
+two
*** Delete File: old.txt
*** Update File: a.go
*** Move to: b.go
@@ func a() {
@@ 	if x {
 	one
-	two
+	TWO
@@
-last

*** End of File
*** Update File: c.go
+appended
*** End Patch
`
	got, err := Envelope(text)
	want := []objects.FileOp{
		{Kind: objects.FileWrite, Path: "new.txt", Text: "one\n\ntwo\n", Whole: true},
		{Kind: objects.FileDelete, Path: "old.txt"},
		{Kind: objects.FileMove, Path: "a.go", To: "b.go", Added: 1, Removed: 2, Counted: true, Hunks: []objects.Hunk{
			{Anchors: []string{"func a() {", "\tif x {"}, Lines: lines(" \tone\n-\ttwo\n+\tTWO")},
			{Lines: lines("-last\n "), AtEnd: true},
		}},
		{Kind: objects.FileEdit, Path: "c.go", Added: 1, Counted: true, Hunks: []objects.Hunk{{Lines: lines("+appended")}}},
	}
	if err != nil || !cmp.Equal(got, want) {
		t.Error(err, cmp.Diff(want, got))
	}
	for _, bad := range []string{"", "*** Begin Patch", "*** Begin Patch\nwhat\n*** End Patch", "*** Begin Patch\n*** Update File: a\n?\n*** End Patch"} {
		if _, err := Envelope(bad); !errors.Is(err, objects.ErrInvalid) {
			t.Errorf("%q: got %v, expected it to be invalid", bad, err)
		}
	}
}

func TestUnified(t *testing.T) {
	const text = `diff --git a/x b/x
index 1..2 100644
--- a/x
+++ b/x
@@ -1,2 +1,3 @@ func
 one
-two
\ No newline at end of file
+TWO
+three
\ No newline at end of file
--- /dev/null
+++ b/made
@@ -0,0 +1 @@
+made
--- a/gone	2024-01-01 00:00:00
+++ /dev/null
@@ -1 +0,0 @@
-gone
--- here
+++ there
@@ -3,0 +4 @@
+in between
`
	got, err := Unified(text)
	want := []objects.FileOp{
		{Kind: objects.FileEdit, Path: "x", Added: 2, Removed: 1, Counted: true, Hunks: []objects.Hunk{{
			OldStart: 1,
			Lines:    lines(" one\n-two\n\\ No newline at end of file\n+TWO\n+three\n\\ No newline at end of file"),
		}}},
		{Kind: objects.FileEdit, Path: "made", Created: true, Added: 1, Counted: true, Hunks: []objects.Hunk{{OldStart: 1, Lines: lines("+made")}}},
		{Kind: objects.FileDelete, Path: "gone", Removed: 1, Counted: true, Hunks: []objects.Hunk{{OldStart: 1, Lines: lines("-gone")}}},
		{Kind: objects.FileMove, Path: "here", To: "there", Added: 1, Counted: true, Hunks: []objects.Hunk{{OldStart: 4, Lines: lines("+in between")}}},
	}
	if err != nil || !cmp.Equal(got, want) {
		t.Error(err, cmp.Diff(want, got))
	}
	for _, bad := range []string{"--- a\n+++ b\n@@ -1 @@", "--- a\n+++ b\n@@ -1,2 +1 @@\n-x\n+y", "--- a\n+++ b\n@@ -1 +1 @@\n?x\n"} {
		if _, err := Unified(bad); !errors.Is(err, objects.ErrInvalid) {
			t.Errorf("%q: got %v, expected it to be invalid", bad, err)
		}
	}
}

func TestApply(t *testing.T) {
	searched := func(text string) []objects.Hunk {
		ops, err := Envelope("*** Begin Patch\n*** Update File: f\n" + text + "\n*** End Patch")
		if err != nil {
			t.Fatal(err)
		}
		return ops[0].Hunks
	}
	placed := func(text string) []objects.Hunk {
		ops, err := Unified("--- f\n+++ f\n" + text)
		if err != nil {
			t.Fatal(err)
		}
		return ops[0].Hunks
	}
	for _, tt := range []struct {
		name, text string
		hunks      []objects.Hunk
		want       string // "-" where it does not apply
	}{
		{"searched", "a\nb\nc\n", searched("@@\n a\n-b\n+B"), "a\nB\nc\n"},
		{"behind its anchor", "x\nf\nx\n", searched("@@ f\n-x\n+X"), "x\nf\nX\n"},
		{"behind two anchors", "class\nf\nclass\nf\nx\n", searched("@@ class\n@@ class\n@@ f\n-x\n+X"), "class\nf\nclass\nf\nX\n"},
		{"each behind the last", "x\nx\n", searched("@@\n-x\n+1\n@@\n-x\n+2"), "1\n2\n"},
		{"at the end", "x\ny\nx\n", searched("@@\n-x\n+X\n*** End of File"), "x\ny\nX\n"},
		{"appended", "a\n", searched("+b"), "a\nb\n"},
		{"to nothing", "a\n", searched("-a"), ""},
		{"without a last line feed", "a\nb", searched("-b\n+c"), "a\nc\n"},
		{"white space at the end of a line", "a  \nb\n", searched(" a\n-b\n+c"), "a\nc\n"},
		{"indented otherwise", "\ta\n", searched("- a\n+ b"), " b\n"},
		{"not there", "a\n", searched("-b\n+c"), "-"},
		{"anchor not there", "a\n", searched("@@ b\n-a\n+c"), "-"},
		{"before the last one", "a\nb\n", searched("@@\n-b\n+B\n@@\n-a\n+A"), "-"},
		{"an empty line behind the last", "a\n", searched("-a\n+b\n \n*** End of File"), "b\n"},

		{"placed", "a\nb\n", placed("@@ -2 +2 @@\n-b\n+c\n"), "a\nc\n"},
		{"placed elsewhere", "b\na\n", placed("@@ -2 +2 @@\n-b\n+c\n"), "-"},
		{"behind the end", "a\n", placed("@@ -7 +7 @@\n-b\n+c\n"), "-"},
		{"put in", "a\nb\n", placed("@@ -1,0 +2 @@\n+x\n"), "a\nx\nb\n"},
		{"of nothing", "", placed("@@ -0,0 +1,2 @@\n+x\n+y\n\\ No newline at end of file\n"), "x\ny"},
		{"given a last line feed", "a", placed("@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"), "a\n"},
		{"that has a line feed", "a\n", placed("@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n"), "-"},
		{"torn in the middle", "a\nb\n", placed("@@ -1 +1 @@\n-a\n+x\n\\ No newline at end of file\n"), "-"},
		{"line ends of their own", "a\r\nb\r\n", placed("@@ -1 +1 @@\n-a\r\n+x\r\n"), "x\r\nb\r\n"},
		{"no hunk", "a", nil, "a"},
	} {
		got, ok := Apply(tt.text, tt.hunks)
		if !ok {
			got = "-"
		}
		if got != tt.want {
			t.Errorf("%s: got %q, expected %q", tt.name, got, tt.want)
		}
	}
}

func TestReplace(t *testing.T) {
	type edit = objects.TextEdit
	for _, tt := range []struct {
		text  string
		edits []edit
		want  string
	}{
		{"abc", []edit{{Old: "b", New: "x"}}, "axc"},
		{"abb", []edit{{Old: "b", New: "x"}}, "-"},
		{"aaa", []edit{{Old: "aa", New: "x"}}, "xa"}, // agents count what does not overlap
		{"abb", []edit{{Old: "b", New: "x", All: true}}, "axx"},
		{"abc", []edit{{Old: "d", New: "x"}}, "-"},
		{"abc", []edit{{Old: "b", New: "d"}, {Old: "d", New: "e"}}, "aec"},
		{"abc", []edit{{Old: "b", New: "d"}, {Old: "x", New: "e"}}, "-"},
		{"", []edit{{New: "x"}}, "x"},
		{"a", []edit{{New: "x"}}, "-"},
		{"a\nb\nc\n", []edit{{Old: "b", Line: true}}, "a\nc\n"},
		{"a\nb\nc\n", []edit{{Old: "b"}}, "a\n\nc\n"},
		{"a b c\n", []edit{{Old: "b", Line: true}}, "a  c\n"},
		{"ab c\nb", []edit{{Old: "b", Line: true, All: true}}, "a c\n"},
		{"a", nil, "-"},
	} {
		got, ok := Replace(tt.text, tt.edits)
		if !ok {
			got = "-"
		}
		if got != tt.want {
			t.Errorf("%q %v: got %q, expected %q", tt.text, tt.edits, got, tt.want)
		}
	}
}

func TestInCommand(t *testing.T) {
	const p = "*** Begin Patch\n*** End Patch"
	for _, tt := range []struct{ command, text, dir string }{
		{"apply_patch <<'EOF'\n" + p + "\nEOF", p, ""},
		{"apply_patch << \"EOF\"\n" + p + "\nEOF\n", p, ""},
		{"applypatch <<EOF\n" + p + "\nEOF", p, ""},
		{"cd sub/dir && apply_patch <<'EOF'\n" + p + "\nEOF", p, "sub/dir"},
		{"apply_patch '" + p + "'", p, ""},
		{"apply_patch <<EOF\n$HOME\nEOF", "", ""},
		{"apply_patch <<'EOF'\n" + p + "\nEOF\nrm x", "", ""},
		{"apply_patch <<'EOF' && rm x\n" + p + "\nEOF", "", ""},
		{"cd $D && apply_patch <<'EOF'\n" + p + "\nEOF", "", ""},
		{"cat <<'EOF'\n" + p + "\nEOF", "", ""},
		{"apply_patch", "", ""},
	} {
		text, dir, ok := InCommand(tt.command)
		if text == tt.text && dir == tt.dir && ok == (tt.text != "") || !ok && tt.text == "" {
			continue
		}
		t.Errorf("%q: got %q in %q, %v", tt.command, text, dir, ok)
	}
}

// FuzzPatch: nothing that a patch may hold makes reading or applying it fail otherwise than by saying so, and the lines that a hunk keeps are there.
func FuzzPatch(f *testing.F) {
	f.Add("*** Begin Patch\n*** Update File: f\n@@ a\n b\n-c\n+d\n*** End of File\n*** End Patch", "a\nb\nc\n")
	f.Add("--- f\n+++ f\n@@ -1,2 +1 @@\n a\n-b\n\\ No newline at end of file\n", "a\nb")
	f.Fuzz(func(t *testing.T, patch, text string) {
		for _, read := range []func(string) ([]objects.FileOp, error){Envelope, Unified} {
			ops, _ := read(patch)
			for _, op := range ops {
				result, ok := Apply(text, op.Hunks)
				if !ok {
					continue
				}
				if added, removed := Count(op.Hunks); op.Counted && (added != op.Added || removed != op.Removed) {
					t.Errorf("%d added and %d removed lines are counted, expected %d and %d", op.Added, op.Removed, added, removed)
				}
				for _, h := range op.Hunks {
					for _, l := range h.Lines {
						if l.Op == '+' && !strings.Contains(result, l.Text) {
							t.Errorf("%q applied to %q is %q", patch, text, result)
						}
					}
				}
			}
		}
		InCommand(patch)
	})
}

package diff

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestLines(t *testing.T) {
	tests := []struct{ name, a, b, want string }{
		{"nothing", "", "", ""},
		{"the same", "a\nb\n", "a\nb\n", "=a\nb\n|"},
		{"all new", "", "a\n", "+a\n|"},
		{"all gone", "a\n", "", "-a\n|"},
		{"a line changed", "a\nb\nc\n", "a\nx\nc\n", "=a\n|-b\n|+x\n|=c\n|"},
		{"a line added", "a\nc\n", "a\nb\nc\n", "=a\n|+b\n|=c\n|"},
		{"the last line feed", "a\nb", "a\nb\n", "=a\n|-b|+b\n|"},
		{"CR is content", "a\r\nb\n", "a\nb\n", "-a\r\n|+a\n|=b\n|"},
		{"moved", "a\nb\nc\nd\n", "d\na\nb\nc\n", "+d\n|=a\nb\nc\n|-d\n|"},
		{"repeated", "x\nx\nx\ny\n", "x\nx\ny\nx\n", "=x\nx\n|-x\n|=y\n|+x\n|"},
		{"not UTF-8", "\xff\n\xfe\n", "\xff\n\xfd\n", "=\xff\n|-\xfe\n|+\xfd\n|"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := show(Lines(tt.a, tt.b)); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestWords(t *testing.T) {
	tests := []struct{ a, b, want string }{
		{"run the tests", "run all tests", "=run |-the|+all|= tests|"},
		{"f(x)", "f(x, y)", "=f(x|+, y|=)|"},
		{"a  b", "a b", "=a|-  |+ |=b|"},
		{"größe 1", "größe 2", "=größe |-1|+2|"},
		{"試験を実行", "試験を中止", "=試験を|-実行|+中止|"},
		{"a\xffb", "a\xfeb", "=a|-\xff|+\xfe|=b|"},
	}
	for _, tt := range tests {
		if got := show(Words(tt.a, tt.b)); got != tt.want {
			t.Errorf("%q to %q: got %q, want %q", tt.a, tt.b, got, tt.want)
		}
	}
}

func show(pieces []Piece) string {
	var sb strings.Builder
	for _, p := range pieces {
		fmt.Fprintf(&sb, "%c%s|", "=-+"[p.Op], p.Text)
	}
	return sb.String()
}

// checkPieces checks that the pieces give back both texts, and that they are in the order that is promised.
func checkPieces(t *testing.T, a, b string, pieces []Piece) {
	t.Helper()
	var gotA, gotB strings.Builder
	for i, p := range pieces {
		if p.Op != Insert {
			gotA.WriteString(p.Text)
		}
		if p.Op != Delete {
			gotB.WriteString(p.Text)
		}
		if p.Text == "" || i > 0 && (p.Op == pieces[i-1].Op || p.Op == Delete && pieces[i-1].Op == Insert) {
			t.Errorf("piece %d of %q to %q: %v after %v", i, clip(a), clip(b), p.Op, pieces[max(i-1, 0)].Op)
		}
	}
	if gotA.String() != a || gotB.String() != b {
		t.Errorf("%q to %q: the pieces give %q and %q", clip(a), clip(b), clip(gotA.String()), clip(gotB.String()))
	}
}

func clip(s string) string { return s[:min(len(s), 200)] }

func TestPiecesGiveBothTexts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		a := randomLines(rng, rng.IntN(40), 1+rng.IntN(20))
		b := edited(rng, a, rng.IntN(10), 20)
		if rng.IntN(4) == 0 {
			b = randomLines(rng, rng.IntN(40), 1+rng.IntN(20))
		}
		checkPieces(t, strings.Join(a, ""), strings.Join(b, ""), Lines(strings.Join(a, ""), strings.Join(b, "")))
		checkPieces(t, strings.Join(a, ""), strings.Join(b, ""), Words(strings.Join(a, ""), strings.Join(b, "")))
	}
}

// TestLinesAreShort compares the length of the edit with the shortest one, in texts of lines that are all different, where anchors cost nothing.
func TestLinesAreShort(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		a := randomLines(rng, 30, 1<<40)
		b := slices.Clone(a)
		for range rng.IntN(10) {
			if i := rng.IntN(len(b)); rng.IntN(2) == 0 {
				b = slices.Delete(b, i, i+1)
			} else {
				b = slices.Insert(b, i, randomLines(rng, 1, 1<<40)...)
			}
		}
		kept := 0
		for _, p := range Lines(strings.Join(a, ""), strings.Join(b, "")) {
			if p.Op == Equal {
				kept += strings.Count(p.Text, "\n")
			}
		}
		if want := longestCommon(a, b); kept != want {
			t.Errorf("%q to %q: %d lines kept, expected %d", a, b, kept, want)
		}
	}
}

func longestCommon(a, b []string) int {
	best := make([][]int, len(a)+1)
	for i := range best {
		best[i] = make([]int, len(b)+1)
	}
	for i := range a {
		for j := range b {
			best[i+1][j+1] = max(best[i][j+1], best[i+1][j])
			if a[i] == b[j] {
				best[i+1][j+1] = best[i][j] + 1
			}
		}
	}
	return best[len(a)][len(b)]
}

func randomLines(rng *rand.Rand, n, words int) []string {
	lines := make([]string, n)
	for i := range lines {
		lines[i] = fmt.Sprintf("line %x of text\n", rng.IntN(words))
	}
	return lines
}

func edited(rng *rand.Rand, lines []string, edits, words int) []string {
	out := slices.Clone(lines)
	for range edits {
		if len(out) == 0 {
			break
		}
		switch i := rng.IntN(len(out)); rng.IntN(3) {
		case 0:
			out = slices.Delete(out, i, i+1)
		case 1:
			out = slices.Insert(out, i, randomLines(rng, 1, words)...)
		default:
			out[i] = randomLines(rng, 1, words)[0]
		}
	}
	return out
}

func FuzzPieces(f *testing.F) {
	f.Add("a\nb\n", "a\nc")
	f.Add("\xff\r\n\r\n", "\u2028x\n")
	f.Fuzz(func(t *testing.T, a, b string) {
		checkPieces(t, a, b, Lines(a, b))
		checkPieces(t, a, b, Words(a, b))
		for context := range 4 {
			checkHunks(t, a, b, context)
		}
	})
}

// checkHunks applies the hunks to a, which must give b.
func checkHunks(t *testing.T, a, b string, context int) {
	t.Helper()
	old, at := splitLines(a), 0
	var got strings.Builder
	newLine := 1
	copyTo := func(line int) {
		for ; at < line && at < len(old); at++ {
			got.WriteString(old[at])
			newLine++
		}
	}
	for _, h := range Unified(Lines(a, b), context) {
		start, newStart := h.OldStart-1, h.NewStart
		if h.OldLines == 0 {
			start++
		}
		if h.NewLines == 0 {
			newStart++
		}
		copyTo(start)
		if newStart != newLine {
			t.Errorf("%q to %q: hunk %+v, expected the new start %d", clip(a), clip(b), h, newLine)
		}
		for _, p := range h.Pieces {
			n := len(splitLines(p.Text))
			if p.Op != Insert {
				if want := strings.Join(old[at:at+n], ""); want != p.Text {
					t.Errorf("%q to %q: a hunk has %q, expected %q", clip(a), clip(b), p.Text, want)
				}
				at += n
			}
			if p.Op != Delete {
				got.WriteString(p.Text)
				newLine += n
			}
		}
		if newLine != newStart+h.NewLines || at != start+h.OldLines {
			t.Errorf("%q to %q: hunk %+v counts wrong", clip(a), clip(b), h)
		}
	}
	copyTo(len(old))
	if got.String() != b {
		t.Errorf("%q to %q with context %d: the hunks give %q", clip(a), clip(b), context, clip(got.String()))
	}
}

func splitLines(s string) []string {
	lines := strings.SplitAfter(s, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

func TestUnifiedAsGitHasIt(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is missing: ", err)
	}
	rng := rand.New(rand.NewPCG(5, 6))
	for range 40 {
		a := randomLines(rng, 5+rng.IntN(60), 1<<40)
		b := edited(rng, a, 1+rng.IntN(5), 1<<40)
		textA, textB := strings.Join(a, ""), strings.Join(b, "")
		got := unifiedText(Unified(Lines(textA, textB), 3))
		if want := gitDiff(t, textA, textB); got != want {
			t.Errorf("%q to %q: got\n%s\nwant\n%s", a, b, got, want)
		}
	}
}

func unifiedText(hunks []UnifiedHunk) string {
	var sb strings.Builder
	span := func(start, lines int) string {
		if lines == 1 {
			return fmt.Sprint(start)
		}
		return fmt.Sprintf("%d,%d", start, lines)
	}
	for _, h := range hunks {
		fmt.Fprintf(&sb, "@@ -%s +%s @@\n", span(h.OldStart, h.OldLines), span(h.NewStart, h.NewLines))
		for _, p := range h.Pieces {
			for _, line := range splitLines(p.Text) {
				sb.WriteString(string(" -+"[p.Op]) + line)
			}
		}
	}
	return sb.String()
}

// gitDiff are the hunks that git finds.
func gitDiff(t testing.TB, a, b string) string {
	t.Helper()
	dir := t.TempDir()
	writeTexts(t, dir, a, b)
	cmd := exec.Command("git", "diff", "--no-index", "--no-color", "--no-ext-diff", "-U3", "a", "b")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	out, err := cmd.Output() // exit status 1: they differ
	if len(out) == 0 && a != b {
		t.Fatal("git diff: ", err)
	}
	var sb strings.Builder
	for _, line := range splitLines(string(out)) {
		if strings.HasPrefix(line, "@@") {
			end := strings.LastIndex(line, "@@") + 2
			line = line[:end] + "\n"
		} else if sb.Len() == 0 {
			continue
		}
		sb.WriteString(line)
	}
	return sb.String()
}

func writeTexts(t testing.TB, dir, a, b string) {
	t.Helper()
	for name, text := range map[string]string{"a": a, "b": b} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// largeTexts are pairs of texts of 5 MB.
func largeTexts() map[string][2]string {
	rng := rand.New(rand.NewPCG(7, 8))
	const size = 5_000_000
	long := func(words int) []string {
		lines := randomLines(rng, 1, words)
		return append(lines, randomLines(rng, size/len(lines[0])-1, words)...)
	}
	pair := func(a, b []string) [2]string { return [2]string{strings.Join(a, ""), strings.Join(b, "")} }
	out := map[string][2]string{}
	lines := long(1 << 60)
	out["random edits"] = pair(lines, manyEdits(rng, lines, 2000, 1<<60))
	out["total rewrite"] = pair(lines, long(1<<60))
	repeated := long(50)
	out["repeated lines, random edits"] = pair(repeated, manyEdits(rng, repeated, 2000, 50))
	out["repeated lines, total rewrite"] = pair(repeated, long(50))
	out["one line again and again"] = pair(long(1), append(long(1), long(1)[:1000]...))
	shuffled := slices.Clone(lines)
	rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	out["shuffled"] = pair(lines, shuffled)
	out["half of the lines rewritten"] = pair(lines, manyEdits(rng, lines, len(lines)/2, 1<<60))
	out["reversed"] = pair(lines, reversed(lines))
	return out
}

func reversed(lines []string) []string {
	out := slices.Clone(lines)
	slices.Reverse(out)
	return out
}

// manyEdits is edited in linear time.
func manyEdits(rng *rand.Rand, lines []string, edits, words int) []string {
	var out []string
	for _, line := range lines {
		if rng.IntN(len(lines)) >= edits {
			out = append(out, line)
			continue
		}
		if kind := rng.IntN(3); kind > 0 {
			out = append(out, randomLines(rng, kind, words)...)
		}
	}
	return out
}

func TestLargeTexts(t *testing.T) {
	for name, texts := range largeTexts() {
		t.Run(name, func(t *testing.T) {
			checkPieces(t, texts[0], texts[1], Lines(texts[0], texts[1]))
			small := [2]string{texts[0][:200_000], texts[1][:200_000]}
			checkPieces(t, small[0], small[1], Words(small[0], small[1]))
		})
	}
}

func BenchmarkLines(b *testing.B) {
	for name, texts := range largeTexts() {
		b.Run(strings.ReplaceAll(name, " ", "-"), func(b *testing.B) {
			b.SetBytes(int64(len(texts[0])))
			for b.Loop() {
				Unified(Lines(texts[0], texts[1]), 3)
			}
		})
	}
}

// TestMeasureLines compares texts of 5 MB in turn with git, and prints the medians of five:
//
//	TLOG_MEASURE=1 go test ./diff -run MeasureLines -v
func TestMeasureLines(t *testing.T) {
	if os.Getenv("TLOG_MEASURE") == "" {
		t.Skip("TLOG_MEASURE is not set")
	}
	for name, texts := range largeTexts() {
		dir := t.TempDir()
		writeTexts(t, dir, texts[0], texts[1])
		var ours, gits, ratios []float64
		for range 5 {
			start := time.Now()
			a, errA := os.ReadFile(filepath.Join(dir, "a"))
			b, errB := os.ReadFile(filepath.Join(dir, "b"))
			if errA != nil || errB != nil {
				t.Fatal(errA, errB)
			}
			unifiedText(Unified(Lines(string(a), string(b)), 3))
			our := time.Since(start).Seconds()
			start = time.Now()
			cmd := exec.Command("git", "diff", "--no-index", "a", "b")
			cmd.Dir, cmd.Stdout = dir, &bytes.Buffer{}
			_ = cmd.Run() // exit status 1: they differ
			git := time.Since(start).Seconds()
			ours, gits, ratios = append(ours, our*1000), append(gits, git*1000), append(ratios, our/git)
		}
		t.Logf("%-32s %7.0f ms, git %7.0f ms, ratio %.2f", name, middle(ours), middle(gits), middle(ratios))
		if ratio := middle(ratios); ratio > 3 {
			t.Errorf("%s: %.2f times as long as git, expected at most 3", name, ratio)
		}
	}
}

func middle(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

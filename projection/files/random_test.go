package files_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"path"
	"strings"
	"testing"

	"tlog/log"
	"tlog/objects"
	"tlog/projection/files"
	"tlog/refs"
)

// disk is the model: the files that are there, by path.
type disk map[string]string

// lab plays tools on a disk and records what the agent would.
type lab struct {
	*writer
	rng   *rand.Rand
	disk  disk
	after map[string]disk // the disk behind an entry
	steps []step          // that can be undone
}

type step struct {
	entries []string
	before  disk
}

// TestRandomStates: at each entry of a random session each state that is exact or derived is what was on the disk then.
func TestRandomStates(t *testing.T) {
	for _, claude := range []bool{false, true} {
		var grades [3]int
		for seed := range uint64(150) {
			b := &lab{writer: newWriter(t, claude), rng: rand.New(rand.NewPCG(seed, 7)), disk: disk{}, after: map[string]disk{}}
			for _, name := range []string{"a.txt", "b.txt", "sub/c.go"} {
				b.disk[folder+"/"+name] = b.text(b.rng.IntN(3) == 0)
			}
			for range 30 {
				b.step()
			}
			l := b.open()
			for i := range l.Len() {
				if want, ok := b.after[string(l.Record(i).ID)]; ok {
					holdAgainst(t, fmt.Sprintf("claude %v, seed %d, entry %s", claude, seed, l.Record(i).ID), l, i, want, &grades)
				}
			}
			if t.Failed() {
				return
			}
		}
		t.Logf("claude %v: exact %d, derived %d, unknown %d", claude, grades[files.Exact], grades[files.Derived], grades[files.Unknown])
		if grades[files.Derived] < 1000 || !claude && grades[files.Exact] < 1000 {
			t.Errorf("only %d exact and %d derived states", grades[files.Exact], grades[files.Derived])
		}
	}
}

func holdAgainst(t *testing.T, where string, l *log.Log, at int, want disk, grades *[3]int) {
	t.Helper()
	h, err := refs.NewHistory(l, at)
	if err != nil {
		t.Fatal(err)
	}
	r, err := files.New(h, files.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range r.Paths() {
		s, _ := r.State(p)
		grades[s.Grade]++
		text, there := want[p]
		if s.Plain {
			text = files.Plain(text)
		}
		if s.Plain && s.Grade == files.Exact {
			t.Errorf("%s: %s is exact, and its line ends are not known", where, p)
		}
		if s.Sure() && (s.Exists != there || s.Text != text) {
			t.Errorf("%s: %s is %s and %v %q, but on the disk it was %v %q", where, p, s.Grade, s.Exists, s.Text, there, text)
		}
		if !s.Sure() && s.Why == "" {
			t.Errorf("%s: nothing says why %s is unknown", where, p)
		}
	}
}

// text is a random text, some with CRLF, some without a last line feed.
func (b *lab) text(crlf bool) string {
	var s strings.Builder
	for range b.rng.IntN(8) + 1 {
		fmt.Fprintf(&s, "%sline %d\n", strings.Repeat("\t", b.rng.IntN(3)), b.rng.IntN(40))
	}
	text := s.String()
	if b.rng.IntN(4) == 0 {
		text = strings.TrimSuffix(text, "\n")
	}
	if crlf {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return text
}

// some is a file that is there, or a name of one that may be.
func (b *lab) some() string {
	names := []string{"a.txt", "b.txt", "sub/c.go", "new.txt", "d/new.go"}
	return folder + "/" + names[b.rng.IntN(len(names))]
}

// step does one thing.
func (b *lab) step() {
	before := maps.Clone(b.disk)
	first := len(b.lines)
	switch b.rng.IntN(12) {
	case 0:
		b.prompt()
	case 1, 2:
		b.read(b.some())
	case 3, 4:
		b.write(b.some())
	case 5, 6, 7, 8:
		b.edit(b.some())
	case 9, 10:
		b.shell(b.some(), b.some())
	case 11:
		b.undo()
		return
	}
	b.after[b.tip] = maps.Clone(b.disk)
	var entries []string
	for i := first; i < len(b.lines); i++ {
		entries = append(entries, fmt.Sprintf("e%d", i))
	}
	b.steps = append(b.steps, step{entries, before})
}

// undo takes some of the last steps back, and what they did to the disk.
func (b *lab) undo() {
	var ids []string
	for range b.rng.IntN(3) + 1 {
		if len(b.steps) == 0 {
			break
		}
		last := b.steps[len(b.steps)-1]
		b.steps = b.steps[:len(b.steps)-1]
		ids, b.disk = append(ids, last.entries...), maps.Clone(last.before)
	}
	if len(ids) > 0 {
		b.skip(ids)
		b.after[b.tip] = maps.Clone(b.disk)
	}
}

// shown is a text as the agent shows it.
func (b *lab) shown(text string) string {
	if b.claud {
		return files.Plain(text)
	}
	return text
}

func (b *lab) read(p string) {
	name, key := "read", "path"
	if b.claud {
		name, key = "Read", "file_path"
	}
	text, ok := b.disk[p]
	if !ok {
		b.both(name, map[string]any{key: p}, "File does not exist.", true, nil)
		return
	}
	text = b.shown(text)
	lines := strings.Split(text, "\n")
	from, to := 0, len(lines)
	input := map[string]any{key: p}
	if b.rng.IntN(3) == 0 {
		from = b.rng.IntN(len(lines))
		to = from + 1 + b.rng.IntN(len(lines)-from)
		input["offset"], input["limit"] = from+1, to-from
	}
	part := strings.Join(lines[from:to], "\n")
	if b.claud {
		b.both(name, input, "shown", false, map[string]any{"type": "text", "file": map[string]any{
			"filePath": p, "content": part, "startLine": from + 1, "numLines": to - from, "totalLines": len(lines)}})
		return
	}
	if to < len(lines) {
		part += fmt.Sprintf("\n\n[%d more lines in file. Use offset=%d to continue.]", len(lines)-to, to+1)
	}
	b.both(name, input, part, false, nil)
}

func (b *lab) write(p string) {
	text := b.text(false)
	old, there := b.disk[p]
	failed := b.rng.IntN(6) == 0
	if !failed {
		b.disk[p] = text
	}
	if !b.claud {
		b.both("write", map[string]any{"path": p, "content": text}, "done", failed, nil)
		return
	}
	input := map[string]any{"file_path": p, "content": text}
	switch {
	case failed:
		b.both("Write", input, "Error", true, "Error: no")
	case there:
		b.both("Write", input, "updated", false, map[string]any{"type": "update", "filePath": p, "content": text, "originalFile": b.shown(old)})
	default:
		b.both("Write", input, "File created successfully at: "+p, false, map[string]any{"type": "create", "filePath": p, "content": text, "originalFile": nil})
	}
}

// edit replaces one line or a piece of it, or fails.
func (b *lab) edit(p string) {
	text, there := b.disk[p]
	plain := files.Plain(text)
	uniform := plain == text || strings.ReplaceAll(plain, "\n", "\r\n") == text
	lines := strings.SplitAfter(plain, "\n")
	old := lines[b.rng.IntN(len(lines))]
	if b.rng.IntN(2) == 0 {
		old = strings.TrimSpace(old)
	}
	fresh := []string{"", "fresh", "two\nlines\n", old + " more"}[b.rng.IntN(4)]
	all := b.rng.IntN(4) == 0 && b.claud
	count := strings.Count(plain, old)
	failed := !there || old == "" || count == 0 || count > 1 && !all || !uniform || b.rng.IntN(10) == 0
	if !failed {
		cut := old
		if b.claud && fresh == "" && !strings.HasSuffix(old, "\n") && strings.Contains(plain, old+"\n") {
			cut += "\n"
		}
		n := 1
		if all {
			n = -1
		}
		result := strings.Replace(plain, cut, fresh, n)
		if plain != text {
			result = strings.ReplaceAll(result, "\n", "\r\n")
		}
		b.disk[p] = result
	}
	if !b.claud {
		b.both("edit", map[string]any{"path": strings.TrimPrefix(p, folder+"/"), "edits": []any{map[string]any{"oldText": old, "newText": fresh}}}, "done", failed, nil)
		return
	}
	input := map[string]any{"file_path": p, "old_string": old, "new_string": fresh, "replace_all": all}
	if failed {
		b.both("Edit", input, "<tool_use_error>String to replace not found in file.", true, "Error: String to replace not found in file.")
		return
	}
	recorded := map[string]any{"filePath": p, "oldString": old, "newString": fresh, "replaceAll": all}
	if b.rng.IntN(3) > 0 { // of large files it is not there
		recorded["originalFile"] = plain
	}
	b.both("Edit", input, "updated", false, recorded)
}

// shell runs a command.
func (b *lab) shell(p, q string) {
	command, failed := "ls", false
	_, there := b.disk[p]
	switch b.rng.IntN(10) {
	case 0:
		command, failed = "rm "+p, !there
		delete(b.disk, p)
	case 1:
		command, failed = "mv "+p+" "+q, !there || p == q
		if !failed {
			b.disk[q] = b.disk[p]
			delete(b.disk, p)
		}
	case 2:
		command, failed = "cp "+p+" "+q, !there || p == q
		if !failed {
			b.disk[q] = b.disk[p]
		}
	case 3:
		command = "cd " + path.Dir(p) + " && cat > " + path.Base(p) + " <<'EOF'\nhere\n$it is\nEOF"
		b.disk[p] = "here\n$it is\n"
	case 4:
		command = "date > " + p
		b.disk[p] = "today\n"
	case 5:
		command = "sed -i 's/line/LINE/' " + p
		if failed = !there; there {
			b.disk[p] = strings.ReplaceAll(b.disk[p], "line", "LINE")
		}
	case 6:
		command = "./generate"
		b.disk[q] = b.text(false)
		delete(b.disk, p)
	case 7:
		command = "go test ./..."
	case 8:
		command = "rm -rf " + folder + "/sub && ls; true"
		for f := range b.disk {
			if strings.HasPrefix(f, folder+"/sub/") {
				delete(b.disk, f)
			}
		}
	}
	name := "bash"
	var recorded any
	text := "out"
	if b.claud {
		name, recorded = "Bash", map[string]any{"stdout": "out", "stderr": "", "interrupted": false}
		if failed {
			text, recorded = "Exit code 1\nno", "Error: Exit code 1\nno"
		}
	} else if failed {
		text = "no\n\nCommand exited with code 1"
	}
	b.both(name, map[string]any{"command": command}, text, failed, recorded)
}

// TestCountLines: the counts are those of a shortest edit: they fit the lengths, and are never more than all lines.
func TestCountLines(t *testing.T) {
	for _, tt := range []struct {
		from, to       string
		added, removed int
	}{
		{"", "", 0, 0}, {"", "a\nb", 2, 0}, {"a\n", "", 0, 1}, {"a\nb\nc\n", "a\nx\nc\n", 1, 1}, {"a\nb\n", "a\nb", 1, 1},
		{"a\nb\nc\nd\n", "b\nc\nx\nd\n", 1, 1}, {"a\na\n", "a\na\na\n", 1, 0}, {"x\n", "a\nx\nb\n", 2, 0}, {"ab\nb\n", "b\n", 0, 1},
	} {
		if added, removed := files.CountLines(tt.from, tt.to); added != tt.added || removed != tt.removed {
			t.Errorf("%q to %q: got +%d -%d, expected +%d -%d", tt.from, tt.to, added, removed, tt.added, tt.removed)
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var a, b []string
		for range rng.IntN(12) {
			a = append(a, fmt.Sprintf("%d\n", rng.IntN(4)))
		}
		for range rng.IntN(12) {
			b = append(b, fmt.Sprintf("%d\n", rng.IntN(4)))
		}
		common := longestCommon(a, b)
		if added, removed := files.CountLines(strings.Join(a, ""), strings.Join(b, "")); added != len(b)-common || removed != len(a)-common {
			t.Fatalf("%q to %q: got +%d -%d, expected +%d -%d", a, b, added, removed, len(b)-common, len(a)-common)
		}
	}
}

// longestCommon is the length of the longest common subsequence.
func longestCommon(a, b []string) int {
	row := make([]int, len(b)+1)
	for _, x := range a {
		diagonal := 0
		for j, y := range b {
			above := row[j+1]
			if x == y {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(above, row[j])
			}
			diagonal = above
		}
	}
	return row[len(b)]
}

// TestManyEdits: the time of many edits of one file grows with their number.
func TestManyEdits(t *testing.T) {
	w := newWriter(t, false)
	var text strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&text, "line %d\n", i)
	}
	w.both("write", map[string]any{"path": "f", "content": text.String()}, "done", false, nil)
	for i := range 10000 {
		n := i % 1000
		old, fresh := fmt.Sprintf("line %d\n", n), fmt.Sprintf("line %d.\n", n)
		if i/1000%2 == 1 {
			old, fresh = fresh, old
		}
		w.both("edit", map[string]any{"path": "f", "oldText": old, "newText": fresh}, "done", false, nil)
	}
	l := w.open()
	h, err := refs.NewHistory(l, l.Last())
	if err != nil {
		t.Fatal(err)
	}
	changes := 0
	r, err := files.New(h, files.Options{Each: func(c files.Change) error {
		if changes++; changes > 1 && (c.Added != 1 || c.Removed != 1 || c.Op.Kind != objects.FileEdit) {
			return fmt.Errorf("change %d: +%d -%d", changes, c.Added, c.Removed)
		}
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	if s, ok := r.State(folder + "/f"); !ok || s.Grade != files.Derived || s.Text != text.String() || changes != 10001 {
		t.Errorf("%d changes, %s %s", changes, s.Grade, s.Why)
	}
}

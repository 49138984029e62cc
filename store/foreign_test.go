package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tlog/agents/claude"
	"tlog/agents/claude/claudegentest"
	"tlog/checkout"
	"tlog/log"
	"tlog/objects"
	"tlog/objects/sharedtest"
	"tlog/store"
)

// foreign is a transcript of Claude Code that grows, and the store that it is imported into.
type foreign struct {
	t    *testing.T
	s    *store.Store
	cwd  string
	path string
}

func newForeign(t *testing.T) *foreign {
	s, cwd := newStore(t)
	return &foreign{t: t, s: s, cwd: cwd, path: filepath.Join(t.TempDir(), "projects", "x", "00000000-0000-4000-8000-000000000001.jsonl")}
}

// put makes the transcript's bytes data, imports it, and checks that it can be had again.
func (f *foreign) put(data []byte) store.Imported {
	f.t.Helper()
	writeFile(f.t, f.path, data)
	got := importFile(f.t, f.s, f.path, f.cwd)
	if kept := original(f.t, f.s, got); !bytes.Equal(kept, data) {
		f.t.Fatalf("original:\n%s\nwant:\n%s", kept, data)
	}
	return got
}

// row is a line of a transcript; no parent is null.
func row(uuid, parent, text string) string {
	p := "null"
	if parent != "" {
		p = `"` + parent + `"`
	}
	return fmt.Sprintf(`{"parentUuid":%s,"isSidechain":false,"type":"user","message":{"role":"user","content":%q},"uuid":%q,`+
		`"timestamp":"2026-03-01T09:00:01.000Z","sessionId":"00000000-0000-4000-8000-000000000001"}`, p, text, uuid)
}

// held is an entry that holds a line of the source.
type held struct {
	ID, Parent objects.ID
	Type       objects.Type
	Gap        string
	Line       string
}

// heldBy are the lines of the source that a session holds, less those that were completed later.
func heldBy(t *testing.T, s *checkout.Session) (lines []held) {
	t.Helper()
	for i := range s.Log.Len() {
		if !s.Log.Record(i).Foreign {
			continue
		}
		e, err := s.Log.Whole(i)
		if err != nil {
			t.Fatal(err)
		}
		if string(e.Get("completes")) == "true" {
			lines = lines[:len(lines)-1]
		}
		line, _ := e.SourceLine()
		lines = append(lines, held{e.ID, e.ParentID, e.Type, e.Gap, string(line)})
	}
	return lines
}

// fewer is how many random runs a test makes of n: a few where each step takes long, as with the race detector.
func fewer(n uint64) uint64 {
	if testing.Short() {
		return n / 5
	}
	return n
}

// TestForeignInPieces imports sessions as they grow, cut anywhere: it makes no difference.
func TestForeignInPieces(t *testing.T) {
	for seed := range fewer(40) {
		rng := rand.New(rand.NewPCG(seed, 1))
		data, truth := claudegentest.Bytes(rng, claudegentest.Options{Old: seed%3 == 0})
		whole := newForeign(t)
		at := open(t, whole.put(data).File)
		want, wantTips := heldBy(t, at), tips(at)
		if truth.Leaf != nil && wantTips[claude.Name] != wantTips["main"] {
			t.Errorf("seed %d: %v", seed, wantTips)
		}
		f := newForeign(t)
		var got store.Imported
		for end := 0; end < len(data); {
			step := 1 + rng.IntN(len(data)/3+1)
			if end = min(end+step, len(data)); rng.IntN(2) == 0 { // between lines
				end += bytes.IndexByte(append(data[end:len(data):len(data)], '\n'), '\n') + 1
			}
			end = min(end, len(data))
			if _, foreign := claudeIs(data[:end]); !foreign {
				continue
			}
			got = f.put(data[:end])
			if got.Original != "" {
				t.Errorf("seed %d: kept %s", seed, got.Original)
			}
		}
		session := open(t, got.File)
		checkDescends(t, session)
		if have := heldBy(t, session); !slices.Equal(have, want) {
			t.Errorf("seed %d: in pieces\n%v\nat once\n%v", seed, have, want)
		}
		if have := tips(session); fmt.Sprint(have) != fmt.Sprint(wantTips) {
			t.Errorf("seed %d: branches in pieces %v, at once %v", seed, have, wantTips)
		}
		before := readFile(t, got.File)
		if again := f.put(data); again.New+again.Lines != 0 || again.State != store.SourceCurrent || !bytes.Equal(before, readFile(t, got.File)) {
			t.Errorf("seed %d: again %+v", seed, again)
		}
	}
}

// claudeIs reports whether a file that begins so is a transcript of Claude Code.
func claudeIs(head []byte) (claude.Agent, bool) { return claude.Agent{}, claude.Agent{}.Detect(head) }

// TestForeignRewritten imports sessions of which lines are lost, moved and changed: nothing is lost of what was known.
func TestForeignRewritten(t *testing.T) {
	for seed := range fewer(30) {
		rng := rand.New(rand.NewPCG(seed, 2))
		data, _ := claudegentest.Bytes(rng, claudegentest.Options{})
		f := newForeign(t)
		known := map[held]bool{}
		for range 4 {
			got := f.put(data)
			session := open(t, got.File)
			checkDescends(t, session)
			have := map[held]bool{}
			for _, line := range heldBy(t, session) {
				have[line] = true
			}
			for line := range known {
				if !have[line] {
					t.Fatalf("seed %d: lost %v", seed, line)
				}
			}
			known = have
			for finding := range session.Log.Check() {
				if c := finding.Code; c == log.ChainBroken || c == log.BadLine || c == log.BadID {
					t.Errorf("seed %d: %+v", seed, finding)
				}
			}
			size := session.Log.Size()
			if again := f.put(data); again.New != 0 || open(t, got.File).Log.Size() != size {
				t.Errorf("seed %d: again %+v", seed, again)
			}
			data = rewritten(rng, data)
		}
	}
}

// rewritten is a transcript after somebody worked on it.
func rewritten(rng *rand.Rand, data []byte) []byte {
	all := bytes.SplitAfter(data, []byte("\n"))
	for range 1 + rng.IntN(3) {
		i, j := rng.IntN(len(all)), rng.IntN(len(all))
		switch rng.IntN(5) {
		case 0:
			all = slices.Delete(all, min(i, j), min(i, j)+1)
		case 1:
			all[i], all[j] = all[j], all[i]
		case 2:
			all[i] = bytes.Replace(all[i], []byte(`"timestamp"`), []byte(`"edited":true,"timestamp"`), 1)
		case 3:
			all = slices.Insert(all, i, slices.Clone(all[j]))
		case 4:
			all = all[:max(i, len(all)-3, 1)]
		}
	}
	// The first line that says what the file is stays, else it is another kind of file.
	return append([]byte(`{"type":"mode","mode":"normal","sessionId":"00000000-0000-4000-8000-000000000001"}`+"\n"), bytes.Join(all, nil)...)
}

// TestForeignMerges is about what becomes of branches when the source does not go on.
func TestForeignMerges(t *testing.T) {
	a, b, c := row("a-1", "", "one"), row("b-1", "a-1", "two"), row("c-1", "b-1", "three")
	changed := row("b-1", "a-1", "two, said better")
	title := `{"type":"custom-title","customTitle":"Herbs","sessionId":"00000000-0000-4000-8000-000000000001"}`
	for _, test := range []struct {
		name          string
		before, after []byte
		added, gone   int
		at            string
		leaves, kept  int
	}{
		{"the same", lines(a, b), lines(a, b), 0, 0, "b-1", 1, 0},
		{"an older copy", lines(a, b, c), lines(a), 0, 2, "c-1", 1, 0},
		{"an entry changed", lines(a, b, c), lines(a, changed, c), 1, 1, "c-1", 2, 1},
		{"one is gone", lines(a, b, c), lines(a, c), 0, 1, "c-1", 1, 1},
		{"another root", lines(a, b, c), lines(row("x-1", "", "else")), 1, 3, "x-1", 2, 1},
		{"a rewind", lines(a, b, c), lines(a, b, c, row("d-1", "a-1", "other")), 1, 0, "d-1", 2, 0},
		{"a side line", lines(a, b), lines(a, b, title), 1, 0, "b-1", 1, 0},
		{"no line feed", []byte(a), []byte(a), 0, 0, "a-1", 1, 0},
		{"then one", []byte(a), lines(a), 0, 0, "a-1", 1, 0},
		{"then more", []byte(a), lines(a, b), 1, 0, "b-1", 1, 0},
		{"torn", append(lines(a), b[:40]...), append(lines(a), b[:60]...), 1, 0, "a-1", 1, 0},
		{"completed", append(lines(a), b[:40]...), lines(a, b, c), 2, 0, "c-1", 1, 0},
		{"never completed", append(lines(a), b[:40]...), lines(a, b[:40], c), 1, 0, "c-1", 1, 0},
		{"NULs behind it", append(lines(a), b[:40]...), lines(a, b[:40]+"\x00\x00", c), 2, 0, "c-1", 1, 0},
		{"glued", append(lines(a), b[:40]...), lines(a, b[:40]+b), 1, 0, "b-1", 1, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := newForeign(t)
			f.put(test.before)
			var got store.Imported
			if test.name == "an older copy" {
				writeFile(t, f.path, test.after)
				got = importFile(t, f.s, f.path, f.cwd)
			} else {
				got = f.put(test.after)
			}
			kept := 0
			if got.Original != "" {
				kept = 1
			}
			if got.New != test.added || got.Missing != test.gone || got.Leaves != test.leaves || kept != test.kept {
				t.Errorf("expected %d new, %d missing, %d leaves, %d kept, got %+v", test.added, test.gone, test.leaves, test.kept, got)
			}
			session := open(t, got.File)
			checkDescends(t, session)
			wantTips(t, session, "claude="+test.at, "main="+test.at)
			if test.name == "a side line" && session.Refs.Name() != "Herbs" {
				t.Errorf("name %q", session.Refs.Name())
			}
			before := readFile(t, got.File)
			if got = importFile(t, f.s, f.path, f.cwd); got.New != 0 || !bytes.Equal(before, readFile(t, got.File)) {
				t.Errorf("again: %+v", got)
			}
		})
	}
}

// TestForeignFollows keeps main where the user brought it.
func TestForeignFollows(t *testing.T) {
	f := newForeign(t)
	a, b := row("a-1", "", "one"), row("b-1", "a-1", "two")
	got := f.put(lines(a))
	if !got.Created || !got.Followed || got.Agent != "claude" || got.Lines != 1 || got.Roots != 1 || got.State != "" {
		t.Errorf("%+v", got)
	}
	session := open(t, got.File)
	mine, err := session.Append(t.Context(), [][]byte{[]byte(`{"role":"user","content":"mine"}`)}, checkout.AppendOptions{})
	if err != nil {
		t.Fatal(err)
	}
	got = f.put(lines(a, b))
	if got.New != 1 || got.Lines != 1 || got.Followed || got.State != store.SourceGrown || got.Leaves != 2 {
		t.Errorf("%+v", got)
	}
	session = open(t, got.File)
	checkDescends(t, session)
	wantTips(t, session, "claude=b-1", "main="+string(mine[0]))
}

// TestForeignLeavesOpenLine is what --watch asks for.
func TestForeignLeavesOpenLine(t *testing.T) {
	f := newForeign(t)
	a, b := row("a-1", "", "one"), row("b-1", "a-1", "two")
	opt := options(1)
	opt.LeaveOpenLine = true
	created := false
	for _, step := range []struct {
		data []byte
		new  int
	}{{[]byte(a), 0}, {append(lines(a), b...), 1}, {append(lines(a), b[:30]...), 0}, {lines(a, b), 1}} {
		writeFile(t, f.path, step.data)
		got, err := f.s.Import(t.Context(), f.path, f.cwd, opt)
		if err != nil || got.New != step.new || got.Original != "" || got.Created != (step.new > 0 && !created) {
			t.Errorf("%q: %+v, %v", step.data, got, err)
		}
		created = created || got.Created
	}
}

// TestForeignBrokenOff imports again what a writer that died left of an import.
func TestForeignBrokenOff(t *testing.T) {
	for seed := range fewer(25) {
		rng := rand.New(rand.NewPCG(seed, 4))
		data, _ := claudegentest.Bytes(rng, claudegentest.Options{})
		half := bytes.IndexByte(data[len(data)/2:], '\n') + len(data)/2 + 1
		f := newForeign(t)
		first := len(readFile(t, f.put(data[:half]).File))
		got := f.put(data)
		want, wantTips := heldBy(t, open(t, got.File)), tips(open(t, got.File))
		log := readFile(t, got.File)
		if len(log) == first {
			continue
		}
		cut := first + rng.IntN(len(log)-first)
		writeFile(t, got.File, log[:cut])
		got = f.put(data)
		session := open(t, got.File)
		checkDescends(t, session)
		if have := heldBy(t, session); !slices.Equal(have, want) || got.Original != "" {
			t.Errorf("seed %d, cut at %d of %d to %d: kept %q\n%v\nwant\n%v", seed, cut, first, len(log), got.Original, have, want)
		}
		if have := tips(session); fmt.Sprint(have) != fmt.Sprint(wantTips) {
			t.Errorf("seed %d: branches %v, want %v", seed, have, wantTips)
		}
	}
}

// TestForeignTogether imports one source several times at once.
func TestForeignTogether(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	data, truth := claudegentest.Bytes(rng, claudegentest.Options{})
	f := newForeign(t)
	half := bytes.IndexByte(data[len(data)/2:], '\n') + len(data)/2 + 1
	for _, part := range [][]byte{data[:half], data} {
		writeFile(t, f.path, part)
		var group sync.WaitGroup
		for seed := range uint64(4) {
			group.Go(func() {
				if _, err := f.s.Import(t.Context(), f.path, f.cwd, options(100+seed)); err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
	}
	got := f.put(data)
	if have := heldBy(t, open(t, got.File)); len(have) != truth.Lines {
		t.Errorf("%d lines, want %d", len(have), truth.Lines)
	}
}

// TestForeignFamily imports a session with its subagents and what lies beside it.
func TestForeignFamily(t *testing.T) {
	var data bytes.Buffer
	tr := claudegentest.New(&data, rand.New(rand.NewPCG(3, 3)))
	tr.Prompt("weed the beds")
	tr.Subagent("count the weeds", func(child *claudegentest.Transcript) {
		child.Prompt("count them")
		child.Reply("end_turn", claudegentest.Text("seven"))
	})
	truth := tr.Truth()
	s, cwd := newStore(t)
	config := t.TempDir()
	project := filepath.Join(config, "projects", "-home-ada-shop")
	file, err := claudegentest.WriteFolder(project, data.Bytes(), truth)
	if err != nil {
		t.Fatal(err)
	}
	beside := filepath.Join(project, truth.Session, "tool-results")
	writeFile(t, filepath.Join(beside, "a.txt"), []byte(strings.Repeat("long output\n", 1000)))
	writeFile(t, filepath.Join(beside, "b.bin"), []byte("\xff\x00\xfe"))
	got := importFile(t, s, file, cwd)
	if got.SideFiles != 2 || len(got.Children) != 1 {
		t.Fatalf("%+v", got)
	}
	child := got.Children[0]
	parent := open(t, got.File)
	at, ok := parent.Log.Find(child.ParentEntry)
	if !ok || child.ParentSession != got.Session || child.Subagent != truth.Subagents[0].ID {
		t.Fatalf("%+v", child)
	}
	call, err := parent.Log.Entry(at)
	if err != nil || !bytes.Contains(call.Raw, []byte(truth.Subagents[0].Call)) {
		t.Errorf("%s %v", call.Raw, err)
	}
	if have := original(t, s, child); !bytes.Equal(have, truth.Subagents[0].Data) {
		t.Errorf("original of the subagent: %s", have)
	}
	if have := original(t, s, got); !bytes.Equal(have, data.Bytes()) {
		t.Errorf("original: %s", have)
	}
	newest, err := s.Newest("/home/ada/shop")
	if err != nil || newest.ID != got.Session {
		t.Errorf("newest %+v %v", newest, err)
	}
	if info, err := s.Find("", string(child.Session)); err != nil || !info.Subagent || info.ParentSession != got.Session {
		t.Errorf("%+v %v", info, err)
	}

	// Nothing has changed; then a file beside it has.
	before := readFile(t, got.File)
	if got = importFile(t, s, file, cwd); got.SideFiles != 0 || !bytes.Equal(before, readFile(t, got.File)) {
		t.Errorf("again %+v", got)
	}
	writeFile(t, filepath.Join(beside, "b.bin"), []byte("text now"))
	if got = importFile(t, s, file, cwd); got.SideFiles != 1 || got.Lines != 0 {
		t.Errorf("changed %+v", got)
	}
	if got = importFile(t, s, file, cwd); got.SideFiles != 0 {
		t.Errorf("again %+v", got)
	}
	if have := original(t, s, got); !bytes.Equal(have, data.Bytes()) {
		t.Errorf("original: %s", have)
	}
}

// TestForeignSubagentsApart imports two sessions whose subagents have one id.
func TestForeignSubagentsApart(t *testing.T) {
	s, cwd := newStore(t)
	project := filepath.Join(t.TempDir(), "projects", "x")
	for _, id := range []string{"00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"} {
		file := writeFile(t, filepath.Join(project, id+".jsonl"), lines(strings.ReplaceAll(row("a-1", "", "hello"), "00000000-0000-4000-8000-000000000001", id)))
		sub := strings.Replace(row("s-1", "", "of "+id), `"isSidechain":false`, `"isSidechain":true,"agentId":"abc"`, 1)
		writeFile(t, filepath.Join(project, id, "subagents", "agent-abc.jsonl"), lines(sub))
		for range 2 {
			got := importFile(t, s, file, cwd)
			if len(got.Children) != 1 || got.Children[0].ParentSession != objects.ID(id) || got.Children[0].Entries != 1 {
				t.Errorf("%+v", got)
			}
		}
	}
	if infos, err := s.Sessions("", nil); err != nil || len(infos) != 4 {
		t.Errorf("%d sessions, %v", len(infos), err)
	}
}

// TestForeignImage: one picture twice on a line lies in one blob.
func TestForeignImage(t *testing.T) {
	f := newForeign(t)
	picture := strings.Repeat("iVBORw0KGgoAAAANSUhEUgAA", 200)
	image := fmt.Sprintf(`{"type":"image","source":{"type":"base64","media_type":"image/png","data":%q}}`, picture)
	line := strings.Replace(row("a-1", "", "X"), `"content":"X"`, `"content":[`+image+`]`, 1)
	line = strings.TrimSuffix(line, "}") + `,"toolUseResult":{"file":` + image + `}}`
	got := f.put(lines(line))
	blobs := 0
	err := filepath.WalkDir(filepath.Join(filepath.Dir(got.File), "blobs"), func(_ string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			blobs++
		}
		return err
	})
	if err != nil || blobs != 1 || bytes.Contains(readFile(t, got.File), []byte(picture)) {
		t.Errorf("%d blobs, %v", blobs, err)
	}
}

func TestSurvey(t *testing.T) {
	s, cwd := newStore(t)
	config := t.TempDir()
	env := func(name string) string {
		if name == "CLAUDE_CONFIG_DIR" {
			return config
		}
		return ""
	}
	project := filepath.Join(config, "projects", "x")
	at := func(n int) string {
		return filepath.Join(project, fmt.Sprintf("00000000-0000-4000-8000-00000000000%d.jsonl", n))
	}
	for n := range 4 {
		writeFile(t, at(n), lines(row("a-1", "", "one")))
		if n > 0 {
			importFile(t, s, at(n), cwd)
		}
	}
	writeFile(t, at(2), lines(row("a-1", "", "one"), row("b-1", "a-1", "two")))
	writeFile(t, at(3), lines(row("a-1", "", "two")))
	var got []string
	for seen, err := range s.Survey(t.Context(), claude.Agent{}, env) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(seen.State))
		if (seen.File == "") != (seen.State == store.SourceNew) || seen.Size == 0 || seen.Session == "" {
			t.Errorf("%+v", seen)
		}
	}
	if want := []string{"new", "current", "grown", "rewritten"}; !slices.Equal(got, want) {
		t.Errorf("states %q, want %q", got, want)
	}
	info, err := store.FindAgent(claude.Agent{}, env, "00000000-0000-4000-8000-000000000002")
	if err != nil || info.File != at(2) {
		t.Errorf("%+v %v", info, err)
	}
	if _, err := store.FindAgent(claude.Agent{}, env, "0000000"); !errors.Is(err, objects.ErrAmbiguous) {
		t.Errorf("ambiguous: %v", err)
	}
	temp := t.TempDir()
	session, ok, err := store.OpenForeign(t.Context(), info.File, temp, options(5))
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	defer session.Close()
	if left, _ := os.ReadDir(temp); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	wantTips(t, session, "claude=b-1", "main=b-1")
	if e, err := session.Log.Entry(0); err != nil || e.ID != "a-1" || session.Log.Path() != info.File {
		t.Errorf("%+v %v %s", e, err, session.Log.Path())
	}
}

// TestForeignShared imports every transcript that there is: as many entries as records, and each byte again.
func TestForeignShared(t *testing.T) {
	if testing.Short() {
		t.Skip("it imports every real transcript")
	}
	var files []string
	for _, pattern := range [][]string{{"corpus", "claude"}, {"samples", "claude"}, {"cases", "bugs"}} {
		for _, file := range sharedFiles(t, pattern...) {
			if strings.HasSuffix(file, ".jsonl") {
				files = append(files, file)
			}
		}
	}
	imported := 0
	for _, file := range files {
		data := readFile(t, file)
		if _, ok := claudeIs(data[:min(len(data), 64<<10)]); !ok {
			continue
		}
		imported++
		s, cwd := newStore(t)
		got := importFile(t, s, file, cwd)
		if have := original(t, s, got); !bytes.Equal(have, data) || got.Original != "" {
			t.Errorf("%s: %d bytes came back of %d, kept %q", file, len(have), len(data), got.Original)
		}
		joined, records := 0, 0
		session := open(t, got.File)
		for i := range session.Log.Len() {
			if session.Log.Record(i).Foreign {
				records++
				if e, err := session.Log.Entry(i); err == nil && string(e.Get("joined")) == "true" {
					joined++
				}
			}
		}
		if want := len(bytes.SplitAfter(bytes.TrimSuffix(data, []byte("\n")), []byte("\n"))); records-joined != want {
			t.Errorf("%s: %d records, %d joined, of %d lines", file, records, joined, want)
		}
		for finding := range session.Log.Check() {
			if c := finding.Code; c == log.ChainBroken || c == log.BadID || c == log.BlobCorrupt || c == log.BlobMissing {
				t.Errorf("%s: %+v", file, finding)
			}
		}
	}
	sharedtest.Dir(t, "corpus", "claude")
	if imported < 100 {
		t.Errorf("%d transcripts imported, expected more", imported)
	}
}

// TestDamagedBeginning imports transcripts that begin with more damage than is looked at first.
func TestDamagedBeginning(t *testing.T) {
	first, second := row("u1", "", "hello"), row("u2", "u1", "there")
	torn := `{"message":{"role":"user","content":"` + strings.Repeat("x", 90<<10)
	for name, damage := range map[string]string{
		"NULs on a line":         strings.Repeat("\x00", 100<<10) + "\n",
		"NULs before a row":      strings.Repeat("\x00", 300<<10),
		"a torn row":             torn + "\n",
		"garbage":                strings.Repeat("\x01garbage {\n", 20<<10),
		"blank lines":            strings.Repeat("\n", 70<<10),
		"a row that tells later": `{"message":{"role":"user","content":"` + strings.Repeat("x", 90<<10) + `"},"parentUuid":null,"uuid":"u0","type":"user","sessionId":"00000000-0000-4000-8000-000000000001"}` + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			f := newForeign(t)
			got := f.put([]byte(damage + first + "\n" + second + "\n"))
			if got.Agent != claude.Name || got.Session != "00000000-0000-4000-8000-000000000001" {
				t.Errorf("got session %q of %q", got.Session, got.Agent)
			}
		})
	}
}

// TestImportKeepsTimes: a session's log is as old as what was imported, so that the newest is the one that was touched last.
func TestImportKeepsTimes(t *testing.T) {
	s, cwd := newStore(t)
	day := func(n int) time.Time { return time.Date(2026, 1, n, 12, 0, 0, 0, time.UTC) } // the clock of the tests is in March
	native := `{"type":"session","version":3,"id":"p1","timestamp":"2026-01-01T10:00:00.000Z","cwd":"` + cwd + `"}` + "\n" +
		`{"type":"message","id":"a","parentId":null,"timestamp":"2026-01-01T10:00:00.000Z","message":{"role":"user","content":"hi"}}` + "\n"
	for name, source := range map[string]struct{ file, first, more string }{
		"Claude Code": {"00000000-0000-4000-8000-000000000001.jsonl", row("u1", "", "hello") + "\n", row("u2", "u1", "more") + "\n"},
		"pi": {"p1.jsonl", native,
			`{"type":"message","id":"b","parentId":"a","timestamp":"2026-01-01T10:00:00.000Z","message":{"role":"user","content":"ho"}}` + "\n"},
		"tlog": {"t1.jsonl", `{"type":"session","version":4,"id":"t1","timestamp":"2026-01-01T10:00:00.000Z","cwd":"` + cwd + `"}` + "\n" +
			`{"type":"message","id":"a","parentId":null,"timestamp":"2026-01-01T10:00:00.000Z","message":{"role":"user","content":"hi"}}` + "\n",
			`{"type":"message","id":"b","parentId":"a","timestamp":"2026-01-01T10:00:00.000Z","message":{"role":"user","content":"ho"}}` + "\n"},
	} {
		t.Run(name, func(t *testing.T) {
			path := writeFile(t, filepath.Join(t.TempDir(), source.file), []byte(source.first))
			importAt := func(at time.Time) (file string, modified time.Time) {
				t.Helper()
				if err := os.Chtimes(path, at, at); err != nil {
					t.Fatal(err)
				}
				file = importFile(t, s, path, cwd).File
				info, err := os.Stat(file)
				if err != nil {
					t.Fatal(err)
				}
				return file, info.ModTime()
			}
			file, got := importAt(day(5))
			if !got.Equal(day(5)) {
				t.Errorf("created: %s", got)
			}
			if _, got = importAt(day(9)); !got.Equal(day(5)) {
				t.Errorf("nothing new: %s", got)
			}
			grow := func(text string) {
				writeFile(t, path, append(readFile(t, path), text...))
			}
			grow(source.more)
			if _, got = importAt(day(7)); !got.Equal(day(7)) {
				t.Errorf("grown: %s", got)
			}
			if err := os.Chtimes(file, day(20), day(20)); err != nil { // somebody appended
				t.Fatal(err)
			}
			grow(strings.NewReplacer(`"b"`, `"c"`, `"a"`, `"b"`, "u2", "u3", "u1", "u2").Replace(source.more))
			if _, got = importAt(day(8)); !got.Equal(day(20)) {
				t.Errorf("grown, and appended to before: %s", got)
			}
			grow(strings.NewReplacer(`"b"`, `"d"`, `"a"`, `"c"`, "u2", "u4", "u1", "u3").Replace(source.more))
			if _, got = importAt(day(365)); !got.After(day(59)) || got.After(day(61)) {
				t.Errorf("a source of the future: %s, expected the time of the import", got)
			}
		})
	}
}

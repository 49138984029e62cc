package main

import (
	"bytes"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"tlog/blobs/disk"
	"tlog/checkout"
	"tlog/cmd/tlog/internal/terminal"
	"tlog/log"
	"tlog/objects"
)

// world is a store and the files beside it. Times and ids are the same in each run.
type world struct {
	t    *testing.T
	cwd  string // with the transcripts
	root string // of the store
	fs   disk.FS
	seed uint64
	// crashed: what was written last, and not acknowledged, may have holes.
	crashed bool
}

func (w world) run(c call) (code int, stdout, stderr string) {
	w.t.Helper()
	streams, out, errs := terminal.Test(strings.NewReader(c.stdin))
	now := time.Date(2040, 3, 1, 12, 0, 0, 0, time.UTC) // all files are old
	app := &App{
		IO: streams, Cwd: w.cwd, FS: w.fs,
		Now:    func() time.Time { now = now.Add(time.Millisecond); return now },
		Random: rand.NewChaCha8([32]byte{byte(w.seed)}),
		Lookup: func(name string) (string, bool) {
			value, ok := map[string]string{"HOME": w.cwd, "TLOG_DIR": w.root}[name]
			return value, ok
		},
	}
	args := strings.Fields(c.args)
	for i, arg := range args {
		if name, ok := strings.CutPrefix(arg, "@"); ok {
			args[i] = filepath.Join(w.cwd, name)
		}
		if arg == "HEAD-SESSION" {
			args[i] = strings.TrimSuffix(filepath.Base(w.logs()[0]), ".jsonl")
		}
	}
	code = app.Run(w.t.Context(), args)
	return code, out.String(), errs.String()
}

// prepare does what comes before a mutation.
func (w world) prepare(m mutation) {
	w.t.Helper()
	for i, c := range m.setup {
		w.seed = uint64(i)
		switch c.args {
		case "!grow":
			w.change("grows.jsonl", func(data []byte) []byte { return data })
		case "!rewrite", "!rewrite again":
			w.change("grows.jsonl", func(data []byte) []byte {
				return bytes.Replace(data, []byte(`"content":"`), []byte(`"content":"`+c.args), 1)
			})
		case "!oldlog":
			w.oldLog()
		case "!garbage":
			w.garbage()
		default:
			if code, _, errs := w.run(c); code != exitOK {
				w.t.Fatalf("%s: %s: exit code %d: %s", m.name, c.args, code, errs)
			}
		}
	}
}

// logs are the sessions of the store.
func (w world) logs() []string {
	files, err := filepath.Glob(filepath.Join(w.root, "projects", "*", "*.jsonl"))
	if err != nil {
		w.t.Fatal(err)
	}
	return files
}

// copyTo copies the store.
func (w world) copyTo(root string) world {
	w.t.Helper()
	if _, err := os.Stat(w.root); err == nil {
		if err := os.CopyFS(root, os.DirFS(w.root)); err != nil {
			w.t.Fatal(err)
		}
	} else if err := os.MkdirAll(root, 0o700); err != nil {
		w.t.Fatal(err)
	}
	w.root = root
	return w
}

// facts are what a store holds: the entries of each log, with what lies in blobs, and the sources that are kept, by the name keptSources.
type facts map[string][]string

const keptSources = "kept sources"

// read reads a store. Every line that reads as an entry has to be whole, with its blobs, and refs have to stand at entries.
func (w world) read(how string) facts {
	w.t.Helper()
	got := facts{}
	kept, err := filepath.Glob(filepath.Join(w.root, "projects", "*", "*.orig*"))
	if err != nil {
		w.t.Fatal(err)
	}
	for _, file := range kept {
		data, err := os.ReadFile(file)
		if err != nil {
			w.t.Fatal(err)
		}
		got[keptSources] = append(got[keptSources], string(data))
	}
	for _, file := range w.logs() {
		s, err := checkout.Open(file, checkout.Options{})
		if err != nil {
			w.t.Fatalf("%s: %v", how, err)
		}
		name := filepath.Base(file)
		got[name] = nil
		for i := range s.Log.Len() {
			body, err := s.Log.Body(i)
			if err != nil {
				w.t.Errorf("%s: %s: %v", how, name, err)
			}
			got[name] = append(got[name], string(body))
		}
		for _, branch := range s.Refs.Branches() {
			if branch.At != log.None && !s.Log.Record(branch.At).Tree() {
				w.t.Errorf("%s: %s: branch %s stands at no entry", how, name, branch.Name)
			}
		}
		if s.Log.Header().Source != nil {
			w.checkOriginal(how, s)
		}
		if err := s.Close(); err != nil {
			w.t.Error(err)
		}
	}
	return got
}

// holds checks that all that was there before is there, in its order, and that the log of it has no damage.
func (w world) holds(how string, want facts) {
	w.t.Helper()
	got := w.read(how)
	for _, source := range want[keptSources] {
		if !slices.ContainsFunc(got[keptSources], func(kept string) bool { return strings.HasPrefix(kept, source) }) {
			w.t.Errorf("%s: a source that was kept is gone", how)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		lines, ok := got[name]
		if name == keptSources {
			continue
		}
		if !ok {
			w.t.Errorf("%s: session %s is gone", how, name)
			continue
		}
		for i, line := range want[name] {
			if i >= len(lines) || lines[i] != line {
				w.t.Errorf("%s: %s: entry %d is not what was acknowledged", how, name, i)
				break
			}
		}
	}
	for _, file := range w.logs() {
		w.checkDamage(how, file, len(want[filepath.Base(file)]))
	}
}

// checkDamage checks that nothing is wrong with the lines that were acknowledged.
func (w world) checkDamage(how, file string, acknowledged int) {
	w.t.Helper()
	l, err := log.Open(file)
	if err != nil {
		w.t.Fatal(err)
	}
	defer l.Close()
	last := 1
	if acknowledged > 0 {
		last = l.Record(min(acknowledged, l.Len()) - 1).Line
	}
	for f := range l.Check() {
		if f.Code == log.DuplicateID { // of a source that was rewritten
			continue
		}
		if (f.Line <= last || f.Code == log.ChainBroken && !w.crashed) && f.Code.Severity() != log.Info {
			w.t.Errorf("%s: %s: line %d: %s: %s", how, filepath.Base(file), f.Line, f.Code, f.Message)
		}
	}
}

// ids are what a command has printed that it acknowledges: ids of entries and sessions.
var ids = regexp.MustCompile(`\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`)

// printed checks that what a command has acknowledged is there.
func (w world) printed(how, stdout string) {
	w.t.Helper()
	for _, id := range ids.FindAllString(stdout, -1) {
		found := false
		for name, lines := range w.read(how) {
			found = found || strings.HasPrefix(name, id) || slices.ContainsFunc(lines, func(line string) bool {
				e, err := objects.ParseEntry([]byte(line))
				return err == nil && string(e.ID) == id
			})
		}
		if !found {
			w.t.Errorf("%s: %s was acknowledged, and is not there", how, id)
		}
	}
}

func newWorld(t *testing.T) world {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := world{t: t, cwd: filepath.Join(dir, "work"), root: filepath.Join(dir, "store")}
	for name, from := range map[string]string{
		"v3.jsonl": "versions/v3.jsonl", "v1.jsonl": "versions/v1-ids.jsonl", "tools.jsonl": "claude/tools.jsonl", "grows.jsonl": "claude/simple.jsonl",
	} {
		data, err := os.ReadFile(filepath.Join(projectRoot, "testdata", from))
		if err != nil {
			t.Fatal(err)
		}
		if name == "grows.jsonl" {
			lines := bytes.SplitAfter(data, []byte{'\n'})
			data = bytes.Join(lines[:len(lines)/2], nil)
		}
		if err := os.MkdirAll(w.cwd, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(w.cwd, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// change makes grows.jsonl whole, and changes what stands in it.
func (w world) change(name string, change func([]byte) []byte) {
	w.t.Helper()
	data, err := os.ReadFile(filepath.Join(projectRoot, "testdata", "claude", "simple.jsonl"))
	if err == nil {
		err = os.WriteFile(filepath.Join(w.cwd, name), change(data), 0o600)
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// oldLog puts a log of an older version into the store.
func (w world) oldLog() {
	w.t.Helper()
	if code, _, errs := w.run(call{newSession, ""}); code != exitOK {
		w.t.Fatal(errs)
	}
	file := w.logs()[0]
	data, err := os.ReadFile(filepath.Join(w.cwd, "v3.jsonl"))
	if err == nil {
		err = os.WriteFile(file, data, 0o600)
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// garbage puts a blob that nothing names, and a temporary file, into the store, both old.
func (w world) garbage() {
	w.t.Helper()
	folder := filepath.Dir(w.logs()[0])
	old := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, name := range []string{filepath.Join("blobs", "00", strings.Repeat("0", 62)), ".x.jsonl.12345.tmp"} {
		file := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			w.t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("garbage"), 0o600); err != nil {
			w.t.Fatal(err)
		}
		if err := os.Chtimes(file, old, old); err != nil {
			w.t.Fatal(err)
		}
	}
}

// checkOriginal checks that the whole source is there where the log says so.
func (w world) checkOriginal(how string, s *checkout.Session) {
	w.t.Helper()
	source, err := objects.ParseEntry(s.Log.Header().Source)
	if err != nil {
		w.t.Fatal(err)
	}
	name, ok := source.Text("original")
	if !ok {
		return
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(s.Log.Path()), name)); err != nil {
		w.t.Errorf("%s: %s names an original: %v", how, s.Log.Header().ID, err)
	}
}

package store

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"tlog/checkout"
	"tlog/objects/sharedtest"
)

// maxRead is the most that a listing may read of a file, in bytes.
const maxRead = 192 << 10

// countingOpener counts the bytes that are asked of each file.
type countingOpener struct {
	mu   sync.Mutex
	read map[string]int64
}

func (c *countingOpener) open(path string) (sessionFile, fs.FileInfo, error) {
	f, info, err := openRegular(path)
	return countingFile{f, c, path}, info, err
}

type countingFile struct {
	sessionFile
	count *countingOpener
	path  string
}

func (f countingFile) ReadAt(p []byte, offset int64) (int, error) {
	n, err := f.sessionFile.ReadAt(p, offset)
	f.count.mu.Lock()
	f.count.read[f.path] += int64(n)
	f.count.mu.Unlock()
	return n, err
}

// generate fills a folder with sessions by the script that docs/testing.md names.
func generate(tb testing.TB, sessions, projects int) string {
	tb.Helper()
	dir := tb.TempDir()
	cmd := exec.Command("go", "run", "./storegen", "-sessions", strconv.Itoa(sessions), "-projects", strconv.Itoa(projects), dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		tb.Skipf("storegen does not run: %v: %s", err, out)
	}
	return dir
}

// TestListingReads holds every listing to what it may read of a file, on generated sessions and on awkward ones.
func TestListingReads(t *testing.T) {
	s := Open(generate(t, 300, 6))
	count := &countingOpener{read: map[string]int64{}}
	s.open = count.open
	folder := filepath.Join(s.root, projectsFolder, "awkward-000000000000")
	if err := os.Mkdir(folder, folderMode); err != nil {
		t.Fatal(err)
	}
	header := `{"type":"session","version":4,"id":"%s","cwd":"/x"%s}` + "\n"
	entry := `{"type":"message","id":"a","parentId":null,"message":{"role":"assistant","content":"%s"}}` + "\n"
	prompt := `{"type":"message","id":"p","parentId":null,"message":{"role":"user","content":"the prompt"}}` + "\n"
	head := `{"type":"head","id":"h","parentId":"p","name":"side"}` + "\n"
	pad := func(n int) string { return strings.Repeat("x", n) }
	for name, text := range map[string]string{
		"no-prompt":   fmt.Sprintf(header, "no-prompt", "") + strings.Repeat(fmt.Sprintf(entry, pad(1000)), 1000),
		"late-prompt": fmt.Sprintf(header, "late-prompt", "") + fmt.Sprintf(entry, pad(100<<10)) + prompt + fmt.Sprintf(entry, pad(300<<10)) + head,
		"long-header": fmt.Sprintf(header, "long-header", `,"pad":"`+pad(1<<20)+`"`) + prompt,
		"long-line":   fmt.Sprintf(header, "long-line", "") + fmt.Sprintf(entry, pad(1<<20)),
		"one-line":    pad(1 << 20),
		"blank-lines": strings.Repeat("\n", 1<<20) + fmt.Sprintf(header, "blank-lines", ""),
		"just-whole":  fmt.Sprintf(header, "just-whole", "") + fmt.Sprintf(entry, pad(150<<10)) + prompt,
		"empty":       "",
	} {
		if err := os.WriteFile(filepath.Join(folder, name+logSuffix), []byte(text), fileMode); err != nil {
			t.Fatal(err)
		}
	}
	// Each listing has the whole allowance.
	listed := map[string]Info{}
	for _, list := range []func() error{
		func() error {
			infos, err := s.Sessions("", nil)
			for _, info := range infos {
				listed[string(info.ID)] = info
			}
			return err
		},
		func() error { _, err := s.Projects(); return err },
		func() error { _, err := s.Find("/x", "no-such-session"); return ignoreNotFound(err) },
		func() error { _, err := s.Newest("/home/ada/projects/p000"); return err },
	} {
		clear(count.read)
		if err := list(); err != nil {
			t.Fatal(err)
		}
		for path, n := range count.read {
			if n > maxRead {
				t.Errorf("%s: %d bytes read, expected at most %d", path, n, maxRead)
			}
		}
	}
	if len(listed) != 305 {
		t.Errorf("%d sessions listed, expected 305", len(listed))
	}
	late, whole := listed["late-prompt"], listed["just-whole"]
	if late.FirstPrompt != "the prompt" || late.Branch != "side" || !late.HeadKnown || late.Entries != -1 {
		t.Errorf("late prompt: %+v", late)
	}
	if whole.FirstPrompt != "the prompt" || whole.Branch != "main" || whole.Entries != 2 {
		t.Errorf("whole file: %+v", whole)
	}
	if long := listed["long-header"]; long.Cwd != "/x" || long.Version != 4 || long.HeadKnown {
		t.Errorf("long header: %+v", long)
	}
}

func ignoreNotFound(err error) error {
	if err != nil && strings.Contains(err.Error(), "not found") {
		return nil
	}
	return err
}

// TestListingIsRight compares what a list tells with what reading the whole log does.
func TestListingIsRight(t *testing.T) {
	s := Open(generate(t, 200, 4))
	infos, err := s.Sessions("", nil)
	if err != nil || len(infos) != 200 {
		t.Fatal(len(infos), err)
	}
	whole := 0
	for _, info := range infos {
		whole += checkInfo(t, info)
	}
	if whole < 50 {
		t.Errorf("only %d of %d files were read whole", whole, len(infos))
	}
}

// TestListingSharedIsRight does it with real transcripts of all kinds.
func TestListingSharedIsRight(t *testing.T) {
	root := sharedtest.Dir(t)
	seen, whole := 0, 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || !strings.HasSuffix(path, logSuffix) {
			return err
		}
		if info, err := newPeeker(openRegular).info(path); err == nil {
			seen++
			whole += checkInfo(t, info)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d sessions, %d of them read whole", seen, whole)
}

// checkInfo compares with what reading the whole log tells, and returns 1 if the file was read whole.
func checkInfo(t *testing.T, info Info) (whole int) {
	t.Helper()
	session, err := checkout.Open(info.File, checkout.Options{})
	if err != nil {
		t.Error(err)
		return 0
	}
	defer session.Close()
	head := session.Refs.Head()
	if info.ID != session.Log.Header().ID || info.HeadKnown && info.Branch != head.Branch {
		t.Errorf("%+v, expected branch %q", info, head.Branch)
	}
	if info.Entries < 0 {
		return 0
	}
	if want := session.Entries(); info.Entries != want || !info.HeadKnown || info.Name != session.Refs.Name() {
		t.Errorf("%s: %d entries, name %q, expected %d, %q", info.File, info.Entries, info.Name, want, session.Refs.Name())
	}
	return 1
}

// bareWalk opens each session file of a store and reads its first 4 KiB, which no listing can do without.
func bareWalk(tb testing.TB, root string) (files int) {
	block := make([]byte, 4<<10)
	err := filepath.WalkDir(filepath.Join(root, projectsFolder), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, logSuffix) {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		files++
		_, _ = f.ReadAt(block, 0) // a short file is no fault
		return f.Close()
	})
	if err != nil {
		tb.Fatal(err)
	}
	return files
}

// measure gives the medians of several walks and listings, taken in turn so that both see the same machine.
func measure(tb testing.TB, root string, sessions, rounds int) (walk, list time.Duration) {
	s := Open(root)
	var walks, lists []time.Duration
	for range rounds {
		start := time.Now()
		if n := bareWalk(tb, root); n != sessions {
			tb.Fatalf("%d files, expected %d", n, sessions)
		}
		middle := time.Now()
		if infos, err := s.Sessions("", nil); err != nil || len(infos) != sessions {
			tb.Fatalf("%d sessions, expected %d: %v", len(infos), sessions, err)
		}
		walks, lists = append(walks, middle.Sub(start)), append(lists, time.Since(middle))
	}
	slices.Sort(walks)
	slices.Sort(lists)
	return walks[rounds/2], lists[rounds/2]
}

// BenchmarkListing compares the listing of 10,000 sessions in 200 projects with a bare walk:
//
//	go test ./store -run XXX -bench Listing -benchtime 1x
func BenchmarkListing(b *testing.B) {
	const sessions = 10_000
	root := generate(b, sessions, 200)
	for b.Loop() {
		walk, list := measure(b, root, sessions, 9)
		b.ReportMetric(float64(walk.Milliseconds()), "walk-ms")
		b.ReportMetric(float64(list.Milliseconds()), "list-ms")
		b.ReportMetric(float64(list)/float64(walk), "list/walk")
	}
}

// maxRatio is how many times as long as a bare walk a listing may take.
const maxRatio = 3

// TestListingSpeed holds the listing to maxRatio. The machine may be busy with other things, so the best of some tries counts.
func TestListingSpeed(t *testing.T) {
	if os.Getenv("TLOG_MEASURE") == "" {
		t.Skip("it measures times, which needs a machine of its own: set TLOG_MEASURE=1")
	}
	const sessions = 2_000
	root := generate(t, sessions, 40)
	ratio := 0.0
	for range 12 {
		walk, list := measure(t, root, sessions, 5)
		ratio = float64(list) / float64(walk)
		t.Logf("walk %v, list %v, ratio %.2f", walk, list, ratio)
		if ratio <= maxRatio {
			return
		}
	}
	t.Errorf("a listing takes %.2f times as long as a bare walk, expected at most %d", ratio, maxRatio)
}

func TestUnreadableProjectHidesNoOther(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root reads everything")
	}
	root := t.TempDir()
	var folders []string
	for _, name := range []string{"a-000000000000", "b-000000000000"} {
		folder := filepath.Join(root, projectsFolder, name)
		folders = append(folders, folder)
		if err := os.MkdirAll(folder, folderMode); err != nil {
			t.Fatal(err)
		}
		header := `{"type":"session","version":4,"id":"` + name + `"}` + "\n"
		if err := os.WriteFile(filepath.Join(folder, name+logSuffix), []byte(header), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(folders[0], 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(folders[0], 0o700) })
	var skipped []string
	list, err := Open(root).Sessions("", func(file string, err error) { skipped = append(skipped, file) })
	if err != nil || len(list) != 1 || len(skipped) != 1 || skipped[0] != folders[0] {
		t.Errorf("got %d sessions, skipped %v, %v", len(list), skipped, err)
	}
}

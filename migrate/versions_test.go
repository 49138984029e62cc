package migrate

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tlog/objects"
	"tlog/objects/sharedtest"
)

var update = flag.Bool("update", false, "write the golden files of testdata/versions again; read the difference")

const versions = "../testdata/versions"

// TestVersionSamples compares the samples of all old versions with their
// golden files.
func TestVersionSamples(t *testing.T) {
	for name, version := range map[string]int{"v0": 0, "v1": 1, "v1-ids": 1, "v2": 2, "v3": 3} {
		t.Run(name, func(t *testing.T) {
			sample := readFile(t, filepath.Join(versions, name+".jsonl"))
			detected, migrated := migrateFile(t, sample)
			if detected != version {
				t.Errorf("detected version %d, want %d", detected, version)
			}
			golden := filepath.Join(versions, name+".golden")
			if *update {
				if err := os.WriteFile(golden, migrated, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(strings.Split(string(readFile(t, golden)), "\n"), strings.Split(string(migrated), "\n")); diff != "" {
				t.Error(diff)
			}
			if version == 3 && !bytes.Equal(sample, migrated) {
				t.Error("lines of version 3 changed")
			}
		})
	}
}

func TestNewerVersionIsDetected(t *testing.T) {
	first, _, _ := bytes.Cut(readFile(t, filepath.Join(versions, "v5.jsonl")), []byte{'\n'})
	if version, err := Detect(first); version != 5 || err != nil {
		t.Errorf("Detect = %d, %v; want 5", version, err)
	}
}

// TestDemoIsUntouched: a real session of pi is of version 3, so nothing of it may change.
func TestDemoIsUntouched(t *testing.T) {
	demo := readFile(t, filepath.Join("..", "testdata", "demo.jsonl"))
	version, migrated := migrateFile(t, demo)
	if version != 3 || !bytes.Equal(demo, migrated) {
		t.Errorf("version %d, bytes equal: %t; want 3 and the same bytes", version, bytes.Equal(demo, migrated))
	}
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// migrateFile migrates the lines of a file that are objects, its header left as it is.
func migrateFile(t *testing.T, file []byte) (version int, migrated []byte) {
	t.Helper()
	var m *Migrator
	var out bytes.Buffer
	for i, l := range bytes.Split(file, []byte{'\n'}) {
		if objects.Scan(l, nil) != nil {
			continue
		}
		if m != nil {
			out.Write(m.Entry(l, i+1))
			out.WriteByte('\n')
			continue
		}
		var err error
		if version, err = Detect(l); err != nil {
			t.Fatal(err)
		}
		m = New(version, session)
		if h, err := objects.ParseHeader(l); err == nil {
			m = New(version, h.ID)
			m.Header(h)
			out.Write(l)
		} else {
			out.Write(m.Entry(l, i+1))
		}
		out.WriteByte('\n')
	}
	return version, out.Bytes()
}

// answer is what pi's session manager made of a file.
type answer struct {
	Name         string
	Kind         string
	Input        []string
	GeneratedIDs bool
	Expected     struct {
		Entries []node
	}
}

type node struct {
	ID       string
	ParentID *string
	Type     string
}

// TestAgainstPi compares ids, parents and types with those that pi gives to
// files of versions 1 and 2.
func TestAgainstPi(t *testing.T) {
	files := sharedtest.Glob(t, "*.json", "cases", "pi")
	compared := 0
	for _, name := range files {
		var a answer
		if err := json.Unmarshal(readFile(t, name), &a); err != nil || a.Kind != "load" || len(a.Expected.Entries) == 0 {
			continue
		}
		version, err := Detect([]byte(firstObject(a.Input)))
		if err != nil || version >= 3 {
			continue
		}
		compared++
		t.Run(a.Name, func(t *testing.T) { comparePi(t, a) })
	}
	if compared < 7 {
		t.Errorf("compared %d cases, expected at least 7", compared)
	}
}

func comparePi(t *testing.T, a answer) {
	_, migrated := migrateFile(t, []byte(strings.Join(a.Input, "\n")))
	lines := bytes.Split(bytes.TrimSuffix(migrated, []byte{'\n'}), []byte{'\n'})[1:]
	if a.Name == "v1-ids-overwritten" {
		// Ids and parents of version 1 are kept here, so its branches stay branches.
		for i, l := range lines {
			if !bytes.Contains([]byte(strings.Join(a.Input, "\n")), l) {
				t.Errorf("entry %d changed: %s", i+1, l)
			}
		}
		return
	}
	numbers := map[objects.ID]string{}
	var got []node
	for i, l := range lines {
		e, err := objects.ParseEntry(l)
		if err != nil {
			t.Fatal(err)
		}
		if numbers[e.ID] = string(e.ID); a.GeneratedIDs {
			numbers[e.ID] = "#" + strconv.Itoa(i+1)
		}
		n := node{ID: numbers[e.ID], Type: string(e.Type)}
		if e.ParentID != "" {
			parent := numbers[e.ParentID]
			n.ParentID = &parent
		}
		got = append(got, n)
		checkKept(t, a, e, numbers)
	}
	if diff := cmp.Diff(a.Expected.Entries, got); diff != "" {
		t.Error(diff)
	}
}

// checkKept checks where a compaction points, as the cases' names tell it.
func checkKept(t *testing.T, a answer, e objects.Entry, numbers map[objects.ID]string) {
	t.Helper()
	if e.Type != objects.TypeCompaction {
		return
	}
	kept, _ := e.Text("firstKeptEntryId")
	want := ""
	if a.Name == "v1-compaction-index" || a.Name == "v1-compaction-index-after-damage" {
		want = "#3"
	}
	if got := numbers[objects.ID(kept)]; got != want || e.Get("firstKeptEntryIndex") != nil {
		t.Errorf("the compaction keeps from %q, want %q: %s", got, want, e.Raw)
	}
}

func firstObject(lines []string) string {
	for _, l := range lines {
		if objects.Scan([]byte(l), nil) == nil {
			return l
		}
	}
	return ""
}

package projection

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tlog/log"
	"tlog/objects"
	"tlog/objects/sharedtest"
	"tlog/refs"
)

// loadCase is a session file with what pi's session manager makes of it.
type loadCase struct {
	Name         string
	Kind         string
	Input        []string
	FinalNewline bool
	Leaf         *string
	Expected     struct {
		Error          string
		Hang           bool
		LeafID         *string
		Branch         []*string
		ContextSources []struct {
			ID    *string
			Roles []*string
		}
		Context struct {
			Messages      json.RawMessage
			Model         json.RawMessage
			ThinkingLevel any
		}
		Labels      map[string]string
		SessionName *string
	}
}

// different names the cases in which tlog is to differ, and checks what it does instead.
func different() map[string]func(*testing.T, *log.Log, error) {
	refused := func(t *testing.T, _ *log.Log, err error) {
		if !errors.Is(err, objects.ErrCorrupt) {
			t.Errorf("open: got %v, want damage", err)
		}
	}
	roots := func(want ...string) func(*testing.T, *log.Log, error) {
		return func(t *testing.T, l *log.Log, err error) {
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, i := range l.Ancestry(l.Last()) {
				got = append(got, string(l.Record(i).ID))
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("path (-want +got):\n%s", diff)
			}
			buildAt(t, l, l.Last())
		}
	}
	return map[string]func(*testing.T, *log.Log, error){
		// pi loops until it dies; the entry that stands first in the file becomes a root.
		"tree-cycle-pair": roots("a1", "a2"),
		"tree-cycle-self": roots("a1"),
		// pi takes the number for an entry without id, which becomes the leaf; for tlog it is damage.
		"file-number-line": roots("a1"),
		// Ids and parents of a version 1 file are kept, its branches with them.
		"v1-ids-overwritten": roots("a1", "b1"),
		// pi refuses both, and so does tlog.
		"file-garbage-only":  refused,
		"file-header-second": refused,
	}
}

func readCases(t *testing.T) []loadCase {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(sharedtest.Dir(t, "cases", "pi"), "*.json"))
	if err != nil || len(files) == 0 {
		t.Skip("shared/ is missing: no cases")
	}
	var cases []loadCase
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var c loadCase
		// Cases of another kind have fields of other types.
		err = json.Unmarshal(data, &c)
		if c.Kind != "load" {
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		cases = append(cases, c)
	}
	return cases
}

func TestCases(t *testing.T) {
	different := different()
	for _, c := range readCases(t) {
		t.Run(c.Name, func(t *testing.T) {
			data := strings.Join(c.Input, "\n")
			if c.FinalNewline {
				data += "\n"
			}
			path := filepath.Join(t.TempDir(), "case.jsonl")
			if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
				t.Fatal(err)
			}
			l, err := log.Open(path)
			if l != nil {
				defer l.Close()
			}
			if check, ok := different[c.Name]; ok {
				check(t, l, err)
				return
			}
			if c.Expected.Error != "" || c.Expected.Hang {
				t.Fatalf("pi fails with %q, and no difference is known", c.Expected.Error)
			}
			if err != nil {
				t.Fatal(err)
			}
			c.check(t, l)
		})
	}
}

func (c *loadCase) check(t *testing.T, l *log.Log) {
	state, err := refs.Fold(l)
	if err != nil {
		t.Fatal(err)
	}
	at := state.Head().At
	if c.Leaf != nil {
		if at = log.None; *c.Leaf != "root" {
			var ok bool
			if at, ok = l.Find(objects.ID(*c.Leaf)); !ok {
				t.Fatalf("no entry %s", *c.Leaf)
			}
		}
	}
	history, err := refs.NewHistory(l, at)
	if err != nil {
		t.Fatal(err)
	}
	context, err := Build(history)
	if err != nil {
		t.Fatal(err)
	}
	id := func(i int) string { return c.placeholder(l, i) }

	var path, wantPath []string
	for _, i := range history.Path() {
		path = append(path, id(i))
	}
	for _, want := range c.Expected.Branch {
		wantPath = append(wantPath, *want)
	}
	if diff := cmp.Diff(wantPath, path); diff != "" {
		t.Errorf("path (-want +got):\n%s", diff)
	}
	var sources, wantSources []string
	for _, m := range context.Messages {
		sources = append(sources, id(m.At)+" "+m.Role)
	}
	for _, s := range c.Expected.ContextSources {
		for _, role := range s.Roles {
			wantSources = append(wantSources, *s.ID+" "+*role)
		}
	}
	if diff := cmp.Diff(wantSources, sources); diff != "" {
		t.Errorf("sources (-want +got):\n%s", diff)
	}
	sameJSON(t, "messages", messagesJSON(context), c.Expected.Context.Messages)
	sameJSON(t, "model", context.Model, c.Expected.Context.Model)
	if diff := cmp.Diff(c.Expected.Context.ThinkingLevel, any(context.ThinkingLevel)); diff != "" {
		t.Errorf("thinking level (-want +got):\n%s", diff)
	}
	labels := map[string]string{}
	for _, i := range state.Labels() {
		labels[id(i)] = state.Label(i)
	}
	if diff := cmp.Diff(c.Expected.Labels, labels); diff != "" {
		t.Errorf("labels (-want +got):\n%s", diff)
	}
	name := ""
	if c.Expected.SessionName != nil {
		name = *c.Expected.SessionName
	}
	if diff := cmp.Diff(name, state.Name()); diff != "" {
		t.Errorf("name (-want +got):\n%s", diff)
	}
	checkDecisions(t, context, history.Path())
}

// placeholder names an entry as the case does: ids that pi makes up are #1, #2 ... in file order.
func (c *loadCase) placeholder(l *log.Log, i int) string {
	id := string(l.Record(i).ID)
	for _, line := range c.Input {
		if strings.Contains(line, strconv.Quote(id)) {
			for _, want := range c.Expected.Branch {
				if want != nil && *want == id {
					return id
				}
			}
		}
	}
	if len(c.Expected.Branch) > 0 && strings.HasPrefix(*c.Expected.Branch[0], "#") {
		return "#" + strconv.Itoa(i+1)
	}
	return id
}

// checkDecisions holds that there is one decision for each entry of the path, with a
// reason, and that just those are in that messages come from.
func checkDecisions(t testing.TB, c *Context, path []int) {
	t.Helper()
	from := map[int]bool{}
	for _, m := range c.Messages {
		from[m.At] = true
	}
	if len(c.Decisions) != len(path) {
		t.Fatalf("%d decisions for %d entries", len(c.Decisions), len(path))
	}
	for k, d := range c.Decisions {
		if d.At != path[k] || d.Reason == "" || d.In != from[d.At] {
			t.Errorf("decision %+v on entry %d, which gives a message: %v", d, path[k], from[path[k]])
		}
	}
}

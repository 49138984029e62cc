package checkout_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tlog/checkout"
	"tlog/log"
	"tlog/objects"
	"tlog/objects/sharedtest"
)

// piCase is a sequence of operations with what pi's own session manager made of it.
type piCase struct {
	Name     string
	Kind     string
	Input    []string
	Ops      [][]json.RawMessage
	Expected struct {
		Steps []struct {
			LeafID *string `json:"leafId"`
			Error  string
		}
		FileLines       []map[string]any
		LeafAfterReopen string
	}
}

// Where tlog is meant to differ from pi.
var piDiffers = map[string]string{
	"op-branch-not-persisted": "a checkout is kept: HEAD is where it was after a restart",
}

func TestPiOperations(t *testing.T) {
	for _, path := range sharedtest.Glob(t, "op-*.json", "cases", "pi") {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var c piCase
		if err := json.Unmarshal(raw, &c); err != nil {
			t.Fatal(err)
		}
		t.Run(c.Name, func(t *testing.T) { c.run(t) })
	}
}

func (c *piCase) run(t *testing.T) {
	l := &lab{tb: t, path: filepath.Join(t.TempDir(), "s.jsonl"), opt: labOptions(51)}
	if err := os.WriteFile(l.path, []byte(strings.Join(c.Input, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var err error
	if l.Session, err = checkout.Open(l.path, l.opt); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Session.Close() })
	_, err = l.tryAdd("", say("x"))
	l.fails(err, objects.ErrRefused, "migrated")
	_, err = l.Log.Rewrite(ctx, l.opt.Write)
	l.ok(err)
	l.reopen()

	ids := map[string]objects.ID{} // of "+1" ...
	for i, op := range c.Ops {
		step := c.Expected.Steps[i]
		before := l.tip("")
		err := c.apply(l, op, "+"+strconv.Itoa(len(ids)+1))
		if (err != nil) != (step.Error != "") {
			t.Fatalf("op %s: got error %v, pi's is %q", op, err, step.Error)
		}
		if err == nil && l.tip("") != before && step.LeafID != nil && (*step.LeafID)[0] == '+' {
			ids[*step.LeafID] = l.tip("")
		}
		if want := c.id(ids, step.LeafID); l.tip("") != want {
			t.Errorf("op %s: HEAD at %s, want %s", op, l.tip(""), want)
		}
		l.inspect()
	}
	l.reopen()
	if want := c.id(ids, &c.Expected.LeafAfterReopen); l.tip("") != want && piDiffers[c.Name] == "" {
		t.Errorf("reopened: HEAD at %s, want %s", l.tip(""), want)
	}
	c.compare(t, l, ids)
}

// id is the id in the log of one in the case.
func (c *piCase) id(ids map[string]objects.ID, id *string) objects.ID {
	switch {
	case id == nil:
		return ""
	case (*id)[0] == '+':
		return ids[*id]
	}
	return objects.ID(*id)
}

// apply does what pi's operation does. next names the line that it adds.
func (c *piCase) apply(l *lab, op []json.RawMessage, next string) error {
	var name string
	text := make([]string, 4)
	l.ok(json.Unmarshal(op[0], &name))
	for i, arg := range op[1:] {
		text[i], _ = objects.Unquote(arg)
	}
	at := func(id string) int {
		if i, ok := l.Log.Find(objects.ID(id)); ok {
			return i
		}
		return log.None
	}
	var err error
	switch name {
	case "branch":
		return l.Detach(ctx, at(text[0]))
	case "resetLeaf":
		return l.SwitchOrphan(ctx, "fresh")
	case "branchWithSummary":
		_, err = l.BranchSummary(ctx, at(text[0]), text[1])
	case "appendCompaction":
		tokens, _ := strconv.Atoi(string(op[3]))
		_, err = l.Compact(ctx, text[0], at(text[1]), int64(tokens))
	case "appendLabelChange":
		_, err = l.SetLabel(ctx, at(text[0]), text[1])
	case "appendContextEdit":
		return c.edit(l, at(text[0]), text[0], op[2])
	default:
		_, err = l.tryAdd("", c.line(l, next))
	}
	return err
}

func (c *piCase) edit(l *lab, at int, id string, replacement json.RawMessage) error {
	if e, err := objects.ParseEntry(replacement); err == nil && e.Get("content") == nil {
		_, err := l.tryAdd("", `{"type":"context_edit","targetId":"`+id+`","replacement":`+string(replacement)+`}`)
		return err
	} else if err == nil {
		_, err = l.EditContext(ctx, at, e.Get("content"))
		return err
	}
	_, err := l.EditContext(ctx, at, nil)
	return err
}

// line is a line that pi added, without what an append adds.
func (c *piCase) line(l *lab, id string) string {
	for _, line := range c.Expected.FileLines {
		if line["id"] == id {
			raw, err := json.Marshal(payload(line))
			l.ok(err)
			return string(raw)
		}
	}
	l.tb.Fatalf("pi added no line %s", id)
	return ""
}

// payload is a line without what differs at each run.
func payload(line map[string]any) map[string]any {
	p := map[string]any{}
	for k, v := range line {
		switch k {
		case "id", "parentId", "timestamp", "chain":
		case "systemMessage":
			p[k] = payload(v.(map[string]any))
		case "label":
			if v != nil { // tlog says null where pi leaves the member out
				p[k] = v
			}
		default:
			p[k] = v
		}
	}
	return p
}

// compare compares each line that pi added with tlog's.
func (c *piCase) compare(t *testing.T, l *lab, ids map[string]objects.ID) {
	added := 0
	for _, want := range c.Expected.FileLines {
		name, _ := want["id"].(string)
		if !strings.HasPrefix(name, "+") {
			continue
		}
		added++
		e := l.entry(ids[name])
		var got map[string]any
		l.ok(json.Unmarshal(e.Raw, &got))
		if diff := cmp.Diff(payload(want), payload(got)); diff != "" {
			t.Errorf("%s (-pi +tlog):\n%s", name, diff)
		}
		parent, _ := want["parentId"].(string)
		if parent == "" {
			parent = " "
		}
		if wantParent := c.id(ids, &parent); strings.TrimSpace(string(wantParent)) != string(e.ParentID) {
			t.Errorf("%s: parent %s, want %s", name, e.ParentID, wantParent)
		}
	}
	if added != len(ids) {
		t.Errorf("pi added %d lines, tlog %d", added, len(ids))
	}
}

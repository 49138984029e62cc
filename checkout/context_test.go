package checkout_test

import (
	"fmt"
	"strings"
	"testing"

	"tlog/log"
	"tlog/objects"
)

func TestEditContext(t *testing.T) {
	l := newLab(t, 41)
	user := l.add(say("a"))
	reply := l.add(`{"role":"assistant","content":[{"type":"text","text":"long"}]}`)
	note := l.add(`{"type":"custom_message","customType":"x","content":"note"}`)
	system := l.add(`{"role":"system","content":"be"}`)
	for _, tt := range []struct {
		target        objects.ID
		content, want string
	}{
		{user, `"\u0061b"`, `{"content":"\u0061b"}`},
		{reply, `"short"`, `{"content":[{"type":"text","text":"short"}]}`},
		{reply, `[{"type":"text","text":"x"}]`, `{"content":[{"type":"text","text":"x"}]}`},
		{note, `"n"`, `{"content":"n"}`},
		{user, "", "null"},
	} {
		var content []byte
		if tt.content != "" {
			content = []byte(tt.content)
		}
		id, err := l.EditContext(ctx, l.find(tt.target), content)
		l.ok(err)
		if got := string(l.entry(id).Get("replacement")); got != tt.want {
			t.Errorf("replacement %s, want %s", got, tt.want)
		}
	}
	_, err := l.EditContext(ctx, 99, nil)
	l.fails(err, objects.ErrNotFound)
	_, err = l.EditContext(ctx, l.find(system), nil)
	l.fails(err, objects.ErrInvalid, "system message")
	_, err = l.EditContext(ctx, l.Refs.Head().At, nil)
	l.fails(err, objects.ErrInvalid, "context_edit")
	for _, bad := range []string{"1", "{}", `"x`, "", `"a" 1`} {
		_, err = l.EditContext(ctx, l.find(user), []byte(bad))
		l.fails(err, objects.ErrInvalid, "content")
	}
	l.inspect()
	l.ok(l.Detach(ctx, l.find(user)))
	_, err = l.EditContext(ctx, l.find(reply), nil)
	l.fails(err, objects.ErrRefused, "not on the branch")
	_, err = l.tryAdd("", fmt.Sprintf(`{"type":"context_edit","targetId":%q,"replacement":null}`, reply))
	l.fails(err, objects.ErrRefused, "not on the branch")
	l.add(`{"type":"message","id":"m","message":{"role":"user","content":"x"}}`, `{"type":"context_edit","targetId":"m","replacement":{"content":[]}}`)
	l.inspect()
}

func TestCompact(t *testing.T) {
	l := newLab(t, 42)
	_, err := l.Compact(ctx, "s", log.None, 1)
	l.fails(err, objects.ErrNotFound)
	a := l.add(say("a"))
	none, err := l.Compact(ctx, "a \"sum\"", log.None, 12)
	l.ok(err)
	if e := l.entry(none); string(e.Get("firstKeptEntryId")) != `"`+string(none)+`"` || e.Get("systemMessage") != nil ||
		!strings.Contains(string(e.Raw), `"summary":"a \"sum\"","firstKeptEntryId"`) {
		t.Errorf("compaction: %s", e.Raw)
	}
	kept, err := l.Compact(ctx, "s", l.find(a), 12)
	l.ok(err)
	if got, _ := l.entry(kept).Text("firstKeptEntryId"); got != string(a) {
		t.Errorf("first kept: %s", got)
	}
	_, err = l.Compact(ctx, "s", 77, 1)
	l.fails(err, objects.ErrNotFound)
	_, err = l.Compact(ctx, "s", l.find(a), -1)
	l.fails(err, objects.ErrInvalid)
	l.ok(l.SwitchOrphan(ctx, "other"))
	l.add(say("b"))
	_, err = l.Compact(ctx, "s", l.find(a), 1)
	l.fails(err, objects.ErrRefused, "not on the branch")
	l.inspect()
}

// What pi's session manager makes of the same system messages.
func TestCompactFoldsSystemMessages(t *testing.T) {
	tests := []struct {
		name     string
		messages []string // members besides the role
		want     string   // of the message, up to its timestamp
	}{
		{"texts", []string{`"content":"a"`, `"content":""`, `"content":"b\ud83d"`}, `"content":"a\n\nb\ud83d"`},
		{"sections patched", []string{`"content":"a","sections":{"x":"1","y":"2"}`, `"content":"","sections":{"x":null}`}, `"content":"a","sections":{"y":"2"}`},
		{"no section left", []string{`"content":"a","sections":{"x":"1"}`, `"content":"","sections":{"x":null,"z":null}`}, `"content":"a"`},
		{"a section again", []string{`"content":"","sections":{"x":"1","y":"2"}`, `"content":"","sections":{"x":null}`, `"content":"","sections":{"x":"3","\u0079":"4"}`}, `"content":"","sections":{"y":"4","x":"3"}`},
		{"a tool replaced", []string{`"content":"","toolsAdded":[{"name":"a","d":1},{"name":"b"}]`, `"content":"","toolsAdded":[{"name":"a","d":2.0}]`}, `"content":"","toolsAdded":[{"name":"a","d":2.0},{"name":"b"}]`},
		{"a tool again", []string{`"content":"","toolsAdded":[{"name":"a"},{"name":"b"}]`, `"content":"","toolsRemoved":[{"name":"a"}]`, `"content":"","toolsAdded":[{"name":"a"}]`}, `"content":"","toolsAdded":[{"name":"b"},{"name":"a"}]`},
		{"no tool left", []string{`"content":"","toolsAdded":[{"name":"a"}]`, `"content":"","toolsRemoved":[{"name":"a"}]`}, `"content":""`},
		{"gone and come", []string{`"content":"","toolsAdded":[{"name":"a","n":1}],"toolsRemoved":[{"name":"a"}]`}, `"content":"","toolsAdded":[{"name":"a","n":1}]`},
		{"blocks", []string{`"content":[{"type":"text","text":"x"},{"type":"text","text":"y"}]`, `"content":[]`, `"content":"z"`}, `"content":"x\ny\n\nz"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t, 43)
			for _, m := range tt.messages {
				l.add(`{"role":"system",` + m + `}`)
			}
			id, err := l.Compact(ctx, "s", log.None, 1)
			l.ok(err)
			e := l.entry(id)
			want := `{"role":"system",` + tt.want + `,"timestamp":`
			if got := string(e.Get("systemMessage")); !strings.HasPrefix(got, want) {
				t.Errorf("got  %s\nwant %s...", got, want)
			}
			// Folding what was folded changes nothing.
			id, err = l.Compact(ctx, "s", log.None, 1)
			l.ok(err)
			if got := string(l.entry(id).Get("systemMessage")); !strings.HasPrefix(got, want) {
				t.Errorf("again got  %s\nwant %s...", got, want)
			}
			l.inspect()
		})
	}
}

func TestBranchSummary(t *testing.T) {
	l := newLab(t, 44)
	first, err := l.BranchSummary(ctx, log.None, "before all")
	l.ok(err)
	if e := l.entry(first); string(e.Get("fromId")) != `"root"` || e.ParentID != "" || l.Refs.Head().Branch != "main" {
		t.Errorf("summary: %s", e.Raw)
	}
	a := l.add(say("a"))
	b := l.add(say("b"))
	id, err := l.BranchSummary(ctx, l.find(a), "left b")
	l.ok(err)
	l.inspect()
	if e := l.entry(id); string(e.Get("fromId")) != `"`+string(b)+`"` || e.ParentID != a {
		t.Errorf("summary: %s", e.Raw)
	}
	if h := l.Refs.Head(); !h.Detached() || h.At != l.find(id) || l.tip("main") != b {
		t.Errorf("HEAD %+v, main at %s", h, l.tip("main"))
	}
	root, err := l.BranchSummary(ctx, log.None, "left all")
	l.ok(err)
	l.inspect()
	if e := l.entry(root); e.ParentID != "" || l.tip("") != root {
		t.Errorf("summary: %s", e.Raw)
	}
	l.ok(l.Switch(ctx, "main"))
	on, err := l.BranchSummary(ctx, l.find(b), "goes on")
	l.ok(err)
	if h := l.Refs.Head(); h.Branch != "main" || l.tip("") != on {
		t.Errorf("HEAD %+v", h)
	}
	root, err = l.BranchSummary(ctx, log.None, "left main")
	l.ok(err)
	if l.tip("") != root || l.tip("main") != on {
		t.Errorf("HEAD at %s", l.tip(""))
	}
	_, err = l.BranchSummary(ctx, 99, "x")
	l.fails(err, objects.ErrNotFound)
	l.inspect()
}

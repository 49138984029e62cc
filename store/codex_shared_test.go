package store_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tlog/checkout"
	"tlog/objects"
	"tlog/objects/sharedtest"
	"tlog/projection"
	"tlog/refs"
	"tlog/store"
)

// TestSharedCodexContexts holds the contexts of real rollouts against what another program rebuilds of them, which was held against the real
// client. It needs Node.
func TestSharedCodexContexts(t *testing.T) {
	if testing.Short() {
		t.Skip("it rebuilds every real rollout")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is missing: ", err)
	}
	rebuild := filepath.Join(sharedtest.Dir(t, "oracle", "codex"), "rebuild.mjs")
	for _, file := range codexRollouts(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			home, _, _ := strings.Cut(file, "/sessions/")
			if home == file {
				home = filepath.Dir(file)
			}
			out, err := exec.Command(node, rebuild, file, home).Output()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(rebuiltItems(t, out), contextItems(t, file)); diff != "" {
				t.Errorf("(-client +tlog):\n%s", diff)
			}
		})
	}
}

func codexRollouts(t testing.TB) (files []string) {
	t.Helper()
	err := filepath.WalkDir(sharedtest.Dir(t, "samples", "codex"), func(path string, e fs.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(filepath.Base(path), "rollout-") {
			files = append(files, path)
		}
		return err
	})
	if err != nil || len(files) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	return append(files, sharedtest.Glob(t, "*rollout*.jsonl", "corpus", "codex")...)
}

// rebuiltItems are the items that the other program prints, in a line each.
func rebuiltItems(t *testing.T, out []byte) (items []string) {
	t.Helper()
	for line := range bytes.Lines(out) {
		var item struct {
			Type, Role, Text, Name, Summary, Content string
			CallID                                   string          `json:"call_id"`
			Arguments                                json.RawMessage `json:"arguments"`
			Output                                   string
		}
		if err := json.Unmarshal(line, &item); err != nil {
			t.Fatal(err)
		}
		split := func(s string) string { return imagesCut(strings.ReplaceAll(s, "\u241e", "\n")) }
		switch {
		case item.Type == "message":
			items = append(items, item.Role+": "+split(item.Text))
		case item.Type == "reasoning":
			text := item.Summary
			if text == "" {
				text = item.Content
			}
			items = append(items, "thinking: "+split(text))
		case strings.HasSuffix(item.Type, "_call"):
			items = append(items, "call "+item.CallID+" "+item.Name)
		case strings.HasSuffix(item.Type, "_output"):
			if item.Output != "aborted" { // which it adds for a call that has none
				items = append(items, "output "+item.CallID+": "+split(item.Output))
			}
		default:
			items = append(items, item.Type)
		}
	}
	return items
}

// imagesCut leaves of the marks of images only that there is one.
func imagesCut(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "[input_image ") {
			lines[i] = "[image]"
		}
	}
	return strings.Join(lines, "\n")
}

// contextItems are the messages of the context at the leaf of a rollout, in the same form.
func contextItems(t *testing.T, file string) (items []string) {
	t.Helper()
	s, ok, err := store.OpenForeign(context.Background(), file, t.TempDir(), checkout.Options{
		Now: func() time.Time { return time.Unix(0, 0) }, Random: bytes.NewReader(make([]byte, 1<<16)),
	})
	if err != nil || !ok {
		t.Fatalf("%v, %v", ok, err)
	}
	defer s.Close()
	h, err := refs.NewHistory(s.Log, s.Refs.Head().At)
	if err != nil {
		t.Fatal(err)
	}
	c, err := projection.Build(h)
	if err != nil {
		t.Fatal(err)
	}
	for _, raw := range c.Messages {
		m, ok := objects.DecodeMessage(objects.Entry{Type: objects.TypeMessage, Raw: append(append([]byte(`{"message":`), raw.JSON...), '}')})
		if !ok {
			t.Fatalf("no message: %s", raw.JSON)
		}
		if m.Role == objects.RoleSystem {
			continue
		}
		var said []string
		for _, b := range m.Blocks {
			switch b.Kind {
			case objects.BlockText:
				said = append(said, b.Text)
			case objects.BlockImage:
				said = append(said, "[image]")
			case objects.BlockThinking:
				items = append(items, "thinking: "+b.Text)
			case objects.BlockToolCall:
				items = append(items, "call "+b.CallID+" "+b.Name)
			case objects.BlockToolResult:
				text := b.Text
				for range b.Images {
					text = strings.TrimPrefix(text+"\n[image]", "\n")
				}
				items = append(items, "output "+b.CallID+": "+text)
			default:
				items = append(items, b.Type)
			}
		}
		if text := strings.Join(said, "\n"); len(said) > 0 && !clientsOwn(text) {
			items = append(items, m.Role+": "+text)
		}
	}
	return items
}

// clientsOwn reports whether the other program leaves a text out.
func clientsOwn(text string) bool {
	text = strings.TrimSpace(text)
	for _, tag := range []string{"<environment_context", "<user_instructions", "<INSTRUCTIONS", "<skills_instructions", "<permissions instructions", "# AGENTS.md instructions"} {
		if strings.HasPrefix(text, tag) {
			return true
		}
	}
	return false
}

// TestSharedCodexOriginals imports every rollout: each line is an entry, and the bytes come back.
func TestSharedCodexOriginals(t *testing.T) {
	files := append(codexRollouts(t), sharedtest.Glob(t, "*.jsonl", "corpus", "codex")...)
	files = append(files, sharedtest.Glob(t, "rollout-*.jsonl", "cases", "bugs", "B101")...)
	for _, file := range files {
		st := store.Open(filepath.Join(t.TempDir(), "store"))
		opt := checkout.Options{Now: time.Now, Random: bytes.NewReader(make([]byte, 1<<16))}
		done, err := st.Import(context.Background(), file, t.TempDir(), opt)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if lines := bytes.Count(data, []byte("\n")); done.Lines < lines || done.Entries < lines {
			t.Errorf("%s: %d entries of %d lines", file, done.Entries, lines)
		}
		s, err := checkout.Open(done.File, opt)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := s.WriteOriginal(&out); err != nil || !bytes.Equal(out.Bytes(), data) {
			t.Errorf("%s: the original is not what was imported (%v)", file, err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

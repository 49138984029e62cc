package checkout_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"tlog/agents/pi"
	"tlog/agents/transcript"
	"tlog/checkout"
	"tlog/log"
	"tlog/objects"
	"tlog/objects/sharedtest"
	"tlog/projection"
	"tlog/projection/pitest"
)

// exportedToPi is an export that pi is asked about, and the context that it has to see.
type exportedToPi struct {
	what string
	file string
	log  *log.Log
	want *projection.Context
}

// exportToPi writes what pi goes on from at HEAD.
func exportToPi(t *testing.T, what string, s *checkout.Session) exportedToPi {
	t.Helper()
	told, err := s.NativeTranscript(s.Refs.Head().At, "", checkout.TranscriptOptions{})
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	var out bytes.Buffer
	report, err := pi.Agent{}.Export(&out, transcript.Export{
		Session: "0190a1b2-0000-7000-8000-000000000001", Now: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC), Cwd: "/srv/demo", Entries: told.Entries,
	})
	if err != nil || report.Lines != bytes.Count(out.Bytes(), []byte("\n")) {
		t.Fatalf("%s: %+v, %v", what, report, err)
	}
	x := exportedToPi{what: what, file: filepath.Join(t.TempDir(), "export.jsonl"), log: s.Log}
	if err := os.WriteFile(x.file, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if x.want, err = s.Context(told.At); err != nil {
		t.Fatal(err)
	}
	return x
}

// askPi holds that the real pi sees of each export the context that tlog has of its session: the same messages, of the same entries.
func askPi(t *testing.T, exports []exportedToPi) {
	t.Helper()
	var files []string
	for _, x := range exports {
		files = append(files, x.file)
	}
	out, err := pitest.Command(t, "contexts.mjs", files).Output()
	if err != nil {
		t.Fatal(err)
	}
	answers := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	if len(answers) != len(exports) {
		t.Fatalf("pi answered for %d files of %d", len(answers), len(exports))
	}
	for i, x := range exports {
		var got struct {
			Skip    string
			Sources []objects.ID
			Context struct {
				Messages      []map[string]any
				Model         map[string]any
				ThinkingLevel string
			}
		}
		if err := json.Unmarshal(answers[i], &got); err != nil {
			t.Fatal(err)
		}
		if got.Skip != "" || len(got.Context.Messages) != len(x.want.Messages) || got.Context.ThinkingLevel != x.want.ThinkingLevel {
			data, _ := os.ReadFile(x.file)
			t.Fatalf("%s: %s %d messages, level %s; want %d, %s\n%s", x.what, got.Skip, len(got.Context.Messages), got.Context.ThinkingLevel,
				len(x.want.Messages), x.want.ThinkingLevel, data)
		}
		for n, m := range x.want.Messages {
			if id := x.log.Record(m.At).ID; got.Sources[n] != id {
				t.Errorf("%s: message %d is of %s, want %s", x.what, n, got.Sources[n], id)
			}
			sameMembers(t, fmt.Sprint(x.what, ": message ", n), got.Context.Messages[n], m.JSON)
		}
		var model map[string]any
		if err := json.Unmarshal(x.want.Model, &model); err != nil {
			t.Fatal(err)
		}
		if len(model) == 2 && !reflect.DeepEqual(got.Context.Model, model) {
			t.Errorf("%s: model %v, want %v", x.what, got.Context.Model, model)
		}
	}
}

// sameMembers holds that a message has all that another says; pi may have been told more of it.
func sameMembers(t *testing.T, what string, got map[string]any, want []byte) {
	t.Helper()
	var members map[string]any
	if err := json.Unmarshal(want, &members); err != nil {
		t.Fatal(err)
	}
	for key, value := range members {
		if !reflect.DeepEqual(got[key], value) {
			t.Errorf("%s: %s is %v, want %v", what, key, got[key], value)
		}
	}
}

// extra does to a session what the random walk does not: compactions, edits, models, levels, names.
func (w *walk) extra() {
	head := w.Refs.Head().At
	if head == log.None {
		return
	}
	ctx, h := w.tb.Context(), 0
	switch w.rng.IntN(6) {
	case 0:
		first := log.None
		if w.rng.IntN(3) > 0 {
			for at := head; at != log.None && h < w.rng.IntN(12); h++ {
				first, at = at, w.Log.Record(at).Parent
			}
		}
		_, err := w.Compact(ctx, "summary", first, 10)
		w.ok(err)
	case 1:
		content := [][]byte{nil, []byte(`"edited"`), []byte(`[{"type":"text","text":"edited"}]`)}[w.rng.IntN(3)]
		_, _ = w.EditContext(ctx, head, content) // of what cannot be edited it is refused
	case 2:
		w.add(fmt.Sprintf(`{"type":"model_change","provider":"p","modelId":"m%d"}`, w.rng.IntN(9)))
	case 3:
		w.add(fmt.Sprintf(`{"type":"thinking_level_change","thinkingLevel":%q}`, []string{"off", "low", "high"}[w.rng.IntN(3)]))
	case 4:
		w.add(fmt.Sprintf(`{"role":"assistant","content":[{"type":"text","text":"x"}],"provider":"p","model":"a%d","api":"x","stopReason":"stop"}`, w.rng.IntN(9)))
	case 5:
		w.add(`{"type":"custom_message","customType":"x","content":"note","display":true}`)
	}
}

// TestPiSeesTheSameContext exports random sessions, with what is undone in them, to the real pi.
func TestPiSeesTheSameContext(t *testing.T) {
	const sessions, operations = 150, 25
	var exports []exportedToPi
	for seed := range uint64(sessions) {
		rng := rand.New(rand.NewPCG(seed, 3))
		w := &walk{lab: newLab(t, 5000+seed), rng: rng, model: newModel()}
		for range 1 + rng.IntN(operations) {
			w.step()
		}
		for range rng.IntN(operations) {
			w.extra()
			if rng.IntN(3) == 0 {
				_, _ = w.Undo(t.Context(), 1+rng.IntN(4), "") // there may be nothing to undo
			}
		}
		if head := w.Refs.Head().At; head == log.None || w.Log.Record(head).Type == "" {
			continue
		}
		if c, err := w.Context(w.Refs.Head().At); err != nil || len(c.Messages) == 0 {
			continue
		}
		exports = append(exports, exportToPi(t, fmt.Sprint("seed ", seed), w.Session))
	}
	t.Logf("%d sessions", len(exports))
	askPi(t, exports)
}

// TestPiSamplesShared exports real sessions of pi, as they are and with entries undone.
func TestPiSamplesShared(t *testing.T) {
	var exports []exportedToPi
	for n, file := range sharedtest.Glob(t, "*/after-continue/*/*.jsonl", "samples", "pi") {
		for undo := range 3 {
			source, err := log.Open(file)
			if err != nil {
				t.Fatal(err)
			}
			l := newLab(t, uint64(7000+10*n+undo))
			if _, err := l.Import(t.Context(), source); err != nil {
				t.Fatal(err)
			}
			source.Close()
			if undo > 0 {
				if _, err := l.Undo(t.Context(), 2*undo, ""); err != nil {
					continue
				}
			}
			exports = append(exports, exportToPi(t, fmt.Sprint(filepath.Base(file), " less ", 2*undo), l.Session))
		}
	}
	askPi(t, exports)
}

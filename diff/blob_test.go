package diff_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tlog/checkout"
	"tlog/diff"
	"tlog/log"
	"tlog/objects"
)

// blobSession is a session with these messages, whose strings of more than threshold bytes lie in blobs.
func blobSession(t *testing.T, threshold int, messages ...string) *checkout.Session {
	t.Helper()
	opt := options()
	opt.Write = log.WriteOptions{Blobs: log.BlobOptions{Threshold: threshold}}
	header := objects.Header{ID: objects.ID(fmt.Sprintf("s%d", threshold)), Timestamp: "2026-11-30T10:00:00.000Z", Cwd: "/work"}
	s, err := checkout.Create(filepath.Join(t.TempDir(), "s.jsonl"), header, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	for n, m := range messages {
		// Ids tell the sessions apart, so that what they say is compared.
		entry := fmt.Sprintf(`{"type":"message","id":"%s-%d","message":%s}`, header.ID, n, m)
		if _, err := s.Append(t.Context(), [][]byte{[]byte(entry)}, checkout.AppendOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func textMessage(role, text string) string {
	return fmt.Sprintf(`{"role":%q,"content":%q}`, role, text)
}

func pictureMessage(data string) string {
	return fmt.Sprintf(`{"role":"user","content":[{"type":"text","text":"see"},{"type":"image","mimeType":"image/png","data":%q}]}`, data)
}

// TestCompareBlobs compares what lies in blobs: the placeholders of two texts may be the same, and a text says the same wherever it lies.
func TestCompareBlobs(t *testing.T) {
	text := func(word string) string { return strings.Repeat(word+"\n", 2000) }
	tests := []struct {
		name string
		a, b string
		same bool
	}{
		{"the same text", textMessage("user", text("one")), textMessage("user", text("one")), true},
		{"texts of one size", textMessage("user", text("one")), textMessage("user", text("two")), false},
		{"the same picture", pictureMessage(strings.Repeat("AAAA", 500)), pictureMessage(strings.Repeat("AAAA", 500)), true},
		{"pictures of one size", pictureMessage(strings.Repeat("AAAA", 500)), pictureMessage(strings.Repeat("AAAB", 500)), false},
	}
	for _, tt := range tests {
		for _, threshold := range []int{100, -1} {
			t.Run(fmt.Sprint(tt.name, threshold), func(t *testing.T) {
				a := blobSession(t, 0, textMessage("user", "begin"), tt.a)
				b := blobSession(t, threshold, textMessage("user", "begin"), tt.b)
				c := compareSides(t, head(a), head(b))
				if c.Empty() != tt.same || c.Relation != diff.ByContent {
					t.Errorf("same: %v, expected %v; relation %d", c.Empty(), tt.same, c.Relation)
				}
			})
		}
	}
}

func TestCompareWithoutBlobs(t *testing.T) {
	a := blobSession(t, 0, textMessage("user", strings.Repeat("one\n", 2000)))
	b := blobSession(t, -1, textMessage("user", strings.Repeat("one\n", 2000)))
	if err := os.RemoveAll(filepath.Join(filepath.Dir(a.Log.Path()), "blobs")); err != nil {
		t.Fatal(err)
	}
	if c := compareSides(t, head(a), head(b)); c.Empty() || len(c.Turns) == 0 {
		t.Errorf("a text that is missing: %d turns", len(c.Turns))
	}
	if c := compareSides(t, head(a), head(a)); !c.Empty() {
		t.Error("a session without its blobs differs from itself")
	}
}

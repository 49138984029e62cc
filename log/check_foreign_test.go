package log

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tlog/objects"
)

// TestCheckForeign is what fsck says of an agent's lines: by the code, the line of the log and that of the source.
func TestCheckForeign(t *testing.T) {
	row := func(id, parent objects.ID, gap, line string) objects.Envelope {
		return objects.Envelope{Type: objects.TypeMessage, ID: id, ParentID: parent, Gap: gap, Agent: "claude", Timestamp: "2026-03-01T09:00:00.000Z", Line: []byte(line)}
	}
	side := func(id objects.ID, line string) objects.Envelope {
		return objects.Envelope{Type: objects.TypeMeta, ID: id, Agent: "claude", Line: []byte(line)}
	}
	piece := func(id objects.ID, line string) objects.Envelope {
		return objects.Envelope{Type: objects.TypeMeta, ID: id, Agent: "claude", Line: []byte(line), Joined: true, Document: true}
	}
	element := piece("m", ",\n{\"a\":1}")
	element.Before = 2
	joined := side("j", `{"type":"us`)
	joined.Joined = true
	completes := row("b", "a", "", `{"type":"user"}`)
	completes.Completes = true
	for _, test := range []struct {
		name  string
		lines []objects.Envelope
		want  []string
	}{
		{"clean", []objects.Envelope{row("a", "", "", `{}`), side("s", "{}\r"), side("e", "")}, nil},
		{"a gap", []objects.Envelope{row("a", "", "", `{}`), row("b", "a", "gone", `{}`), row("c", "", "away", `{}`)}, []string{
			"missing-parent 3 line 2 of the source: it names parent gone, which is nowhere in it; the entry stands behind the one before it",
			"missing-parent 4 line 3 of the source: it names parent away, which is nowhere in it; the entry is a root",
		}},
		{"a gap of what is no node", []objects.Envelope{row("a", "", "", `{}`), {Type: objects.TypeMeta, ID: "p", ParentID: "gone", Gap: "away", Agent: "claude", Line: []byte(`{}`)}}, nil},
		{"a cycle", []objects.Envelope{row("r", "", "", `{}`), row("a", "r", "b", `{}`), row("b", "a", "", `{}`)}, []string{
			"cycle 3 line 2 of the source: it names parent b, of which it is an ancestor itself; the entry stands behind the one before it",
		}},
		{"found later", []objects.Envelope{row("r", "", "", `{}`), row("a", "r", "b", `{}`), row("b", "r", "", `{}`)}, []string{
			"missing-parent 3 line 2 of the source: it names parent b, which was nowhere in it when the line was imported; the entry stands behind the one before it",
		}},
		{"damage", []objects.Envelope{side("n", "\x00\x00"), row("a", "", "", "\xEF\xBB\xBF{}"), side("x", "xyz"), row("b", "a", "", "{\"a\":\"\xff\"}"), side("t", `{"a":`)}, []string{
			"nul-bytes 2 line 1 of the source: nothing but NUL bytes",
			"bom 3 line 2 of the source: a byte order mark before what is on the line",
			"bad-line 4 line 3 of the source: unexpected character instead of '{'",
			"invalid-utf8 5 line 4 of the source: byte 0xff is not UTF-8",
			"torn-tail 6 line 5 of the source: the last line is not complete: unexpected end",
		}},
		{"glued", []objects.Envelope{joined, row("a", "", "", `{}`), side("x", "xyz"), side("y", "{}")}, []string{
			"glued-lines 2 line 1 of the source: another record begins on the same line",
			"bad-line 4 line 2 of the source: unexpected character instead of '{'",
		}},
		{"completed", []objects.Envelope{row("a", "", "", `{}`), side("t", `{"type":"us`), completes, side("x", "xyz"), side("y", "{}")}, []string{
			"bad-line 5 line 3 of the source: unexpected character instead of '{'",
		}},
		{"a document", []objects.Envelope{piece("h", "{\"list\": ["), element, piece("n", ",\n7"), piece("t", "],\n\"b\": 1}\n")}, nil},
		{"an empty document", []objects.Envelope{piece("h", "{\"list\": ["), piece("t", "]}")}, nil},
		{"a torn document", []objects.Envelope{piece("h", "{\"list\": ["), element, piece("t", ",\n{\"a\":")}, []string{
			"bad-line 4 line 1 of the source: the document breaks off, or is none from here on",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "log.jsonl")
			var lines []Line
			for _, v := range test.lines {
				lines = append(lines, Line{Bytes: v.Bytes(), Verbatim: true})
			}
			header := objects.Header{ID: "s1", Agent: "claude", Source: []byte(`{"path":"/a"}`)}
			if err := WriteFile(path, header, lines, fastWrites); err != nil {
				t.Fatal(err)
			}
			l, err := Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			var got []string
			for f := range l.Check() {
				got = append(got, fmt.Sprintf("%s %d %s", f.Code, f.Line, f.Message))
			}
			same := slices.EqualFunc(got, test.want, func(got, want string) bool { return strings.HasPrefix(got, want) })
			if !same {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
		})
	}
}

func TestSourceLines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.jsonl")
	envelope := func(id objects.ID, joined, completes bool) Line {
		v := objects.Envelope{Type: objects.TypeMeta, ID: id, Agent: "claude", Line: []byte("{}"), Joined: joined, Completes: completes}
		return Line{Bytes: v.Bytes(), Verbatim: true}
	}
	lines := []Line{envelope("a", false, false), envelope("b", true, false), envelope("c", false, false), envelope("d", false, false), envelope("e", false, true)}
	if err := WriteFile(path, objects.Header{ID: "s1"}, lines, fastWrites); err != nil {
		t.Fatal(err)
	}
	l, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	got, err := l.SourceLines()
	if want := "map[2:1 3:2 4:2 5:3 6:3]"; err != nil || fmt.Sprint(got) != want {
		t.Errorf("%v %v, want %s", got, err, want)
	}
}

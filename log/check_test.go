package log

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"tlog/objects"
)

func TestFindings(t *testing.T) {
	const v3 = `{"type":"session","version":3,"id":"s1","timestamp":"2026-11-30T10:00:00.000Z","cwd":"/w"}`
	a, b, c := entryLine("a", ""), entryLine("b", "a"), entryLine("c", "b")
	imported := `{"type":"session","version":4,"id":"s1","source":{"version":3}}`
	tests := []struct {
		name    string
		content string
		ids     string // of the records
		want    string // findings
	}{
		{"clean", lines(v3, a, b), "a b", ""},
		{"no final newline", strings.TrimSuffix(lines(v3, a, b), "\n"), "a b", ""},
		{"blank lines and CR", lines(v3+"\r", "", a+"\r", " \t\r", b), "a b", ""},
		{"U+2028 and U+0085 end no line", lines(v3, strings.ReplaceAll(a, `content":"`, "content\":\"\u2028\u0085")), "a", ""},
		{"torn tail", lines(v3, a) + b[:30], "a", "torn-tail:3"},
		{"torn tail closed", lines(v3, a, b[:30], b), "a b", "bad-line:3"},
		{"torn tail that is a number", lines(v3, a) + "12", "a", "torn-tail:3"},
		{"no object", lines(v3, "42", "null", `["x"]`, `"text"`, "true", "junk", a), "a",
			"bad-line:2 bad-line:3 bad-line:4 bad-line:5 bad-line:6 bad-line:7"},
		{"bad line above the header", lines("junk", v3, a), "a", "bad-line:1"},
		{"NULs alone", lines(v3, a, "\x00\x00\x00", b), "a b", "nul-bytes:3"},
		{"NULs as torn tail", lines(v3, a) + "\x00\x00", "a", "nul-bytes:3"},
		{"NULs around", lines(v3, "\x00\x00"+a, b+"\x00"), "a b", "nul-bytes:2 nul-bytes:3"},
		{"NULs between", lines(v3, a+"\x00\x00"+b, c), "c", "glued-lines:2 missing-parent:3"},
		{"glued", lines(v3, a+b, c), "c", "glued-lines:2 missing-parent:3"},
		{"glued with space", lines(v3, a+" "+b), "", "glued-lines:2"},
		{"glued to a torn one", lines(v3, a, b[:40]+c), "a", "glued-lines:3"},
		{"glued to one torn in a string", lines(v3, a, b[:len(b)-4]+c), "a", "glued-lines:3"},
		{"garbage behind", lines(v3, a+"x"), "", "bad-line:2"},
		{"torn behind a block", lines(v3, `{"type":"message","id":"a","message":{"content":[{"type":"text","text":"x"}`), "", "bad-line:2"},
		{"not UTF-8", lines(v3, strings.ReplaceAll(a, `content":"a`, "content\":\"\xff\xfe")), "a", "invalid-utf8:2"},
		{"BOM", lines("\uFEFF"+v3, "\uFEFF"+a), "a", "bom:1 bom:2"},
		{"second header", lines(v3, a, v3, b), "a b", "second-header:3"},
		{"no id", lines(v3, `{"type":"custom"}`), string(objects.DerivedID("s1", 2)), "bad-id:2"},
		{"bad id", lines(v3, `{"type":"custom","id":"a b","parentId":null}`), string(objects.DerivedID("s1", 2)), "bad-id:2"},
		{"number as id", lines(v3, `{"type":"custom","id":7}`), string(objects.DerivedID("s1", 2)), "bad-id:2"},
		{"bad session id", lines(`{"type":"session","version":3,"id":"a b"}`, a), "a", "bad-id:1"},
		{"duplicate, last counts", lines(v3, a, entryLine("a", "a"), b), "a.2 a b", "duplicate-id:3 cycle:3"},
		{"duplicate in an import", lines(imported, a, strings.Replace(a, "user", "system", 1), b), "a.2 a b", "unchained:1 duplicate-id:3"},
		{"duplicate, first counts", lines(sessionLine, a, strings.Replace(a, "user", "system", 1), b), "a a.3 b", "unchained:1 duplicate-id:3"},
		{"repeat", lines(v3, a, b, a), "a b a", "repeated-line:4"},
		{"missing parent", lines(v3, a, c), "a c", "missing-parent:3"},
		{"child above parent", lines(v3, b, a), "b a", ""},
		{"own parent", lines(v3, entryLine("a", "a"), b), "a b", "cycle:2"},
		{"cycle", lines(v3, b, entryLine("a", "c"), c), "b a c", "cycle:2"},
		{"newer version", lines(`{"type":"session","version":9,"id":"s1"}`, a), "a", ""},
		{"empty", "", "", ""},
		{"blank", "\n \n\r\n", "", ""},
		{"only a BOM", "\uFEFF", "", "bom:1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := openLog(t, writeLog(t, tt.content))
			equal(t, "ids", recordIDs(l), strings.Fields(tt.ids))
			equal(t, "findings", findings(l), strings.Fields(tt.want))
		})
	}
}

func TestFindingsTellPlaceAndReason(t *testing.T) {
	content := lines(sessionLine, entryLine("a", ""), `{"type":"message",x`, "\x00", "{}{}")
	l := openLog(t, writeLog(t, content))
	for _, d := range l.Damaged() {
		at := content[d.Offset:]
		want := map[Code]string{BadLine: "x\n", NULBytes: "\x00\n", GluedLines: "{}\n"}[d.Code]
		if !strings.HasPrefix(at, want) || d.Reason == "" {
			t.Errorf("%s in line %d: offset %d stands before %.10q, want %q; reason %q", d.Code, d.Line, d.Offset, at, want, d.Reason)
		}
	}
	if n := len(l.Damaged()); n != 3 {
		t.Errorf("damaged lines: got %d, want 3", n)
	}
}

func TestChainFindsChanges(t *testing.T) {
	l := createLog(t)
	appendLines(t, l, entryLine("a", ""), entryLine("b", "a"), entryLine("c", "b"), entryLine("d", "c"))
	var whole []string
	for raw, err := range l.Lines(0) {
		if err != nil {
			t.Fatal(err)
		}
		whole = append(whole, string(raw.Bytes))
	}
	changed := strings.Replace(whole[2], `"user"`, `"USER"`, 1)
	tests := []struct {
		name  string
		lines []string
		want  string
	}{
		{"clean", whole, ""},
		{"changed", []string{whole[0], whole[1], changed, whole[3], whole[4]}, "chain-broken:3"},
		{"header changed", append([]string{strings.Replace(whole[0], "/w", "/v", 1)}, whole[1:]...), "chain-broken:1"},
		{"missing", []string{whole[0], whole[1], whole[3], whole[4]}, "chain-broken:3 missing-parent:3"},
		{"reordered", []string{whole[0], whole[1], whole[3], whole[2], whole[4]}, "chain-broken:3 chain-broken:4 chain-broken:5"},
		{"foreign line between", []string{whole[0], whole[1], entryLine("x", "a"), whole[2], whole[3], whole[4]}, "chain-broken:3"},
		{"lost at the end", whole[:3], ""},
		{"chain cut off", []string{whole[0], whole[1], entryLine("b", "a"), whole[3], whole[4]}, "chain-broken:3"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			equal(t, "findings", findings(openLog(t, writeLog(t, lines(tt.lines...)))), strings.Fields(tt.want))
		})
	}
}

func TestForeignLinesAreCovered(t *testing.T) {
	l := createLog(t)
	appendLines(t, l, entryLine("a", ""))
	foreign := []string{lines(entryLine("x", "a"), entryLine("y", "x")), "torn", "\n\n \n", entryLine("z", "x")}
	for i, f := range foreign {
		appendRaw(t, l.Path(), f)
		appendLines(t, l, entryLine(fmt.Sprintf("b%d", i), "a"))
	}
	equal(t, "findings", findings(l), []string{"unchained:3", "bad-line:6", "unchained:12"})
	equal(t, "ids", recordIDs(l), []string{"a", "x", "y", "b0", "b1", "b2", "z", "b3"})
}

func TestOpenWithoutSession(t *testing.T) {
	for _, content := range []string{
		"junk\n", "\x00\x00", "[1]\n42\n", `{"type":"session","version":3`,
		lines(entryLine("a", "")), lines(`{"type":"session","version":3}`), "{}\n",
	} {
		_, err := Open(writeLog(t, content))
		var corrupt *objects.CorruptError
		if !errors.As(err, &corrupt) || !errors.Is(err, objects.ErrCorrupt) {
			t.Errorf("open %.30q: got %v, want a CorruptError", content, err)
		} else if corrupt.Line != 1 || corrupt.File == "" || corrupt.Reason == "" {
			t.Errorf("open %.30q: got %+v", content, corrupt)
		}
	}
}

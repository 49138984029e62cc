package migrate

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tlog/objects"
)

// odd are JSON values whose bytes a decoder and encoder would change.
var odd = []string{
	`1.0`, `1e400`, `9223372036854775808`, `-0`, `1E+2`, `"\ud83d"`, `"\/"`, `"\u0041"`, `"<&>"`, "\"\u2028\"", "\"\xff\"",
	`{"b":1,"a":2,"b":3}`, `[ 1 , 2 ]`, `"firstKeptEntryIndex"`, `null`, `{}`, `[]`,
	strings.Repeat("[", 1000) + strings.Repeat("]", 1000),
}

// randomLine is an object with members that the steps look for, some of them
// twice, in any order, and with odd values between them.
func randomLine(r *rand.Rand) []byte {
	pick := func(values ...string) string { return values[r.IntN(len(values))] }
	value := func() string { return odd[r.IntN(len(odd))] }
	message := func() string {
		return `{"x":` + value() + `,"role":` + pick(`"user"`, `"hookMessage"`, `"hook\u004dessage"`, `5`) + `,"content":` + value() + `}`
	}
	var members []string
	for range r.IntN(9) {
		members = append(members, pick(
			`"type":`+pick(`"message"`, `"message"`, `"compaction"`, `"model_change"`, `"session"`, `"x"`, `7`),
			`"id":`+pick(`"a"`, `"b"`, `"a b"`, `7`, `null`),
			`"parentId":`+pick(`"a"`, `"h"`, `null`, `""`),
			`"p\u0061rentId" : "h"`,
			`"message":`+pick(message(), value()),
			`"role":`+pick(`"user"`, value()),
			`"content":`+value(),
			`"timestamp":`+pick(`"t"`, `1767225600000`, value()),
			`"model":`+value(),
			`"modelId":`+value(),
			`"firstKeptEntryIndex":`+pick(`0`, `1`, `2`, `5`, value()),
			`"firstKeptEntryId":`+pick(`"a"`, value()),
			fmt.Sprintf(`"n%d":%s`, r.IntN(5), value()),
		))
	}
	space := pick("", "", " ", "\t")
	return []byte(space + "{" + space + strings.Join(members, space+","+space) + space + "}" + space)
}

// migrateAll runs lines of a file with a header (but in version 0) through a new Migrator.
func migrateAll(version int, lines [][]byte) [][]byte {
	m := New(version, session)
	if version > 0 {
		m.Header(objects.Header{ID: "h"})
	}
	var out [][]byte
	for i, l := range lines {
		out = append(out, m.Entry(l, i+2))
	}
	return out
}

func TestMigrationProperties(t *testing.T) {
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(seed, 1))
		var lines [][]byte
		for range 1 + r.IntN(8) {
			lines = append(lines, randomLine(r))
		}
		for version := range objects.Version + 1 {
			checkProperties(t, version, lines)
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// checkProperties checks what must hold for the migration of any lines.
func checkProperties(t *testing.T, version int, lines [][]byte) {
	t.Helper()
	var before [][]byte
	for _, l := range lines {
		before = append(before, bytes.Clone(l))
	}
	once := migrateAll(version, lines)
	again := migrateAll(version, lines)
	twice := migrateAll(version, once)
	newest := migrateAll(objects.Version, once)
	for i, l := range lines {
		if !bytes.Equal(l, before[i]) {
			t.Errorf("version %d: the argument was changed: %q, was %q", version, l, before[i])
		}
		if !bytes.Equal(once[i], again[i]) {
			t.Errorf("version %d: not the same each time: %q, then %q", version, once[i], again[i])
		}
		if !bytes.Equal(once[i], twice[i]) || !bytes.Equal(once[i], newest[i]) {
			t.Errorf("version %d: not idempotent: %q, then %q and %q", version, once[i], twice[i], newest[i])
		}
		checkResult(t, version, l, once[i])
	}
}

// checkResult checks one line: it is a valid entry, and its payload is that of before.
func checkResult(t *testing.T, version int, before, after []byte) {
	t.Helper()
	e, err := objects.ParseEntry(after)
	if err != nil {
		t.Errorf("version %d: %q became %q: %v", version, before, after, err)
		return
	}
	if version < 2 && e.Type != objects.TypeSession && (!e.ID.Valid() || !e.HasParent) {
		t.Errorf("version %d: no id or parent in %q", version, after)
	}
	if s, _ := shapeOf(before); version == 0 && s.bareMessage() {
		if !bytes.Equal(e.Get("message"), bytes.TrimSpace(before)) {
			t.Errorf("the message of %q is not %q", after, before)
		}
		return
	}
	if was, is := payload(before), payload(after); !slices.Equal(was, is) {
		t.Errorf("version %d: %q became %q:\n was %q\n  is %q", version, before, after, was, is)
	}
}

// payload are the members of a line that no step touches, in their order, and
// the model and messages without their role, whatever their keys.
func payload(object []byte) []string {
	var kept []string
	_ = objects.Scan(object, func(m objects.Member) {
		switch {
		case m.Is("id"), m.Is("parentId"), m.Is("firstKeptEntryIndex"), m.Is("firstKeptEntryId"):
		case m.Is("model"), m.Is("modelId"):
			kept = append(kept, "model:"+string(m.Value))
		case m.Is("message") && m.Value[0] == '{':
			kept = append(kept, withoutRole(m.Value)...)
		default:
			kept = append(kept, string(m.Key)+":"+string(m.Value))
		}
	})
	return kept
}

func withoutRole(message []byte) []string {
	var kept []string
	_ = objects.Scan(message, func(m objects.Member) {
		if !m.Is("role") {
			kept = append(kept, string(m.Key)+":"+string(m.Value))
		}
	})
	return kept
}

func FuzzMigrate(f *testing.F) {
	r := rand.New(rand.NewPCG(7, 7))
	for version := range 4 {
		for range 20 {
			lines := [][]byte{randomLine(r), randomLine(r), randomLine(r)}
			f.Add(version, bytes.Join(lines, []byte{'\n'}))
		}
	}
	f.Fuzz(func(t *testing.T, version int, file []byte) {
		var lines [][]byte
		for _, l := range bytes.Split(file, []byte{'\n'}) {
			_, _ = Detect(l)
			if objects.Scan(l, nil) == nil {
				lines = append(lines, l)
			}
		}
		checkProperties(t, min(max(version, 0), objects.Version), lines)
	})
}

// TestDepth migrates a line whose nesting would overflow a stack.
func TestDepth(t *testing.T) {
	const depth = 1_000_000
	deep := strings.Repeat(`[`, depth) + strings.Repeat(`]`, depth)
	line := []byte(`{"role":"user","content":` + deep + `}`)
	out := New(0, session).Entry(line, 1)
	if !bytes.HasSuffix(out, append(line, '}')) {
		t.Error("the message is not at the end of its entry")
	}
}

package checkout_test

import (
	"bytes"
	"errors"
	"testing"

	"tlog/checkout"
	"tlog/objects"
)

// FuzzAppend appends any line: it is refused with a class of error and nothing is written, or its bytes
// come back when what was added is cut off.
func FuzzAppend(f *testing.F) {
	for _, line := range []string{
		say("a"), use("1"), result("1"), `{"type":"custom","n":1.0,"s":"\ud83d\/"}`, ` { "a":1 , "type" : "x" } `,
		`{"type":"label","targetId":"x"}`, `{"type":"skip","targetIds":["x"]}`, `{"type":"custom","ref":"main"}`,
		`{"id":"q","parentId":"","type":"custom"}`, `{"\u0074ype":"custom","type":"x"}`, `{"type":"custom","ref":1,"chain":2}`,
		`{"type":"context_edit","targetId":"x","replacement":{"content":"y"}}`, "{\"type\":\"custom\"\n}", `{}`, "", "\x00", "\ufeff{}",
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		l := newLab(t, 71)
		l.add(`{"type":"message","id":"x","message":{"role":"user","content":"a"}}`)
		size := l.Log.Size()
		ids, err := l.Append(ctx, [][]byte{line}, checkout.AppendOptions{})
		if err != nil {
			if !errors.Is(err, objects.ErrInvalid) && !errors.Is(err, objects.ErrRefused) && !errors.Is(err, objects.ErrNotFound) {
				t.Errorf("error of no class: %v", err)
			}
			if l.Log.Size() != size {
				t.Error("refused and written")
			}
			return
		}
		l.inspect()
		if got, want := stripped(l, ids[0], line), bytes.Trim(line, " \t\r\n"); !bytes.Equal(got, want) {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	})
}

// stripped is an entry's line without what an append adds to the given one.
func stripped(l *lab, id objects.ID, given []byte) []byte {
	line := l.entry(id).Unchained()
	e, err := objects.ParseEntry(given)
	l.ok(err)
	if e.Get("type") == nil {
		message, err := objects.ParseEntry(line)
		l.ok(err)
		return message.Get("message")
	}
	for _, name := range []string{"id", "parentId", "timestamp"} {
		if e.Get(name) == nil {
			line = objects.RemoveMember(line, name)
		}
	}
	return line
}

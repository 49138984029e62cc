package jsonout

import (
	"testing"
	"time"
)

func TestObject(t *testing.T) {
	var inner Object
	inner.Raw("n", []byte("1e400"))
	var list Array
	list.Object(&inner)
	var o Object
	o.String("s", "a\"\n\x1b").Known("none", "").Int("i", -3).Bool("b", true)
	o.Time("t", time.Date(2026, 11, 30, 11, 0, 0, 5e6, time.FixedZone("", 3600))).Time("t0", time.Time{})
	o.Object("o", &inner).Object("o0", nil).Array("a", list).Strings("l", []string{"x", "y"}).Strings("l0", nil)
	want := `{"s":"a\"\n\u001b","none":null,"i":-3,"b":true,"t":"2026-11-30T10:00:00.005Z","t0":null,` +
		`"o":{"n":1e400},"o0":null,"a":[{"n":1e400}],"l":["x","y"],"l0":[]}`
	if got := string(o.Bytes()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := string(o.Bytes()); got != want {
		t.Errorf("second call: got %s", got)
	}
	if got := string((&Object{}).Bytes()); got != "{}" {
		t.Errorf("empty object: got %s", got)
	}
}

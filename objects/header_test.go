package objects

import (
	"errors"
	"math"
	"testing"
)

func TestParseHeader(t *testing.T) {
	raw := `{"type":"session","version":4,"id":"s","timestamp":"t","cwd":"/w","name":"n","parentSession":"p","parentEntry":"e",` +
		`"agent":"pi","source":{"path":"/x"},"chain":"` + hexChain + `"}`
	h, err := ParseHeader([]byte(" " + raw + "\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	if string(h.Raw) != raw || h.Version != 4 || h.ID != "s" || h.Timestamp != "t" || h.Cwd != "/w" || h.Name != "n" ||
		h.ParentSession != "p" || h.ParentEntry != "e" || h.Agent != "pi" || string(h.Source) != `{"path":"/x"}` || h.Chain != hexChain {
		t.Errorf("got %+v", h)
	}
	line := string(AppendMembers(h.Line(), []byte(`"chain":"`+hexChain+`"`)))
	if line != raw {
		t.Errorf("the header's line is\n%s, want\n%s", line, raw)
	}
}

func TestParseHeaderVersion(t *testing.T) {
	for version, want := range map[string]int{
		"": 1, `"version":null`: 1, `"version":1`: 1, `"version":3`: 3, `"version":4.0`: 4, `"version":2.9`: 2, `"version":5`: 5,
		`"version":"2"`: 2, `"version":" 3 "`: 3, `"version":"x"`: 1, `"version":""`: 1, `"version":"0x4"`: 1, `"version":"inf"`: 1,
		`"version":true`: 1, `"version":[4]`: 1, `"version":{}`: 1, `"version":0`: 1, `"version":-3`: 1, `"version":1e400`: math.MaxInt32,
		`"version":40e-1`: 4, `"version":3,"version":2`: 2, `"v\u0065rsion":3`: 3, `"version":"4e"`: 1, `"version":"1_0"`: 1,
	} {
		raw := `{"type":"session","id":"s"}`
		if version != "" {
			raw = `{"type":"session",` + version + `,"id":"s"}`
		}
		if h, err := ParseHeader([]byte(raw)); err != nil || h.Version != want {
			t.Errorf("version of %s is %d, %v, want %d", raw, h.Version, err, want)
		}
	}
}

func TestParseHeaderErrors(t *testing.T) {
	for _, raw := range []string{
		"", "null", `{"type":"session","id":"s"`, `{"type":"message","id":"s"}`, `{"id":"s"}`, `{"type":"session"}`,
		`{"type":"session","id":5}`, `{"type":"session","id":null}`, `{"type":"session","id":"s","id":5}`,
	} {
		if _, err := ParseHeader([]byte(raw)); !errors.Is(err, ErrInvalid) {
			t.Errorf("ParseHeader(%s): error %v, want one that wraps ErrInvalid", raw, err)
		}
	}
	var syntax *SyntaxError
	if _, err := ParseHeader([]byte("{")); !errors.As(err, &syntax) {
		t.Errorf("the place of the fault is lost in %v", err)
	}
}

func TestParseHeaderIsTolerant(t *testing.T) {
	h, err := ParseHeader([]byte(`{"cwd":7,"type":"session","source":"x","name":null,"parentSession":"/a/b.jsonl","id":"\u0073"}`))
	if err != nil || h.ID != "s" || h.Cwd != "" || h.Source != nil || h.ParentSession != "/a/b.jsonl" {
		t.Errorf("got %+v, %v", h, err)
	}
}

func TestParseHeaderTakesLastDuplicates(t *testing.T) {
	h, err := ParseHeader([]byte(`{"type":"session","id":"a","id":"s","source":{},"source":null,"cwd":"/a","cwd":"/b"}`))
	if err != nil || h.ID != "s" || h.Source != nil || h.Cwd != "/b" {
		t.Errorf("got %+v, %v", h, err)
	}
}

func TestHeaderLine(t *testing.T) {
	if got := string(Header{ID: "s"}.Line()); got != `{"type":"session","version":4,"id":"s"}` {
		t.Errorf("a bare header is %s", got)
	}
	if got := string(Header{ID: "s", Version: 3, Cwd: `C:\"x"`}.Line()); got != `{"type":"session","version":3,"id":"s","cwd":"C:\\\"x\""}` {
		t.Errorf("a version 3 header is %s", got)
	}
}

func TestLastWins(t *testing.T) {
	for _, tt := range []struct {
		header Header
		want   bool
	}{
		{Header{Version: 0}, true},
		{Header{Version: 3}, true},
		{Header{Version: 4}, false},
		{Header{Version: 4, Source: []byte("{}")}, true},
		{Header{Version: 5}, false},
	} {
		if got := tt.header.LastWins(); got != tt.want {
			t.Errorf("LastWins of version %d with source %q is %v", tt.header.Version, tt.header.Source, got)
		}
	}
}

package transcript

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

func TestSplitDocument(t *testing.T) {
	const whole = "{\n  \"info\": {\"messages\": []},\n  \"messages\": [\n    {\"id\": 1},\n    {\n      \"id\": 2\n    } , 7\n  ],\n  \"more\": 1\n}\n"
	for name, test := range map[string]struct {
		data string
		want string // the pieces: objects in <>, torn ones with !
	}{
		"whole":      {whole, "|<{\"id\": 1}>|<{\n      \"id\": 2\n    }>||"},
		"no list":    {`{"other":[{}]}`, ""},
		"empty list": {`{"messages":[]}`, "|"},
		"an array":   {`[{"messages":[{}]}]`, ""},
		"no array":   {`{"messages":{"id":1}}`, ""},
		"torn":       {whole[:strings.Index(whole, "2\n")], "|<{\"id\": 1}>|!"},
		"torn between": {
			whole[:strings.Index(whole, ",\n    {\n")], "|<{\"id\": 1}>",
		},
		"torn behind": {whole[:strings.Index(whole, "],\n")+1], "|<{\"id\": 1}>|<{\n      \"id\": 2\n    }>||!"},
		"torn before": {whole[:20], "!"},
		"two commas":  {`{"messages":[{},,{}]}`, "|<{}>|!"},
		"first comma": {`{"messages":[,{}]}`, "|!"},
		"nothing":     {"", "!"},
	} {
		var got []string
		var back []byte
		for _, p := range SplitDocument([]byte(test.data), "messages") {
			text := ""
			if p.Object != nil {
				text = fmt.Sprintf("<%s>", p.Object)
				if !bytes.Equal(p.Line[p.Before:len(p.Line)-p.After], p.Object) {
					t.Errorf("%s: the object does not stand where the piece says", name)
				}
			}
			if p.Torn {
				text += "!"
			}
			got, back = append(got, text), append(back, p.Line...)
		}
		if string(back) != test.data {
			t.Errorf("%s: the pieces are %q, expected %q", name, back, test.data)
		}
		if strings.Join(got, "|") != test.want {
			t.Errorf("%s: got %q, expected %q", name, strings.Join(got, "|"), test.want)
		}
	}
}

// What is added to a document leaves the pieces before it as they are.
func TestSplitDocumentGrows(t *testing.T) {
	short := SplitDocument([]byte("{\"messages\": [\n  {\"id\": 1}\n]}"), "messages")
	long := SplitDocument([]byte("{\"messages\": [\n  {\"id\": 1},\n  {\"id\": 2}\n]}"), "messages")
	for i := range 2 {
		if !bytes.Equal(short[i].Line, long[i].Line) {
			t.Errorf("piece %d is %q, and %q in the longer document", i, short[i].Line, long[i].Line)
		}
	}
}

func FuzzSplitDocument(f *testing.F) {
	f.Add([]byte(`{"a":1,"messages":[{"id":1} , {"id":2}],"b":[]}`))
	f.Add([]byte("{\"messages\":[\n{}\n,\n[}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var back []byte
		for _, p := range SplitDocument(data, "messages") {
			back = append(back, p.Line...)
		}
		if !bytes.Equal(back, data) {
			t.Fatalf("the pieces are %q, expected %q", back, data)
		}
	})
}

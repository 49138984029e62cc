package log

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

func TestFaults(t *testing.T) {
	type fault struct {
		code   Code
		line   int
		offset int64
	}
	long := `{"a":"` + strings.Repeat("x", 2*readSize) + `"}` + "\n"
	for name, test := range map[string]struct {
		file string
		want []fault
	}{
		"empty":              {"", nil},
		"clean":              {"{}\n\n  \r\n{\"a\":1}\r\n", nil},
		"bad":                {"{}\n{\"a\":}\n[1]\n", []fault{{BadLine, 2, 8}, {BadLine, 3, 10}}},
		"torn":               {"{}\n{\"a\":\"b", []fault{{TornTail, 2, 10}}},
		"whole tail":         {"{}\n{}", nil},
		"NULs":               {"{}\n\x00\x00{}\n\x00\n", []fault{{NULBytes, 2, 3}, {NULBytes, 3, 8}}},
		"glued":              {"{}{\"type\":\"x\"}\n", []fault{{GluedLines, 1, 2}}},
		"mark":               {"\xEF\xBB\xBF{}\n", []fault{{BOM, 1, 0}}},
		"bytes":              {"{}\n{\"a\":\"\xff\"}\n", []fault{{InvalidUTF8, 2, 9}}},
		"behind a long line": {long + "x\n", []fault{{BadLine, 2, int64(len(long))}}},
	} {
		var got []fault
		for f, err := range Faults(strings.NewReader(test.file), int64(len(test.file))) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, fault{f.Code, f.Line, f.Offset})
			if f.Reason == "" {
				t.Errorf("%s: %v has no reason", name, f)
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

type failingReaderAt struct{}

func (failingReaderAt) ReadAt([]byte, int64) (int, error) { return 0, iotest.ErrTimeout }

func TestFaultsFails(t *testing.T) {
	var got error
	for _, err := range Faults(failingReaderAt{}, 10) {
		got = err
	}
	if !errors.Is(got, iotest.ErrTimeout) || errors.Is(got, io.EOF) {
		t.Errorf("got %v", got)
	}
}

package disk

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestMap(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f")
	content := bytes.Repeat([]byte("0123456789abcdef"), 4096)
	if err := os.WriteFile(name, content, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := OS.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	data, unmap, err := Map(f, int64(len(content)))
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	sum := func() error {
		if !bytes.Equal(data, content) {
			t.Error("the memory is not the file")
		}
		return nil
	}
	if err := Guard(data, sum); err != nil {
		t.Error(err)
	}
	mine := errors.New("mine")
	if err := Guard(data, func() error { return mine }); !errors.Is(err, mine) {
		t.Errorf("got %v", err)
	}
	if err := os.Truncate(name, 10); err != nil {
		t.Fatal(err)
	}
	last := func() error { content[0] = data[len(data)-1]; return nil }
	if err := Guard(data, last); !errors.Is(err, ErrCutShort) {
		t.Errorf("cut short: got %v", err)
	}
	if err := unmap(); err != nil {
		t.Error(err)
	}
}

// A fault that is not of the memory is none of Guard's.
func TestGuardLetsPanicsThrough(t *testing.T) {
	defer func() {
		if recover() != "other" {
			t.Error("the panic did not come through")
		}
	}()
	_ = Guard(nil, func() error { panic("other") })
}

func TestMapOfNothing(t *testing.T) {
	for name, f := range map[string]File{"of another file system": nil, "of no size": osFile{}} {
		if _, _, err := Map(f, 0); !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

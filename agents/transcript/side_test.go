package transcript_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"tlog/agents/transcript"
	"tlog/objects"
)

func TestReadSide(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(at("plain"), []byte("much"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at("huge"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{
		os.Truncate(at("huge"), transcript.MaxSideFile+1), os.Symlink("plain", at("link")), os.Symlink("/proc/kmsg", at("endless")),
		os.Symlink("loop", at("loop")), syscall.Mkfifo(at("fifo"), 0o600), os.Mkdir(at("folder"), 0o700),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if data, err := transcript.ReadSide(at("plain")); err != nil || string(data) != "much" {
		t.Errorf("plain: %q, %v", data, err)
	}
	for _, name := range []string{"huge", "link", "endless", "loop", "fifo", "folder"} {
		if data, err := transcript.ReadSide(at(name)); !errors.Is(err, objects.ErrInvalid) || data != nil {
			t.Errorf("%s: %d bytes, %v", name, len(data), err)
		}
	}
	if _, err := transcript.ReadSide(at("missing")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

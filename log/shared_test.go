package log

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tlog/objects"
	"tlog/objects/sharedtest"
)

// TestRealTranscripts opens every transcript there is: those of pi are read and migrated, of all others
// the error is a clear one.
func TestRealTranscripts(t *testing.T) {
	root := sharedtest.Dir(t)
	opened := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".jsonl") || d.Name() == "events.jsonl" {
			return err
		}
		l, err := Open(path)
		switch {
		case errors.Is(err, objects.ErrCorrupt):
			if strings.Contains(path, filepath.Join("samples", "pi")+string(filepath.Separator)) {
				t.Errorf("%v", err)
			}
			return nil
		case err != nil:
			return err
		}
		defer func() { _ = l.Close() }()
		opened++
		checkInvariants(t, l)
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		migrated := openLog(t, writeLog(t, string(content)))
		rewrite(t, migrated)
		sameLogs(t, l, migrated)
		for f := range migrated.Check() {
			if f.Code == ChainBroken || f.Code == Unchained {
				t.Errorf("%s: migrated: %+v", path, f)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if opened == 0 {
		t.Error("no transcript of pi opened")
	}
	t.Logf("%d transcripts opened", opened)
}

package log

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/zeebo/blake3"

	"tlog/blobs/disk"
	"tlog/objects"
)

// Rewrite migrates the file on disk to version 4 through a temporary file and a rename; the original stays beside it, and its
// path is returned. Nothing happens, and kept is empty, if the file is version 4 already. The same
// file gives the same bytes. The Log reads the new file afterwards.
//
// The error wraps objects.ErrLocked, objects.ErrVersion (a newer file) or objects.ErrCorrupt; the file is as it was then.
func (l *Log) Rewrite(ctx context.Context, opt WriteOptions) (kept string, err error) {
	if l.header.Version > objects.Version {
		return "", l.checkWritable()
	}
	unlock, err := lock(ctx, l.real, opt.LockTimeout)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	// Another process may have put a rewritten file in the place of this one.
	if err := l.open(); err != nil {
		return "", err
	}
	if l.header.Version >= objects.Version {
		if l.header.Version > objects.Version {
			err = l.checkWritable()
		}
		return "", err
	}
	durable := opt.Durability == DurabilityDisk
	kept, err = l.keepOriginal(durable)
	if err != nil {
		return "", fmt.Errorf("migrate %s: keep the original: %w", l.path, err)
	}
	if err := l.replace(filepath.Base(kept), opt); err != nil {
		return "", fmt.Errorf("migrate %s: %w", l.path, err)
	}
	return kept, l.open()
}

// replace puts the migrated file in the place of the one that was read.
func (l *Log) replace(kept string, opt WriteOptions) error {
	ready := func(temp string) error {
		info, err := l.file.Stat()
		if err == nil {
			err = l.fs.Chmod(temp, info.Mode().Perm())
		}
		if err == nil && info.Size() != l.size {
			err = fmt.Errorf("%w: another program appended to it meanwhile", objects.ErrRefused)
		}
		return err
	}
	return disk.WriteFile(l.fs, l.real, disk.WriteOptions{Replace: true, NoSync: opt.Durability == DurabilityOS, Ready: ready},
		func(w io.Writer) error { return l.writeMigrated(w, kept, newTaker(l.Blobs(), opt)) })
}

// writeMigrated writes the log as a file of version 4. The header comes first; all
// other lines keep their order, and those that are no entries their bytes.
func (l *Log) writeMigrated(w io.Writer, kept string, t *taker) error {
	chain := newChainer("")
	header, err := l.migratedHeader(kept)
	if err != nil {
		return err
	}
	first := header.Line()
	if _, err := w.Write(chain.appendLine(nil, first, parseLine(first, true))); err != nil {
		return err
	}
	var line, out []byte
	for raw, err := range l.Lines(0) {
		if err != nil {
			return err
		}
		if raw.Header {
			continue
		}
		line = append(line[:0], raw.Bytes...)
		if object, ok := l.migrated[raw.Record]; ok {
			start, end := objectBounds(raw.Bytes)
			line = append(line[:start], object...)
			line = append(line, raw.Bytes[end:]...)
		}
		taken, p, err := t.take(Line{Bytes: line}, parseLine(line, true))
		if err != nil {
			return err
		}
		out = chain.appendLine(out[:0], taken, p)
		if _, err := w.Write(out); err != nil {
			return err
		}
	}
	return nil
}

// migratedHeader is the header of the file in version 4. What tlog does not know stays readable
// in source; so does pi's parentSession, which is the path of a file and no session id.
func (l *Log) migratedHeader(kept string) (objects.Header, error) {
	old := l.header
	var source bytes.Buffer
	source.WriteString(`{"version":` + strconv.Itoa(old.Version))
	if old.Raw != nil {
		source.WriteString(`,"header":`)
		source.Write(old.Raw)
	} else if len(l.records) > 0 {
		first, err := l.Line(0)
		if err != nil {
			return old, err
		}
		sum := blake3.Sum256(first)
		source.WriteString(`,"first":"` + hex.EncodeToString(sum[:]) + `"`)
	}
	source.WriteString(`,"original":`)
	source.Write(objects.AppendQuote(nil, kept))
	source.WriteByte('}')
	return objects.Header{
		ID: old.ID, Timestamp: old.Timestamp, Cwd: old.Cwd, Name: old.Name, Agent: old.Agent,
		Source: source.Bytes(),
	}, nil
}

// keepOriginal gives the file that was read a second name, which stays when the
// first one goes to the new file.
func (l *Log) keepOriginal(durable bool) (kept string, err error) {
	base := strings.TrimSuffix(l.real, ".jsonl") + ".v" + strconv.Itoa(l.header.Version)
	for n := 0; ; n++ {
		kept = base + ".orig"
		if n > 0 {
			kept = base + "." + strconv.Itoa(n) + ".orig"
		}
		err := l.keepAs(kept, durable)
		if err == nil {
			return kept, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return "", err
		}
		same, err := l.sameContent(kept)
		if err != nil {
			return "", err
		}
		if same {
			return kept, nil
		}
	}
}

func (l *Log) keepAs(kept string, durable bool) error {
	err := l.fs.Link(l.real, kept)
	switch {
	case errors.Is(err, fs.ErrExist):
		return err
	case err == nil && durable:
		return l.fs.SyncFolder(filepath.Dir(kept)) // before the rename takes the log's name from it
	case err == nil:
		return nil
	}
	if _, err := l.fs.Lstat(kept); err == nil {
		return fs.ErrExist
	}
	return disk.WriteFile(l.fs, kept, disk.WriteOptions{NoSync: !durable}, func(w io.Writer) error {
		_, err := io.Copy(w, io.NewSectionReader(l.file, 0, l.size))
		return err
	})
}

// sameContent reports whether the file called name holds the bytes of the log.
func (l *Log) sameContent(name string) (same bool, err error) {
	f, err := l.fs.Open(name)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil || info.Size() != l.size {
		return false, err
	}
	a, b := blake3.New(), blake3.New()
	if _, err := io.Copy(a, f); err != nil {
		return false, err
	}
	if _, err := io.Copy(b, io.NewSectionReader(l.file, 0, l.size)); err != nil {
		return false, err
	}
	return bytes.Equal(a.Sum(nil), b.Sum(nil)), nil
}

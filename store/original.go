package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"tlog/blobs/disk"
	"tlog/checkout"
	"tlog/log"
	"tlog/objects"
)

// originalPath is the file beside a session's log that keeps its whole source.
func originalPath(file string, id objects.ID) string {
	return filepath.Join(filepath.Dir(file), string(id)+originalSuffix)
}

// Original opens what gives back an imported session's source byte for byte: the
// copy beside the log if one was needed, else what the log's lines give. The error wraps
// objects.ErrNotFound if the session is no import.
func (s *Store) Original(info Info, session *checkout.Session) (*OriginalReader, error) {
	header := session.Log.Header()
	if header.Source == nil {
		return nil, fmt.Errorf("original of session %s: %w: the session is no import", header.ID, objects.ErrNotFound)
	}
	file := info.File
	if file == "" {
		file = session.Log.Path()
	}
	path := originalPath(file, header.ID)
	kept, err := os.Open(path)
	switch {
	case err == nil:
		return &OriginalReader{from: kept, close: kept.Close}, nil
	case !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("original of session %s: %w", header.ID, err)
	case sourceText(header, "original") != "":
		return nil, fmt.Errorf("original of session %s: %w: expected it at %s", header.ID, objects.ErrNotFound, path)
	}
	r := readFrom(session.WriteOriginal)
	return r, nil
}

// OriginalReader reads a source. Nothing else may use the session before Close.
type OriginalReader struct {
	from  io.Reader
	close func() error
}

// Read implements io.Reader.
func (r *OriginalReader) Read(p []byte) (int, error) { return r.from.Read(p) }

// Close frees the file.
func (r *OriginalReader) Close() error { return r.close() }

// readFrom turns a function that writes into a reader.
func readFrom(write func(io.Writer) error) *OriginalReader {
	from, to := io.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		to.CloseWithError(write(to))
	}()
	return &OriginalReader{from: from, close: func() error {
		err := from.Close()
		<-done // the session is free again
		return err
	}}
}

// incoming is a file that is being imported.
type incoming struct {
	path string
	size int64 // that the import has seen, in bytes
	opt  checkout.Options
	// packed: the file is a packed one, and size is that of what stands in it.
	packed bool
	// modified is when the file was changed last.
	modified time.Time
}

// sourceReader reads the bytes of the source that the import has seen; what the
// agent has written since is left for the next one.
func (in *incoming) sourceReader() (io.Reader, func() error, error) {
	f, err := os.Open(in.path)
	if err != nil {
		return nil, nil, fmt.Errorf("import: %w", err)
	}
	if in.packed {
		return f, f.Close, nil
	}
	return io.LimitReader(f, in.size), f.Close, nil
}

// olderThan reports whether the source is an older copy of the one that is kept at path. It has nothing
// new then, and names would go back to where they stood.
func (in *incoming) olderThan(path string) (bool, error) {
	kept, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("import: %w", err)
	}
	relation, err := in.compareSource(kept)
	return relation == older, errors.Join(err, kept.Close())
}

// needsOriginal reports whether the source has to be kept beside a session that has taken in its lines. An
// older copy of the source, of which the log has more, is not kept.
func (in *incoming) needsOriginal(session *checkout.Session, original string, more bool) (bool, error) {
	if kept, err := os.Open(original); err == nil {
		relation, err := in.compareSource(kept)
		return relation != same, errors.Join(err, kept.Close())
	}
	r := readFrom(session.WriteOriginal)
	relation, err := in.compareSource(r)
	return relation != same && !(relation == older && more), errors.Join(err, r.Close())
}

// keepIfNeeded keeps the source as original if it has to be kept, see needsOriginal. It gives the file that is kept, if any is.
func (in *incoming) keepIfNeeded(session *checkout.Session, original string, more bool) (kept string, err error) {
	needed, err := in.needsOriginal(session, original, more)
	if err == nil && needed {
		err = in.keepOriginal(original)
	}
	if _, statErr := os.Stat(original); statErr == nil {
		kept = original
	}
	return kept, err
}

// relation says how the source is related to other bytes.
type relation uint8

const (
	different relation = iota
	same
	older // the other bytes begin with those of the source
	newer // the source begins with the other bytes
)

// compareSource compares the source with other bytes.
func (in *incoming) compareSource(other io.Reader) (relation, error) {
	source, closeSource, err := in.sourceReader()
	if err != nil {
		return different, err
	}
	r, err := compare(source, other)
	return r, errors.Join(err, closeSource())
}

// compareSize is how much is compared at once, in bytes.
const compareSize = 64 << 10

// compare reads source and other to the first difference or the end.
func compare(source, other io.Reader) (relation, error) {
	a, b := make([]byte, compareSize), make([]byte, compareSize)
	for {
		n, err := io.ReadFull(source, a)
		if err != nil && !atEnd(err) {
			return different, err
		}
		m, err := io.ReadFull(other, b)
		if err != nil && !atEnd(err) {
			return different, err
		}
		short := min(n, m)
		switch {
		case !bytes.Equal(a[:short], b[:short]):
			return different, nil
		case n < m:
			return older, nil
		case n > m:
			return newer, nil
		case n < len(a):
			return same, nil
		}
	}
}

func atEnd(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) }

// keepOriginal copies the source to path. What is there already and is not a
// part of the source is kept under another name, `path.1` and so on.
func (in *incoming) keepOriginal(path string) error {
	if kept, err := os.Open(path); err == nil {
		relation, err := in.compareSource(kept)
		if err = errors.Join(err, kept.Close()); err != nil {
			return fmt.Errorf("keep original: %w", err)
		}
		switch relation {
		case same:
			return nil
		case older, different:
			if err := setAside(in.fs(), path); err != nil {
				return fmt.Errorf("keep original: %w", err)
			}
		}
	}
	source, closeSource, err := in.sourceReader()
	if err != nil {
		return err
	}
	opt := disk.WriteOptions{Replace: true, NoSync: in.opt.Write.Durability == log.DurabilityOS}
	err = disk.WriteFile(in.fs(), path, opt, func(w io.Writer) error {
		_, err := io.Copy(w, source)
		return err
	})
	if err = errors.Join(err, closeSource()); err != nil {
		return fmt.Errorf("keep original: %w", err)
	}
	return nil
}

// fs is where the store lies that the file comes to.
func (in *incoming) fs() disk.FS { return disk.Or(in.opt.Write.FS) }

// setAside gives a file the first free name behind its own, unless one that was set aside before has all of it. One that it has all of
// makes way for it, so that sources which take turns leave no more behind than one file each.
func setAside(fsys disk.FS, path string) error {
	for n := 1; ; n++ {
		aside := path + "." + strconv.Itoa(n)
		relation, err := compareFiles(path, aside)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return err
		case relation == same || relation == older:
			return nil
		case relation == different:
			continue
		default:
			if err := fsys.Remove(aside); err != nil {
				return err
			}
		}
		err = fsys.Link(path, aside)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err == nil {
			return fsys.SyncFolder(filepath.Dir(path)) // before the rename that follows takes the old name away
		}
		if _, statErr := os.Lstat(aside); errors.Is(statErr, fs.ErrNotExist) {
			return fsys.Rename(path, aside) // a file system without hard links
		}
	}
}

// compareFiles compares the file at path with another.
func compareFiles(path, other string) (relation, error) {
	b, err := os.Open(other)
	if err != nil {
		return different, err
	}
	a, err := os.Open(path)
	if err != nil {
		return different, errors.Join(err, b.Close())
	}
	r, err := compare(a, b)
	return r, errors.Join(err, a.Close(), b.Close())
}

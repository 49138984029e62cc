package log

import (
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"tlog/blobs/disk"
	"tlog/objects"
)

// Create makes a new log file with the header (version 4; chain is added), durable together with
// its folder entry; folders above it are made 0700, the file is 0600. The error wraps fs.ErrExist if path exists.
func Create(path string, header objects.Header, opt WriteOptions) (*Log, error) {
	if err := WriteFile(path, header, nil, opt); err != nil {
		return nil, err
	}
	return Open(path, WithFS(opt.FS))
}

// WriteFile writes a whole log file: header and lines as Update would, durable, through a temporary
// file; fs.ErrExist if path is there. It is how a fork is made in one step. A file that is to be read
// without a store beside it needs a negative [BlobOptions] threshold.
func WriteFile(path string, header objects.Header, lines []Line, opt WriteOptions) error {
	if v := header.Version; v != 0 && v != objects.Version {
		return fmt.Errorf("create %s: %w %d: expected %d", path, objects.ErrVersion, v, objects.Version)
	}
	if !header.ID.Valid() {
		return fmt.Errorf("create %s: %w session id %q", path, objects.ErrInvalid, header.ID)
	}
	fresh := Log{header: header, lines: 1}
	parsed, err := fresh.checkLines(lines)
	if err != nil {
		return fmt.Errorf("create %s: %w", path, err)
	}
	return createFile(path, opt, func(w io.Writer) error {
		return writeLines(w, header, lines, parsed, newTaker(blobsBeside(opt.FS, path), opt))
	})
}

// Copy writes a new log file with the bytes that have been read of this one; a last line that is
// not complete is left out. It is durable, and fs.ErrExist, as with WriteFile. Blobs come along.
func (l *Log) Copy(path string, opt WriteOptions) error {
	size := l.size
	if l.tail.open && l.tail.damaged {
		size = l.end
	}
	return createFile(path, opt, func(w io.Writer) error {
		if err := l.bringBlobs(newTaker(blobsBeside(opt.FS, path), opt)); err != nil {
			return err
		}
		_, err := io.Copy(w, io.NewSectionReader(l.file, 0, size))
		return err
	})
}

// createFile makes a new file of what write writes: a reader sees all of it or none.
func createFile(path string, opt WriteOptions, write func(io.Writer) error) error {
	fsys, noSync := disk.Or(opt.FS), opt.Durability == DurabilityOS
	fail := func(err error) error { return fmt.Errorf("create %s: %w", path, err) }
	if _, err := fsys.Lstat(path); err == nil {
		return fail(fs.ErrExist)
	}
	if _, err := disk.MakeFolders(fsys, filepath.Dir(path), noSync); err != nil {
		return fail(err)
	}
	if err := disk.WriteFile(fsys, path, disk.WriteOptions{NoSync: noSync}, write); err != nil {
		return fail(err)
	}
	return nil
}

// writeLines writes the header and the lines with their chains, each behind the blobs that it names.
func writeLines(w io.Writer, header objects.Header, lines []Line, parsed []parsedLine, t *taker) error {
	chain := newChainer("")
	first := header.Line()
	if _, err := w.Write(chain.appendLine(nil, first, parseLine(first, true))); err != nil {
		return err
	}
	var buf []byte
	for i, line := range lines {
		taken, p, err := t.take(line, parsed[i])
		if err != nil {
			return err
		}
		buf = chain.appendLine(buf[:0], taken, p)
		if _, err := w.Write(buf); err != nil {
			return err
		}
	}
	return nil
}

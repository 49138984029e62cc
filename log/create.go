package log

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"tlog/objects"
)

// Create makes a new log file with the header (version 4; chain is added), durable together with
// its folder entry; folders above it are made 0700, the file is 0600. The error wraps fs.ErrExist if path exists.
func Create(path string, header objects.Header, opt WriteOptions) (*Log, error) {
	if err := WriteFile(path, header, nil, opt); err != nil {
		return nil, err
	}
	return Open(path)
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
		return writeLines(w, header, lines, parsed, newTaker(blobsBeside(path), opt))
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
		if err := l.bringBlobs(newTaker(blobsBeside(path), opt)); err != nil {
			return err
		}
		_, err := io.Copy(w, io.NewSectionReader(l.file, 0, size))
		return err
	})
}

// createFile makes a new file of what write writes: a reader sees all of it or none.
func createFile(path string, opt WriteOptions, write func(io.Writer) error) error {
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("create %s: %w", path, fs.ErrExist)
	}
	durable := opt.Durability == DurabilityDisk
	if err := makeFolders(filepath.Dir(path), durable); err != nil {
		return fmt.Errorf("create %s: %w", path, err)
	}
	temp, err := writeTemp(path, durable, write)
	if err != nil {
		return fmt.Errorf("create %s: %w", path, err)
	}
	if err := place(temp, path); err != nil {
		return fmt.Errorf("create %s: %w", path, errors.Join(err, removeIfThere(temp)))
	}
	if durable {
		return syncFolder(filepath.Dir(path))
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

// writeTemp writes a new file in the folder of path, under a name that no listing of logs takes
// for one.
func writeTemp(path string, durable bool, write func(io.Writer) error) (name string, err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.tmp")
	if err != nil {
		return "", err
	}
	name = f.Name()
	w := bufio.NewWriterSize(f, readSize)
	err = write(w)
	if err == nil {
		err = w.Flush()
	}
	if err == nil && durable {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(err, os.Remove(name))
	}
	return name, nil
}

// place gives the file temp the name path unless a file has it. In between there is
// no moment in which a reader could see a part of it.
func place(temp, path string) error {
	err := os.Link(temp, path)
	switch {
	case err == nil:
		_ = os.Remove(temp) // the file has its name; another one beside it does no harm
		return nil
	case errors.Is(err, fs.ErrExist):
		return err
	}
	// A file system without hard links: take the name first, so that nobody else's file is replaced.
	claim, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(claim.Close(), os.Rename(temp, path))
}

func removeIfThere(name string) error {
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// makeFolders makes a folder and those above it. If durable, their entries in the folders above
// are on disk afterwards.
func makeFolders(dir string, durable bool) error {
	var made []string
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(at); !errors.Is(err, fs.ErrNotExist) || at == filepath.Dir(at) {
			break
		}
		made = append(made, at)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil || !durable {
		return err
	}
	for i := len(made) - 1; i >= 0; i-- {
		if err := syncFolder(filepath.Dir(made[i])); err != nil {
			return err
		}
	}
	return nil
}

// syncFolder brings the entries of a folder to disk. Some file systems cannot be asked to.
func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = f.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		err = nil
	}
	return errors.Join(err, f.Close())
}

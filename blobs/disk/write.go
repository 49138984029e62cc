package disk

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

const (
	folderMode = 0o700
	fileMode   = 0o600
	writeSize  = 256 << 10 // bytes that are gathered for one write
)

// WriteOptions are how to write a whole file.
type WriteOptions struct {
	Replace bool // a file that is there makes way, in one step; else the error wraps fs.ErrExist
	NoSync  bool // hand to the operating system only
	// Ready is called before the file, written and synced under the name temp, gets its own; nil for nothing. Its error stops that.
	Ready func(temp string) error
}

// WriteFile writes a file (0600) that nobody sees before it is whole: a temporary one beside it, fsync, its name, fsync of the
// folder. Nothing is at path after an error that was not there before, but for one of the last step: the file is there then, and maybe not on disk.
func WriteFile(fsys FS, path string, opt WriteOptions, write func(io.Writer) error) error {
	temp, err := writeTemp(fsys, path, opt.NoSync, write)
	if err != nil {
		return err
	}
	if opt.Ready != nil {
		err = opt.Ready(temp)
	}
	switch {
	case err != nil:
	case opt.Replace:
		err = fsys.Rename(temp, path)
	default:
		err = place(fsys, temp, path)
	}
	if err != nil {
		return errors.Join(err, removeIfThere(fsys, temp))
	}
	if opt.NoSync {
		return nil
	}
	return fsys.SyncFolder(filepath.Dir(path))
}

// writeTemp writes a new file in the folder of path, and gives its name.
func writeTemp(fsys FS, path string, noSync bool, write func(io.Writer) error) (name string, err error) {
	f, err := fsys.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.tmp")
	if err != nil {
		return "", err
	}
	name = f.Name()
	w := bufio.NewWriterSize(f, writeSize)
	if err = write(w); err == nil {
		err = w.Flush()
	}
	if err == nil && !noSync {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(err, removeIfThere(fsys, name))
	}
	return name, nil
}

// place gives a file its name, unless there is one of that name.
func place(fsys FS, temp, path string) error {
	err := fsys.Link(temp, path)
	switch {
	case err == nil:
		_ = fsys.Remove(temp) // the file has its name; another one beside it does no harm
		return nil
	case errors.Is(err, fs.ErrExist):
		return err
	}
	// A file system without hard links: take the name first, so that nobody else's file is replaced.
	claim, err := fsys.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return err
	}
	return errors.Join(claim.Close(), fsys.Rename(temp, path))
}

// removeIfThere removes a temporary file that may have got its name already.
func removeIfThere(fsys FS, name string) error {
	if err := fsys.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// MakeFolders makes a folder and those above it (0700), and unless noSync says otherwise brings their names to disk. It tells which were missing, the lowest
// first. A name that another process has made in this moment is synced too.
func MakeFolders(fsys FS, dir string, noSync bool) (made []string, err error) {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := fsys.Stat(at); !errors.Is(err, fs.ErrNotExist) || at == filepath.Dir(at) {
			break
		}
		made = append(made, at)
	}
	for i := len(made) - 1; i >= 0; i-- {
		if err := fsys.Mkdir(made[i], folderMode); err != nil && !errors.Is(err, fs.ErrExist) {
			return made, err
		}
		if noSync {
			continue
		}
		if err := fsys.SyncFolder(filepath.Dir(made[i])); err != nil {
			return made, err
		}
	}
	if len(made) == 0 {
		return nil, nil
	}
	if info, err := fsys.Stat(dir); err != nil || !info.IsDir() {
		return made, errors.Join(err, &fs.PathError{Op: "mkdir", Path: dir, Err: errNotFolder})
	}
	return made, nil
}

var errNotFolder = errors.New("not a folder")

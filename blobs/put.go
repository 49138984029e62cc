package blobs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"tlog/blobs/disk"
)

// Options are how to write. The zero value is durable.
type Options struct {
	NoSync bool // hand to the operating system only
}

// Put stores content and returns its hash. When it returns, the blob is on disk together with its folder entry (temporary file, fsync, rename, fsync of the
// folder), unless opt says otherwise. Content that is there already is not written again, but is made young again, so
// that no collection takes it before the caller has named it; a file of its name that is damaged is replaced.
func (s *Store) Put(content []byte, opt Options) (Hash, error) {
	h := Sum(content)
	if err := s.put(h, content, opt); err != nil {
		return Hash{}, fmt.Errorf("put blob %s: %w", h, err)
	}
	return h, nil
}

func (s *Store) put(h Hash, content []byte, opt Options) error {
	f, err := s.makeFolder(h, opt)
	if err != nil {
		return err
	}
	defer f.close()
	file, onDisk, err := s.keep(f, h, content, opt)
	if err != nil {
		return err
	}
	if file == nil {
		if file, err = s.write(f, h, content, opt); err != nil {
			return err
		}
	}
	if onDisk || opt.NoSync {
		return nil
	}
	if err := f.sync(); err != nil {
		return err
	}
	s.setDurable(h, file)
	return nil
}

// keep takes a file that is there and right for the blob, whoever wrote it. It is nil if there is no such file.
// onDisk says that this Store has brought this very file to disk before.
//
// Its writer may be another process that has not come to its fsync yet, or one that was told not to. So the
// file is synced here, before it is touched: one that is clean costs almost nothing then.
func (s *Store) keep(at *folder, h Hash, content []byte, opt Options) (file os.FileInfo, onDisk bool, err error) {
	path := s.Path(h)
	if !s.isRegular(path) {
		return nil, false, nil
	}
	f, err := s.fs.Open(path)
	if err != nil {
		return nil, false, nil // it is replaced, or the error comes back when that fails
	}
	defer f.Close()
	if same, err := holds(f, content); err != nil || !same {
		return nil, false, nil // unreadable is as good as damaged: the content is in hand
	}
	seen, err := f.Stat()
	if err != nil {
		return nil, false, err
	}
	onDisk = s.isDurable(h, seen)
	if !onDisk && !opt.NoSync {
		if err := f.Sync(); err != nil {
			return nil, false, nil // what cannot be synced is written anew
		}
	}
	touched, err := s.touchIfSame(at, path, seen)
	if err != nil || !touched {
		return nil, false, err
	}
	if file, err = f.Stat(); err != nil {
		return nil, false, err
	}
	if onDisk {
		s.setDurable(h, file)
	}
	return file, onDisk, nil
}

// touchIfSame makes the file young unless it has been removed or replaced since seen. A file that cannot be touched
// (it is another user's) counts as replaced: a new one in its place is young as well.
func (s *Store) touchIfSame(at *folder, path string, seen os.FileInfo) (bool, error) {
	unlock, err := at.lock(shared)
	if err != nil {
		return false, err
	}
	defer unlock()
	now, err := s.fs.Lstat(path)
	if err != nil || !os.SameFile(now, seen) {
		return false, nil
	}
	return touch(path) == nil, nil
}

// write makes the blob's file through a temporary one. It leaves no temporary file, whatever fails.
func (s *Store) write(at *folder, h Hash, content []byte, opt Options) (file os.FileInfo, err error) {
	temp, err := s.fs.CreateTemp(at.path, tempPrefix+"*") // 0600
	if err != nil {
		return nil, err
	}
	placed := false
	defer func() {
		if !placed {
			if rest := s.fs.Remove(temp.Name()); rest != nil && !errors.Is(rest, fs.ErrNotExist) {
				err = errors.Join(err, rest)
			}
		}
	}()
	_, err = temp.Write(content)
	if err == nil && !opt.NoSync {
		err = temp.Sync()
	}
	if err == nil {
		file, err = temp.Stat()
	}
	if err = errors.Join(err, temp.Close()); err != nil {
		return nil, err
	}
	other, err := s.place(at, temp.Name(), h, content, opt)
	if err != nil {
		return nil, err
	}
	if other != nil {
		return other, nil
	}
	placed = true
	return file, nil
}

// place gives the file temp the blob's name, unless another writer has come first: then that one's file, which is
// returned, stays. It may be durable already, and must not make way for one that is not.
func (s *Store) place(at *folder, temp string, h Hash, content []byte, opt Options) (other os.FileInfo, err error) {
	unlock, err := at.lock(exclusive)
	if err != nil {
		return nil, err
	}
	defer unlock()
	path := s.Path(h)
	if s.isRegular(path) {
		if other = s.takeOver(path, content, opt); other != nil {
			return other, nil
		}
	}
	return nil, s.fs.Rename(temp, path)
}

// takeOver is keep for who holds the folder's lock. It is nil unless the file is right, young and, if asked for, synced.
func (s *Store) takeOver(path string, content []byte, opt Options) os.FileInfo {
	f, err := s.fs.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	if same, err := holds(f, content); err != nil || !same {
		return nil
	}
	if !opt.NoSync && f.Sync() != nil {
		return nil
	}
	if touch(path) != nil {
		return nil
	}
	file, err := f.Stat()
	if err != nil {
		return nil
	}
	return file
}

// holds reports whether the file has these bytes and no others. No hash is needed: the content is in hand.
func holds(f disk.File, content []byte) (bool, error) {
	info, err := f.Stat()
	if err != nil || info.Size() != int64(len(content)) {
		return false, err
	}
	buf := make([]byte, min(len(content)+1, 64<<10)) // one more, to see that the file ends
	for {
		n, err := f.Read(buf)
		if n > len(content) || !bytes.Equal(buf[:n], content[:n]) {
			return false, nil
		}
		content = content[n:]
		if errors.Is(err, io.EOF) {
			return len(content) == 0, nil
		}
		if err != nil {
			return false, err
		}
	}
}

// Touch makes a blob young, as Put does, for who names it again without having its content (a copied line). The error wraps
// ErrMissing; the content is not checked.
func (s *Store) Touch(h Hash) error {
	at, err := s.openFolder(h)
	if err != nil {
		return fmt.Errorf("touch: %w", err)
	}
	defer at.close()
	unlock, err := at.lock(shared)
	if err != nil {
		return fmt.Errorf("touch blob %s: %w", h, err)
	}
	defer unlock()
	if _, err := s.Stat(h); err != nil {
		return fmt.Errorf("touch: %w", err)
	}
	if err := touch(s.Path(h)); err != nil {
		return fmt.Errorf("touch blob %s: %w", h, err)
	}
	return nil
}

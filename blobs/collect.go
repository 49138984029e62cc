package blobs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Garbage is what a collection found.
type Garbage struct {
	Blobs     []Info   // not named by anybody and older than the limit, by hash
	Young     int      // not named, but too young to be touched
	Kept      int      // named
	Leftovers []string // temporary files of writers that died, older than the limit; paths below Store.Dir

	LeftoverSize int64 // bytes in Leftovers

	before time.Time
}

// Collect finds what nothing names. named must hold every hash that any line of any log of the project names. before is the
// youngest time of modification that may be collected; it must lie well before the first Put whose
// line may not be in named yet.
//
// What cannot be read is passed over and told of in the error; the garbage that was found is good nevertheless.
func (s *Store) Collect(ctx context.Context, named map[Hash]bool, before time.Time) (Garbage, error) {
	g := Garbage{before: before}
	var failed failures
	for file, err := range s.files() {
		if ctx.Err() != nil {
			return g, fmt.Errorf("collect blobs: %w", context.Cause(ctx))
		}
		young := file.Modified.After(before)
		switch {
		case err != nil:
			if failed.add(err) {
				return g, failed.error("collect blobs")
			}
		case file.temp && !young:
			g.Leftovers = append(g.Leftovers, file.path)
			g.LeftoverSize += file.Size
		case file.temp:
		case named[file.Hash]:
			g.Kept++
		case young:
			g.Young++
		default:
			g.Blobs = append(g.Blobs, file.Info)
		}
	}
	return g, failed.error("collect blobs")
}

// Remove deletes what Collect found and is still as old as it was then. freed is in bytes. A file that
// cannot be deleted does not keep the others. The blobs of g may be fewer than Collect found; leftovers are deleted only if
// g came from Collect.
func (s *Store) Remove(ctx context.Context, g Garbage) (freed int64, err error) {
	var failed failures
	for _, blob := range g.Blobs {
		if ctx.Err() != nil {
			return freed, fmt.Errorf("remove blobs: %w", context.Cause(ctx))
		}
		size, err := s.removeIf(s.Path(blob.Hash), func(now os.FileInfo) bool {
			return now.Size() == blob.Size && now.ModTime().Equal(blob.Modified)
		})
		if freed += size; err != nil && failed.add(err) {
			return freed, failed.error("remove blobs")
		}
	}
	for _, path := range g.Leftovers {
		if ctx.Err() != nil {
			return freed, fmt.Errorf("remove blobs: %w", context.Cause(ctx))
		}
		if !s.isTemp(path) {
			return freed, fmt.Errorf("remove blobs: %s is no temporary file of %s", path, s.dir)
		}
		size, err := s.removeIf(path, func(now os.FileInfo) bool { return !now.ModTime().After(g.before) })
		if freed += size; err != nil && failed.add(err) {
			return freed, failed.error("remove blobs")
		}
	}
	return freed, failed.error("remove blobs")
}

// removeIf deletes a file if it still is what was found. The lock keeps a Put that has just found the same file, and relies
// on having made it young, from coming in between the two steps.
func (s *Store) removeIf(path string, unchanged func(os.FileInfo) bool) (freed int64, err error) {
	at, err := s.openFolderAt(filepath.Dir(path))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer at.close()
	unlock, err := at.lock(exclusive)
	if err != nil {
		return 0, err
	}
	defer unlock()
	now, err := s.fs.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil // somebody else's collection was here
	}
	if err != nil {
		return 0, err
	}
	if !now.Mode().IsRegular() || !unchanged(now) {
		return 0, nil
	}
	// No fsync: a file that a power cut brings back is garbage still.
	if err := s.fs.Remove(path); err != nil {
		return 0, err
	}
	return now.Size(), nil
}

// isTemp reports whether path is one that a writer of this store may have left.
func (s *Store) isTemp(path string) bool {
	folder, name := filepath.Split(path)
	folder = filepath.Clean(folder)
	return strings.HasPrefix(name, tempPrefix) && isFolderName(filepath.Base(folder)) &&
		filepath.Dir(folder) == filepath.Clean(s.dir)
}

// failures are the first few errors of a walk; more would say the same.
type failures []error

const maxFailures = 10

// add takes an error in and reports whether it is time to give up.
func (f *failures) add(err error) (enough bool) {
	*f = append(*f, err)
	return len(*f) >= maxFailures
}

func (f failures) error(doing string) error {
	if err := errors.Join(f...); err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	return nil
}

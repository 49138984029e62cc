package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"tlog/blobs"
	"tlog/blobs/disk"
)

// blobsFolder holds the blobs of a project's logs, beside them.
const blobsFolder = "blobs"

// Garbage is what no file of a project names.
type Garbage struct {
	Project string // the folder's name
	blobs.Garbage
	Temporary []string // files beside the logs that writers who died left, older than the limit

	temporarySize int64     // bytes in Temporary
	stale         time.Time // what is younger is no garbage of Temporary
	store         *blobs.Store
	fs            disk.FS
}

// Garbage finds the blobs of a project, by its folder's name, that no file in its folder names and that are not younger than before.
//
// It goes by the bytes of all files there and not by what they mean: whatever 64 hex digits stand anywhere in a log, in a damaged
// or torn line, in a kept original or a backup, keep the blob of that name. So no change in how logs are read can make it miss a
// name. A blob is named by nothing for a moment while its line is being written; before has to lie well in front of
// such moments, then no lock is needed: what is put while Garbage works is young, and what is put again is made young.
//
// The error is one of reading. Nothing may be removed then.
//
// Temporary files are not younger than stale. A writer works on one without a pause, so that this may lie nearer.
func (s *Store) Garbage(ctx context.Context, project string, before, stale time.Time) (Garbage, error) {
	folder := filepath.Join(s.root, projectsFolder, project)
	g := Garbage{Project: project, stale: stale, fs: s.fs, store: blobs.OpenOn(s.fs, filepath.Join(folder, blobsFolder))}
	there := map[blobs.Hash]bool{}
	for blob, err := range g.store.All() {
		if err != nil {
			return Garbage{}, fmt.Errorf("garbage of %s: %w", project, err)
		}
		there[blob.Hash] = false
	}
	if err := s.markNamed(ctx, folder, there); err != nil {
		return Garbage{}, fmt.Errorf("garbage of %s: %w", project, err)
	}
	var err error
	if g.Garbage, err = g.store.Collect(ctx, there, before); err != nil {
		return g, err
	}
	g.Temporary, g.temporarySize, err = temporaries(folder, stale)
	return g, err
}

// temporaries are the files in a project's folder that writers who died did not come to rename, if not younger than stale.
func temporaries(folder string, stale time.Time) (paths []string, size int64, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, 0, fmt.Errorf("temporary files: %w", err)
	}
	for _, entry := range entries {
		path := filepath.Join(folder, entry.Name())
		if n, old := oldTemporary(path, stale); old {
			paths, size = append(paths, path), size+n
		}
	}
	return paths, size, nil
}

// temporaryName is that of a file that a log, an original or a pin is written to before it gets its name.
var temporaryName = regexp.MustCompile(`^\..+\.[0-9]+\.tmp$`)

func oldTemporary(path string, stale time.Time) (size int64, old bool) {
	if !temporaryName.MatchString(filepath.Base(path)) {
		return 0, false
	}
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.ModTime().After(stale) {
		return 0, false // one that is gone has got its name
	}
	return info.Size(), true
}

// Remove deletes what was found, as far as nobody has touched it since. freed is in bytes.
func (g *Garbage) Remove(ctx context.Context) (freed int64, err error) {
	freed, err = g.store.Remove(ctx, g.Garbage)
	for _, path := range g.Temporary {
		size, old := oldTemporary(path, g.stale)
		if !old || ctx.Err() != nil {
			continue
		}
		if failed := g.fs.Remove(path); failed != nil {
			err = errors.Join(err, fmt.Errorf("remove garbage: %w", failed))
			continue
		}
		freed += size
	}
	return freed, err
}

// Size is that of the blobs and of what writers left, in bytes.
func (g *Garbage) Size() int64 {
	size := g.LeftoverSize + g.temporarySize
	for _, blob := range g.Blobs {
		size += blob.Size
	}
	return size
}

// markNamed sets to true which of the blobs the files of a folder name.
func (s *Store) markNamed(ctx context.Context, folder string, there map[blobs.Hash]bool) error {
	if len(there) == 0 {
		return nil
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		path := filepath.Join(folder, entry.Name())
		info, err := os.Stat(path) // a log may be a link
		switch {
		case errors.Is(err, os.ErrNotExist):
			continue // a temporary file that has got its name, or a link that leads nowhere
		case err != nil:
			return err
		case !info.Mode().IsRegular():
			continue
		}
		if err := markNamedIn(path, there); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

// Sizes of the search for names, in bytes.
const (
	nameLen   = 64
	prefixLen = 8
	scanSize  = 256 << 10
)

func markNamedIn(path string, there map[blobs.Hash]bool) error {
	f, _, err := openRegular(path)
	if err != nil {
		return err
	}
	defer f.Close()
	first := make(map[[prefixLen]byte]struct{}, len(there)) // beginnings of the names: most digits in a row are none
	for h := range there {
		first[[prefixLen]byte([]byte(h.String()))] = struct{}{}
	}
	buf := make([]byte, scanSize)
	kept := 0 // bytes of the last block that a name may begin in
	for offset := int64(0); ; {
		n, err := f.ReadAt(buf[kept:], offset)
		offset += int64(n)
		block := buf[:kept+n]
		eachName(block, func(name []byte) {
			if _, ok := first[lowerPrefix(name)]; !ok {
				return
			}
			h, err := blobs.ParseHash(string(bytes.ToLower(name)))
			if _, ok := there[h]; err == nil && ok {
				there[h] = true
			}
		})
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		kept = copy(buf, block[max(0, len(block)-nameLen+1):])
	}
}

// lowerPrefix is the beginning of a name in lower case.
func lowerPrefix(name []byte) (prefix [prefixLen]byte) {
	for i := range prefix {
		prefix[i] = name[i] | 0x20 // digits have this bit anyway
	}
	return prefix
}

// eachName calls name for each 64 hex digits in a row, of longer rows for each place where they may begin.
func eachName(block []byte, name func([]byte)) {
	for start := 0; start+nameLen <= len(block); {
		// The last byte that is no digit is what the next name has to begin behind.
		at := start + nameLen - 1
		for at >= start && isHexDigit(block[at]) {
			at--
		}
		if at >= start {
			start = at + 1
			continue
		}
		for end := start + nameLen; ; end++ {
			name(block[end-nameLen : end])
			if end == len(block) || !isHexDigit(block[end]) {
				start = end
				break
			}
		}
	}
}

func isHexDigit(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
}

// ProjectNames are the names of the folders of all projects, those without sessions too.
func (s *Store) ProjectNames() ([]string, error) { return s.projects() }

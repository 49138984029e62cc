package log

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"

	"tlog/blobs"
	"tlog/blobs/disk"
	"tlog/objects"
)

// BlobOptions say which strings of an entry go into blobs when it is written (docs/format.md "Blobs").
type BlobOptions struct {
	// Threshold is the number of bytes between its quotes up to which a string stays in the line. 0 is
	// DefaultThreshold; of a negative one every string stays, images too.
	Threshold int
}

// DefaultThreshold is how long a string in a line may be, in bytes.
const DefaultThreshold = 4096

// BlobError is a string of an entry that cannot be filled in.
type BlobError struct {
	Line int        // of the entry
	ID   objects.ID // likewise
	At   string     // JSON Pointer to the string; empty if the table itself is damaged
	Hash string     // as it stands in the table
	Err  error
}

// Error names the entry, the place and the blob.
func (e *BlobError) Error() string {
	if e.At == "" {
		return fmt.Sprintf("line %d, entry %s: %v", e.Line, e.ID, e.Err)
	}
	return fmt.Sprintf("line %d, entry %s, %.200s: blob %.64s: %v", e.Line, e.ID, e.At, e.Hash, e.Err)
}

// Unwrap makes the error an objects.ErrCorrupt besides what it is (blobs.ErrMissing, blobs.ErrCorrupt).
func (e *BlobError) Unwrap() []error { return []error{objects.ErrCorrupt, e.Err} }

// Blobs is the store of the log's blobs: the folder blobs beside the file.
func (l *Log) Blobs() *blobs.Store {
	if l.store == nil {
		l.store = blobsBeside(l.fs, l.real)
	}
	return l.store
}

func blobsBeside(fsys disk.FS, path string) *blobs.Store {
	return blobs.OpenOn(fsys, filepath.Join(filepath.Dir(path), "blobs"))
}

// Whole reads the i-th entry as it came in: with the strings that lie in blobs, without what tlog adds to a line. Its Raw is
// the body; Ref and Chain are those of the line.
//
// If a blob is missing or damaged the error is a *BlobError, or several joined. The entry is good all the same
// then: the placeholders of what is missing stay in it, marked, so that a reader can go on.
func (l *Log) Whole(i int) (objects.Entry, error) {
	e, err := l.entry(i)
	if err != nil {
		return e, err
	}
	whole, holes := l.fill(e, l.records[i].Line, l.records[i].ID)
	whole, err = l.redacted(i, whole)
	return whole, errors.Join(err, holes)
}

// Body reads the bytes of the i-th entry as they came in, of a file of an older version as migrated. Errors are those of Whole.
func (l *Log) Body(i int) ([]byte, error) {
	e, err := l.Whole(i)
	return e.Raw, err
}

// Fill is Whole for an entry that was read from a line of this log.
func (l *Log) Fill(e objects.Entry, line int) (objects.Entry, error) { return l.fill(e, line, e.ID) }

func (l *Log) fill(e objects.Entry, line int, id objects.ID) (objects.Entry, error) {
	switch {
	case l.header.Version < objects.Version: // nothing in there is tlog's
		return e, nil
	case e.Blobs == nil:
		return e.Whole(), nil
	}
	whole, holes := e.Fill(l.content)
	failed := make([]error, len(holes))
	for n, h := range holes {
		failed[n] = &BlobError{Line: line, ID: id, At: h.At, Hash: h.Hash, Err: h.Err}
	}
	if len(failed) == 1 {
		return whole, failed[0]
	}
	return whole, errors.Join(failed...)
}

// content reads the blob that a row of a table names.
func (l *Log) content(b objects.Blob) ([]byte, error) {
	hash, err := blobs.ParseHash(b.Hash)
	if err != nil {
		return nil, err
	}
	return l.Blobs().Get(hash)
}

// taker puts the long strings of lines that are being written into blobs.
type taker struct {
	store     *blobs.Store
	threshold int
	opt       blobs.Options
	stored    map[blobs.Hash]struct{}
}

func newTaker(store *blobs.Store, opt WriteOptions) *taker {
	t := &taker{
		store: store, threshold: opt.Blobs.Threshold,
		opt: blobs.Options{NoSync: opt.Durability == DurabilityOS}, stored: map[blobs.Hash]struct{}{},
	}
	if t.threshold == 0 {
		t.threshold = DefaultThreshold
	}
	return t
}

// take gives a line as it is to be written but for its chain: without its long strings, which are in the store then.
func (t *taker) take(l Line, p parsedLine) ([]byte, parsedLine, error) {
	line := l.Bytes
	switch {
	case p.kind != lineObject:
		return line, p, nil
	case l.Copied:
		return line, p, t.bring(l.Source, p.entry)
	}
	taken, ok := p.entry.TakeOut(t.threshold, func(content []byte) string { return blobs.Sum(content).String() })
	if !ok {
		return line, p, nil
	}
	for i, content := range taken.Contents {
		if err := t.put(taken.Table[i].Hash, content); err != nil {
			return nil, p, err
		}
	}
	out := bytes.Join([][]byte{line[:p.start], taken.Object, line[p.end:]}, nil)
	p.end = p.start + len(taken.Object)
	return out, p, nil
}

func (t *taker) put(name string, content []byte) error {
	hash, err := blobs.ParseHash(name)
	if err != nil {
		return err
	}
	if _, ok := t.stored[hash]; ok {
		return nil
	}
	if _, err := t.store.Put(content, t.opt); err != nil {
		return err
	}
	t.stored[hash] = struct{}{}
	return nil
}

// bring makes sure that the blobs that a copied line names stay, or come, into the store. What its source has not got, or
// damaged, cannot be brought.
func (t *taker) bring(from *blobs.Store, e objects.Entry) error {
	if e.Blobs == nil {
		return nil
	}
	table, _ := e.BlobTable() // what can be read of it
	for _, b := range table {
		hash, err := blobs.ParseHash(b.Hash)
		if err != nil {
			continue
		}
		if from == nil || from.Dir() == t.store.Dir() {
			if err := t.store.Touch(hash); err != nil && !errors.Is(err, blobs.ErrMissing) {
				return err
			}
			continue
		}
		if _, ok := t.stored[hash]; ok {
			continue
		}
		content, err := from.Get(hash)
		if errors.Is(err, blobs.ErrMissing) || errors.Is(err, blobs.ErrCorrupt) {
			continue
		}
		if err == nil {
			err = t.put(b.Hash, content)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// bringBlobs brings the blobs of all lines.
func (l *Log) bringBlobs(t *taker) error {
	for i := range l.records {
		if !l.records[i].Blobs {
			continue
		}
		e, err := l.Entry(i)
		if err == nil {
			err = t.bring(l.Blobs(), e)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

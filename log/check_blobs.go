package log

import (
	"errors"
	"fmt"
	"io"

	"tlog/blobs"
	"tlog/objects"
)

// checkBlobs reports what of the log's entries cannot be filled in.
func (l *Log) checkBlobs() {
	known := map[blobs.Hash]blobState{}
	for i := range l.records {
		r := &l.records[i]
		if !r.Blobs {
			continue
		}
		e, err := l.Entry(i)
		if err != nil {
			continue // the line has changed since it was read; the next Check tells
		}
		add := func(code Code, h objects.Hole) {
			message := h.Err.Error()
			if h.At != "" {
				message = fmt.Sprintf("%.200s: blob %.64s: %v", h.At, h.Hash, h.Err)
			}
			l.check.add(Finding{Code: code, Line: r.Line, Offset: r.Offset, ID: string(e.ID), Message: message})
		}
		for _, h := range e.Places() {
			add(BlobCorrupt, h)
		}
		table, err := e.BlobTable()
		if err != nil {
			continue // told by Places
		}
		for _, b := range table {
			switch err := l.checkBlob(b, known); {
			case errors.Is(err, blobs.ErrMissing):
				add(BlobMissing, objects.Hole{Blob: b, Err: err})
			case err != nil:
				add(BlobCorrupt, objects.Hole{Blob: b, Err: err})
			}
		}
	}
}

// blobState is what is known of a blob that was read.
type blobState struct {
	size int64
	err  error
}

// checkBlob tells what is wrong with the blob of a row. It reads a blob only if it is not known.
func (l *Log) checkBlob(b objects.Blob, known map[blobs.Hash]blobState) error {
	hash, err := blobs.ParseHash(b.Hash)
	if err != nil {
		return err
	}
	state, ok := known[hash]
	if !ok {
		state = readBlob(l.Blobs(), hash)
		known[hash] = state
	}
	switch {
	case state.err != nil:
		return state.err
	case state.size != b.Size:
		return fmt.Errorf("expected a blob of %d bytes, got %d", b.Size, state.size)
	case b.Encoding != objects.BlobJSON:
		return nil // any bytes can be filled in
	}
	content, err := l.Blobs().Get(hash) // few have this encoding: once more is cheap
	if err != nil {
		return err
	}
	return b.Check(content)
}

// readBlob reads a blob to its end, which checks its hash.
func readBlob(store *blobs.Store, hash blobs.Hash) (s blobState) {
	r, err := store.Reader(hash)
	if err != nil {
		return blobState{err: err}
	}
	s.size, s.err = io.Copy(io.Discard, r)
	s.err = errors.Join(s.err, r.Close())
	return s
}

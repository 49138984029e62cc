package view

import (
	"io"
	"unicode/utf8"

	"tlog/blobs"
	"tlog/log"
	"tlog/objects"
)

// maxPreview is how much of a text that lies in a blob is shown without asking for all of it, in bytes.
const maxPreview = 400

// preview is the entry with the beginnings of its texts that lie in blobs.
func preview(l *log.Log, e objects.Entry) objects.Entry {
	return e.Preview(func(b objects.Blob) string {
		hash, err := blobs.ParseHash(b.Hash)
		if err != nil {
			return ""
		}
		r, err := l.Blobs().Reader(hash)
		if err != nil {
			return ""
		}
		defer r.Close()
		head := make([]byte, maxPreview)
		n, err := io.ReadFull(r, head)
		if err != nil { // damaged, or not longer: Whole tells
			return ""
		}
		head = head[:n]
		for cut := range utf8.UTFMax {
			if last, _ := utf8.DecodeLastRune(head[:n-cut]); last != utf8.RuneError {
				return string(head[:n-cut])
			}
		}
		return ""
	})
}

package claude

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"tlog/agents/transcript"
	"tlog/objects"
)

// history knows which lines of the history of all prompts are whose. It holds their places only, since the file may be large.
type history struct {
	mu       sync.Mutex
	path     string
	size     int64
	modified time.Time
	lines    map[objects.ID][]place
}

// place is where a line stands in a file, without its "\n".
type place struct {
	offset int64
	size   int
}

// linesOf gives the lines of a session in the history at path, verbatim, in their order. A history that is not there has none.
func (h *history) linesOf(path string, session objects.ID) ([][]byte, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	info, err := os.Stat(path)
	if err != nil && transcript.NotThere(err) || err == nil && !info.Mode().IsRegular() {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if info.Size() > transcript.MaxSideFile {
		return nil, fmt.Errorf("%w: expected at most %d bytes, got %d", objects.ErrInvalid, transcript.MaxSideFile, info.Size())
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if h.path != path || h.size != info.Size() || !h.modified.Equal(info.ModTime()) {
		h.path = "" // nothing is known if reading fails
		if err := h.read(io.NewSectionReader(f, 0, info.Size())); err != nil {
			return nil, err
		}
		h.path, h.size, h.modified = path, info.Size(), info.ModTime()
	}
	var lines [][]byte
	for _, place := range h.lines[session] {
		line := make([]byte, place.size)
		n, err := f.ReadAt(line, place.offset)
		if n < len(line) && !errors.Is(err, io.EOF) {
			return nil, err
		}
		// Somebody may have written the file anew within the tick of its time.
		if n == len(line) && ownerOf(line) == session {
			lines = append(lines, line)
		}
	}
	return lines, nil
}

// read finds out whose each line is.
func (h *history) read(f io.Reader) error {
	all, err := io.ReadAll(f)
	if err != nil {
		return err
	}
	h.lines = map[objects.ID][]place{}
	offset := 0
	for line := range bytes.Lines(all) {
		text := bytes.TrimSuffix(line, []byte{'\n'})
		if owner := ownerOf(text); owner != "" {
			h.lines[owner] = append(h.lines[owner], place{int64(offset), len(text)})
		}
		offset += len(line)
	}
	return nil
}

// ownerOf is the session in which the prompt of a line was typed, empty if it names none.
func ownerOf(line []byte) objects.ID {
	owner := ""
	err := objects.Scan(objects.TrimLine(line), func(m objects.Member) {
		if m.Is("sessionId") {
			owner, _ = objects.Unquote(m.Value)
		}
	})
	if err != nil {
		return ""
	}
	return objects.ID(owner)
}

// pastesIn are the hashes of the pastes that lines of the history name, each once.
func pastesIn(lines [][]byte) (hashes []string) {
	seen := map[string]bool{}
	paste := func(m objects.Member) {
		if !m.Is("contentHash") {
			return
		}
		// It becomes a part of a path, so it must not be one that leads elsewhere.
		if hash, _ := objects.Unquote(m.Value); isHex(hash) && len(hash) <= maxPasteHash && !seen[hash] {
			seen[hash] = true
			hashes = append(hashes, hash)
		}
	}
	for _, line := range lines {
		objects.Scan(objects.TrimLine(line), func(m objects.Member) {
			if m.Is("pastedContents") {
				objects.Scan(m.Value, func(m objects.Member) { objects.Scan(m.Value, paste) })
			}
		})
	}
	return hashes
}

package codex

import (
	"bytes"
	"os"
	"sync"
	"time"

	"tlog/agents/transcript"
	"tlog/objects"
)

// history remembers whose the lines of the history of prompts are, as long as its file stays as it was.
type history struct {
	mu       sync.Mutex
	path     string
	size     int64
	modified time.Time
	lines    map[string][]byte // those of a thread, each but the last with its "\n"
}

// linesOf gives the lines of a thread, verbatim, in their order. A history that is not there has none.
func (h *history) linesOf(path, thread string) ([]byte, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	info, err := os.Stat(path)
	if err != nil {
		if transcript.NotThere(err) {
			err = nil
		}
		return nil, err
	}
	if h.path != path || h.size != info.Size() || !h.modified.Equal(info.ModTime()) {
		all, err := readOwn(path)
		if err != nil {
			return nil, err
		}
		h.path, h.size, h.modified = path, info.Size(), info.ModTime()
		h.lines = map[string][]byte{}
		for line := range bytes.Lines(all) {
			line = bytes.TrimSuffix(line, []byte{'\n'})
			owner := objects.StringOf(objects.MemberOf(objects.TrimLine(line), "session_id"))
			if owner == "" {
				continue
			}
			if before := h.lines[owner]; len(before) > 0 {
				h.lines[owner] = append(before, '\n')
			}
			h.lines[owner] = append(h.lines[owner], line...)
		}
	}
	return h.lines[thread], nil
}

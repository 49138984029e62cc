package store

import (
	"bytes"

	"tlog/agents"
	"tlog/migrate"
	"tlog/objects"
)

const (
	// maxDetectHead is how much of a file is looked at to tell whose it is where its beginning holds nothing that tells, in bytes.
	maxDetectHead = 64 << 20
	// maxTelling is the number of objects that are looked at for that. A file that has so many of which no agent knows one is no agent's.
	maxTelling = 32
)

// detectFurther goes on with detect where head, the file's first bytes, is no agent's: a transcript may begin with any amount of damage, and a row
// may be longer than head.
func (s *Store) detectFurther(path string, head []byte) (agents.Foreign, []byte) {
	for size := int64(len(head)); size < maxDetectHead && !tells(head); {
		had := len(head)
		size = min(4*size, maxDetectHead)
		var err error
		if head, err = s.readHead(path, size); err != nil || len(head) <= had {
			return nil, nil
		}
		if agent, ok := s.foreign(head); ok {
			return agent, head
		}
	}
	return nil, nil
}

// tells reports whether the lines of head say what the file is, or say as much as they ever will: one begins a native session, or many are objects.
func tells(head []byte) bool {
	objectsSeen := 0
	for line := range bytes.Lines(head) {
		line, whole := bytes.CutSuffix(line, newline)
		object := objects.TrimLine(line)
		if !whole || len(object) == 0 || object[0] != '{' || objects.Scan(object, nil) != nil {
			continue
		}
		if _, err := migrate.Detect(object); err == nil {
			return true
		}
		if objectsSeen++; objectsSeen == maxTelling {
			return true
		}
	}
	return false
}

package copilot

import (
	"bytes"
	"encoding/hex"
	"path/filepath"
	"strings"

	"github.com/google/uuid"
	"github.com/zeebo/blake3"

	"tlog/agents/transcript"
	"tlog/objects"
)

// maxFirstLine is how much of the first line an id is derived from, in bytes.
const maxFirstLine = 4 << 10

// Identify implements agents.Foreign (docs/copilot.md "Sessions"). The error is always nil.
func (Agent) Identify(path string, head []byte) (transcript.Identity, error) {
	start, first := startOf(head)
	id := transcript.Identity{ID: objects.ID(start.text("sessionId")), Timestamp: start.text("startTime")}
	if id.Timestamp == "" {
		id.Timestamp = first
	}
	if cwd := objects.StringOf(objects.MemberOf(start.member("context"), "cwd")); filepath.IsAbs(cwd) {
		id.Cwd = cwd
	}
	if !id.ID.Valid() {
		id.ID = derivedSession(path, head, string(id.ID))
	}
	return id, nil
}

// startOf is the event that begins the session, the zero value if it is not there, and the time of the first event.
func startOf(head []byte) (start event, first string) {
	for line := range bytes.Lines(head) {
		for _, r := range transcript.Split(nil, bytes.TrimSuffix(line, []byte{'\n'}), isEvent) {
			if r.Object == nil {
				continue
			}
			e := readEvent(r.Object)
			if first == "" {
				first = e.timestamp
			}
			if e.typ == sessionStart {
				return e, first
			}
		}
	}
	return event{}, first
}

// derivedSession is the id of a session whose events tell of none that may be one: the name of its file or folder, else derived.
func derivedSession(path string, head []byte, session string) objects.ID {
	if session != "" {
		return derivedFrom(session)
	}
	name := strings.TrimSuffix(filepath.Base(path), eventsSuffix)
	if filepath.Base(path) == eventsFile {
		name = filepath.Base(filepath.Dir(path))
	}
	if id := objects.ID(name); id.Valid() && (filepath.Base(filepath.Dir(path)) == stateFolder || filepath.Base(filepath.Dir(filepath.Dir(path))) == stateFolder) {
		return id
	}
	first, _, _ := bytes.Cut(head, []byte{'\n'})
	sum := blake3.Sum256(first[:min(len(first), maxFirstLine)])
	return objects.DerivedID(objects.ID(hex.EncodeToString(sum[:])), 1)
}

func derivedFrom(name string) objects.ID {
	return objects.ID(uuid.NewSHA1(uuid.NameSpaceOID, []byte("tlog:"+Name+":"+name)).String())
}

package opencode

import (
	"encoding/hex"
	"path/filepath"
	"strings"

	"github.com/google/uuid"
	"github.com/zeebo/blake3"

	"tlog/agents/transcript"
	"tlog/objects"
)

// maxDerived is how many bytes the id of a session that has none is derived from.
const maxDerived = 4 << 10

// Identify implements agents.Foreign (docs/opencode.md "Sessions").
func (Agent) Identify(path string, head []byte) (transcript.Identity, error) {
	h := headOf(head)
	id := transcript.Identity{ID: objects.ID(h.id), Timestamp: h.created, Name: h.title}
	if !id.ID.Valid() {
		id.ID = derivedSession(h.id, head)
	}
	if isAbsolute(h.directory) {
		id.Cwd = h.directory
	}
	if parent := objects.ID(h.parent); parent.Valid() && parent != id.ID {
		id.Parent, id.Subagent = parent, string(id.ID)
	}
	return id, nil
}

func isAbsolute(path string) bool {
	return filepath.IsAbs(path) && !strings.ContainsRune(path, 0)
}

// derivedSession is the id of a session whose own is none that may be one.
func derivedSession(client string, head []byte) objects.ID {
	if client != "" {
		return derived(client)
	}
	sum := blake3.Sum256(head[:min(len(head), maxDerived)])
	return derived(hex.EncodeToString(sum[:]))
}

// derived is a UUIDv5 with the namespace of object identifiers.
func derived(name string) objects.ID {
	return objects.ID(uuid.NewSHA1(uuid.NameSpaceOID, []byte("tlog:"+Name+":"+name)).String())
}

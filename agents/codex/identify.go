package codex

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/zeebo/blake3"

	"tlog/agents/transcript"
	"tlog/objects"
)

const (
	maxHead      = 1 << 20 // bytes of a rollout that are looked at
	maxFirstLine = 4 << 10 // bytes of the first line that an id is derived from
	uuidLen      = 36
)

// Identify implements agents.Foreign (docs/codex.md "Sessions"). If head holds no whole session_meta, more of the file is read, 1 MiB in
// all. The name is that of the client's index. The error is one of reading.
func (Agent) Identify(path string, head []byte) (transcript.Identity, error) {
	known, err := metaOf(path, head)
	if err != nil {
		return transcript.Identity{}, fmt.Errorf("identify rollout: %w", err)
	}
	thread, segment := fileIDs(path)
	id := transcript.Identity{ID: sessionID(known.id, thread, segment), Cwd: known.cwd, Timestamp: known.timestamp}
	if id.ID == "" {
		id.ID = derivedSession(head)
	}
	if known.id != "" {
		thread = known.id
	}
	if id.Name, err = nameOf(path, thread); err != nil {
		return transcript.Identity{}, fmt.Errorf("identify rollout: %w", err)
	}
	known.lineage(&id, objects.ID(thread))
	return id, nil
}

// lineage fills in where a session comes from: the thread that a segment is of, the one that it was forked from, the one that began it.
func (m meta) lineage(id *transcript.Identity, thread objects.ID) {
	parent := objects.ID(m.forkedFrom)
	if m.subagent {
		id.Subagent = string(thread)
		if spawner := objects.ID(m.spawner); spawner.Valid() {
			parent = spawner
		}
	}
	if parent == "" && id.ID != thread {
		parent = thread
	}
	if parent.Valid() && parent != id.ID {
		id.Parent = parent
	}
}

// sessionID is the id of a rollout's session: its thread's, and behind it the segment's.
func sessionID(meta, thread, segment string) objects.ID {
	id := objects.ID(meta)
	if !id.Valid() {
		id = objects.ID(thread)
	}
	if id != "" && segment != "" {
		id += objects.ID("_" + segment)
	}
	if !id.Valid() {
		return ""
	}
	return id
}

// fileIDs are the ids in the name of a rollout: rollout-<time>-<thread>.jsonl, or ...-<thread>_<segment>.jsonl. They are empty where the
// name has none.
func fileIDs(path string) (thread, segment string) {
	name := strings.TrimSuffix(filepath.Base(path), transcript.PackedSuffix)
	name = strings.TrimSuffix(name, rolloutSuffix)
	last := tail(name)
	if last == "" {
		return "", ""
	}
	rest := name[:len(name)-uuidLen]
	if before, ok := strings.CutSuffix(rest, "_"); ok {
		if thread = tail(before); thread != "" {
			return thread, last
		}
	}
	return last, ""
}

// tail is the UUID at the end of a name, empty if there is none.
func tail(name string) string {
	if len(name) < uuidLen || !isUUID(name[len(name)-uuidLen:]) {
		return ""
	}
	return name[len(name)-uuidLen:]
}

// isUUID reports whether a name has the form of a UUID of any version.
func isUUID(name string) bool {
	for i := range len(name) {
		switch i {
		case 8, 13, 18, 23:
			if name[i] != '-' {
				return false
			}
		default:
			if strings.IndexByte("0123456789abcdefABCDEF", name[i]) < 0 {
				return false
			}
		}
	}
	return len(name) == uuidLen
}

// derivedSession is the id of a session whose rollout tells of none. What it is derived from stays while the file grows.
func derivedSession(head []byte) objects.ID {
	first, _, _ := bytes.Cut(head, []byte{'\n'})
	sum := blake3.Sum256(first[:min(len(first), maxFirstLine)])
	return objects.DerivedID(objects.ID(hex.EncodeToString(sum[:])), 1)
}

// meta is what the first session_meta of a rollout says.
type meta struct {
	found              bool
	id, cwd, timestamp string
	forkedFrom         string
	subagent           bool
	spawner            string // the thread that began the subagent
	base               string // the thread or segment that the rollout goes on from
	baseEnd            int64  // the ordinal behind the last line of it
}

// metaOf looks for the first session_meta in a rollout whose first bytes are head.
func metaOf(path string, head []byte) (meta, error) {
	known := readMeta(head)
	if known.found || bytes.Count(head, []byte{'\n'}) > maxDetect {
		return known, nil
	}
	longer, err := readFurther(path, head)
	if err != nil || len(longer) == len(head) {
		return known, err
	}
	return readMeta(longer), nil
}

// readFurther is the head of a rollout, continued up to 1 MiB. A file that is not there has no more.
func readFurther(path string, head []byte) ([]byte, error) {
	if len(head) >= maxHead {
		return head, nil
	}
	f, _, err := transcript.Open(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return head, nil
	}
	if err != nil {
		return nil, err
	}
	more, err := io.ReadAll(io.NewSectionReader(f, int64(len(head)), int64(maxHead-len(head))))
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	return append(head[:len(head):len(head)], more...), nil
}

// readMeta reads the first lines of a rollout up to its session_meta.
func readMeta(lines []byte) (m meta) {
	for line := range bytes.Lines(lines) {
		for _, record := range transcript.Split(nil, bytes.TrimSuffix(line, []byte{'\n'}), isRecord) {
			if record.Object == nil {
				continue
			}
			r := readRecord(record.Object)
			if m.timestamp == "" {
				m.timestamp = r.timestamp
			}
			if r.kind == kindMeta && r.payload != nil {
				m.found = true
				_ = objects.Scan(r.payload, m.member)
				return m
			}
		}
	}
	return m
}

func (m *meta) member(member objects.Member) {
	switch {
	case member.Is("id"):
		m.id = objects.StringOf(member.Value)
	case member.Is("cwd"):
		if cwd := objects.StringOf(member.Value); isAbsolute(cwd) {
			m.cwd = cwd
		}
	case member.Is("forked_from_id"):
		m.forkedFrom = objects.StringOf(member.Value)
	case member.Is("source"):
		if spawned := objects.MemberOf(member.Value, "subagent"); !isNull(spawned) {
			m.subagent = true
			m.spawner = objects.StringOf(objects.MemberOf(objects.MemberOf(spawned, "thread_spawn"), "parent_thread_id"))
		}
	case member.Is("history_base"):
		m.base = objects.StringOf(objects.MemberOf(member.Value, "thread_id"))
		m.baseEnd = int64(countOf(objects.MemberOf(member.Value, "end_ordinal_exclusive")))
	}
}

// isAbsolute reports whether a path is absolute, also one that was recorded on Windows.
func isAbsolute(path string) bool {
	if strings.HasPrefix(path, "/") || strings.HasPrefix(path, `\\`) {
		return true
	}
	return len(path) > 2 && path[1] == ':' && (path[2] == '\\' || path[2] == '/') && 'a' <= path[0]|0x20 && path[0]|0x20 <= 'z'
}

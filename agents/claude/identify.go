package claude

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/zeebo/blake3"

	"tlog/agents/transcript"
	"tlog/objects"
)

const (
	maxHead          = 1 << 20   // bytes of a transcript that are looked at for what else it tells than its working folder
	maxCwd           = 256 << 20 // bytes of a transcript that are looked at for its working folder
	maxMeta          = 1 << 20   // bytes of the object beside a subagent's transcript
	maxFirstLine     = 4 << 10   // bytes of the first line that an id is derived from
	derivedAgentSize = 8         // bytes of a hash that stand for the name of a subagent that can be no part of an id
	metaSuffix       = ".meta.json"
)

// Identify implements agents.Foreign (docs/claude.md "Sessions"). If head names no working folder, the file is read on
// to the first line that does. The error is one of reading.
func (Agent) Identify(path string, head []byte) (transcript.Identity, error) {
	known := readHead(head)
	if known.cwd == "" || known.session == "" {
		further, err := readFurther(path)
		if err != nil {
			return transcript.Identity{}, fmt.Errorf("identify transcript: %w", err)
		}
		if further != nil {
			known = *further
		}
	}
	id := transcript.Identity{Cwd: known.cwd, Timestamp: known.timestamp, Name: known.name()}
	name := strings.TrimSuffix(filepath.Base(path), transcriptSuffix)
	if agent := subagentOf(path, name, known); agent != "" {
		return identifySubagent(id, path, agent, known), nil
	}
	switch {
	case isUUID(name):
		id.ID = objects.ID(name)
	case known.session != "" && isCopy(path, name, known.session):
		id.ID = derivedName(name, known.session)
	case known.session != "":
		id.ID = known.session
	default:
		id.ID = derivedSession(head)
	}
	if known.forkedFrom != id.ID {
		id.Parent = known.forkedFrom
	}
	return id, nil
}

// subagentOf is the id of the subagent whose transcript is at path, empty for a session of its own. The client knows it by
// the file's name; a file that was renamed tells by its first row.
func subagentOf(path, name string, known head) string {
	agent, named := strings.CutPrefix(name, subagentPrefix)
	switch {
	case named && (agent != "" && agent == known.agent || isHex(agent) || sessionOf(path) != ""):
	case !isUUID(name) && known.sidechain:
		agent = known.agent
	default:
		return ""
	}
	if agent == "" || !objects.ID(subagentPrefix+agent).Valid() {
		// It is no part of the session that began it, whatever it is called.
		sum := blake3.Sum256([]byte(agent))
		return hex.EncodeToString(sum[:derivedAgentSize])
	}
	return agent
}

// isCopy reports whether a transcript is another one than that of the session that its first row names, which lies beside it.
func isCopy(path, name string, session objects.ID) bool {
	own := string(session) + transcriptSuffix
	if name == string(session) || filepath.Base(own) != own {
		return false
	}
	info, err := os.Stat(filepath.Join(filepath.Dir(path), own))
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	self, err := os.Stat(path)
	return err != nil || !os.SameFile(info, self) // a link to it is the same transcript
}

// derivedName is the id of a copy of a session's transcript under another name.
func derivedName(name string, session objects.ID) objects.ID {
	sum := blake3.Sum256([]byte(name + "\x00" + string(session)))
	return objects.DerivedID(objects.ID(hex.EncodeToString(sum[:])), 1)
}

// identifySubagent fills in what is known of a subagent.
func identifySubagent(id transcript.Identity, path, agent string, known head) transcript.Identity {
	id.ID, id.Subagent = objects.ID(subagentPrefix+agent), agent
	if id.Parent = objects.ID(sessionOf(path)); !id.Parent.Valid() {
		id.Parent = known.session
	}
	id.Meta = readMeta(strings.TrimSuffix(path, transcriptSuffix) + metaSuffix)
	objects.Scan(id.Meta, func(m objects.Member) {
		if m.Is("toolUseId") {
			id.Call, _ = objects.Unquote(m.Value)
		}
	})
	return id
}

// sessionOf is the session in whose folder for subagents a transcript lies, empty if it lies in none.
func sessionOf(path string) string {
	for at := filepath.Dir(path); ; at = filepath.Dir(at) {
		if filepath.Base(at) == subagentsFolder {
			return filepath.Base(filepath.Dir(at))
		}
		if at == filepath.Dir(at) {
			return ""
		}
	}
}

// readMeta reads the object beside a subagent's transcript, on one line; nil if there is none that can be read and told on a line: it
// keeps no transcript out. A link is not followed.
func readMeta(file string) []byte {
	if info, err := os.Lstat(file); err != nil || info.Size() > maxMeta {
		return nil
	}
	meta, err := transcript.ReadSide(file)
	if err != nil {
		return nil
	}
	meta = bytes.TrimSpace(meta)
	if !utf8.Valid(meta) || objects.Scan(meta, nil) != nil {
		return nil
	}
	for i, c := range meta {
		if c == '\n' || c == '\r' { // between tokens, for within a string they are escapes
			meta[i] = ' '
		}
	}
	return meta
}

// derivedSession is the id of a session whose file tells of none. What it is derived from stays while the file grows.
func derivedSession(head []byte) objects.ID {
	first, _, _ := bytes.Cut(head, []byte{'\n'})
	sum := blake3.Sum256(first[:min(len(first), maxFirstLine)])
	return objects.DerivedID(objects.ID(hex.EncodeToString(sum[:])), 1)
}

// readFurther reads the lines of a transcript until one tells of a working folder and one of the session; the latter is looked for in the first MiB
// only. It is nil for a file that is not there.
func readFurther(path string) (*head, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewReader(io.LimitReader(f, maxCwd))
	var h head
	for read := 0; h.cwd == "" || h.session == "" && read < maxHead; {
		line, err := lines.ReadBytes('\n')
		read += len(line)
		h.takeLine(line)
		switch {
		case errors.Is(err, io.EOF):
			return &h, nil
		case err != nil:
			return nil, err
		}
	}
	return &h, nil
}

// head is what the first lines of a transcript tell.
type head struct {
	session, forkedFrom objects.ID
	cwd, timestamp      string
	custom, ai, summary string // titles
	agent               string // of the first row
	sidechain           bool   // all rows are those of a subagent
	rows                int    // that were looked at
}

func (h *head) name() string {
	for _, title := range []string{h.custom, h.ai, h.summary} {
		if title != "" {
			return title
		}
	}
	return ""
}

// readHead reads the first lines of a transcript; what stands in a line before it breaks counts.
func readHead(lines []byte) (h head) {
	for line := range bytes.Lines(lines) {
		h.takeLine(line)
	}
	return h
}

func (h *head) takeLine(line []byte) {
	row := headRow{}
	objects.Scan(objects.TrimLine(bytes.TrimSuffix(line, []byte{'\n'})), row.member)
	h.take(row)
}

func (h *head) take(row headRow) {
	if id := objects.ID(row.session); h.session == "" && id.Valid() {
		h.session = id
	}
	if id := objects.ID(row.forkedFrom); h.forkedFrom == "" && id.Valid() {
		h.forkedFrom = id
	}
	if h.cwd == "" && isAbsolute(row.cwd) {
		h.cwd = row.cwd
	}
	if _, err := time.Parse(time.RFC3339Nano, row.timestamp); h.timestamp == "" && err == nil {
		h.timestamp = row.timestamp
	}
	if row.uuid {
		if h.rows++; h.rows == 1 {
			h.agent, h.sidechain = row.agent, row.agent != ""
		}
		h.sidechain = h.sidechain && row.sidechain
	}
	switch row.kind {
	case "custom-title":
		h.custom = row.title
	case "ai-title":
		h.ai = row.title
	case "summary":
		h.summary = row.title
	}
}

// headRow is what one line tells.
type headRow struct {
	kind, session, cwd, timestamp, agent, title, forkedFrom string
	uuid, sidechain                                         bool
}

func (r *headRow) member(m objects.Member) {
	text := func(into *string) { *into, _ = objects.Unquote(m.Value) }
	key := string(m.Key)
	if strings.Contains(key, `\`) {
		key, _ = objects.Unquote([]byte(`"` + key + `"`))
	}
	switch key {
	case "type":
		text(&r.kind)
	case "uuid":
		r.uuid = true
	case "sessionId":
		text(&r.session)
	case "cwd":
		text(&r.cwd)
	case "timestamp":
		text(&r.timestamp)
	case "agentId":
		text(&r.agent)
	case "isSidechain":
		r.sidechain = string(m.Value) == "true"
	case "customTitle", "aiTitle", "summary":
		text(&r.title)
	case "forkedFrom":
		objects.Scan(m.Value, func(m objects.Member) {
			if m.Is("sessionId") {
				r.forkedFrom, _ = objects.Unquote(m.Value)
			}
		})
	}
}

// isAbsolute reports whether a path is absolute, also one that was recorded on Windows.
func isAbsolute(path string) bool {
	if strings.HasPrefix(path, "/") || strings.HasPrefix(path, `\\`) {
		return true
	}
	return len(path) > 2 && path[1] == ':' && (path[2] == '\\' || path[2] == '/') &&
		'a' <= path[0]|0x20 && path[0]|0x20 <= 'z'
}

func isHex(s string) bool { return s != "" && strings.Trim(s, "0123456789abcdefABCDEF") == "" }

package gemini

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/zeebo/blake3"

	"tlog/agents/transcript"
	"tlog/objects"
)

const (
	maxHead      = 64 << 10 // bytes of a session file that are looked at
	maxFirstLine = 4 << 10  // bytes of the first line that an id is derived from
	maxProjects  = 16 << 20 // bytes of the client's list of projects
)

// Identify implements agents.Foreign (docs/gemini.md "Sessions"). The error is one of reading.
func (Agent) Identify(path string, head []byte) (transcript.Identity, error) {
	h := fileHeadOf(head)
	id := transcript.Identity{ID: objects.ID(h.session), Timestamp: h.start, Name: h.summary}
	if !id.ID.Valid() {
		id.ID = derivedSession(head, h.session)
	}
	var err error
	if id.Cwd, err = cwdOf(path, h.project); err != nil {
		return transcript.Identity{}, fmt.Errorf("identify session: %w", err)
	}
	if asSubagent(&id, path, h) {
		return id, nil
	}
	stub, err := isStub(path, h.session, head)
	if err != nil {
		return transcript.Identity{}, fmt.Errorf("identify session: %w", err)
	}
	if stub {
		id.Parent = id.ID
		id.ID = stubID(id.ID, path)
	}
	return id, nil
}

// asSubagent fills in whose subagent it is; false for a session of its own. It lies in chats/<session>/<agent>.jsonl.
func asSubagent(id *transcript.Identity, path string, h fileHead) bool {
	folder := filepath.Dir(path)
	inFolder := filepath.Base(filepath.Dir(folder)) == chatsFolder && !isSession(filepath.Base(path))
	if h.kind != "subagent" && !inFolder {
		return false
	}
	id.Subagent = cmp.Or(h.session, string(id.ID))
	if !inFolder {
		return true
	}
	name := strings.TrimSuffix(filepath.Base(path), linesSuffix)
	id.Subagent = name
	if id.ID = objects.ID(name); !id.ID.Valid() {
		id.ID = derived(name)
	}
	if parent := objects.ID(filepath.Base(folder)); parent.Valid() && parent != id.ID {
		id.Parent = parent
	}
	return true
}

// fileHeadOf reads the beginning of a session file.
func fileHeadOf(head []byte) fileHead {
	if isDocument(head) {
		return headOf(head)
	}
	for line := range bytes.Lines(head) {
		for _, r := range transcript.Split(nil, bytes.TrimSuffix(line, []byte{'\n'}), isRecord) {
			if r.Object == nil {
				continue
			}
			if h := headOf(r.Object); h.known() {
				return h
			}
		}
	}
	return fileHead{}
}

// derivedSession is the id of a session whose file tells of none that may be one. What it is derived from stays while the file grows.
func derivedSession(head []byte, session string) objects.ID {
	if session != "" {
		return derived(session)
	}
	first, _, _ := bytes.Cut(head, []byte{'\n'})
	sum := blake3.Sum256(first[:min(len(first), maxFirstLine)])
	return objects.DerivedID(objects.ID(hex.EncodeToString(sum[:])), 1)
}

// cwdOf is the folder that a session file's project is called by, empty if it lies in none of the client's. Older clients called the project by the hash of its
// folder: which that is the list of projects may tell.
func cwdOf(path, project string) (string, error) {
	chats := filepath.Dir(path)
	if filepath.Base(chats) != chatsFolder {
		chats = filepath.Dir(chats)
	}
	if filepath.Base(chats) != chatsFolder {
		return "", nil
	}
	folder := filepath.Dir(chats)
	root, err := readOwn(filepath.Join(folder, rootFile))
	if err != nil {
		return "", err
	}
	if cwd := strings.TrimSpace(string(root)); isAbsolute(cwd) {
		return cwd, nil
	}
	known, err := readOwn(filepath.Join(filepath.Dir(filepath.Dir(folder)), projectsFile))
	if err != nil {
		return "", err
	}
	return projectOf(known, filepath.Base(folder), project), nil
}

// projectOf finds a folder in the client's list of projects, by what it is called there or by its hash.
func projectOf(known []byte, slug, project string) (cwd string) {
	_ = objects.Scan(objects.MemberOf(bytes.TrimSpace(known), "projects"), func(m objects.Member) {
		folder := objects.StringOf(append(append([]byte{'"'}, m.Key...), '"'))
		sum := sha256.Sum256([]byte(folder))
		hash := hex.EncodeToString(sum[:])
		if isAbsolute(folder) && (objects.StringOf(m.Value) == slug || hash == slug || hash == project) {
			cwd = folder
		}
	})
	return cwd
}

// isStub reports whether a session file is what the client leaves beside the one that it resumes: of the same session, with nothing said in it
// (formats/others.md "Resume").
func isStub(path, session string, head []byte) (bool, error) {
	name := filepath.Base(path)
	if filepath.Base(filepath.Dir(path)) != chatsFolder || !isSession(name) || session == "" || len(head) >= maxHead || saysAnything(head) {
		return false, nil
	}
	end := name[strings.LastIndexByte(name, '-'):]
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		if transcript.NotThere(err) {
			err = nil
		}
		return false, err
	}
	for _, entry := range entries {
		other := filepath.Join(filepath.Dir(path), entry.Name())
		if entry.Name() == name || !strings.HasSuffix(strings.TrimSuffix(entry.Name(), linesSuffix), strings.TrimSuffix(end, linesSuffix)) ||
			!isSession(entry.Name()) || !transcript.IsFile(other, entry) {
			continue
		}
		if beside, err := readHead(other); err == nil && fileHeadOf(beside).session == session && (len(beside) >= maxHead || saysAnything(beside)) {
			return true, nil
		}
	}
	return false, nil
}

// saysAnything reports whether there is any message of a session that somebody said.
func saysAnything(data []byte) bool {
	r := NewReader("any")
	for _, v := range r.Read(data) {
		if v.Type.Visible() && !v.Hidden {
			return true
		}
	}
	return false
}

// stubID is the id of a stub: that of the session, and what its name has besides.
func stubID(session objects.ID, path string) objects.ID {
	name := strings.TrimPrefix(filepath.Base(path), sessionPrefix)
	name = name[:strings.LastIndexByte(name, '-')]
	if id := session + "_" + objects.ID(name); id.Valid() {
		return id
	}
	return derived(string(session) + "_" + name)
}

// Thread implements agents.Threaded: a stub is no session of the client's.
func (Agent) Thread(session objects.ID) objects.ID {
	thread, _, _ := strings.Cut(string(session), "_")
	return objects.ID(thread)
}

// Supersedes implements agents.Threaded: a file in which something is said stands before a stub, else the one that was written to last.
func (Agent) Supersedes(path, other string) bool {
	said := func(path string) bool {
		head, err := readHead(path)
		return err == nil && (len(head) >= maxHead || saysAnything(head))
	}
	if a, b := said(path), said(other); a != b {
		return a
	}
	a, errA := os.Stat(path)
	b, errB := os.Stat(other)
	return errA == nil && (errB != nil || a.ModTime().After(b.ModTime()))
}

// readHead reads the beginning of a file.
func readHead(path string) (head []byte, err error) {
	f, info, err := transcript.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return io.ReadAll(io.NewSectionReader(f, 0, min(info.Size(), maxHead)))
}

// readOwn reads a small file of the client's; one that is not there, or is no file, is empty.
func readOwn(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil && transcript.NotThere(err) || err == nil && (!info.Mode().IsRegular() || info.Size() > maxProjects) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// isAbsolute reports whether a path is absolute, also one that was recorded on Windows.
func isAbsolute(path string) bool {
	if strings.HasPrefix(path, "/") || strings.HasPrefix(path, `\\`) {
		return true
	}
	return len(path) > 2 && path[1] == ':' && (path[2] == '\\' || path[2] == '/') && 'a' <= path[0]|0x20 && path[0]|0x20 <= 'z'
}

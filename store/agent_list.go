package store

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strconv"
	"time"

	"tlog/agents"
	"tlog/objects"
)

// AgentSessions lists the sessions that an agent keeps in its own folder, in the store or not, those that were gone on with last first. Of each the beginning
// is read, of native ones both ends. Modified is the time of the newest message of user or model where that is known, as the agent's own list has it,
// else that of the file. What is no session is given to skipped, which may be nil. env looks up the environment. The error is one of reading folders;
// what is in the others is given.
func AgentSessions(agent agents.Agent, env func(string) string, skipped func(file string, err error)) ([]Info, error) {
	found, err := agent.Locate(env)
	if err != nil {
		err = fmt.Errorf("%s: %w", agent.Name(), err)
	}
	files := make([]string, 0, len(found))
	subagents := map[string]bool{}
	for _, f := range found {
		files = append(files, f.Path)
		subagents[f.Path] = f.Subagent
	}
	outside := Open("")
	look := func(p *peeker, path string) (Info, error) { return p.spoken(path) }
	if foreign, ok := agent.(agents.Foreign); ok {
		look = func(_ *peeker, path string) (Info, error) {
			info, head, err := outside.transcript(foreign, path, detectHead)
			if err == nil {
				info.FirstPrompt = promptIn(foreign, info.ID, head)
			}
			return info, err
		}
	}
	infos := outside.peekAll(files, look, skipped)
	for i := range infos {
		infos[i].Agent = agent.Name()
		infos[i].Subagent = infos[i].Subagent || subagents[infos[i].File]
	}
	slices.SortFunc(infos, newerFirst)
	return infos, err
}

// transcript tells of an agent's transcript what its first bytes, at most size, tell, and gives these.
func (s *Store) transcript(agent agents.Foreign, path string, size int64) (info Info, head []byte, err error) {
	if head, err = s.readHead(path, size); err != nil {
		return Info{}, nil, err
	}
	id, err := agent.Identify(path, head)
	if err != nil {
		return Info{}, nil, err
	}
	info = Info{ID: id.ID, File: path, Cwd: id.Cwd, Name: id.Name, Agent: agent.Name(), Entries: -1,
		Subagent: id.Subagent != "", ParentSession: id.Parent}
	if at, err := time.Parse(time.RFC3339Nano, id.Timestamp); err == nil {
		info.Created = at.UTC()
	}
	if stat, err := os.Stat(path); err == nil {
		info.Modified, info.Size = stat.ModTime(), stat.Size()
	}
	return info, head, nil
}

// promptIn is the first prompt in the first lines of a transcript.
func promptIn(agent agents.Foreign, session objects.ID, head []byte) string {
	for _, v := range agent.NewReader(session).Read(head[:bytes.LastIndexByte(head, '\n')+1]) {
		if v.Type != objects.TypeMessage || v.Hidden {
			continue
		}
		if e, err := objects.ParseEntry(v.Bytes()); err == nil {
			if text := promptText(e); text != "" {
				return text
			}
		}
	}
	return ""
}

// spoken is info with the time of the newest message of user or model in place of the file's. Of a long file without one at its end the file's stays.
func (p *peeker) spoken(path string) (Info, error) {
	info, err := p.info(path)
	if err != nil {
		return info, err
	}
	block := p.ends.head
	if !p.ends.whole {
		block = p.ends.tail
	}
	switch at := newestMessage(block); {
	case !at.IsZero():
		info.Modified = at
	case p.ends.whole && !info.Created.IsZero():
		info.Modified = info.Created
	}
	return info, nil
}

// newestMessage is the latest time that a message of the user or the model in the lines has, by itself or else by its entry (formats/pi.md section 6).
func newestMessage(lines []byte) (newest time.Time) {
	eachEntry(lines, func(e objects.Entry) bool {
		if e.Type != objects.TypeMessage {
			return true
		}
		message := e.Get("message")
		if role := objects.StringOf(objects.MemberOf(message, "role")); role != objects.RoleUser && role != objects.RoleAssistant {
			return true
		}
		at, err := time.Parse(time.RFC3339Nano, e.Timestamp)
		if ms, msErr := strconv.ParseInt(string(objects.MemberOf(message, "timestamp")), 10, 64); msErr == nil {
			at, err = time.UnixMilli(ms).UTC(), nil
		}
		if err == nil && at.After(newest) {
			newest = at
		}
		return true
	})
	return newest
}

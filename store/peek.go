package store

import (
	"bytes"
	"hash/maphash"
	"slices"
	"strings"
	"time"

	"tlog/agents"
	"tlog/checkout"
	"tlog/objects"
	"tlog/refs"
)

// peeker tells of sessions by the ends of their files. It is used again and again for many files, and is for one goroutine.
type peeker struct {
	ends ends
	line lineParts
	part func(objects.Member) // takes the parts of line
	ids  map[uint64]struct{}  // hashes of the ids in a file that is read whole
	seed maphash.Seed
}

func newPeeker(open opener) *peeker {
	p := &peeker{ends: ends{open: open}, ids: map[uint64]struct{}{}, seed: maphash.MakeSeed()}
	p.part = p.line.member
	return p
}

// header reads what a file's header tells.
func (p *peeker) header(file string) (Info, error) {
	if err := p.ends.readHeader(file); err != nil {
		return Info{}, err
	}
	return newInfo(file, &p.ends), nil
}

// info reads what both ends of a file tell.
func (p *peeker) info(file string) (Info, error) {
	prompt := ""
	err := p.ends.readEnds(file, func(e *ends) bool {
		prompt = firstPrompt(e.head)
		return prompt != ""
	})
	if err != nil {
		return Info{}, err
	}
	info := newInfo(file, &p.ends)
	info.FirstPrompt = prompt
	if p.ends.whole {
		p.all(&info)
		return info, nil
	}
	if prompt == "" {
		info.FirstPrompt = firstPrompt(p.ends.head)
	}
	peekName(&info, &p.ends)
	peekTail(&info, p.ends.tail)
	return info, nil
}

// source reads what a file tells of the source that it was imported from.
func (p *peeker) source(file string) (Info, error) {
	if err := p.ends.readEnds(file, func(*ends) bool { return true }); err != nil {
		return Info{}, err
	}
	info := newInfo(file, &p.ends)
	for _, block := range [][]byte{p.ends.head, p.ends.tail} {
		peekTail(&info, block)
	}
	return info, nil
}

// newInfo tells what the header and the file itself tell. It keeps nothing of the memory of e.
func newInfo(file string, e *ends) Info {
	h := e.header
	info := Info{
		ID: h.ID, File: file, Project: projectOf(file),
		Cwd: h.Cwd, Name: h.Name, Agent: h.Agent, Version: h.Version,
		ParentEntry: h.ParentEntry, Modified: e.mod, Size: e.size, Entries: -1,
	}
	if t, err := time.Parse(time.RFC3339Nano, h.Timestamp); err == nil {
		info.Created = t.UTC()
	}
	// pi names its parent by a path there, which is no session id.
	if parent := objects.ID(h.ParentSession); parent.Valid() && parent != h.ID {
		info.ParentSession = parent
	}
	if h.Source != nil {
		if source, err := objects.ParseEntry(h.Source); err == nil {
			info.Source.Path, _ = source.Text("path")
			id, _ := source.Text("subagent")
			info.Subagent = id != "" || string(source.Get("subagent")) == "true"
		}
	}
	return info
}

var newline = []byte{'\n'}

// eachEntry calls entry for each line of block that is an entry, until it returns false.
func eachEntry(block []byte, entry func(objects.Entry) bool) {
	for line := range bytes.Lines(block) {
		line = trimAround(bytes.TrimSuffix(line, newline))
		if len(line) == 0 {
			continue
		}
		if e, err := objects.ParseEntry(line); err == nil && !entry(e) {
			return
		}
	}
}

// firstPrompt is the text of the first user prompt in the lines.
func firstPrompt(lines []byte) (text string) {
	eachEntry(lines, func(e objects.Entry) bool {
		text = promptText(e)
		return text == ""
	})
	return text
}

// promptText is what the user says in an entry, empty if it is no prompt.
func promptText(e objects.Entry) string {
	if e.Type != objects.TypeMessage || !bytes.Contains(e.Raw, []byte(`user`)) {
		return ""
	}
	if m, ok := agents.Message(e); ok && m.Prompt() {
		return m.Text()
	}
	return ""
}

// all reads a file that is known whole.
func (p *peeker) all(info *Info) {
	info.Branch, info.HeadKnown = refs.DefaultBranch, true
	entries, twice := 0, false
	clear(p.ids)
	for line := range bytes.Lines(p.ends.head) {
		line = trimAround(bytes.TrimSuffix(line, newline))
		p.line = lineParts{}
		if len(line) == 0 || objects.Scan(line, p.part) != nil {
			continue
		}
		if p.line.matters(info) {
			entry, err := objects.ParseEntry(line)
			if err != nil {
				continue
			}
			info.take(entry)
			p.line.kind = objects.AppendQuote(p.line.kind[:0:0], string(entry.Type))
		}
		switch string(p.line.kind) {
		case `"session"`, `"ref"`, `"head"`, `"meta"`:
			continue
		}
		entries++
		if len(p.line.id) > 0 {
			sum := maphash.Bytes(p.seed, p.line.id)
			_, again := p.ids[sum]
			twice = twice || again
			p.ids[sum] = struct{}{}
		}
	}
	if twice {
		entries = p.countEach()
	}
	// The lines of older versions become other ones when they are read.
	if info.Version >= sameLinesFrom {
		info.Entries = entries
	}
}

// sameLinesFrom is the first version whose lines are those of version 4.
const sameLinesFrom = 3

// lineParts are the parts of a line that tell whether more of it has to be looked at. The values are as they stand.
type lineParts struct {
	kind, id []byte
	escaped  bool // a key or the type is not written plainly
	named    bool
}

func (l *lineParts) member(m objects.Member) {
	switch string(m.Key) {
	case "type":
		l.kind = m.Value
		l.escaped = l.escaped || bytes.IndexByte(m.Value, '\\') >= 0
	case "id":
		l.id = m.Value
	case "name":
		l.named = true
	default:
		l.escaped = l.escaped || bytes.IndexByte(m.Key, '\\') >= 0
	}
}

// matters reports whether the line may tell something that is not known yet.
func (l *lineParts) matters(info *Info) bool {
	switch string(l.kind) {
	case `"ref"`, `"head"`, `"session_info"`:
		return true
	case `"meta"`:
		return l.named || l.escaped
	case `"message"`:
		return l.escaped || info.FirstPrompt == ""
	}
	return l.escaped
}

// take takes in what an entry tells of its session.
func (info *Info) take(e objects.Entry) {
	switch e.Type {
	case objects.TypeSessionInfo:
		info.takeName(e)
	case objects.TypeMeta:
		info.takeTitle(e)
	case objects.TypeMessage:
		if info.FirstPrompt == "" {
			info.FirstPrompt = promptText(e)
		}
	case objects.TypeHead, objects.TypeRef:
		info.takeHead(e)
		info.takeMark(e)
	}
}

// countEach counts the entries of a file in which an id may stand more than once: a line that repeats another one is
// none of its own, as package log has it. It is -1 if only the content of blobs tells.
func (p *peeker) countEach() int {
	named, seen := map[objects.ID]bool{}, map[lineKey]bool{}
	entries := 0
	eachEntry(p.ends.head, func(e objects.Entry) bool {
		if e.Type == objects.TypeSession || e.Type.Journal() {
			return true
		}
		entries++
		if !e.ID.Valid() {
			return true
		}
		if named[e.ID] && e.Blobs != nil {
			entries = -1
			return false
		}
		key := lineKey{e.ID, string(e.Body())}
		if seen[key] {
			entries--
		}
		named[e.ID], seen[key] = true, true
		return true
	})
	return entries
}

// lineKey tells an entry's line from all others.
type lineKey struct {
	id   objects.ID
	body string
}

// peekName looks for the session's last name: at the end of the file, else at its beginning, else in the header.
func peekName(info *Info, e *ends) {
	blocks := [][]byte{e.tail, e.head}
	for _, block := range blocks {
		eachTelling(block, func(e objects.Entry) {
			if e.Type == objects.TypeSessionInfo {
				info.takeName(e)
			}
		})
		if info.named {
			return
		}
	}
	for _, block := range blocks {
		titled := false
		for line := range bytes.Lines(block) {
			if !bytes.HasPrefix(line, metaFirst) || !bytes.Contains(line, nameKey) {
				continue
			}
			eachEntry(line, func(e objects.Entry) bool {
				titled = info.takeTitle(e) || titled
				return true
			})
		}
		if titled {
			return
		}
	}
}

// How tlog writes the entry in which an agent's line stands that names the session.
var (
	metaFirst = []byte(`{"type":"meta",`)
	nameKey   = []byte(`,"name":"`)
)

// peekTail looks for what the last lines say of HEAD and of the source.
func peekTail(info *Info, tail []byte) {
	eachTelling(tail, func(e objects.Entry) {
		info.takeHead(e)
		info.takeMark(e)
	})
}

// tellingTypes are the types of the lines that tell of the session as a whole, as they stand in a line.
var tellingTypes = [][]byte{[]byte(`"session_info"`), []byte(`"head"`), []byte(`"ref"`)}

// typeFirst is how nearly every line begins.
var typeFirst = []byte(`{"type":`)

// eachTelling calls entry for the entries of block that tell of the session. Lines that say at once that they are others are not
// looked at any further.
func eachTelling(block []byte, entry func(objects.Entry)) {
	for line := range bytes.Lines(block) {
		kind, plain := bytes.CutPrefix(line, typeFirst)
		tells := slices.ContainsFunc(tellingTypes, func(t []byte) bool {
			if plain {
				return bytes.HasPrefix(kind, t)
			}
			return bytes.Contains(line, t)
		})
		if tells {
			eachEntry(line, func(e objects.Entry) bool { entry(e); return true })
		}
	}
}

// takeName takes a session_info in; an empty name clears.
func (info *Info) takeName(e objects.Entry) {
	name, _ := e.Text("name")
	info.Name, info.named = strings.TrimSpace(name), true
}

// takeTitle takes in what an agent calls the session, which counts as long as no session_info does. It reports whether the entry says so.
func (info *Info) takeTitle(e objects.Entry) bool {
	if !e.Titled {
		return false
	}
	if !info.named {
		name, _ := e.Text("name")
		info.Name = strings.TrimSpace(name)
	}
	return true
}

// takeHead takes in where a head line says HEAD is.
func (info *Info) takeHead(e objects.Entry) {
	if e.Type != objects.TypeHead {
		return
	}
	if name, ok := e.Text("name"); ok {
		if refs.CheckName(name) == nil {
			info.Branch, info.HeadKnown = name, true
		}
		return
	}
	if target, _ := e.Text("targetId"); target != "" {
		info.Branch, info.HeadKnown = "", true
	}
}

// takeMark takes in what the last line of an import says of its source.
func (info *Info) takeMark(e objects.Entry) {
	if mark, ok := checkout.ParseSourceMark(e); ok {
		info.Source = mark
	}
}

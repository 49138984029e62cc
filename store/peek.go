package store

import (
	"bytes"
	"hash/maphash"
	"strings"
	"time"

	"tlog/checkout"
	"tlog/objects"
	"tlog/refs"
)

// peeker tells of sessions by the ends of their files. It is used again and again for many files, and is for one goroutine.
type peeker struct {
	ends ends
	seed maphash.Seed
	seen map[lineKey]struct{} // the entries of a file that is read whole
}

// lineKey tells an entry's line from all others.
type lineKey struct {
	id   objects.ID
	body uint64 // a hash of its body; 0 stands for any
}

func newPeeker(open opener) *peeker {
	return &peeker{ends: ends{open: open}, seed: maphash.MakeSeed(), seen: map[lineKey]struct{}{}}
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
	if parent := objects.ID(h.ParentSession); parent.Valid() {
		info.ParentSession = parent
	}
	if h.Source != nil {
		if source, err := objects.ParseEntry(h.Source); err == nil {
			info.Source.Path, _ = source.Text("path")
			info.Subagent = string(source.Get("subagent")) == "true"
		}
	}
	return info
}

// eachEntry calls entry for each line of block that is an entry, until it returns false.
func eachEntry(block []byte, entry func(objects.Entry) bool) {
	for line := range bytes.Lines(block) {
		line = trimAround(bytes.TrimSuffix(line, []byte{'\n'}))
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
	if m, ok := objects.DecodeMessage(e); ok && m.Prompt() {
		return m.Text()
	}
	return ""
}

// all reads a file that is known whole.
func (p *peeker) all(info *Info) {
	clear(p.seen)
	info.Branch, info.HeadKnown = refs.DefaultBranch, true
	entries, exact := 0, true
	eachEntry(p.ends.head, func(e objects.Entry) bool {
		switch e.Type {
		case objects.TypeSession:
			return true
		case objects.TypeSessionInfo:
			info.takeName(e)
		case objects.TypeMessage:
			if info.FirstPrompt == "" {
				info.FirstPrompt = promptText(e)
			}
		case objects.TypeHead, objects.TypeRef:
			info.takeHead(e)
			info.takeMark(e)
		}
		if !e.Type.Journal() {
			entries += p.count(e, &exact)
		}
		return true
	})
	// The lines of older versions become other ones when they are read.
	if exact && info.Version >= sameLinesFrom {
		info.Entries = entries
	}
}

// sameLinesFrom is the first version whose lines are those of version 4.
const sameLinesFrom = 3

// count is 1 for an entry and 0 for a line that was there before, which is none of its own. Whether a line with blobs is
// another one's repeat only their content tells.
func (p *peeker) count(e objects.Entry, exact *bool) int {
	if !e.ID.Valid() {
		return 1
	}
	name := lineKey{id: e.ID}
	key := lineKey{e.ID, maphash.Bytes(p.seed, e.Body()) | 1}
	_, again := p.seen[key]
	if _, named := p.seen[name]; named && e.Blobs != nil {
		*exact = false
	}
	if again {
		return 0
	}
	p.seen[name], p.seen[key] = struct{}{}, struct{}{}
	return 1
}

// Words that stand in every line of a kind, by which they are found in a block without a look at each line.
var (
	nameWord   = []byte(`"session_info"`)
	headWord   = []byte(`"head"`)
	importWord = []byte(`"` + checkout.ImportReason)
)

// eachWith calls entry for the entries of the lines that hold the word.
func eachWith(block, word []byte, entry func(objects.Entry)) {
	for {
		at := bytes.Index(block, word)
		if at < 0 {
			return
		}
		start := bytes.LastIndexByte(block[:at], '\n') + 1
		end := len(block)
		if n := bytes.IndexByte(block[at:], '\n'); n >= 0 {
			end = at + n
		}
		eachEntry(block[start:end], func(e objects.Entry) bool { entry(e); return true })
		block = block[min(end+1, len(block)):]
	}
}

// peekName looks for the session's last name: at the end of the file, else at its beginning, else in the header.
func peekName(info *Info, e *ends) {
	for _, block := range [][]byte{e.tail, e.head} {
		found := false
		eachWith(block, nameWord, func(e objects.Entry) {
			if e.Type == objects.TypeSessionInfo {
				info.takeName(e)
				found = true
			}
		})
		if found {
			return
		}
	}
}

// peekTail looks for what the last lines say of HEAD and of the source.
func peekTail(info *Info, tail []byte) {
	eachWith(tail, headWord, info.takeHead)
	eachWith(tail, importWord, info.takeMark)
}

// takeName takes a session_info in; an empty name clears.
func (info *Info) takeName(e objects.Entry) {
	name, _ := e.Text("name")
	info.Name = strings.TrimSpace(name)
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

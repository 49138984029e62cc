package objects

// Entry is a view over the bytes of one line of a log.
type Entry struct {
	Raw       []byte // the object, from '{' to '}'
	Type      Type
	ID        ID     // as it stands in the line; empty if missing or no string
	ParentID  ID     // empty for null, "" and a missing member
	HasParent bool   // a parentId member is there, even if null
	Timestamp string // as it stands; empty if missing or no string
	Ref       string // the branch that the entry moves; empty for HEAD's
	Chain     string // 64 hex digits; empty if the line is unchained
	Blobs     []byte // the table of the strings that lie in blobs, a JSON array; nil if the line has none

	// Of a foreign line, see [Envelope]; zero for an entry of tlog's own.
	Agent  string // the agent whose line the entry holds
	Hidden bool   // the agent's program wrote it for the model: log does not show it by default
	Gap    string // the parent that the line names and its file does not hold; ParentID bridges it
	Titled bool   // the line names the session: Text("name")
	Base   ID     // the session whose transcript the line stands in, where that is not this one's

	blobs, ref, chain span // of these members in Raw, commas included
	message           span // of the value of the last member message in Raw, the one that is asked for most
	// ownBlobs: the author's last member is called blobs, and tlog's table would stand right behind it.
	ownBlobs bool
}

// span is a range of bytes; the zero span is empty.
type span struct{ start, end int }

// ParseEntry makes a view of raw, one JSON object. It keeps raw and decodes
// nothing but the envelope. The error is a *SyntaxError.
// Ref is taken only where tlog writes it: the last member, or the last before chain,
// with a string value that is not empty. Chain is taken only if it is the last
// member and 64 hex digits. Blobs is taken only in a chained line, as an array that is
// the last member before those two.
func ParseEntry(raw []byte) (Entry, error) {
	var p entryParser
	if err := Scan(raw, p.member); err != nil {
		return Entry{}, err
	}
	start, end := skipSpace(raw, 0), len(raw)
	for isSpace(raw[end-1]) {
		end--
	}
	p.entry.Raw = raw[start:end:end]
	if m := &p.entry.message; m.end > 0 {
		m.start, m.end = m.start-start, m.end-start
	}
	p.takeAdded(start)
	p.takeEnvelope()
	return p.entry, nil
}

// entryParser collects an entry while its members are scanned.
type entryParser struct {
	entry             Entry
	count             int // members so far
	end               int // of the last one
	blobs, ref, chain added
	envelope          envelope
}

// added is a member that may be one that tlog added.
type added struct {
	Member
	nth    int // counted from 1, so that 0 is a missing one
	before int // end of the member before it
}

func (p *entryParser) member(m Member) {
	p.count++
	switch string(m.name()) {
	case "type":
		p.entry.Type = typeOf(m.Value)
	case "id":
		p.entry.ID = ID(tokenText(m.Value))
	case "parentId":
		p.entry.ParentID = ID(tokenText(m.Value))
		p.entry.HasParent = true
	case "timestamp":
		p.entry.Timestamp = tokenText(m.Value)
	case "message":
		p.entry.message = span{m.End - len(m.Value), m.End}
	case "blobs":
		p.blobs = added{m, p.count, p.end}
	case "ref":
		p.ref = added{m, p.count, p.end}
	case "chain":
		p.chain = added{m, p.count, p.end}
	case "agent", "raw", "rawBase64", "display", "gap", "base", "name":
		p.envelope.member(m)
	}
	p.end = m.End
}

// takeAdded takes blobs, ref and chain from the end of the object, which starts at
// offset start of the scanned bytes.
func (p *entryParser) takeAdded(start int) {
	e, last := &p.entry, p.count
	if last > 0 && p.chain.nth == last && isChain(p.chain.Value) {
		e.Chain = string(p.chain.Value[1 : 1+chainLen])
		e.chain = p.chain.span(e.Raw, start)
		last--
	}
	if last > 0 && p.ref.nth == last {
		if e.Ref = tokenText(p.ref.Value); e.Ref != "" {
			e.ref = p.ref.span(e.Raw, start)
			last--
		}
	}
	switch {
	case last < 2 || p.blobs.nth != last: // no table stands alone: a string has gone out
	case e.Chain == "":
		e.ownBlobs = true
	case p.blobs.Value[0] == '[':
		e.Blobs = p.blobs.Value
		e.blobs = p.blobs.span(e.Raw, start)
	}
}

// span is the range of the member in raw with the comma before it.
func (a added) span(raw []byte, start int) span {
	if a.nth == 1 {
		return span{a.Start - start, a.End - start}
	}
	return span{skipSpace(raw, a.before-start), a.End - start}
}

// chainLen is the number of hex digits in a chain.
const chainLen = 64

// isChain reports whether value is a string token of 64 hex digits.
func isChain(value []byte) bool {
	if len(value) != chainLen+2 || !isString(value) {
		return false
	}
	for _, c := range value[1 : 1+chainLen] {
		if !isHex(c) {
			return false
		}
	}
	return true
}

// Body is the entry without the blobs, ref and chain that tlog added at its end: byte for byte
// what came in, but for the strings that lie in blobs, in whose places placeholders stand
// ([Entry.Fill] fills them in). It may share memory with Raw.
func (e Entry) Body() []byte { return cut(e.Raw, e.blobs, e.ref, e.chain) }

// Unchained is the entry without its chain, as the chain's hash takes it. It
// may share memory with Raw.
func (e Entry) Unchained() []byte { return cut(e.Raw, e.chain) }

// LastMember is the entry without its last member, and that member. It may share memory with Raw. The member has no Value if the entry has
// none.
func (e Entry) LastMember() (rest []byte, last Member) {
	var before, end, count int
	_ = Scan(e.Raw, func(m Member) { before, end, last, count = end, m.End, m, count+1 }) // it was scanned before
	if count == 0 {
		return e.Raw, last
	}
	if count == 1 {
		before = last.Start
	}
	return cut(e.Raw, span{before, end}), last
}

// cut is raw without the given ranges, which stand in order; empty ones are passed over.
func cut(raw []byte, ranges ...span) []byte {
	var out []byte
	from := 0
	for _, r := range ranges {
		if r.end == 0 {
			continue
		}
		if out == nil {
			out = make([]byte, 0, len(raw))
		}
		out = append(out, raw[from:r.start]...)
		from = r.end
	}
	if out == nil {
		return raw
	}
	return append(out, raw[from:]...)
}

// Get is the value of the top-level member called name, the last of duplicates; nil if there is none.
func (e Entry) Get(name string) []byte {
	if s := e.message; name == "message" && s.end > 0 {
		return e.Raw[s.start:s.end:s.end]
	}
	return find(e.Raw, name)
}

// Text is the string value of the top-level member called name, decoded.
func (e Entry) Text(name string) (s string, ok bool) {
	value := find(e.Raw, name)
	return tokenText(value), isString(value)
}

// Origin is the entry that this one is a copy of; empty if it is none. A copy of a copy has the origin of that.
func (e Entry) Origin() ID { return ID(StringOf(MemberOf(e.Get("origin"), "id"))) }

// TargetIDs are the ids in the member targetIds, of skip and unskip.
func (e Entry) TargetIDs() []ID {
	var ids []ID
	Elements(find(e.Raw, "targetIds"), func(value []byte) {
		if isString(value) {
			ids = append(ids, ID(tokenText(value)))
		}
	})
	return ids
}

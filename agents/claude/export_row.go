package claude

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"tlog/agents/transcript"
	"tlog/objects"
)

// boundarySubtype is that of the system row of a compaction.
const boundarySubtype = "compact_boundary"

// row is a line to be written that is a node of the history.
type row struct {
	entry    objects.ID
	object   []byte
	message  []byte // a part of object
	attached []byte // likewise, of an attachment
	metadata []byte // likewise, compactMetadata

	kind, subtype, uuid, timestamp, cwd string
	parent, logical                     string // parentUuid and logicalParentUuid, if they are strings
	parentValue                         []byte // parentUuid as it stands; nil if it is missing

	summary, sidechain bool
	made               bool // of an entry of tlog's own
	copied             bool // brought over from another branch: it hangs where its entry does, and goes by that one's id
	// Of its entry:
	gap, hangs, compaction bool
}

// spoken reports whether the row is sent as a message.
func (r row) spoken() bool { return r.kind == "user" || r.kind == "assistant" }

// readRowObject reads what the export looks at. The object is valid.
func readRowObject(object []byte) row {
	r := row{object: object}
	_ = objects.Scan(object, func(m objects.Member) {
		switch {
		case m.Is("type"):
			r.kind = objects.StringOf(m.Value)
		case m.Is("subtype"):
			r.subtype = objects.StringOf(m.Value)
		case m.Is("uuid"):
			r.uuid = objects.StringOf(m.Value)
		case m.Is("timestamp"):
			r.timestamp = objects.StringOf(m.Value)
		case m.Is("cwd"):
			r.cwd = objects.StringOf(m.Value)
		case m.Is("parentUuid"):
			r.parent, r.parentValue = objects.StringOf(m.Value), m.Value
		case m.Is("logicalParentUuid"):
			r.logical = objects.StringOf(m.Value)
		case m.Is("message"):
			r.message = m.Value
		case m.Is("attachment"):
			r.attached = m.Value
		case m.Is("compactMetadata"):
			r.metadata = m.Value
		case m.Is("isCompactSummary"):
			r.summary = isTrue(m.Value)
		case m.Is("isSidechain"):
			r.sidechain = isTrue(m.Value)
		}
	})
	return r
}

// rowsOf are the rows of an entry of the path.
func (e *exporter) rowsOf(entry transcript.Entry) []row {
	replacement, edited := e.survey.edits[entry.EffectiveID]
	if edited && replacement == nil {
		return nil
	}
	if !entry.Foreign() {
		return e.madeRows(entry, replacement)
	}
	object := e.objectOf(entry)
	if object == nil {
		return nil
	}
	r := readRowObject(object)
	r.entry = entry.EffectiveID
	r.gap, r.hangs = entry.Gap != "", entry.ParentID != ""
	r.compaction = entry.Type == objects.TypeCompaction
	if r.uuid == "" {
		if r.uuid = string(entry.EffectiveID); r.uuid == "" {
			e.repaired(transcript.DroppedLine, r.entry, "a row without an id")
			return nil
		}
		r.object = splice(r.object, edit{name: "uuid", value: objects.AppendQuote(nil, r.uuid)})
		r = r.again()
	}
	if entry.Origin() != "" {
		r.object = splice(r.object, edit{name: "uuid", value: objects.AppendQuote(nil, string(r.entry))})
		r.uuid = string(r.entry)
		r = r.again()
		r.copied = true
	}
	if !e.counts(r) {
		e.repaired(transcript.DroppedDuplicate, r.entry, "another row has the id %s and counts", r.uuid)
		return nil
	}
	if edited {
		r = r.withContent(replacement)
	}
	return []row{r}
}

// again reads a row's object anew after a change.
func (r row) again() row {
	n := readRowObject(r.object)
	n.entry, n.gap, n.hangs, n.compaction, n.made, n.copied, n.uuid = r.entry, r.gap, r.hangs, r.compaction, r.made, r.copied, r.uuid
	return n
}

// withContent is the row with the content that a context_edit gives it. The content of a single tool result is that result's.
func (r row) withContent(content []byte) row {
	if !r.spoken() || len(r.message) == 0 || r.message[0] != '{' {
		return r
	}
	var only []byte
	n := 0
	objects.Elements(objects.MemberOf(r.message, "content"), func(block []byte) { only, n = block, n+1 })
	if n == 1 && objects.StringOf(objects.MemberOf(only, "type")) == "tool_result" {
		content = slices.Concat([]byte{'['}, splice(only, edit{name: "content", value: content}), []byte{']'})
	}
	r.object = splice(r.object, edit{name: "message", value: splice(r.message, edit{name: "content", value: content})})
	return r.again()
}

// counts reports whether no other row of the id counts in the row's place.
func (e *exporter) counts(r row) bool {
	if e.seen[r.uuid] || r.entry != objects.ID(r.uuid) && e.survey.counting[r.uuid] {
		return false
	}
	e.seen[r.uuid] = true
	return true
}

// objectOf is the object in a line, cleaned from what stands around it; nil if there is none.
func (e *exporter) objectOf(entry transcript.Entry) []byte {
	object := entry.SourceObject()
	if object == nil {
		if line, _ := entry.SourceLine(); len(objects.TrimLine(line)) > 0 {
			e.repaired(transcript.DroppedLine, entry.EffectiveID, "a line that holds no record")
		}
		return nil
	}
	switch line, _ := entry.SourceLine(); {
	case len(line) != len(object):
		e.repaired(transcript.CleanedLine, entry.EffectiveID, "something around the record")
	case isTrue(entry.Get("joined")):
		e.repaired(transcript.CleanedLine, entry.EffectiveID, "another record behind it on its line")
	}
	if !utf8.Valid(object) {
		object = bytes.ToValidUTF8(object, []byte("\uFFFD"))
		e.repaired(transcript.ReplacedText, entry.EffectiveID, "bytes that are no UTF-8")
	}
	if bytes.IndexByte(object, '\n') >= 0 { // between tokens, for within a string it is an escape
		object = bytes.ReplaceAll(object, []byte{'\n'}, []byte{' '})
	}
	return object
}

// identity makes a row one of the new session.
func (e *exporter) identity(r row) []edit {
	edits := e.sessionEdits()
	if cwd, moved := e.moved(r.cwd); moved {
		edits = append(edits, edit{"cwd", objects.AppendQuote(nil, cwd), atString})
	}
	if r.sidechain { // on the path: a subagent's transcript, which the client resumes only as a session of its own
		edits = append(edits, edit{name: "isSidechain", value: []byte("false")})
	}
	return edits
}

func (e *exporter) sessionEdits() []edit {
	id := objects.AppendQuote(nil, string(e.x.Session))
	return []edit{{"sessionId", id, atMember}, {"session_id", id, atMember}}
}

// moved is a folder of the session in the folder of the new one.
func (e *exporter) moved(cwd string) (string, bool) {
	if cwd == "" || e.x.OldCwd == "" || e.x.OldCwd == e.x.Cwd {
		return "", false
	}
	old := strings.TrimRight(e.x.OldCwd, `/\`)
	rest, found := strings.CutPrefix(cwd, old)
	if !found || rest != "" && rest[0] != '/' && rest[0] != '\\' {
		return "", false
	}
	if moved := strings.TrimRight(e.x.Cwd, `/\`) + rest; moved != "" {
		return moved, true
	}
	return e.x.Cwd, true
}

// link decides at what a row hangs.
func (e *exporter) link(r row) []edit {
	parent := e.parentOf(r)
	switch {
	case parent == "" && (r.parentValue == nil || string(r.parentValue) == "null"):
		return nil
	case parent != "" && parent == r.parent:
		return nil
	}
	return []edit{{name: "parentUuid", value: objects.IDField("", objects.ID(parent)).Value}}
}

// parentOf is the row at which a row hangs; empty for none.
func (e *exporter) parentOf(r row) string {
	begins := string(r.parentValue) == "null" && (r.summary || r.compaction)
	switch {
	case r.boundary() && !e.parents[r.parent], begins:
		return "" // it cuts the history
	case e.linked || r.made || r.copied:
	case e.parents[r.parent] && !r.gap:
		return r.parent
	case e.last != "" && e.written[r.parent]:
		e.repaired(transcript.BridgedParent, r.entry, "its parent is no row that the client goes on from: linked to the row before")
	case e.last == "" && r.gap:
		e.repaired(transcript.BridgedParent, r.entry, "its parent is missing: it is the first row")
	case e.last != "" && (r.gap || r.hangs && r.parent == ""):
		e.repaired(transcript.BridgedParent, r.entry, "linked to the row before")
	}
	return e.last
}

// boundary reports whether the row is that of a compaction.
func (r row) boundary() bool { return r.kind == "system" && r.subtype == boundarySubtype }

// edit is a new value for a member.
type edit struct {
	name  string
	value []byte
	there presence
}

// presence says where a value is set.
type presence uint8

const (
	anywhere presence = iota
	atString          // only where a string stands already
	atMember          // only where the object has the member
)

// splice replaces members of an object, all of a name, and appends those that it lacks. All other bytes stay.
func splice(object []byte, edits ...edit) []byte {
	if len(edits) == 0 {
		return object
	}
	out := make([]byte, 0, len(object)+256)
	from := 0
	found := make([]bool, len(edits))
	_ = objects.Scan(object, func(m objects.Member) {
		for i, d := range edits {
			if m.Is(d.name) && (d.there != atString || m.Value[0] == '"') {
				found[i] = true
				out = append(append(out, object[from:m.End-len(m.Value)]...), d.value...)
				from = m.End
				return
			}
		}
	})
	out = append(out, object[from:]...)
	for i, d := range edits {
		if !found[i] && d.there == anywhere {
			out = objects.AppendMembers(out, slices.Concat(objects.AppendQuote(nil, d.name), []byte{':'}, d.value))
		}
	}
	return out
}

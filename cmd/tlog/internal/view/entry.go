// Package view makes of an entry what log and show give of it, for people and for programs.
package view

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"tlog/cmd/tlog/internal/jsonout"
	"tlog/log"
	"tlog/objects"
	"tlog/refs"
)

// Entry is an entry as log and show give it.
type Entry struct {
	Record  log.Record
	Entry   objects.Entry
	Message objects.Message // the zero value if the entry holds none
	Short   string
	Parent  objects.ID // of the graph; as written where the file does not hold it
	Text    string
	About   string   // for people: the entries that an undo, a label or a ref is about
	Refs    []string // "HEAD" and branches that stand here
	On      string   // the branch that HEAD is attached to, if both stand here
	Labels  []string
	Skipped bool
	Gap     objects.ID  // the parent that the line names and the file does not hold
	Compact *Compaction // of an entry of type compaction
	// Subagent is the session of the subagent whose result it is, where its line tells: the id that an import gives it, unless another
	// session of the project has a subagent of the same id.
	Subagent objects.ID
	whole    bool   // what lies in blobs is filled in
	calls    []call // that the results in Message answer, block by block; nil if none was looked for
}

// New reads entry at of the session. Strings that lie in blobs are shown by their placeholders.
func New(s *refs.State, at int, skipped bool) (Entry, error) {
	return NewReader(s).Read(at, skipped)
}

// NewWhole is New with the blobs filled in. What is missing of them stays a placeholder that says so.
func NewWhole(s *refs.State, at int, skipped bool) (Entry, error) {
	return NewReader(s).ReadWhole(at, skipped)
}

// Reader reads many entries of a session. What is asked of the log for more than one of them is looked up once.
type Reader struct {
	state *refs.State
	tally *refs.Tally // nil until a compaction asks for it
	// The entries that were read last, oldest first in order.
	looked map[int]looked
	order  []int
}

// NewReader makes a Reader of the session as it is now.
func NewReader(s *refs.State) *Reader { return &Reader{state: s} }

// Read is [New].
func (r *Reader) Read(at int, skipped bool) (Entry, error) {
	found, err := r.look(at, false)
	if err != nil {
		return Entry{}, err
	}
	raw, m := found.entry, found.message
	if l := r.state.Log(); l.Record(at).Blobs && raw.Blobs != nil {
		if shown, ok := l.Message(preview(l, raw)); ok {
			m = shown
		}
	}
	return r.entry(at, raw, m, skipped, false), nil
}

// ReadWhole is [NewWhole].
func (r *Reader) ReadWhole(at int, skipped bool) (Entry, error) {
	raw, err := r.state.Log().Whole(at)
	var hole *log.BlobError
	if err != nil && !errors.As(err, &hole) {
		return Entry{}, err
	}
	m, _ := r.state.Log().Message(raw)
	return r.entry(at, raw, m, skipped, true), nil
}

func (r *Reader) entry(at int, raw objects.Entry, m objects.Message, skipped, whole bool) Entry {
	s := r.state
	l := s.Log()
	v := Entry{Message: m, Record: *l.Record(at), Entry: raw, Short: l.Short(at), Refs: s.Names(at), Skipped: skipped, whole: whole}
	switch {
	case v.Record.Parent != log.None:
		v.Parent = l.Record(v.Record.Parent).ID
	case v.Record.Gap:
		v.Parent = v.Record.ParentID
	}
	if head := s.Head(); head.At == at {
		v.On = head.Branch
	}
	if label := s.Label(at); label != "" {
		v.Labels = []string{label}
	}
	switch {
	case raw.Gap != "":
		v.Gap = objects.ID(raw.Gap)
	case v.Record.Gap:
		v.Gap = v.Record.ParentID
	}
	if v.Record.Type == objects.TypeCompaction {
		v.Compact = r.compaction(at, raw, whole)
	}
	r.findCalls(&v)
	v.Subagent = v.subagent()
	v.Text = v.text()
	v.About = about(l, raw)
	return v
}

// maxAbout is how many entries About names.
const maxAbout = 4

// about names the targets of an entry by their short ids.
func about(l *log.Log, e objects.Entry) string {
	targets := e.TargetIDs()
	if id, ok := e.Text("targetId"); ok && id != "" {
		targets = append(targets, objects.ID(id))
	}
	var names []string
	for i, id := range targets {
		if i == maxAbout {
			return strings.Join(names, " ") + fmt.Sprintf(" and %d more", len(targets)-i)
		}
		if at, ok := l.Find(id); ok {
			names = append(names, l.Short(at))
		} else {
			names = append(names, string(id))
		}
	}
	return strings.Join(names, " ")
}

// Role is the message's role, empty if the entry holds none. A message of the user that holds nothing but tool results has their role.
func (v Entry) Role() string {
	if v.Message.Role == objects.RoleUser && onlyResults(v.Message.Blocks) {
		return objects.RoleToolResult
	}
	return v.Message.Role
}

func onlyResults(blocks []objects.Block) bool {
	for _, b := range blocks {
		if b.Kind != objects.BlockToolResult {
			return false
		}
	}
	return len(blocks) > 0
}

// Time is the entry's timestamp, zero if it has none that can be read.
func (v Entry) Time() time.Time {
	t, err := time.Parse(time.RFC3339Nano, v.Entry.Timestamp)
	if err != nil {
		return time.Time{}
	}
	return t
}

// text is the entry in words: of a message its text, of any other type what it says.
func (v Entry) text() string {
	e := v.Entry
	if e.Foreign() {
		return v.foreignText()
	}
	get := func(name string) string {
		s, _ := e.Text(name)
		return s
	}
	switch v.Record.Type {
	case objects.TypeMessage, objects.TypeCustomMessage:
		return v.Message.Text()
	case objects.TypeCompaction, objects.TypeBranchSummary:
		return get("summary")
	case objects.TypeModelChange:
		model := get("modelId")
		if model == "" {
			model = get("model")
		}
		return strings.Trim(get("provider")+"/"+model, "/")
	case objects.TypeThinkingLevel:
		return get("thinkingLevel")
	case objects.TypeCustom:
		return get("customType")
	case objects.TypeUsage:
		return get("kind")
	case objects.TypeQueue:
		return strings.TrimSpace(get("operation") + " " + get("content"))
	case objects.TypeLabel:
		return get("label")
	case objects.TypeSessionInfo:
		return get("name")
	case objects.TypeSkip, objects.TypeUnskip, objects.TypeRef, objects.TypeHead:
		return get("reason")
	case objects.TypeMeta:
		return get("file")
	}
	return ""
}

// Model is the entry's model as {"provider","modelId"}, nil if none is recorded.
func (v Entry) Model() *jsonout.Object {
	provider, model := v.Message.Provider, v.Message.Model
	if v.Record.Type == objects.TypeModelChange {
		provider, _ = v.Entry.Text("provider")
		model, _ = v.Entry.Text("modelId")
	}
	if provider == "" && model == "" {
		return nil
	}
	return new(jsonout.Object).Known("provider", provider).Known("modelId", model)
}

// JSON is the entry with the fields that docs/json.md lists.
func (v Entry) JSON() *jsonout.Object {
	o := new(jsonout.Object)
	o.ID("id", v.Record.ID).String("short", v.Short).ID("parentId", v.Parent)
	o.String("type", string(v.Record.Type)).Known("role", v.Role())
	if t := v.Time(); t.IsZero() {
		o.Known("timestamp", v.Entry.Timestamp)
	} else {
		o.Time("timestamp", t)
	}
	o.String("text", v.Text).Array("tools", v.tools()).Object("model", v.Model()).Raw("usage", v.Message.Usage)
	o.Known("agent", v.Entry.Agent).Bool("display", !v.Record.Hidden).Known("note", v.Message.Note).ID("gap", v.Gap)
	o.Object("compaction", v.Compact.JSON()).ID("subagent", v.Subagent).Strings("refs", v.Refs).Strings("labels", v.Labels).Bool("skipped", v.Skipped)
	o.Int("line", int64(v.Record.Line)).Int("offset", v.Record.Offset)
	return o
}

// tools are the entry's tool calls ({"id","name","arguments"}) and results ({"id","name","isError","state"}).
func (v Entry) tools() jsonout.Array {
	var list jsonout.Array
	for _, call := range v.Message.Calls() {
		list.Object(new(jsonout.Object).Known("id", call.CallID).Known("name", call.Name).Raw("arguments", call.Arguments))
	}
	for _, result := range v.Message.Results() {
		list.Object(new(jsonout.Object).Known("id", result.CallID).Known("name", result.Name).Bool("isError", result.IsError).Known("state", result.State))
	}
	return list
}

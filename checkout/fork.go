package checkout

import (
	"errors"
	"fmt"
	"strings"

	"tlog/log"
	"tlog/objects"
	"tlog/refs"
)

// ForkOptions are how to fork.
type ForkOptions struct {
	Flatten bool // leave out what is undone, and every skip and unskip
	// Edits is Flatten for pi, which knows no undo: messages that are undone come along, each with a context_edit at the end that leaves
	// it out of the context. What pi cannot load is left out: messages and edits that lack what they are about, and queued prompts.
	Edits bool
	Cwd   string     // of the new session; empty for that of this one
	Name  string     // of the new session; empty for that of this one
	ID    objects.ID // of the new session; empty for a new one
	// AllowMissing copies entries with marked placeholders for what lay in blobs that are missing or damaged. Without
	// it these are an error (a *log.BlobError).
	AllowMissing bool
}

// Fork is a session to be written: the path to an entry.
type Fork struct {
	Header  objects.Header
	Lines   []log.Line
	Entries int // copied entries
}

// Fork prepares a fork of the path to an entry. Entries keep their ids and their bytes; labels and the name that
// lie off the path are written again at the end, labels on the path of entries off it are left out. With Flatten parents, firstKeptEntryId and targets of what is left out are spliced.
// Lines are whole: log.WriteFile, with which a fork is written, puts long strings into the blobs beside it. The error wraps objects.ErrNotFound if there is nothing to be copied.
func (s *Session) Fork(at int, opt ForkOptions) (Fork, error) {
	if at == log.None {
		return Fork{}, fmt.Errorf("fork: %w: the branch has no entry yet", objects.ErrNotFound)
	}
	if err := s.checkEntry(at); err != nil {
		return Fork{}, fmt.Errorf("fork: %w", err)
	}
	f := &forker{
		s: s, opt: opt, flatten: opt.Flatten || opt.Edits, last: log.None,
		header: objects.Header{
			ID: opt.ID, Cwd: opt.Cwd, Name: opt.Name,
			Timestamp:     timestamp(s.opt.Now()),
			ParentSession: string(s.Log.Header().ID), ParentEntry: s.idOf(at),
		},
		labels: map[objects.ID]string{},
	}
	if err := f.prepare(at); err != nil {
		return Fork{}, fmt.Errorf("fork: %w", err)
	}
	for _, i := range f.kept {
		if err := f.copy(i); err != nil {
			return Fork{}, fmt.Errorf("fork: %w", err)
		}
	}
	if len(f.lines) == 0 {
		return Fork{}, fmt.Errorf("fork: %w: every entry up to there is undone", objects.ErrNotFound)
	}
	entries := len(f.lines)
	if err := f.hide(); err != nil {
		return Fork{}, fmt.Errorf("fork: %w", err)
	}
	if err := f.restoreNames(); err != nil {
		return Fork{}, fmt.Errorf("fork: %w", err)
	}
	return Fork{Header: f.header, Lines: f.lines, Entries: entries}, nil
}

// forker copies a path.
type forker struct {
	s       *Session
	opt     ForkOptions
	flatten bool
	header  objects.Header
	path    []int
	place   map[int]int  // of an entry on the path
	dropped map[int]bool // that are left out
	kept    []int
	hidden  []int // of these, the undone ones
	lines   []log.Line
	last    int        // the entry copied last
	tip     objects.ID // the id of the last line

	labels map[objects.ID]string // those that the copied entries set
	name   string                // that the copied entries set
	named  bool
}

// prepare finds what is to be copied.
func (f *forker) prepare(at int) error {
	if f.header.ID == "" {
		id, err := f.s.NewID()
		if err != nil {
			return err
		}
		f.header.ID = id
	}
	if f.header.Cwd == "" {
		f.header.Cwd = f.s.Log.Header().Cwd
	}
	h, err := refs.NewHistory(f.s.Log, at)
	if err != nil {
		return err
	}
	f.path = h.Path()
	f.place = make(map[int]int, len(f.path))
	for n, i := range f.path {
		f.place[i] = n
	}
	if err := f.drop(h); err != nil {
		return err
	}
	for _, i := range f.path {
		if !f.dropped[i] {
			f.kept = append(f.kept, i)
			if f.opt.Edits && h.SkippedBy(i) != log.None {
				f.hidden = append(f.hidden, i)
			}
		}
	}
	return nil
}

// copy adds the copy of an entry.
func (f *forker) copy(i int) error {
	entry, err := f.s.Log.Whole(i)
	var hole *log.BlobError
	if err != nil && !(f.opt.AllowMissing && errors.As(err, &hole)) {
		return err
	}
	id, parent := f.s.Log.Record(i).ID, f.s.idOf(f.last)
	line := entry.Raw
	switch {
	case entry.ID == id:
	case entry.Get("id") == nil:
		line = objects.InsertMembers(line, "type", member(objects.IDField("id", id)))
	default:
		line = objects.ReplaceValue(line, "id", objects.AppendQuote(nil, string(id)))
	}
	switch {
	case entry.ParentID == parent:
	case !entry.HasParent:
		line = objects.InsertMembers(line, "id", member(objects.IDField("parentId", parent)))
	default:
		line = objects.ReplaceValue(line, "parentId", objects.IDField("parentId", parent).Value)
	}
	switch entry.Type {
	case objects.TypeCompaction:
		line = f.moveFirstKept(line, entry, i)
	case objects.TypeLabel, objects.TypeContextEdit:
		line = f.retarget(line, entry)
	}
	if line, err = keepOffBranches(line); err != nil {
		return err
	}
	f.note(line)
	// A log refuses a new line without a type; one that is there already comes along as it is.
	f.lines = append(f.lines, log.Line{Bytes: line, Verbatim: entry.Type == ""})
	f.last, f.tip = i, id
	return nil
}

// keepOffBranches makes sure that nothing in an agent's own line is taken for a
// ref or chain of tlog's: such a line says itself which branch it moves.
func keepOffBranches(line []byte) ([]byte, error) {
	entry, err := objects.ParseEntry(line)
	if err != nil || entry.Ref == "" && entry.Chain == "" {
		return line, err
	}
	return objects.AppendMembers(line, member(objects.StringField("ref", refs.DefaultBranch))), nil
}

// retarget names the target of a label or edit by the id that it has in the fork:
// an id that breaks the rule does not come along.
func (f *forker) retarget(line []byte, entry objects.Entry) []byte {
	target, _ := entry.Text("targetId")
	at, ok := f.s.Log.Find(objects.ID(target))
	if !ok || f.s.Log.Record(at).ID == objects.ID(target) {
		return line
	}
	return objects.ReplaceValue(line, "targetId", objects.AppendQuote(nil, string(f.s.Log.Record(at).ID)))
}

// note notes what a copied entry says about names.
func (f *forker) note(line []byte) {
	entry, err := objects.ParseEntry(line)
	if err != nil {
		return
	}
	switch entry.Type {
	case objects.TypeLabel:
		target, _ := entry.Text("targetId")
		f.labels[objects.ID(target)], _ = entry.Text("label")
	case objects.TypeSessionInfo:
		f.name, _ = entry.Text("name")
		f.named = true
	}
}

// restoreNames adds entries for those labels and that name which the copied
// entries do not give, since the last word about them was said on another branch.
func (f *forker) restoreNames() error {
	for _, i := range f.kept {
		id, label := f.s.Log.Record(i).ID, f.s.Refs.Label(i)
		if strings.TrimSpace(f.labels[id]) == label {
			continue
		}
		value := objects.Field{Key: "label"}
		if label != "" {
			value = objects.StringField("label", label)
		}
		if err := f.add(objects.TypeLabel, objects.IDField("targetId", id), value); err != nil {
			return err
		}
	}
	want, have := f.opt.Name, f.header.Name
	if want == "" {
		want = f.s.Refs.Name()
	}
	if f.named {
		have = strings.TrimSpace(f.name)
	}
	if have == want {
		return nil
	}
	return f.add(objects.TypeSessionInfo, objects.StringField("name", want))
}

// add adds an entry of the fork's own.
func (f *forker) add(t objects.Type, payload ...objects.Field) error {
	id, err := f.s.NewID()
	if err != nil {
		return err
	}
	f.lines = append(f.lines, log.Line{Bytes: objects.Build(t, id, f.tip, f.header.Timestamp, payload...)})
	f.tip = id
	return nil
}

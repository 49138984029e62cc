package checkout

import (
	"errors"
	"fmt"

	"tlog/log"
	"tlog/objects"
)

// Repair is one thing that a repair did.
type Repair struct {
	Line int // of the damaged log; 0 for the whole
	Code log.Code
	What string
}

// Repair prepares a copy of all of the session that can be read, as a session of its own: every entry, with branches, undos and labels. Damaged lines are left out; an entry with an
// id that is none, or that another one has, gets the one that it goes by; one whose parent is nowhere becomes a root, and so does the first of a cycle; what a missing or damaged blob held stays a
// marked placeholder. Each thing is told. Nothing of this session is changed. The copy is no import any more.
func (s *Session) Repair() (Fork, []Repair, error) {
	id, err := s.NewID()
	if err != nil {
		return Fork{}, nil, err
	}
	old := s.Log.Header()
	r := &repairer{s: s}
	if s.Log.Version() != objects.Version {
		return Fork{}, nil, fmt.Errorf("repair: %w %d: expected %d; migrate it first", objects.ErrVersion, s.Log.Version(), objects.Version)
	}
	for _, d := range s.Log.Damaged() {
		r.note(d.Line, d.Code, "left out: %s", d.Reason)
	}
	for raw, err := range s.Log.Lines(0) {
		if err != nil {
			return Fork{}, nil, err
		}
		if raw.Record == log.None {
			continue
		}
		if err := r.take(raw.Record); err != nil {
			return Fork{}, nil, err
		}
	}
	return Fork{
		Header:  objects.Header{ID: id, Timestamp: timestamp(s.opt.Now()), Cwd: old.Cwd, Name: old.Name, ParentSession: string(old.ID)},
		Lines:   r.lines,
		Entries: r.entries,
	}, r.done, nil
}

type repairer struct {
	s       *Session
	lines   []log.Line
	entries int
	done    []Repair
}

func (r *repairer) note(line int, code log.Code, format string, args ...any) {
	r.done = append(r.done, Repair{Line: line, Code: code, What: fmt.Sprintf(format, args...)})
}

// take copies an entry, mended.
func (r *repairer) take(i int) error {
	record := r.s.Log.Record(i)
	if record.RepeatOf != log.None && record.Ref == "" {
		r.note(record.Line, log.RepeatedLine, "left out: it repeats line %d", r.s.Log.Record(record.RepeatOf).Line)
		return nil
	}
	whole, err := r.s.Log.Whole(i)
	var hole *log.BlobError
	switch {
	case errors.As(err, &hole):
		r.note(record.Line, log.BlobMissing, "a marked placeholder stays: %v", hole.Err)
	case err != nil:
		return err
	}
	line := whole.Raw
	if record.RepeatOf == log.None && whole.ID != record.ID {
		r.note(record.Line, log.BadID, "goes by %s", record.ID)
		line = objects.ReplaceValue(line, "id", objects.AppendQuote(nil, string(record.ID)))
	}
	line = r.parented(i, whole, line)
	if record.Ref != "" {
		line = objects.AppendMembers(line, member(objects.StringField("ref", record.Ref)))
	}
	r.lines = append(r.lines, log.Line{Bytes: line, Verbatim: true})
	if record.Tree() {
		r.entries++
	}
	return nil
}

// parented is a line that hangs at an entry that is there, or at none.
func (r *repairer) parented(i int, e objects.Entry, line []byte) []byte {
	record := r.s.Log.Record(i)
	if e.ParentID == "" || !record.Gap && (record.Parent != log.None || !record.Tree()) {
		if up := record.Parent; up != log.None && record.Tree() && record.RepeatOf == log.None && r.s.Log.Record(up).ID != e.ParentID {
			return objects.ReplaceValue(line, "parentId", objects.AppendQuote(nil, string(r.s.Log.Record(up).ID)))
		}
		return line
	}
	code := log.MissingParent
	if !record.Gap {
		code = log.Cycle
	}
	r.note(record.Line, code, "%s hangs at nothing: its parent %.80s is nowhere, or below it", record.ID, e.ParentID)
	return objects.ReplaceValue(line, "parentId", []byte("null"))
}

package checkout

import (
	"errors"
	"fmt"
	"iter"

	"tlog/agents"
	"tlog/agents/transcript"
	"tlog/log"
	"tlog/objects"
	"tlog/refs"
)

// TranscriptOptions are how to make a transcript.
type TranscriptOptions struct {
	Agent string // whose transcript it is to be
	// AllowMissing takes entries with marked placeholders for what lay in blobs that are missing or damaged. Without
	// it these are an error (a *log.BlobError).
	AllowMissing bool
}

// Transcript is what an agent is to go on from.
type Transcript struct {
	At    int // the entry at which it ends
	Asked int // the one that was asked for; At lies further down where that would have split calls from their results
	// Undone is how many entries were left out since they are undone.
	Undone int
	Own    int    // how many of the entries are lines of the agent's
	Parent string // the file of the agent's that it is made of; empty if that is not told
	// Entries are those of the path to At that are not undone, and between and behind them the agent's lines that are no nodes of the
	// history. They may be ranged over again, and are good until the log is read further.
	Entries iter.Seq2[transcript.Entry, error]
}

// wholeHistory is the path to an entry that is to leave the log, going on to end where calls on it have results further down.
func (s *Session) wholeHistory(at int) (history *refs.History, end int, err error) {
	if at == log.None {
		return nil, at, fmt.Errorf("%w: the branch has no entry yet", objects.ErrNotFound)
	}
	if err := s.checkEntry(at); err != nil {
		return nil, at, err
	}
	if end, err = s.wholePairs(at); err != nil {
		return nil, at, err
	}
	history, err = refs.NewHistory(s.Log, end)
	return history, end, err
}

// Transcript is the path to an entry, for an agent. The path goes on where calls on it have results further down. The
// error wraps objects.ErrNotFound if there is nothing on it, objects.ErrRefused if there are lines of another agent.
func (s *Session) Transcript(at int, opt TranscriptOptions) (Transcript, error) {
	fail := func(err error) (Transcript, error) { return Transcript{}, fmt.Errorf("transcript: %w", err) }
	history, end, err := s.wholeHistory(at)
	if err != nil {
		return fail(err)
	}
	t := &teller{s: s, opt: opt, history: history, last: log.None, beside: map[int][]int{}}
	if err := t.choose(); err != nil {
		return fail(err)
	}
	if len(t.kept) == 0 {
		return fail(fmt.Errorf("%w: every entry up to there is undone", objects.ErrNotFound))
	}
	return Transcript{At: end, Asked: at, Undone: t.undone, Own: t.own, Entries: t.entries}, nil
}

// teller tells the path to an entry.
type teller struct {
	s       *Session
	opt     TranscriptOptions
	history *refs.History
	kept    []int         // of the path
	beside  map[int][]int // results that hang beside the path, by the entry of it that they hang at
	undone  int
	own     int // lines of the agent's among those kept
	last    int // the last line of the agent's that is kept
}

// choose finds what of the path is told.
func (t *teller) choose() error {
	window := &callWindow{}
	summarised := log.None // an undone compaction, whose summary is the next entry
	for _, i := range t.history.Path() {
		e, err := t.s.Log.Entry(i)
		if err != nil {
			return err
		}
		if t.history.SkippedBy(i) != log.None {
			t.undone++
			if e.Type == objects.TypeCompaction && e.Foreign() {
				summarised = i
			}
			continue
		}
		if e.Foreign() && e.Agent != t.opt.Agent {
			return fmt.Errorf("%w: entry %s is of %s, which %s takes as a conversation alone",
				objects.ErrRefused, t.s.Log.Short(i), e.Agent, t.opt.Agent)
		}
		m, isMessage := t.s.Log.Message(e)
		if summarised != log.None && t.s.Log.Record(i).Parent == summarised && m.Note == "summary" {
			t.undone++
			continue
		}
		t.kept = append(t.kept, i)
		if e.Foreign() {
			t.last = i
			t.own++
		}
		if !isMessage {
			continue
		}
		if window.ends(m) {
			if err := t.lookBeside(window); err != nil {
				return err
			}
			*window = callWindow{}
		}
		window.take(i, m)
	}
	return t.lookBeside(window)
}

// lookBeside looks for results of calls that have none on the path: those that came late hang beside it.
func (t *teller) lookBeside(w *callWindow) error {
	if len(w.open) == 0 {
		return nil
	}
	for _, at := range w.entries {
		for _, child := range t.s.Log.Children(at) {
			if t.s.Log.Record(child).Type != objects.TypeMessage || t.history.Contains(child) || t.history.SkippedBy(child) != log.None {
				continue
			}
			e, err := t.s.Log.Entry(child)
			if err != nil {
				return err
			}
			if m, ok := t.s.Log.Message(e); ok && w.answer(m) {
				t.beside[at] = append(t.beside[at], child)
			}
		}
	}
	return nil
}

// entries are those of the transcript.
func (t *teller) entries(yield func(transcript.Entry, error) bool) {
	tell := func(i int, onPath bool) bool {
		if e, err := t.s.Log.Entry(i); err == nil && !onPath && !t.aside(e) {
			return true
		}
		e, err := t.s.Log.Whole(i)
		var hole *log.BlobError
		if err != nil && !(t.opt.AllowMissing && errors.As(err, &hole)) {
			yield(transcript.Entry{}, err)
			return false
		}
		return yield(transcript.Entry{Entry: e, EffectiveID: t.s.Log.Record(i).ID, OnPath: onPath}, nil)
	}
	onPath := make(map[int]bool, len(t.kept))
	for _, i := range t.kept {
		onPath[i] = true
	}
	next := 0 // of the lines between
	between := func(end int) bool {
		for ; next < end; next++ {
			if r := t.s.Log.Record(next); r.Foreign && r.RepeatOf == log.None && !onPath[next] && !t.history.Contains(next) && !tell(next, false) {
				return false
			}
		}
		return true
	}
	for _, i := range t.kept {
		if !between(i) || !tell(i, true) {
			return
		}
		for _, late := range t.beside[i] {
			onPath[late] = true
			if !tell(late, true) {
				return
			}
		}
	}
	if t.whole() {
		between(t.s.Log.Len())
	}
}

// whole reports whether the transcript goes to the end of what was imported.
func (t *teller) whole() bool {
	tracked, ok := t.s.Refs.Branch(t.opt.Agent)
	return ok && t.last == tracked.At
}

// aside reports whether a line that is not on the path comes along all the same: one that is no node of the history, or that
// its agent takes for none.
func (t *teller) aside(e objects.Entry) bool {
	if e.Agent != t.opt.Agent {
		return false
	}
	if e.Type == objects.TypeMeta {
		return true
	}
	agent, _ := agents.LookupForeign(e.Agent)
	judge, ok := agent.(interface{ Aside(e objects.Entry) bool })
	return ok && judge.Aside(e)
}

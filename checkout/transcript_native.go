package checkout

import (
	"encoding/json"
	"fmt"

	"tlog/agents/transcript"
	"tlog/objects"
)

// NativeTranscript is the path to an entry for an agent whose entries tlog's own are, which knows edits of the context and no undo: what is
// undone comes along with an edit that leaves it out (see ForkOptions.Edits), so that the agent sees the same context. Name is the
// session's from there on; empty for its own. The path goes on where calls on it have results further down. The error wraps
// objects.ErrRefused if there are lines of an agent's own format on it.
func (s *Session) NativeTranscript(at int, name string, opt TranscriptOptions) (Transcript, error) {
	fail := func(err error) (Transcript, error) { return Transcript{}, fmt.Errorf("transcript: %w", err) }
	history, end, err := s.wholeHistory(at)
	if err != nil {
		return fail(err)
	}
	for _, i := range history.Path() {
		if s.Log.Record(i).Foreign {
			return fail(fmt.Errorf("%w: entry %s is a line of another agent's", objects.ErrRefused, s.Log.Short(i)))
		}
	}
	fork, err := s.Fork(end, ForkOptions{Edits: true, Name: name, AllowMissing: opt.AllowMissing})
	if err != nil {
		return fail(err)
	}
	return Transcript{At: end, Asked: at, Undone: len(history.Skipped()), Parent: s.sourceFile(), Entries: forkEntries(fork)}, nil
}

// forkEntries are the lines of a fork.
func forkEntries(fork Fork) func(yield func(transcript.Entry, error) bool) {
	return func(yield func(transcript.Entry, error) bool) {
		for _, line := range fork.Lines {
			e, err := objects.ParseEntry(line.Bytes)
			if !yield(transcript.Entry{Entry: e, EffectiveID: e.ID, OnPath: true}, err) || err != nil {
				return
			}
		}
	}
}

// sourceFile is the file that the session was imported from, else its own: both are files that pi opens.
func (s *Session) sourceFile() string {
	var source struct{ Path string }
	if raw := s.Log.Header().Source; raw != nil && json.Unmarshal(raw, &source) == nil && source.Path != "" {
		return source.Path
	}
	return s.Log.Path()
}

package store

import (
	"context"
	"iter"
	"path/filepath"
	"strings"

	"tlog/agents"
	"tlog/agents/transcript"
)

// nativeAgent is the agent that a native file is looked at as.
const nativeAgent = "pi"

// SurveyFiles tells of transcripts that lie anywhere what [Store.Survey] tells of those that an agent keeps. What each is is found out by its
// first bytes; a bare message log, which has no id, is always new. An error concerns the file in its pair, or without a Path
// the store; the others follow.
func (s *Store) SurveyFiles(ctx context.Context, paths []string) iter.Seq2[Surveyed, error] {
	return func(yield func(Surveyed, error) bool) {
		files, err := s.everywhere()
		if err != nil {
			yield(Surveyed{}, err)
			return
		}
		native, _ := agents.Lookup(nativeAgent)
		v := surveyor{store: s, peeker: newPeeker(s.open), logs: map[string][]string{}}
		for _, file := range files {
			id := strings.TrimSuffix(filepath.Base(file), logSuffix)
			v.logs[id] = append(v.logs[id], file)
		}
		for _, path := range paths {
			if err := ctx.Err(); err != nil {
				yield(Surveyed{}, err)
				return
			}
			v.agent = native
			if foreign, _ := s.detect(path); foreign != nil {
				v.agent = foreign
			}
			if !yield(v.look(transcript.Found{Path: path})) {
				return
			}
		}
	}
}

package checkout

import (
	"io"
	"iter"

	"tlog/log"
	"tlog/objects"
	"tlog/refs"
)

// importSource is what an import takes its lines from: a log, or an agent's own file.
type importSource interface {
	io.ReaderAt
	Path() string
	// tracking is the branch that the lines move.
	tracking() string
	// own reads what the session holds of the source. It comes before lines, which need not yield again what it finds to
	// be there already.
	own(s *Session) (ownLines, error)
	// lines yields the lines that an import takes, in the order of the source. It may be asked again.
	lines() iter.Seq2[sourceLine, error]
	// leaf is the entry where the agent would go on, empty for none, by the lines that were yielded. Where told is false one of
	// them is marked as the leaf instead.
	leaf() (id objects.ID, told bool)
	// imported is how many bytes of the source the import takes, from its first.
	imported() (int64, error)
	// damaged is the number of its lines that could not be read.
	damaged() int
}

// logSource is a source whose lines are native: a log of pi's or of tlog's own, or bare messages.
type logSource struct{ *log.Log }

func (s logSource) tracking() string         { return SourceKind(s.Version()) }
func (s logSource) leaf() (objects.ID, bool) { return "", false }
func (s logSource) imported() (int64, error) { return importedSize(s.Log) }
func (s logSource) damaged() int             { return len(s.Damaged()) }
func (s logSource) own(to *Session) (ownLines, error) {
	return readOwn(to.Log, runFinder{tracking: s.tracking()})
}

// lines takes all lines but the header, what stands above it, and a last line that is not complete yet. Of tlog's
// own logs it takes the entries of the history.
func (s logSource) lines() iter.Seq2[sourceLine, error] {
	return func(yield func(sourceLine, error) bool) {
		leaf, err := leafOf(s.Log)
		if err != nil {
			yield(sourceLine{}, err)
			return
		}
		begun := s.Version() == 0
		for raw, err := range s.Lines(0) {
			if err != nil {
				yield(sourceLine{}, err)
				return
			}
			if raw.Header {
				begun = true
				continue
			}
			if !begun || raw.Record == log.None && !raw.Ended {
				continue
			}
			line, err := newSourceLine(s.Log, raw)
			line.leaf = raw.Record != log.None && raw.Record == leaf
			if err == nil && s.Version() >= objects.Version && !line.tree {
				continue
			}
			if !yield(line, err) || err != nil {
				return
			}
		}
	}
}

// leafOf is the record that the source's leaf is in: HEAD's tip of a tlog log,
// the last line that is an entry of others (formats/pi.md section 5).
func leafOf(source *log.Log) (int, error) {
	if source.Version() >= objects.Version {
		state, err := refs.Fold(source)
		if err != nil {
			return log.None, err
		}
		return state.Head().At, nil
	}
	for i := source.Len() - 1; i >= 0; i-- {
		r := source.Record(i)
		if r.RepeatOf != log.None {
			r = source.Record(r.RepeatOf)
		}
		if r.Tree() {
			return i, nil
		}
	}
	return log.None, nil
}

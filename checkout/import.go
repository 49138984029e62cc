package checkout

import (
	"context"
	"io"

	"tlog/log"
	"tlog/objects"
)

// Imported says what an import did.
type Imported struct {
	Tracking string // the tracking branch
	New      int    // entries that were added
	Entries  int    // tree entries of the session now
	Damaged  int    // lines of the source that could not be read
	Missing  int    // entries known from before that are not in the source any more
	Followed bool   // main stood where the tracking branch stood and moved with it
}

// SourceKind is the tracking branch for a source of the given format version: pi, messages or tlog.
func SourceKind(version int) string { panic("todo") }

// ImportHeader is the header of a new session for the source (its ID empty for a version 0 source: the caller gives one).
// path is recorded as the source's.
func ImportHeader(source *log.Log, path string) (objects.Header, error) { panic("todo") }

// Import brings the lines of source that this session does not hold yet into it, in one write, moves the tracking
// branch, and main if it stood there (docs/format.md "Imports"). A source that was rewritten is merged by id; nothing is lost.
// Importing the same again adds nothing and writes nothing.
func (s *Session) Import(ctx context.Context, source *log.Log) (Imported, error) { panic("todo") }

// WriteOriginal writes the source's lines as they came in: the source's header and each imported line without
// what tlog added. The result may differ from the source where docs/format.md says so; the store keeps the whole source then.
func (s *Session) WriteOriginal(w io.Writer) error { panic("todo") }

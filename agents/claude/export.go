package claude

import (
	"bufio"
	"fmt"
	"io"
	"time"

	"tlog/agents/transcript"
	"tlog/objects"
)

// Export implements transcript.Writer (docs/claude.md "Export"). Entries is ranged over two or three times.
func (Agent) Export(w io.Writer, x transcript.Export) (transcript.Report, error) {
	if x.Cwd == "" {
		x.Cwd = x.OldCwd
	}
	e := &exporter{x: x, w: bufio.NewWriterSize(w, 1<<16), written: map[string]bool{}, parents: map[string]bool{}, made: map[string][]string{}, starts: map[objects.ID]int{}}
	if err := e.prepare(); err != nil {
		return transcript.Report{}, err
	}
	if err := e.run(); err != nil {
		return transcript.Report{}, err
	}
	return e.report, nil
}

// exporter writes one transcript.
type exporter struct {
	x      transcript.Export
	w      *bufio.Writer
	report transcript.Report
	survey survey
	plan   plan
	// planning: nothing is written or reported yet.
	planning bool

	seen    map[string]bool    // uuids of the rows of the path that were read, in this round
	written map[string]bool    // uuids of what stands in the file already
	parents map[string]bool    // those of them that are the history's and of a type that the client knows
	rows    []writtenRow       // those of the path
	starts  map[objects.ID]int // how many of them stood there before the first of an entry
	last    string             // uuid of the newest row of the path
	time    string             // its timestamp
	// linked: the next row hangs at last, whatever it says itself.
	linked bool
	// made are the stand-ins behind a row of the path, by its uuid: they are kept where it is.
	made map[string][]string

	place          int // of the row of the path that comes next
	calls, results int // those written so far
	pictures       pictures
}

// writtenRow is a row of the path that stands in the file.
type writtenRow struct {
	uuid string
	// silent: it is of a compaction, and not kept by a later one.
	silent bool
}

// run writes the transcript.
func (e *exporter) run() error {
	e.seen = map[string]bool{}
	for entry, err := range e.x.Entries {
		if err != nil {
			return err
		}
		switch {
		case entry.OnPath:
			err = e.writeEntry(entry)
		case entry.Foreign():
			err = e.writeSide(entry)
		}
		if err != nil {
			return err
		}
	}
	if e.x.Name != "" {
		if err := e.writeLine(e.title(e.x.Name)); err != nil {
			return err
		}
	}
	e.tellCopies()
	return e.w.Flush()
}

// writeEntry writes the rows of an entry of the path, and stand-ins for results that are missing.
func (e *exporter) writeEntry(entry transcript.Entry) error {
	if line := e.renaming(entry); line != nil {
		return e.writeLine(line)
	}
	e.starts[entry.EffectiveID] = len(e.rows)
	for _, r := range e.rowsOf(entry) {
		behind := e.plan.standIns[e.place]
		e.place++
		if err := e.writeRow(r); err != nil {
			return err
		}
		if err := e.writeStandIns(behind); err != nil {
			return err
		}
	}
	return nil
}

// writeRow writes a row of the path as far as it has something to say.
func (e *exporter) writeRow(r row) error {
	r = e.repairText(r)
	if !e.repairContent(&r) {
		return nil
	}
	r.object = e.repairAttachment(r)
	return e.put(r)
}

// put writes a row that needs no repair.
func (e *exporter) put(r row) error {
	edits := append(e.identity(r), e.link(r)...)
	if r.boundary() {
		edits = append(edits, e.boundaryEdits(r)...)
	}
	if err := e.writeLine(e.withoutImages(splice(r.object, edits...), r.entry, false)); err != nil {
		return err
	}
	e.written[r.uuid] = true
	e.rows = append(e.rows, writtenRow{r.uuid, r.summary || r.boundary()})
	// What hangs at a row of another type is lost: the client goes past no such row on its way up.
	if e.linked = r.made; r.spoken() || r.kind == "attachment" || r.kind == "system" {
		e.parents[r.uuid] = true
		e.last = r.uuid
	}
	if r.timestamp != "" {
		e.time = r.timestamp
	}
	if r.spoken() {
		e.report.Messages++
	}
	return nil
}

func (e *exporter) writeLine(line []byte) error {
	if _, err := e.w.Write(line); err != nil {
		return err
	}
	e.report.Lines++
	return e.w.WriteByte('\n')
}

// repaired notes a repair.
func (e *exporter) repaired(kind transcript.RepairKind, id objects.ID, format string, args ...any) {
	if !e.planning {
		e.report.Repairs = append(e.report.Repairs, transcript.Repair{Kind: kind, ID: id, Detail: fmt.Sprintf(format, args...)})
	}
}

// now is the time of what has none of its own: that of the row before.
func (e *exporter) now() string {
	if e.time != "" {
		return e.time
	}
	return e.x.Now.UTC().Format("2006-01-02T15:04:05.000Z")
}

// timeOf is the timestamp of an entry as the client writes it.
func (e *exporter) timeOf(entry transcript.Entry) string {
	t, err := time.Parse(time.RFC3339Nano, entry.Timestamp)
	if err != nil {
		return e.now()
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}

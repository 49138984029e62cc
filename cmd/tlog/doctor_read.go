package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"tlog/agents"
	"tlog/agents/transcript"
	"tlog/log"
	"tlog/objects"
	"tlog/store"
)

// readThrough reads a transcript once and says what is wrong with its lines, and how its rows hang together if they are the agent's own kind.
func readThrough(agent agents.Agent, seen store.Surveyed, now time.Time) (damagedFile, breaks, error) {
	faults := damagedFile{path: seen.Path}
	fail := func(err error) (damagedFile, breaks, error) {
		return faults, breaks{}, fmt.Errorf("read %s: %w", seen.Path, err)
	}
	f, info, err := transcript.Open(seen.Path)
	if err != nil {
		return faults, breaks{}, err
	}
	defer f.Close()
	writing := now.Sub(info.ModTime()) < settled
	foreign, ok := agent.(agents.Foreign)
	if !ok {
		return faults, breaks{}, faults.find(f, info.Size(), writing)
	}
	data, err := io.ReadAll(io.NewSectionReader(f, 0, info.Size()))
	if err != nil {
		return fail(err)
	}
	if r, ok := foreign.NewReader(seen.Session).(transcript.DocumentReader); ok && r.Document(data) {
		faults.findInDocument(data, writing)
	} else if err := faults.find(bytes.NewReader(data), int64(len(data)), writing); err != nil {
		return fail(err)
	}
	broken, err := breaksIn(foreign, seen, data)
	if err != nil {
		return fail(err)
	}
	return faults, broken, nil
}

// find finds the damaged lines of a file.
func (d *damagedFile) find(f io.ReaderAt, size int64, writing bool) error {
	for fault, err := range log.Faults(f, size) {
		switch {
		case err != nil:
			return err
		case writing && fault.Code == log.TornTail:
			continue
		}
		if d.total++; d.total <= maxFaults {
			d.faults = append(d.faults, fault)
		}
	}
	return nil
}

// findInDocument finds out where a transcript that is one JSON document breaks off.
func (d *damagedFile) findInDocument(data []byte, writing bool) {
	err := objects.Scan(data, nil)
	if broken := (*objects.SyntaxError)(nil); errors.As(err, &broken) && !writing {
		d.total++
		line := 1 + bytes.Count(data[:broken.Offset], []byte{'\n'})
		d.faults = append(d.faults, log.Damage{Code: log.BadLine, Line: line, Offset: int64(broken.Offset), Reason: "the document breaks off: " + broken.Reason})
	}
}

// breaks are where the rows of a transcript do not hang together.
type breaks struct {
	gaps    int // rows whose parent is not there
	calls   int // without a result, but for those that the transcript ends with
	results int // without their call
}

func (b breaks) String() string {
	var parts []string
	for _, part := range []struct {
		n         int
		one, many string
	}{
		{b.gaps, "gap", "gaps"},
		{b.calls, "call without result", "calls without result"},
		{b.results, "result without call", "results without call"},
	} {
		if part.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", part.n, plural(part.n, part.one, part.many)))
		}
	}
	return strings.Join(parts, ", ")
}

// breaksIn finds where the rows of an agent's transcript, whose bytes are data, do not hang together.
func breaksIn(agent agents.Foreign, seen store.Surveyed, data []byte) (breaks, error) {
	reader := agent.NewReader(seen.Session)
	c := callCount{open: map[string]string{}, answered: map[string]bool{}, made: map[string]bool{}}
	if based, ok := agent.(agents.Based); ok {
		base, err := based.Base(seen.Path, data)
		if err != nil {
			return breaks{}, err
		}
		if missing, ok := reader.(transcript.BaseReader); ok && base.Missing != "" {
			missing.MissingBase(base.Missing)
		}
		for i := range base.Lines {
			if e, ok := c.take(agent, &base.Lines[i]); ok {
				reader.Known(e)
			}
		}
	}
	found, rows := breaks{}, map[objects.ID]bool{}
	envelopes := reader.Read(data)
	for i := range envelopes {
		v := &envelopes[i]
		if v.Gap != "" && !v.Type.Journal() && !rows[v.ID] {
			found.gaps++
			rows[v.ID] = true
		}
		if v.Type == objects.TypeMessage {
			c.take(agent, v)
		}
	}
	found.calls, found.results = c.count()
	return found, nil
}

// callCount matches calls with their results.
type callCount struct {
	open     map[string]string // the reply of each call that has no result so far
	answered map[string]bool
	made     map[string]bool
	last     string   // the reply seen last
	results  []string // the calls that results are of
}

// take takes in a line. The entry that it becomes is good until the next one.
func (c *callCount) take(agent agents.Foreign, v *objects.Envelope) (objects.Entry, bool) {
	e, err := objects.ParseEntry(v.Bytes())
	if err != nil {
		return e, false
	}
	m, ok := agent.Message(e)
	if !ok {
		return e, true
	}
	reply := m.ReplyID
	if reply == "" {
		reply = string(v.ID)
	}
	for _, call := range m.Calls() {
		c.made[call.CallID] = true
		if !c.answered[call.CallID] {
			c.open[call.CallID] = reply
		}
	}
	for _, result := range m.Results() {
		c.answered[result.CallID] = true
		c.results = append(c.results, result.CallID)
		delete(c.open, result.CallID)
	}
	if len(m.Results()) == 0 {
		c.last = reply
	}
	return e, true
}

// count gives the calls without a result, but for those of the last reply, which may still be at work, and the results without a call.
func (c *callCount) count() (calls, results int) {
	for _, reply := range c.open {
		if reply != c.last {
			calls++
		}
	}
	lost := map[string]bool{}
	for _, id := range c.results {
		if !c.made[id] && !lost[id] {
			lost[id] = true
			results++
		}
	}
	return calls, results
}

package log

import "tlog/objects"

// Message is the normalised message in an entry of this log; ok is false if it holds none. An agent's line is
// read by that agent's decoder, if the log was opened with one.
func (l *Log) Message(e objects.Entry) (m objects.Message, ok bool) {
	if !e.Foreign() {
		return objects.DecodeMessage(e)
	}
	if decoder, found := l.decoder(e.Agent); found {
		return decoder.Message(e)
	}
	return objects.Message{}, false
}

// MessageAt reads the i-th entry and the message in it. Strings that lie in blobs stay placeholders, unless only they tell
// what a line of an agent holds: whether a long text was said by a user or put there by the agent's program.
func (l *Log) MessageAt(i int) (e objects.Entry, m objects.Message, ok bool, err error) {
	e, err = l.Entry(i)
	if err != nil {
		return e, m, false, err
	}
	m, ok = l.Message(e)
	if !e.Foreign() || !l.records[i].Blobs || ok && !m.Prompt() {
		return e, m, ok, nil
	}
	// What is missing of the blobs leaves the entry as it is.
	if whole, _ := l.Whole(i); whole.Raw != nil {
		if full, found := l.Message(whole); found && (!ok || full.Note != "") {
			return whole, full, true, nil
		}
	}
	return e, m, ok, nil
}

// Compaction is what an entry of type compaction says; ok is false if it is none, or no decoder knows it.
func (l *Log) Compaction(e objects.Entry) (c objects.Compaction, ok bool) {
	if e.Type != objects.TypeCompaction {
		return objects.Compaction{}, false
	}
	if e.Foreign() {
		if decoder, found := l.decoder(e.Agent); found {
			return decoder.Compaction(e)
		}
		return objects.Compaction{}, false
	}
	c.Summary, _ = e.Text("summary")
	c.TokensBefore = e.Get("tokensBefore")
	first, _ := e.Text("firstKeptEntryId")
	c.FirstKept = objects.ID(first)
	return c, true
}

// Usage is the usage that an agent's line of type usage records, see [objects.UsageDecoder]; nil if it records none.
func (l *Log) Usage(e objects.Entry) []byte {
	if !e.Foreign() || e.Type != objects.TypeUsage {
		return nil
	}
	decoder, _ := l.decoder(e.Agent)
	if reads, ok := decoder.(objects.UsageDecoder); ok {
		return reads.Usage(e)
	}
	return nil
}

// UsageReply tells the reply whose usage an entry of a foreign agent records from all others; empty if it does not say.
func (l *Log) UsageReply(e objects.Entry) string {
	if !e.Foreign() || e.Type != objects.TypeUsage {
		return ""
	}
	decoder, _ := l.decoder(e.Agent)
	if reads, ok := decoder.(objects.ReplyDecoder); ok {
		return reads.UsageReply(e)
	}
	return ""
}

func (l *Log) decoder(agent string) (objects.Decoder, bool) {
	if l.decoders == nil {
		return nil, false
	}
	return l.decoders(agent)
}

package claudegentest

import "slices"

// Truth is what a reader has to make of a transcript.
type Truth struct {
	Session   string
	Cwd       string
	Lines     int
	Rows      []*Row // in the order of the file, each once
	Leaf      *Row   // where the client goes on; nil for nowhere
	Title     string // empty for none
	Subagents []Subagent
}

// Subagent is the transcript of a subagent of a session.
type Subagent struct {
	ID    string
	Call  string // the id of the call that started it
	Meta  []byte // what lies beside it
	Data  []byte
	Truth Truth
}

// Truth is what was written so far.
func (t *Transcript) Truth() Truth {
	truth := t.truth
	truth.Session, truth.Cwd, truth.Lines = t.ID, t.Cwd, t.line
	if truth.Leaf == nil {
		truth.Leaf = t.at
	}
	return truth
}

// Path is the history up to a row, oldest first.
func Path(tip *Row) (rows []*Row) {
	for ; tip != nil; tip = tip.Prev {
		rows = append(rows, tip)
	}
	slices.Reverse(rows)
	return rows
}

// Live is the history up to where the client goes on.
func (t Truth) Live() []*Row { return Path(t.Leaf) }

// Tips are the ends of the branches in the order of the file, without sidechains.
func (t Truth) Tips() (tips []*Row) {
	for _, row := range t.Rows {
		if row.children == 0 && !row.side {
			tips = append(tips, row)
		}
	}
	return tips
}

// Sidechains is the number of the sidechains, which are no branches of the history.
func (t Truth) Sidechains() (n int) {
	for _, row := range t.Rows {
		if row.children == 0 && row.side {
			n++
		}
	}
	return n
}

// Said are the blocks of the row.
func (r *Row) Said() []Part { return r.parts }

// Role is "user" or "assistant"; empty for a row that holds no message.
func (r *Row) Role() string { return r.role }

// Sidechain reports whether the row is one of a subagent's in the transcript of its session, as old clients wrote them.
func (r *Row) Sidechain() bool { return r.side }

// Message is one of those that the client sends to the model.
type Message struct {
	Role  string
	Parts []Part
}

// Part is a block of a message.
type Part struct {
	Kind string // "text", "thinking", "image", "call", "result"
	Text string // empty for images and calls
	ID   string // of a call, or of the call that a result answers
	// Within: the client puts words of its own around the text.
	Within bool
}

// Sent are the messages that the client sends when it resumes at a row, less what it makes anew at each start.
func Sent(tip *Row) []Message {
	var messages []Message
	replies := map[string]int{}
	for _, row := range Context(tip) {
		if row.role == "" || row.unled || len(row.parts) == 0 {
			continue
		}
		i := len(messages) - 1
		if row.role == "assistant" {
			if known, found := replies[row.reply]; found {
				i = known
			} else {
				messages = append(messages, Message{Role: "assistant"})
				i++
				replies[row.reply] = i
			}
		} else if i < 0 || messages[i].Role != "user" {
			messages = append(messages, Message{Role: "user"})
			i++
		}
		messages[i].Parts = append(messages[i].Parts, row.parts...)
	}
	return messages
}

// Context are the rows that are sent: those from the last compaction on, with what it keeps in its place.
func Context(tip *Row) []*Row {
	path := Path(tip)
	from := 0
	for i, row := range path {
		if row.boundary != nil {
			from = i
		}
	}
	path = path[from:]
	if len(path) == 0 || path[0].boundary == nil {
		return path
	}
	at := slices.Index(path, path[0].boundary.afterAnchor) + 1 // 0 for the boundary itself
	return slices.Concat(path[:at], path[0].boundary.kept, path[at:])
}

package projection

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"tlog/agents/transcript"
	"tlog/log"
	"tlog/objects"
)

// HandoffOptions say in what form a context is handed over to another agent.
type HandoffOptions struct {
	Thinking bool  // as a quoted text; else it is left out
	AsText   bool  // calls and results are written out
	MaxImage int64 // bytes above which an image is left out; 0 for no limit
	NoImages bool
}

// Handoff gives the context, which is one of the log's, as another agent than that which wrote it goes on from it
// (docs/hand-off.md), and lists what did not come along. The error is one of reading the log.
func (c *Context) Handoff(l *log.Log, opt HandoffOptions) ([]transcript.Message, []transcript.Repair, error) {
	h := &handoff{
		context: c, log: l, opt: opt, used: map[objects.ID]int{},
		ids: callIDs{max: maxCallID, used: map[string]int{}}, replaced: map[int][]objects.Message{},
	}
	said := &Context{holes: c.holes}
	for _, m := range c.Messages {
		if h.comesAlong(m) {
			said.Messages = append(said.Messages, m)
		}
	}
	h.conversation = said.converseBy(h.decode)
	for _, r := range h.conversation.all() {
		h.takeRepair(r)
	}
	for _, reply := range h.replies() {
		if h.units[reply[0]].role == objects.RoleUser {
			h.user(reply[0])
		} else {
			h.reply(reply)
		}
	}
	for _, text := range c.Queue {
		h.lose(transcript.DroppedQueue, log.None, "%.60q waits for its turn", text)
	}
	return h.beginWithUser(), h.lost, h.err
}

// maxCallID is the longest id of a call that every API takes back (Anthropic's and OpenAI's Responses API).
const maxCallID = 64

// handoff makes the messages of a conversation.
type handoff struct {
	context *Context
	*conversation
	log      *log.Log
	opt      HandoffOptions
	ids      callIDs
	used     map[objects.ID]int
	replaced map[int][]objects.Message // what stands for compactions, by entry
	messages []transcript.Message
	lost     []transcript.Repair
	err      error
}

// lose notes what does not come along of an entry, or of none (log.None).
func (h *handoff) lose(kind transcript.RepairKind, at int, format string, args ...any) {
	r := transcript.Repair{Kind: kind, Detail: fmt.Sprintf(format, args...)}
	if at != log.None {
		r.ID = h.log.Record(at).ID
	}
	h.lost = append(h.lost, r)
}

// comesAlong reports whether a message is said to the other agent: none of what programs tell their models by themselves is.
func (h *handoff) comesAlong(m Message) bool {
	from, _ := h.from(m)
	note := from.Note
	switch {
	case apiRole(m.Role) == objects.RoleSystem:
		h.lose(transcript.DroppedSystem, m.At, "a system prompt")
	case note == "caveat" || note == "reminder":
		h.lose(transcript.DroppedNote, m.At, "a %s of the program's", note)
	default:
		return true
	}
	return false
}

// decode decodes a message with the texts that its agent's decoder finds in it, unless an edit gave it others.
func (h *handoff) decode(m Message) objects.Message {
	msg := h.context.decode(m)
	if from, ok := h.from(m); ok {
		msg.Note = from.Note
		if bytes.Equal(from.Raw, m.JSON) {
			msg.Blocks = slices.Clone(from.Blocks)
		}
	}
	if msg.Role == objects.RoleUser {
		msg.Blocks = slices.DeleteFunc(msg.Blocks, isReminder)
		msg.Blocks = told(msg)
	}
	return msg
}

// from is what an agent's decoder says of a message; of one that stands for a compaction, if no edit gave it other content.
func (h *handoff) from(m Message) (objects.Message, bool) {
	if from, ok := h.context.foreign[m.At]; ok {
		return from, true
	}
	r := h.log.Record(m.At)
	if !r.Foreign || r.Type != objects.TypeCompaction {
		return objects.Message{}, false
	}
	stands, ok := h.replaced[m.At]
	if !ok {
		if e, err := h.log.Whole(m.At); err == nil || e.Raw != nil {
			says, _ := h.log.Compaction(e)
			stands = says.Replacement
		}
		h.replaced[m.At] = stands
	}
	at := slices.IndexFunc(stands, func(from objects.Message) bool { return bytes.Equal(from.Raw, m.JSON) })
	if at < 0 {
		return objects.Message{}, false
	}
	return stands[at], true
}

// isReminder reports whether a block is a text that a program put beside what the user said (formats/claude.md).
func isReminder(b objects.Block) bool {
	const open, end = "<system-reminder>", "</system-reminder>"
	text := strings.TrimSpace(b.Text)
	return b.Kind == objects.BlockText && strings.HasPrefix(text, open) && strings.Index(text, end) == len(text)-len(end)
}

// told are the blocks of what a program noted of its user's doings, in plain words.
func told(m objects.Message) []objects.Block {
	words := strings.TrimSpace(m.Text())
	switch m.Note {
	case "command":
		if shell, ok := strings.CutPrefix(words, "! "); ok {
			words = "The user ran a shell command:\n\n" + shell
		} else {
			words = "The user gave the program a command:\n\n" + words
		}
	case "output":
		if words == "" {
			words = "It printed nothing."
		} else {
			words = "It printed:\n\n" + words
		}
	case "interrupted":
		words = "The user interrupted the reply."
	default:
		return m.Blocks
	}
	return []objects.Block{{Kind: objects.BlockText, Type: "text", Text: words}}
}

// handedRepairs are the words of a transcript's report for repairs of the conversation itself. The others are of no
// concern here.
var handedRepairs = map[RepairKind]transcript.RepairKind{
	MissingResult: transcript.AddedResult,
	OrphanResult:  transcript.DroppedResult,
	DroppedReply:  transcript.DroppedReply,
	UnknownRole:   transcript.DroppedBlock,
	MissingBlob:   transcript.MissingText,
}

func (h *handoff) takeRepair(r Repair) {
	if kind, ok := handedRepairs[r.Kind]; ok {
		h.lose(kind, r.At, "%s", r.Detail)
	}
}

// replies groups the units: what an agent recorded in pieces without a common id is one reply as long as no result was
// recorded in between.
func (h *handoff) replies() [][]int {
	var groups [][]int
	var answered int // the first place where a result of the open group stands
	open := false
	for i := range h.units {
		u := &h.units[i]
		if u.role != objects.RoleAssistant || u.msg.ReplyID != "" || !h.isForeign(u.at) {
			groups, open = append(groups, []int{i}), false
			continue
		}
		if open && u.pos < answered {
			last := len(groups) - 1
			groups[last] = append(groups[last], i)
		} else {
			groups, open, answered = append(groups, []int{i}), true, len(h.context.Messages)
		}
		for _, c := range u.calls {
			if c.result != nil {
				answered = min(answered, c.resultOf.pos)
			}
		}
	}
	return groups
}

func (h *handoff) isForeign(at int) bool { return h.log.Record(at).Foreign }

// add adds a message of an entry, if there is anything in it.
func (h *handoff) add(at int, m transcript.Message) {
	if len(m.Parts) == 0 && m.Role != objects.RoleToolResult {
		return
	}
	r := h.log.Record(at)
	m.ID = r.ID
	for h.used[m.ID] > 0 {
		// Agents that write a message in several rows derive the ids of these from its own in the plain way.
		m.ID = objects.DerivedID(r.ID+".message", h.used[r.ID])
		h.used[r.ID]++
	}
	h.used[m.ID]++
	e, err := h.log.Entry(at)
	if err != nil && h.err == nil {
		h.err = fmt.Errorf("hand over entry %s: %w", r.ID, err)
	}
	if t, err := time.Parse(time.RFC3339Nano, e.Timestamp); err == nil {
		m.Time = t
	}
	h.messages = append(h.messages, m)
}

// beginWithUser puts a message of the user before a reply that is the first, which no API takes.
func (h *handoff) beginWithUser() []transcript.Message {
	if len(h.messages) == 0 || h.messages[0].Role == objects.RoleUser {
		return h.messages
	}
	first := h.messages[0]
	h.lost = append(h.lost, transcript.Repair{Kind: transcript.AddedPrompt, ID: first.ID, Detail: "the conversation begins with a reply"})
	return slices.Insert(h.messages, 0, transcript.Message{
		ID: objects.DerivedID(first.ID+".before", 0), Time: first.Time, Role: objects.RoleUser, Parts: []transcript.Part{plain(gone)},
	})
}

// Missing is the first error of a text or image in the context whose blob is missing or damaged, a *log.BlobError; nil if all are there.
func (c *Context) Missing() error {
	for _, m := range c.Messages {
		if hole := c.holes[m.At]; hole != nil {
			return hole
		}
	}
	return nil
}

package gemini

import (
	"strings"

	"tlog/objects"
)

// provider is whose the models of Gemini CLI are.
const provider = "google"

// The notes of messages that nobody said (docs/gemini.md "Messages").
const (
	noteCommand  = "command"
	noteReminder = "reminder"
)

// view is what of a message's line counts in its entry.
type view struct {
	calls bool // its calls from the given one on, and nothing else: the rest is told by the entry before
	from  int
	words bool // not its results: they are told already
}

// viewOf finds out what of its line an entry shows, by its id.
func viewOf(id objects.ID, rec record) view {
	if id == messageID(rec.id) || rec.kind != message {
		return view{}
	}
	if rec.typ == typeUser {
		return view{words: id == wordsID(rec.id)}
	}
	for n := range count(rec.calls) + fewerCalls {
		if id == callsID(rec.id, n) {
			return view{calls: true, from: n}
		}
	}
	return view{}
}

// fewerCalls is how many calls a line may have less than the one that it stands for, plus 1.
const fewerCalls = 16

// Message implements objects.Decoder.
func (Agent) Message(e objects.Entry) (objects.Message, bool) {
	if e.Type != objects.TypeMessage {
		return objects.Message{}, false
	}
	object := e.SourceObject()
	if object == nil {
		return objects.Message{}, false
	}
	rec := readRecord(object)
	if rec.kind != message {
		return objects.Message{}, false
	}
	m, ok := rec.decode(viewOf(e.ID, rec), nil)
	if !ok {
		return m, false
	}
	if m.Note == "" && e.Hidden && m.Role == objects.RoleUser {
		m.Note = noteReminder // its text lies in a blob
	}
	if state, _ := e.Text("state"); state != "" {
		for i := range m.Blocks {
			if b := &m.Blocks[i]; b.Kind == objects.BlockToolResult {
				if b.IsError = true; state != stateFailed {
					b.State = state
				}
			}
		}
	}
	return m, true
}

// decode is the message in a record of the kind message, as far as it counts. told are the calls whose results were told before, in a list of messages; nil
// elsewhere.
func (rec record) decode(v view, told map[string]bool) (objects.Message, bool) {
	b := &builder{view: v, told: told}
	role := objects.RoleUser
	switch rec.typ {
	case typeUser:
		b.user(rec)
	case typeGemini:
		role = objects.RoleAssistant
		b.reply(rec)
	default:
		return objects.Message{}, false
	}
	raw := objects.Object(objects.StringField("role", role), objects.Field{Key: "content", Value: list(b.blocks)})
	m, ok := objects.DecodeMessage(objects.Entry{Type: objects.TypeMessage, Raw: objects.Object(objects.Field{Key: "message", Value: raw})})
	if !ok {
		return m, false
	}
	results := b.results
	for i := range m.Blocks {
		if m.Blocks[i].Kind == objects.BlockToolResult && len(results) > 0 {
			m.Blocks[i].State, results = results[0].state, results[1:]
		}
	}
	if role == objects.RoleUser {
		m.Note = rec.note()
		return m, true
	}
	m.ReplyID = rec.id
	if m.Model = rec.model; m.Model != "" {
		m.Provider = provider
	}
	if spent(rec.tokens) {
		m.Usage = rec.tokens
	}
	return m, true
}

// builder makes the blocks of a message.
type builder struct {
	view    view
	told    map[string]bool
	blocks  [][]byte
	results []result
}

func (b *builder) add(block []byte) {
	if block != nil {
		b.blocks = append(b.blocks, block)
	}
}

func (b *builder) result(r result) {
	if b.told != nil {
		id := objects.StringOf(r.id)
		if b.told[id] {
			return
		}
		b.told[id] = true
	}
	b.results = append(b.results, r)
	b.add(r.block())
}

func (b *builder) call(call []byte, id string) {
	delete(b.told, id) // an id may come again in a later turn
	b.add(callBlock(call))
}

// user adds what the user says, or what is said in the user's name.
func (b *builder) user(rec record) {
	eachPart(rec.content, func(p part) {
		switch {
		case p.response == nil:
			b.add(p.block())
		case !b.view.words:
			b.result(resultOfResponse(p.response))
		}
	})
}

// reply adds what the model thought, said and called, each call with its result. What stands both in the content and in toolCalls counts there.
func (b *builder) reply(rec record) {
	listed := map[string]bool{}
	objects.Elements(rec.calls, func(call []byte) { listed[idOf(call)] = true })
	if !b.view.calls {
		for _, thought := range thoughtBlocks(rec.thoughts) {
			b.add(thought)
		}
		eachPart(rec.content, func(p part) {
			switch {
			case p.call != nil:
				if id := idOf(p.call); !listed[id] {
					b.call(p.call, id)
				}
			case p.response != nil:
				b.result(resultOfResponse(p.response))
			default:
				b.add(p.block())
			}
		})
	}
	n := 0
	objects.Elements(rec.calls, func(call []byte) {
		if n++; n <= b.view.from || !isObject(call) {
			return
		}
		b.call(call, idOf(call))
		if r, ok := resultOfCall(call); ok {
			b.result(r)
		}
	})
}

// idOf is the id of a call or a functionResponse.
func idOf(object []byte) string { return objects.StringOf(objects.MemberOf(object, "id")) }

// note says what a message of the user is that nobody said; empty for what the user said.
func (rec record) note() string {
	var text strings.Builder
	others := false
	eachPart(rec.content, func(p part) {
		switch {
		case p.text != nil:
			text.WriteString(objects.StringOf(p.text))
		case p.raw != nil:
			others = true
		}
	})
	if others && strings.TrimSpace(text.String()) == "" {
		return ""
	}
	return unsaid(text.String())
}

// spent reports whether anything was taken or given: replies whose calls alone were noted later have counts of nothing.
func spent(tokens []byte) (any bool) {
	if !isObject(tokens) {
		return false
	}
	_ = objects.Scan(tokens, func(m objects.Member) {
		digit := len(m.Value) > 0 && '1' <= m.Value[0] && m.Value[0] <= '9'
		any = any || digit && (m.Is("input") || m.Is("output") || m.Is("thoughts"))
	})
	return any
}

// Compaction implements objects.Decoder: a list of messages stands for all before it.
func (Agent) Compaction(e objects.Entry) (objects.Compaction, bool) {
	if e.Type != objects.TypeCompaction {
		return objects.Compaction{}, false
	}
	object := e.SourceObject()
	if object == nil {
		return objects.Compaction{}, false
	}
	rec := readRecord(object)
	if rec.kind != listRecord {
		return objects.Compaction{}, false
	}
	c := objects.Compaction{Replaces: true}
	told := map[string]bool{}
	objects.Elements(rec.list, func(value []byte) {
		if !isObject(value) {
			return
		}
		said := readRecord(value)
		if said.kind != message {
			return
		}
		m, ok := said.decode(view{}, told)
		if !ok || len(m.Blocks) == 0 {
			return
		}
		c.Replacement = append(c.Replacement, m)
		if text := m.Text(); c.Summary == "" && m.Role == objects.RoleUser && strings.Contains(text, "<state_snapshot>") {
			c.Summary = text
		}
	})
	return c, true
}

package projection

import (
	"cmp"
	"slices"

	"tlog/objects"
)

// The texts that stand in for what is not recorded.
const (
	interrupted = "The call was interrupted: no result was recorded."
	noOutput    = "(no output)"
	gone        = "(What was said before is not part of this conversation any more.)"
)

// conversation is a context as every model API sees it: calls and results
// paired, replies that failed left out.
type conversation struct {
	units   []unit
	system  string
	repairs []repair
}

// unit is one message of a conversation.
type unit struct {
	at     int
	pos    int    // of the message in the context
	role   string // user or assistant
	msg    objects.Message
	blocks []objects.Block // without calls and results
	calls  []*call         // of an assistant
}

// call is a tool call with its result.
type call struct {
	objects.Block
	unit     int
	result   *objects.Block // nil if none is recorded
	resultOf resultPlace
	sent     string // the id in the request
}

// resultPlace is where a result was recorded.
type resultPlace struct {
	pos, at int // of the message in the context, and its entry
}

// repair is a Repair and where it belongs.
type repair struct {
	Repair
	pos   int  // of the message in the context
	found bool // it comes from the messages themselves, whatever the API
}

func (c *conversation) repair(pos, at int, kind RepairKind, id, detail string) *repair {
	c.repairs = append(c.repairs, repair{Repair: Repair{Kind: kind, At: at, CallID: id, Detail: detail}, pos: pos})
	return &c.repairs[len(c.repairs)-1]
}

// converse takes the messages of a context apart and pairs calls with results.
func (c *Context) converse() *conversation { return c.converseBy(c.decode) }

// converseBy is converse with the messages as decode has them.
func (c *Context) converseBy(decode func(Message) objects.Message) *conversation {
	p := pairing{open: map[string][]callGroup{}, failed: map[string]int{}}
	var system prompt
	for pos, m := range c.Messages {
		if hole := c.holes[m.At]; hole != nil && (pos == 0 || c.Messages[pos-1].At != m.At) {
			p.repair(pos, m.At, MissingBlob, "", hole.Error()).found = true
		}
		msg := decode(m)
		switch role := apiRole(m.Role); role {
		case objects.RoleSystem:
			system.patch(msg)
		case objects.RoleAssistant:
			p.reply(pos, m.At, msg)
		case objects.RoleUser:
			p.prompt(pos, m, msg)
		default:
			p.repair(pos, m.At, UnknownRole, "", "the role is "+string(quote(m.Role)))
		}
	}
	p.system = system.text()
	p.close()
	return &p.conversation
}

// decode decodes a message of the context. Of an agent's message its decoder knows more than its bytes tell.
func (c *Context) decode(m Message) objects.Message {
	msg := decode(m.JSON)
	if from, ok := c.foreign[m.At]; ok {
		msg.Provider, msg.Model, msg.ReplyID, msg.Note, msg.Error = from.Provider, from.Model, from.ReplyID, from.Note, from.Error
		if from.Error != "" && from.Model == "" {
			msg.StopReason = "error" // no model said it: the agent tells of a request that failed
		}
	}
	return msg
}

// apiRole is the role in which an API sees messages of a role: system, user or
// assistant; empty if it sees none. Results are part of what the user says.
func apiRole(role string) string {
	switch role {
	case objects.RoleAssistant, objects.RoleSystem:
		return role
	case "developer": // OpenAI's newer word
		return objects.RoleSystem
	case objects.RoleUser, objects.RoleToolResult, "tool", objects.RoleCustom, objects.RoleBash, roleBranch, roleCompaction:
		return objects.RoleUser
	}
	return ""
}

// pairing builds a conversation.
type pairing struct {
	conversation
	replyID string                 // of the newest reply, as long as no prompt followed it
	replied int                    // its unit
	open    map[string][]callGroup // calls that wait for a result, by id
	calls   []pendingCall
	failed  map[string]int // calls of replies that were left out, by id
}

// callGroup holds the calls of one reply that have the same id.
type callGroup struct {
	unit  int
	calls []*call
}

type pendingCall struct {
	*call
	pos, at int
}

// reply takes a message of the assistant. One that was aborted or failed is
// incomplete; models are not shown it, nor its calls. Rows of one reply that an agent
// recorded one by one, with results between them, are one message again; a message with
// several steps, results between them, is several.
func (p *pairing) reply(pos, at int, msg objects.Message) {
	if msg.StopReason == "error" || msg.StopReason == "aborted" {
		for _, b := range msg.Calls() {
			p.failed[b.CallID]++
		}
		p.repair(pos, at, DroppedReply, "", "the reply ended with "+msg.StopReason)
		return
	}
	for i, step := range steps(msg) {
		p.step(pos, at, step, i > 0)
	}
}

// steps cuts a message of the assistant that holds results before each text or thought behind one: the model was asked again there.
func steps(msg objects.Message) []objects.Message {
	all := []objects.Message{msg}
	answered, from := false, 0
	for i, b := range msg.Blocks {
		switch {
		case b.Kind == objects.BlockToolResult:
			answered = true
		case answered && (b.Kind == objects.BlockText || b.Kind == objects.BlockThinking):
			next := msg
			all[len(all)-1].Blocks, next.Blocks = msg.Blocks[from:i:i], msg.Blocks[i:]
			all, answered, from = append(all, next), false, i
		}
	}
	return all
}

// step takes what a model said at once; anew tells that it goes on behind results in the same message.
func (p *pairing) step(pos, at int, msg objects.Message, anew bool) {
	if anew || msg.ReplyID == "" || msg.ReplyID != p.replyID {
		p.units = append(p.units, unit{at: at, pos: pos, role: objects.RoleAssistant, msg: msg})
		p.replyID, p.replied = msg.ReplyID, len(p.units)-1
	} else {
		whole := &p.units[p.replied].msg
		whole.Blocks = append(whole.Blocks, msg.Blocks...)
	}
	u := &p.units[p.replied]
	for _, b := range msg.Blocks {
		switch b.Kind {
		case objects.BlockToolCall:
			c := &call{Block: b, unit: p.replied}
			u.calls = append(u.calls, c)
			p.wait(c)
			p.calls = append(p.calls, pendingCall{c, pos, at})
		case objects.BlockToolResult:
			p.result(pos, at, b)
		default:
			u.blocks = append(u.blocks, b)
		}
	}
}

// prompt takes any message that is the user's for an API.
func (p *pairing) prompt(pos int, m Message, msg objects.Message) {
	u := unit{at: m.At, pos: pos, role: objects.RoleUser, msg: msg}
	results := 0
	switch m.Role {
	case objects.RoleBash, roleBranch, roleCompaction:
		words, ok := plainWords(m)
		if !ok {
			return
		}
		u.blocks = []objects.Block{{Kind: objects.BlockText, Type: "text", Text: words}}
	default:
		for _, b := range msg.Blocks {
			if b.Kind == objects.BlockToolResult {
				results++
				p.result(pos, m.At, b)
			} else {
				u.blocks = append(u.blocks, b)
			}
		}
	}
	if msg.Prompt() {
		p.replyID = "" // what has the same id from here on is another reply of a server that repeats ids
	}
	if len(u.blocks) > 0 {
		p.units = append(p.units, u)
	} else if results == 0 {
		p.repair(pos, m.At, EmptyMessage, "", "the message has no content")
	}
}

func (p *pairing) wait(c *call) {
	groups := p.open[c.CallID]
	if n := len(groups); n == 0 || groups[n-1].unit != c.unit {
		groups = append(groups, callGroup{unit: c.unit})
	}
	last := &groups[len(groups)-1]
	last.calls = append(last.calls, c)
	p.open[c.CallID] = groups
}

// result gives a result to the call that waits for it: of calls with one id
// the first in the newest reply, since ids may come again in later turns.
func (p *pairing) result(pos, at int, b objects.Block) {
	waiting := p.open[b.CallID]
	if len(waiting) == 0 {
		detail := "no call with this id waits for a result"
		dropped := p.failed[b.CallID] > 0
		if dropped {
			p.failed[b.CallID]--
			detail = "its call is in a reply that was left out"
		}
		p.repair(pos, at, OrphanResult, b.CallID, detail).found = !dropped
		return
	}
	newest := &waiting[len(waiting)-1]
	newest.calls[0].result, newest.calls[0].resultOf = &b, resultPlace{pos, at}
	if newest.calls = newest.calls[1:]; len(newest.calls) == 0 {
		p.open[b.CallID] = waiting[:len(waiting)-1]
	}
}

// close reports the calls that were never answered.
func (p *pairing) close() {
	for _, c := range p.calls {
		if c.result == nil {
			p.repair(c.pos, c.at, MissingResult, c.CallID, "the call of "+string(quote(c.Name))+" was interrupted").found = true
		}
	}
}

// note reports what was done to a unit.
func (c *conversation) note(unit int, kind RepairKind, detail string) {
	u := &c.units[unit]
	c.repair(u.pos, u.at, kind, "", detail)
}

// noteBlock reports a block that cannot be sent.
func (c *conversation) noteBlock(unit int, b objects.Block) {
	detail := "no form for a block of type " + string(quote(b.Type))
	if b.Kind == objects.BlockImage {
		detail = "no form for this image " + b.MimeType
	}
	c.note(unit, DroppedBlock, detail)
}

// amiss are the calls and results that lack each other, and what is missing, in the order of the messages.
func (c *conversation) amiss() []Repair {
	found := slices.DeleteFunc(slices.Clone(c.repairs), func(r repair) bool { return !r.found })
	return (&conversation{repairs: found}).all()
}

// all are the repairs for a request, in the order of the messages.
func (c *conversation) all() []Repair {
	slices.SortStableFunc(c.repairs, func(a, b repair) int { return cmp.Compare(a.pos, b.pos) })
	var out []Repair
	for _, r := range c.repairs {
		out = append(out, r.Repair)
	}
	return out
}

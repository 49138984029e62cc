package claudegentest

import "fmt"

// Block is one block of a reply.
type Block struct {
	part Part
	json []byte
}

// Text is a block of text.
func Text(text string) Block {
	return Block{Part{Kind: "text", Text: text}, object("type", "text", "text", text)}
}

// Thinking is a block of thinking with a signature.
func Thinking(text, signature string) Block {
	return Block{Part{Kind: "thinking", Text: text}, object("type", "thinking", "thinking", text, "signature", signature)}
}

// Call is a tool call. The input is a JSON object.
func Call(id, tool, input string) Block {
	return Block{Part{Kind: "call", ID: id}, object("type", "tool_use", "id", id, "name", tool, "input", raw(input))}
}

// Image is a picture, in base64.
func Image(mime, data string) Block {
	source := object("type", "base64", "media_type", mime, "data", data)
	return Block{Part{Kind: "image"}, object("type", "image", "source", source)}
}

// Prompt writes what the user typed. After Rewind it is followed by the line with which the client says so.
func (t *Transcript) Prompt(text string) *Row {
	return t.prompt(value(text), Part{Kind: "text", Text: text})
}

// PromptBlocks writes a prompt of several blocks.
func (t *Transcript) PromptBlocks(blocks ...Block) *Row {
	content, parts := contents(blocks)
	return t.prompt(content, parts...)
}

func (t *Transcript) prompt(content raw, parts ...Part) *Row {
	t.promptID = t.uuid()
	row := &Row{UUID: t.uuid(), Visible: true, role: "user", parts: parts}
	t.snapshot(row.UUID)
	t.put(row, t.parent, t.at, "promptId", t.promptID, "type", "user",
		"message", object("role", "user", "content", content), "permissionMode", "default", "promptSource", "typed")
	if t.rewound {
		t.Side("last-prompt", "leafUuid", "00000000-0000-0000-0000-000000000000", "explicit", true)
		t.rewound = false
	}
	return row
}

// snapshot writes, now and then, the line with the files as they were before a prompt, which names that prompt.
func (t *Transcript) snapshot(uuid string) {
	if t.rng.IntN(2) == 0 {
		snapshot := object("messageId", uuid, "trackedFileBackups", raw("{}"), "timestamp", t.stamp())
		t.write(object("type", "file-history-snapshot", "messageId", uuid, "snapshot", snapshot, "isSnapshotUpdate", false))
	}
}

func contents(blocks []Block) (content raw, parts []Part) {
	var texts [][]byte
	for _, b := range blocks {
		texts, parts = append(texts, b.json), append(parts, b.part)
	}
	return list(texts...), parts
}

// A Reply is a reply of the model that is being written, a row for each block.
type Reply struct {
	t     *Transcript
	id    string
	stop  string
	index int
	prev  string // its last row
}

// Begin begins a reply. The stop reason is that of the whole.
func (t *Transcript) Begin(stop string) *Reply {
	t.requests++
	return &Reply{t: t, id: t.id("msg"), stop: stop}
}

// Row writes the next block; its parent is the row before of the reply, whatever stands between.
func (r *Reply) Row(b Block) *Row {
	parent := r.prev
	if parent == "" {
		parent = r.t.parent
	}
	return r.RowAt(parent, b)
}

// RowAt is Row with another parent.
func (r *Reply) RowAt(parent string, b Block) *Row {
	row := &Row{Visible: true, role: "assistant", reply: r.id, parts: []Part{b.part}}
	usage := object("input_tokens", 10+r.t.requests, "cache_creation_input_tokens", 2, "cache_read_input_tokens", 300,
		"output_tokens", 40, "service_tier", "standard")
	message := object("model", r.t.Model, "id", r.id, "type", "message", "role", "assistant", "content", list(b.json),
		"stop_reason", r.stop, "stop_sequence", nil, "usage", raw(usage))
	r.t.add(row, parent, r.t.at, "message", message, "requestId", "req_"+r.id[4:], "apiBlockIndex", r.index, "type", "assistant")
	r.index++
	r.prev = row.UUID
	return row
}

// Reply writes a whole reply, a row for each block.
func (t *Transcript) Reply(stop string, blocks ...Block) (rows []*Row) {
	r := t.Begin(stop)
	for _, b := range blocks {
		rows = append(rows, r.Row(b))
	}
	return rows
}

// Result writes the result of the call in a row of a reply. It hangs at that row, unless at names another.
func (t *Transcript) Result(call *Row, at, text string, failed bool) *Row {
	if at == "" {
		at = call.UUID
	}
	id := call.parts[0].ID
	content := value(text)
	if t.rng.IntN(4) == 0 {
		content = list(object("type", "text", "text", text))
	}
	block := object("tool_use_id", id, "type", "tool_result", "content", raw(content), "is_error", when(failed, true))
	row := &Row{Visible: true, role: "user", parts: []Part{{Kind: "result", ID: id, Text: text}}}
	return t.add(row, at, t.at, "promptId", t.promptID, "type", "user", "message", object("role", "user", "content", list(block)),
		"toolUseResult", object("stdout", text, "stderr", "", "interrupted", false), "sourceToolAssistantUUID", call.UUID)
}

// Attachment writes something about the surroundings that goes to the model as a reminder.
func (t *Transcript) Attachment(kind, text string) *Row {
	rendered := list(object("content", "<system-reminder>\n"+text+"\n</system-reminder>"))
	return t.add(new(Row), t.parent, t.at, "attachment", object("type", kind, "text", text), "type", "attachment",
		"rendered", rendered, "renderedRole", "system")
}

// Queued writes what the user typed while the model was busy; it stands in no row of the user's.
func (t *Transcript) Queued(text string) *Row {
	t.Side("queue-operation", "operation", "enqueue", "timestamp", t.stamp(), "content", text)
	t.Side("queue-operation", "operation", "remove", "timestamp", t.stamp(), "content", text)
	row := &Row{Visible: true, role: "user", parts: []Part{{Kind: "text", Text: text, Within: true}}}
	return t.add(row, t.parent, t.at, "attachment", object("type", "queued_command", "prompt", text, "source_uuid", t.uuid(),
		"commandMode", "prompt", "origin", object("kind", "human"), "humanTurn", true), "type", "attachment")
}

// Duration writes the note with which the client ends a turn.
func (t *Transcript) Duration() *Row {
	return t.system("turn_duration", "durationMs", 100+t.rng.IntN(9000), "messageCount", len(t.truth.Rows))
}

func (t *Transcript) system(subtype string, pairs ...any) *Row {
	own := append([]any{"type", "system", "subtype", subtype}, pairs...)
	return t.add(new(Row), t.parent, t.at, append(own, "isMeta", false)...)
}

// Progress writes a line of the kind with which old clients filled the chain of parents, and gives its uuid.
func (t *Transcript) Progress(parent string) (uuid string) {
	uuid = t.uuid()
	t.write(object("parentUuid", parent, "isSidechain", false, "type", "progress", "data",
		object("type", "hook_progress", "hookEvent", "PostToolUse"), "uuid", uuid, "timestamp", t.stamp(), "sessionId", t.ID))
	return uuid
}

// Command writes a command of the client with its output, in the rows of the user: said by nobody, but sent.
func (t *Transcript) Command(name, args, output string) {
	t.said("<local-command-caveat>What follows was run here and is nothing to answer.</local-command-caveat>", true)
	t.said(commandText(name, args), false)
	t.said("<local-command-stdout>"+output+"</local-command-stdout>", false)
}

func commandText(name, args string) string {
	return fmt.Sprintf("<command-name>/%s</command-name>\n<command-message>%s</command-message>\n<command-args>%s</command-args>", name, name, args)
}

// said writes a user row that the client made. Unlike a prompt it is followed by nothing that belongs to a rewind.
func (t *Transcript) said(text string, meta bool) *Row {
	row := &Row{Visible: true, Hidden: meta, role: "user", parts: []Part{{Kind: "text", Text: text}}}
	return t.add(row, t.parent, t.at, "type", "user", "message", object("role", "user", "content", text), "isMeta", when(meta, true))
}

// Interrupted writes that the user broke off what was going on.
func (t *Transcript) Interrupted() *Row {
	text := "[Request interrupted by user]"
	row := &Row{Visible: true, role: "user", parts: []Part{{Kind: "text", Text: text}}}
	content := list(object("type", "text", "text", text))
	return t.add(row, t.parent, t.at, "type", "user", "message", object("role", "user", "content", content))
}

// Sidechain writes a row of a subagent into the transcript, as old clients did.
func (t *Transcript) Sidechain(text string) *Row {
	parent := ""
	if t.sideAt != nil {
		parent = t.sideAt.UUID
	} else {
		t.sideAgent = fmt.Sprintf("a%016x", t.rng.Uint64())
	}
	row := &Row{Visible: true, Hidden: true, side: true, role: "user", parts: []Part{{Kind: "text", Text: text}}}
	t.sideAt = t.add(row, parent, t.sideAt, "type", "user", "message", object("role", "user", "content", text))
	return row
}

// EndSidechain lets the next Sidechain begin another one.
func (t *Transcript) EndSidechain() { t.sideAt = nil }

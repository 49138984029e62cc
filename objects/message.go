package objects

import (
	"encoding/json"
	"slices"
	"strings"
)

// The roles of messages; others are kept as they are.
const (
	RoleUser       = "user"
	RoleAssistant  = "assistant"
	RoleToolResult = "toolResult"
	RoleSystem     = "system"
	RoleCustom     = "custom"
	RoleBash       = "bashExecution"
)

// Message is the normalised form of the message in an entry. It is for looking
// at: what is written or sent is taken from Raw.
type Message struct {
	Raw        []byte // the message object
	Role       string
	Blocks     []Block // content; a plain string is one text block
	Provider   string
	Model      string
	Usage      json.RawMessage // verbatim; nil if not recorded
	StopReason string
	Error      string // errorMessage of a failed reply
	// ReplyID is the same in all lines of one reply of a model, in whatever session; empty if not known. Usage counts
	// once a reply.
	ReplyID string
	// Note says what a message is that nobody said: "command", "output", "caveat", "interrupted", "summary", "reminder"; empty
	// for what a user or a model said.
	Note string
}

// BlockKind says what a block of content is.
type BlockKind uint8

// The kinds of blocks.
const (
	BlockOther BlockKind = iota // kept, shown by its Type
	BlockText
	BlockThinking
	BlockImage
	BlockToolCall
	BlockToolResult
)

// Block is one block of a message's content.
type Block struct {
	Kind      BlockKind
	Type      string // the block's type as written
	Raw       []byte
	Text      string          // text, thinking, or the text of a tool result
	CallID    string          // of a tool call or result
	Name      string          // tool of a call, or of a result if recorded
	Arguments json.RawMessage // of a call
	IsError   bool            // of a result
	State     string          // of a result, how it ended in a word or two where the agent tells: "exit 1", "interrupted"
	MimeType  string          // of an image
	Data      []byte          // of an image: the base64 characters
	Images    int             // number of images in a tool result
}

// Text joins the text blocks and tool results with newlines; no thinking.
func (m Message) Text() string {
	var texts []string
	for _, b := range m.Blocks {
		if (b.Kind == BlockText || b.Kind == BlockToolResult) && b.Text != "" {
			texts = append(texts, b.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// Calls are the tool calls in the message.
func (m Message) Calls() []Block { return m.blocksOf(BlockToolCall) }

// Results are the tool results in the message.
func (m Message) Results() []Block { return m.blocksOf(BlockToolResult) }

func (m Message) blocksOf(kind BlockKind) []Block {
	var blocks []Block
	for _, b := range m.Blocks {
		if b.Kind == kind {
			blocks = append(blocks, b)
		}
	}
	return blocks
}

// Prompt reports whether the message begins a turn: said by a user, with content other than tool results.
func (m Message) Prompt() bool {
	return m.Role == RoleUser && m.Note == "" && slices.ContainsFunc(m.Blocks, func(b Block) bool {
		return b.Kind != BlockToolResult
	})
}

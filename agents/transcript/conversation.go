package transcript

import (
	"io"
	"time"

	"tlog/objects"
)

// Conversation is what a session comes to in the words of no agent: what another one than that which wrote it goes on from
// (docs/hand-off.md).
type Conversation struct {
	Session objects.ID // the new transcript's id
	Now     time.Time
	Cwd     string // of the new transcript
	Name    string // of the new transcript; empty for none
	// Messages are what the model is to be sent. The first is the user's. Behind a reply with calls stand the results of all of them, in
	// their order.
	Messages []Message
}

// Message is one message of a conversation.
type Message struct {
	ID   objects.ID // of the entry that it is from, or derived from that; no other message has it
	Time time.Time  // zero if not known
	Role string     // objects.RoleUser, RoleAssistant or RoleToolResult
	// Provider and Model are whose reply it is, as far as that was recorded.
	Provider, Model string
	Parts           []Part // never none, but of a result
	// Of a result: the call and its tool, and whether it failed.
	CallID, Tool string
	Failed       bool
}

// Part is a part of a message: a text, an image, or in a reply a call. A result has texts and images.
type Part struct {
	Kind objects.BlockKind // BlockText, BlockImage or BlockToolCall
	Text string            // UTF-8, never blank
	// Of an image.
	MimeType string // image/png, image/jpeg, image/gif or image/webp
	Data     string // base64
	// Of a call. Both match ^[a-zA-Z0-9_-]{1,64}$, and no other call of the conversation has the id.
	CallID, Name string
	Arguments    []byte // a JSON object without lone surrogates
}

// A ConversationWriter writes transcripts of one agent from what others said.
type ConversationWriter interface {
	// WriteConversation writes a transcript that the agent resumes, and says what it could not carry over. The error is that of w.
	WriteConversation(w io.Writer, c Conversation) (Report, error)
}

// The kinds of what does not come along when a session is handed over to another agent.
const (
	DroppedReply  RepairKind = "dropped-reply"  // it failed or was stopped
	DroppedNote   RepairKind = "dropped-note"   // what the agent's program said to its model
	DroppedSystem RepairKind = "dropped-system" // a system prompt
	DroppedQueue  RepairKind = "dropped-queue"  // a prompt that waits for its turn
	DroppedName   RepairKind = "dropped-name"   // the session's name, where the agent does not keep it in the transcript
	MissingText   RepairKind = "missing-blob"   // a placeholder stands for what is missing
	AddedPrompt   RepairKind = "added-prompt"   // a message of the user was put before a reply that began the conversation
)

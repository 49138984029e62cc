// Package projection says what a model is sent: the path to an entry, less
// what is undone, seen through compaction and edits (docs/projection.md).
//
// Restoring a context never runs a tool again.
package projection

import (
	"encoding/json"

	"tlog/objects"
	"tlog/refs"
)

// Message is one message of a context.
type Message struct {
	At   int             // the entry that it comes from
	Role string          // as in JSON
	JSON json.RawMessage // the message; verbatim from the log where nothing had to be changed
}

// Context is what a session would go on with.
type Context struct {
	// Messages as pi's session manager gives them: the messages themselves, and the roles
	// compactionSummary, branchSummary and custom.
	Messages      []Message
	Model         json.RawMessage // {"provider","modelId"} with what is recorded; null if none is
	ThinkingLevel string          // "off" if none is recorded
	Queue         []string        // user messages that wait for their turn
	Compaction    *Compaction     // the one that counts, nil if none does
	Decisions     []Decision      // one for each tree entry of the path, oldest first
	Repairs       []Repair        // what an API format has to mend: a call without a result, a result without its call
}

// Compaction is the compaction that a context is seen through.
type Compaction struct {
	At               int
	FirstKeptEntryID objects.ID // as written
	Kept             int        // number of entries kept before it
	Dropped          int        // number of visible entries that the summary stands for
	TokensBefore     json.RawMessage
}

// Decision says why an entry is in the context or out of it.
type Decision struct {
	At     int
	In     bool
	Reason string // for people: "undone by 1a2b3c4", "summarised by ...", "a label is never in the context"
}

// RepairKind names a repair.
type RepairKind string

// The repairs.
const (
	MissingResult   RepairKind = "missing-result"   // a result was added that says that the call was interrupted
	OrphanResult    RepairKind = "orphan-result"    // a result without a call was left out
	DroppedReply    RepairKind = "dropped-reply"    // an aborted or failed reply was left out
	EmptyMessage    RepairKind = "empty-message"    // a message without content was left out
	DroppedThinking RepairKind = "dropped-thinking" // thinking of another model was left out
)

// Repair is a change that an API's rules demanded.
type Repair struct {
	Kind   RepairKind
	At     int
	CallID string
	Detail string
}

// Build projects the path of a history.
func Build(h *refs.History) (*Context, error) { panic("todo") }

// Request is a context in the form of a model API.
type Request struct {
	System   json.RawMessage // Anthropic: a string; OpenAI: nil, it is the first message
	Messages []json.RawMessage
	Repairs  []Repair
}

// Anthropic gives the context as the messages of a request to Anthropic's Messages API: roles alternate, begin with user, each tool_use is
// answered in the next message.
func (c *Context) Anthropic() (Request, error) { panic("todo") }

// OpenAI gives the context as the messages of a request to OpenAI's Chat Completions API.
func (c *Context) OpenAI() (Request, error) { panic("todo") }

// Text gives the context as text for people.
func (c *Context) Text() string { panic("todo") }

// Package projection says what a model is sent: the path to an entry, less
// what is undone, seen through compaction and edits (docs/projection.md).
//
// [Build] makes a [Context] whose messages are what pi's session manager gives
// for the same entries (formats/pi.md, section 5). The formats of the model APIs
// are made from that: their rules refuse what an interrupted session leaves
// behind, so they mend it and list each [Repair].
//
// Restoring a context never runs a tool again.
package projection

import (
	"encoding/json"

	"tlog/objects"
)

// Message is one message of a context.
type Message struct {
	At   int             // the entry that it comes from
	Role string          // as in JSON; empty if it has none
	JSON json.RawMessage // the message; verbatim from the log where nothing had to be changed
}

// Context is what a session would go on with.
type Context struct {
	// Messages as pi's session manager gives them: the messages themselves, and the roles
	// compactionSummary, branchSummary and custom. A message in a damaged log may be any JSON value but null.
	Messages      []Message
	Model         json.RawMessage // {"provider","modelId"} with what is recorded; null if none is
	ThinkingLevel string          // "off" if none is recorded
	Queue         []string        // user messages that wait for their turn
	Compaction    *Compaction     // the one that counts, nil if none does
	Decisions     []Decision      // one for each tree entry of the path, oldest first
	Repairs       []Repair        // what is amiss: a call without a result, a result without its call, a text whose blob is missing

	holes   map[int]error           // the entries with texts whose blobs are missing
	foreign map[int]objects.Message // what the decoders of agents say of their lines' messages, by entry
}

// Compaction is the compaction that a context is seen through.
type Compaction struct {
	At               int
	FirstKeptEntryID objects.ID // as written
	Kept             int        // number of entries before it that are in the context
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
	MissingBlob     RepairKind = "missing-blob"     // a marked placeholder stands for a text or image that lay in a blob
	DroppedReply    RepairKind = "dropped-reply"    // an aborted or failed reply was left out
	EmptyMessage    RepairKind = "empty-message"    // a message without content was left out
	DroppedThinking RepairKind = "dropped-thinking" // thinking that the model would not take was left out
	DroppedBlock    RepairKind = "dropped-block"    // content that the API has no form for was left out
	UnknownRole     RepairKind = "unknown-role"     // a message whose role no API knows was left out
	AddedPrompt     RepairKind = "added-prompt"     // a user message was put before a reply that began the context
)

// Repair is a change that an API's rules demanded, or what is missing in the log.
type Repair struct {
	Kind   RepairKind
	At     int    // the entry that it is about
	CallID string // as recorded; empty if it is about no call
	Detail string // for people
}

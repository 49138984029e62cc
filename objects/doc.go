// Package objects knows what the lines of a log are: ids, the header, entries
// and the messages in them. It knows no files; package log finds the lines.
//
// An entry is one JSON object, an [Entry] a view over its bytes. The bytes are
// the fact: a scan finds the members of an object without decoding them, and
// what has to change is spliced in or cut out as bytes. So spellings that a
// decoder would lose, as 1.0, 1e400, "\/", duplicate keys or a lone surrogate, come
// out as they went in, and a type or a member that tlog does not know is kept.
//
//	e, err := objects.ParseEntry(line)
//	...
//	e.ID, e.ParentID    // the envelope
//	e.Body()            // what its author wrote, without what tlog added
//	e.Get("targetId")   // any other member, as bytes
//
// Decoded is only what somebody looks at: [DecodeMessage] brings the messages of
// tlog, pi and the model APIs into one form, [Message]. Nothing that is written
// or sent is made from it.
//
// The words: a header is the first line of a log; each further line is an
// entry. A tree entry is a node of the history, a journal entry ([Type.Journal]) only
// says something about the session. blobs, ref and chain are what tlog adds at the end
// of an entry, its body is the rest. Long strings lie in blobs, files beside the log: [Entry.TakeOut] takes
// them out of an entry, [Entry.Fill] fills them in again. docs/format.md has the whole format.
//
// Every failure that a caller can act on wraps one of the errors of this
// package, as [ErrNotFound] or [ErrInvalid].
package objects

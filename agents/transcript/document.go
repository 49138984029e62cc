package transcript

import (
	"bytes"

	"tlog/objects"
)

// Piece is a part of a transcript that is one JSON document: a record, or what stands around and between them. The Lines of all pieces, one
// behind the other, are the document.
type Piece struct {
	Line []byte
	// Object is the record in Line; nil if the piece holds none.
	Object []byte
	// Before and After are the bytes of Line around Object.
	Before, After int
	// Torn: the document breaks off in this piece, or is none from here on.
	Torn bool
}

// SplitDocument cuts a document into the elements of the array that its top-level member list holds. What stands before an
// element, the comma with the white space, goes with it, so that an element is the same piece when others are added behind it. Everything up to the array's
// first bracket is the first piece, everything from its last on the last one. A document without such an array is one
// piece. Where it breaks off the rest is a torn piece, so whatever comes in comes out again.
func SplitDocument(data []byte, list string) []Piece {
	start := arrayIn(data, list)
	if start < 0 {
		return []Piece{{Line: data, Torn: !objects.Valid(bytes.TrimSpace(data))}}
	}
	pieces := []Piece{{Line: data[:start:start]}}
	for at := start; ; {
		next := skipWhite(data, at)
		if next < len(data) && data[next] == ',' && len(pieces) > 1 {
			next = skipWhite(data, next+1)
		}
		if next < len(data) && data[next] == ']' {
			return append(pieces, Piece{Line: data[at:len(data):len(data)], Torn: !objects.Valid(bytes.TrimSpace(data))})
		}
		end, ok := objects.ValueEnd(data, next)
		if !ok {
			if at < len(data) || start == len(data) {
				pieces = append(pieces, Piece{Line: data[at:len(data):len(data)], Torn: true})
			}
			return pieces
		}
		piece := Piece{Line: data[at:end:end]}
		if data[next] == '{' {
			piece.Object, piece.Before = data[next:end:end], next-at
		}
		pieces = append(pieces, piece)
		at = end
	}
}

// arrayIn is the offset behind the bracket that opens the array of a top-level member; -1 if there is none. The document may break off
// behind it.
func arrayIn(data []byte, list string) int {
	at := skipWhite(data, 0)
	if at == len(data) || data[at] != '{' {
		return -1
	}
	for at++; ; {
		at = skipWhite(data, at)
		if at == len(data) || data[at] != '"' {
			return -1
		}
		end, ok := objects.ValueEnd(data, at)
		if !ok {
			return -1
		}
		name := objects.StringOf(data[at:end])
		if at = skipWhite(data, end); at == len(data) || data[at] != ':' {
			return -1
		}
		at = skipWhite(data, at+1)
		if name == list && at < len(data) && data[at] == '[' {
			return at + 1
		}
		if end, ok = objects.ValueEnd(data, at); !ok {
			return -1
		}
		if at = skipWhite(data, end); at == len(data) || data[at] != ',' {
			return -1
		}
		at++
	}
}

func skipWhite(data []byte, at int) int {
	return len(data) - len(bytes.TrimLeft(data[at:], " \t\r\n"))
}

// Envelope gives the envelope of a piece what is known of its bytes.
func (p Piece) Envelope(agent string) objects.Envelope {
	return objects.Envelope{
		Type: objects.TypeMeta, Agent: agent, Line: p.Line, Joined: true, Document: true, Before: p.Before, After: p.After,
	}
}

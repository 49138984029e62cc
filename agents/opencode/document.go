package opencode

import (
	"bytes"
	"strings"

	"tlog/objects"
)

// The members of an export, and what its session's id begins with (formats/others.md "Doors", "Ids").
const (
	infoName      = "info"
	listName      = "messages"
	sessionPrefix = "ses_"
)

// fileHead is what an export says of its session, as far as it was looked at.
type fileHead struct {
	id, parent, directory, title string
	created                      string // a time as entries have it
	other                        bool   // there is something else that the client writes into each export
	undone, undonePart           string // info.revert: the message from which on all is taken back, or the part of it
}

// Detect implements agents.Agent. An export begins with an object "info"; the head may break off in it. One that begins with its messages is
// known by the session that these name.
func (Agent) Detect(head []byte) bool {
	h := headOf(head)
	return strings.HasPrefix(h.id, sessionPrefix) && len(h.id) > len(sessionPrefix) && h.other
}

// isDocument reports whether what begins with head is an export and no other file.
func isDocument(head []byte) bool { return Agent{}.Detect(head) }

// headOf reads the beginning of an export.
func headOf(head []byte) (h fileHead) {
	if info := memberIn(head, infoName); info != nil {
		h.takeInfo(info)
		h.other = h.other || memberIn(head, listName) != nil
		return h
	}
	list := memberIn(head, listName)
	if len(list) == 0 || list[0] != '[' {
		return h
	}
	first := memberIn(list[1:], infoName)
	_ = objects.Scan(first, func(m objects.Member) {
		switch {
		case m.Is("sessionID"):
			h.id = objects.StringOf(m.Value)
		case m.Is("role"):
			h.other = true
		}
	})
	return h
}

// takeInfo reads the object about the session, which may break off.
func (h *fileHead) takeInfo(info []byte) {
	_ = objects.Scan(info, func(m objects.Member) {
		switch {
		case m.Is("id"):
			h.id = objects.StringOf(m.Value)
		case m.Is("parentID"):
			h.parent = objects.StringOf(m.Value)
		case m.Is("directory"):
			h.directory, h.other = objects.StringOf(m.Value), true
		case m.Is("title"):
			h.title = objects.StringOf(m.Value)
		case m.Is("slug"), m.Is("projectID"), m.Is("version"):
			h.other = true
		case m.Is("time"):
			h.created = timeOf(objects.MemberOf(m.Value, "created"))
		case m.Is("revert"):
			h.undone = objects.StringOf(objects.MemberOf(m.Value, "messageID"))
			h.undonePart = objects.StringOf(objects.MemberOf(m.Value, "partID"))
		}
	})
}

// memberIn is all that stands in data from the value of a member of its first object on, nil if that is not there. Data may break
// off anywhere behind it, and go on behind the object.
func memberIn(data []byte, name string) []byte {
	rest := objects.TrimLine(data)
	if rest = bytes.TrimLeft(rest, " \t\r\n"); len(rest) == 0 || rest[0] != '{' {
		return nil
	}
	for at := 1; ; at++ {
		at = skipWhite(rest, at)
		if at == len(rest) || rest[at] != '"' {
			return nil
		}
		end, ok := objects.ValueEnd(rest, at)
		if !ok {
			return nil
		}
		key := objects.StringOf(rest[at:end])
		if at = skipWhite(rest, end); at == len(rest) || rest[at] != ':' {
			return nil
		}
		if at = skipWhite(rest, at+1); key == name && at < len(rest) {
			return rest[at:]
		}
		if at, ok = objects.ValueEnd(rest, at); !ok {
			return nil
		}
		if at = skipWhite(rest, at); at == len(rest) || rest[at] != ',' {
			return nil
		}
	}
}

func skipWhite(data []byte, at int) int {
	return len(data) - len(bytes.TrimLeft(data[at:], " \t\r\n"))
}

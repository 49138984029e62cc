package migrate

import (
	"slices"

	"tlog/objects"
)

// hookMessage is the role that custom messages had before version 3.
const hookMessage = "hookMessage"

// rename is the step from version 2 to 3: names of today, and null instead of
// the header's id for the parent of a root.
func (m *Migrator) rename(object []byte, _ int) []byte {
	var kind, parent, message []byte
	err := objects.Scan(object, func(f objects.Member) {
		switch {
		case f.Is("type"):
			kind = f.Value
		case f.Is("parentId"):
			parent = f.Value
		case f.Is("message"):
			message = f.Value
		}
	})
	t := objects.Type(text(kind))
	if err != nil || t == objects.TypeSession {
		return object
	}
	if m.header != "" && text(parent) == string(m.header) {
		object = objects.ReplaceValue(object, "parentId", []byte("null"))
	}
	switch t {
	case objects.TypeMessage:
		return renameRole(object, message)
	case objects.TypeModelChange:
		return renameModel(object)
	}
	return object
}

// renameRole makes a custom message of a hookMessage. message is the value of object's member.
func renameRole(object, message []byte) []byte {
	var role []byte
	err := objects.Scan(message, func(f objects.Member) {
		if f.Is("role") {
			role = f.Value
		}
	})
	if err != nil || text(role) != hookMessage {
		return object
	}
	message = objects.ReplaceValue(message, "role", objects.AppendQuote(nil, objects.RoleCustom))
	return objects.ReplaceValue(object, "message", message)
}

// renameModel renames the key model to modelId, unless there is one.
func renameModel(object []byte) []byte {
	start, end := -1, -1 // of the key with its quotes
	renamed := false
	err := objects.Scan(object, func(f objects.Member) {
		switch {
		case f.Is("model"):
			start, end = f.Start, f.Start+len(f.Key)+2
		case f.Is("modelId"):
			renamed = true
		}
	})
	if err != nil || renamed || start < 0 {
		return object
	}
	return slices.Concat(object[:start], []byte(`"modelId"`), object[end:])
}

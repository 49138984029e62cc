package diff

import (
	"bytes"
	"slices"
	"strings"

	"tlog/objects"
)

// maxDepth is how deep arguments are compared as values. What nests deeper is compared by its bytes.
const maxDepth = 64

// hashJSON is the hash of a JSON value: that of its bytes, but without white space, with escapes resolved, and with the members of objects by key. Numbers
// are compared as they are spelled. Of duplicate keys the last counts.
func hashJSON(h hash, value []byte, depth int) hash {
	value = bytes.TrimSpace(value)
	if len(value) == 0 {
		return h.add(0)
	}
	switch first := value[0]; {
	case first == '"':
		return hashString(h.add('"'), value)
	case first == '{' && depth < maxDepth:
		return hashObject(h.add('{'), value, depth)
	case first == '[' && depth < maxDepth:
		h = h.add('[')
		objects.Elements(value, func(element []byte) { h = hashJSON(h, element, depth+1) })
		return h.add(']')
	}
	return h.addBytes(value)
}

// hashString takes in a string token, decoded.
func hashString(h hash, token []byte) hash {
	if bytes.IndexByte(token, '\\') < 0 {
		return h.addBytes(bytes.Trim(token, `"`))
	}
	return h.addText(objects.StringOf(token))
}

func hashObject(h hash, object []byte, depth int) hash {
	type member struct {
		key   string
		value hash
	}
	var room [8]member
	members := room[:0]
	if err := objects.Scan(object, func(m objects.Member) {
		key := string(m.Key)
		if bytes.IndexByte(m.Key, '\\') >= 0 {
			key = objects.StringOf(slices.Concat([]byte{'"'}, m.Key, []byte{'"'}))
		}
		members = append(members, member{key, hashJSON(hashSeed, m.Value, depth+1)})
	}); err != nil {
		return h.addBytes(object)
	}
	slices.SortStableFunc(members, func(a, b member) int { return strings.Compare(a.key, b.key) })
	for i, m := range members {
		if i+1 < len(members) && members[i+1].key == m.key {
			continue
		}
		h = h.addText(m.key).add(uint64(m.value))
	}
	return h.add('}')
}

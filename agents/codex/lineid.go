package codex

import (
	"bytes"
	"encoding/hex"
	"slices"
	"strconv"

	"github.com/google/uuid"
	"github.com/zeebo/blake3"

	"tlog/objects"
)

// numbering gives lines their ids: of the thread that a line belongs to, its place among that thread's lines of its kind, and what it
// says. So the copies of a parent's lines in a fork have the ids that the lines have in the parent's own rollout: they are
// written anew with other times, item ids and empty members, and some kinds of lines are left out (formats/codex.md section 3).
type numbering struct {
	session objects.ID // whose rollout it is
	own     string     // the id of its thread, as the first session_meta has it
	thread  string     // to which the lines belong that come now
	known   map[string]bool
	counts  map[place]int
}

// place is what lines are counted by.
type place struct{ thread, kind string }

func newNumbering(session objects.ID) numbering {
	return numbering{session: session, thread: string(session), known: map[string]bool{}, counts: map[place]int{}}
}

// follow takes in what a line says of the thread that it and those behind it belong to, and gives the line's own kind and number.
func (n *numbering) follow(r record) (place, int) {
	switch {
	case r.kind == kindMeta && r.id != "" && n.own == "":
		n.own = r.id
	case r.kind == kindMeta && r.id != "":
		n.enter(r.id)
		n.known[r.id] = true
	case r.thread != "" && (r.thread == n.own || n.known[r.thread]):
		n.enter(r.thread)
	}
	at := place{n.thread, r.kind + "/" + r.sub}
	number := n.counts[at]
	n.counts[at]++
	return at, number
}

func (n *numbering) enter(thread string) {
	if n.thread = thread; thread == n.own {
		n.thread = string(n.session) // of the segments of one thread each counts by itself
	}
}

// id is the id of a line that holds a record.
func (n *numbering) id(r record) objects.ID {
	at, number := n.follow(r)
	said := r.payload
	if said == nil {
		said = r.object
	}
	return lineID(at, number, essence(said))
}

// damagedID is the id of a line that holds no object.
func (n *numbering) damagedID(line []byte) objects.ID {
	at, number := n.follow(record{})
	return lineID(at, number, blake3.Sum256(line))
}

// lineID is a UUIDv5 with the namespace of object identifiers and the name "tlog:codex:<thread>.<kind>.<number>.<BLAKE3>".
func lineID(at place, number int, hash [32]byte) objects.ID {
	name := "tlog:" + Name + ":" + at.thread + "." + at.kind + "." + strconv.Itoa(number) + "." + hex.EncodeToString(hash[:])
	return objects.ID(uuid.NewSHA1(uuid.NameSpaceOID, []byte(name)).String())
}

// maxEssence is how deep essence looks into a value; what is deeper counts as it stands.
const maxEssence = 16

// essence is a hash of what a payload says: of its members but the id and the item's own, in whatever order they stand, and without those
// that say nothing.
func essence(payload []byte) [32]byte {
	var b bytes.Buffer
	appendEssence(&b, payload, 0)
	return blake3.Sum256(b.Bytes())
}

func appendEssence(b *bytes.Buffer, value []byte, depth int) {
	switch {
	case depth < maxEssence && isObject(value):
		var members []objects.Member
		if objects.Scan(value, func(m objects.Member) { members = append(members, m) }) != nil {
			break
		}
		slices.SortStableFunc(members, func(a, b objects.Member) int { return bytes.Compare(a.Key, b.Key) })
		b.WriteByte('{')
		for _, m := range members {
			if saysNothing(m.Value) || depth == 0 && m.Is("id") {
				continue
			}
			b.Write(m.Key)
			b.WriteByte(':')
			appendEssence(b, m.Value, depth+1)
			b.WriteByte(',')
		}
		b.WriteByte('}')
		return
	case depth < maxEssence && isArray(value):
		b.WriteByte('[')
		objects.Elements(value, func(element []byte) {
			appendEssence(b, element, depth+1)
			b.WriteByte(',')
		})
		b.WriteByte(']')
		return
	case isString(value) && bytes.IndexByte(value, '\\') >= 0:
		if text, ok := objects.Unquote(value); ok { // the client may have escaped it in another way
			value = objects.AppendQuote(nil, text)
		}
	}
	b.Write(value)
}

// saysNothing reports whether a member may as well not be there.
func saysNothing(value []byte) bool {
	return isNull(value) || len(value) == 2 && (value[0] == '[' || value[0] == '{') || string(value) == `[ ]`
}

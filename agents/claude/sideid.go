package claude

import (
	"encoding/hex"
	"strconv"

	"github.com/google/uuid"

	"tlog/objects"
)

// identify gives the record its id: the row's uuid, if it can be an id, else one that a line with these bytes has
// wherever in the file it stands.
func (r *Reader) identify(rec *record) {
	if id := objects.ID(rec.uuid); rec.row && id.Valid() {
		rec.id = id
		return
	}
	hash := sum(rec.line)
	for {
		rec.id = lineID(r.session, hash, r.same[hash])
		r.same[hash]++
		if _, taken := r.told[rec.id]; !taken {
			return
		}
	}
}

// lineID is the id of a line without one of its own, the n-th (from 0) of those with the same bytes: a UUIDv5 with the
// namespace of object identifiers and the name "tlog:<session>.<BLAKE3 of the line>.<n>".
func lineID(session objects.ID, hash [blake3Size]byte, n int) objects.ID {
	name := "tlog:" + string(session) + "." + hex.EncodeToString(hash[:]) + "." + strconv.Itoa(n)
	return objects.ID(uuid.NewSHA1(uuid.NameSpaceOID, []byte(name)).String())
}

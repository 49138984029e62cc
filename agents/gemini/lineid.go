package gemini

import (
	"encoding/hex"
	"strconv"

	"github.com/google/uuid"
	"github.com/zeebo/blake3"

	"tlog/objects"
)

// derived is a UUIDv5 with the namespace of object identifiers.
func derived(name string) objects.ID {
	return objects.ID(uuid.NewSHA1(uuid.NameSpaceOID, []byte("tlog:"+Name+":"+name)).String())
}

// messageID is the id of the entry of a message, by the client's id of it: the same, if it may be one.
func messageID(client string) objects.ID {
	if id := objects.ID(client); id.Valid() {
		return id
	}
	return derived(client)
}

// againID is the id of the n-th message, from 2, that has the client's id of another one which is gone.
func againID(client string, n int) objects.ID {
	return derived(client + ".again." + strconv.Itoa(n))
}

// callsID is the id of the entry that holds the calls of a message from the n-th on. By it the decoder knows what of its line counts.
func callsID(client string, n int) objects.ID {
	return derived(client + ".calls." + strconv.Itoa(n))
}

// wordsID is the id of the entry of a message in which results stand that were told already: only the rest of it counts.
func wordsID(client string) objects.ID { return derived(client + ".words") }

// numbering gives the lines that are no messages their ids: by what they say, and among those that say the same by their number.
type numbering struct {
	session objects.ID
	taken   map[objects.ID]struct{} // of lines that were told of
	counts  map[[32]byte]int
}

func (n *numbering) id(line []byte) objects.ID {
	sum := blake3.Sum256(line)
	for {
		at := n.counts[sum]
		n.counts[sum] = at + 1
		id := derived(string(n.session) + "." + strconv.Itoa(at) + "." + hex.EncodeToString(sum[:]))
		if _, again := n.taken[id]; !again {
			return id
		}
	}
}

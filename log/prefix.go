package log

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"tlog/objects"
)

// patience is how many look-ups go through all ids one by one before sorting
// them pays.
const patience = 16

// prefixIndex holds the ids and tails of all entries, sorted. It is made when it
// is asked often.
type prefixIndex struct {
	asked int
	keys  []prefixKey
}

// prefixKey is an id or the tail of one, in lower case.
type prefixKey struct {
	head  uint64 // the first 8 characters, to compare without a look at the text
	text  string
	index int32
}

func (k prefixKey) compare(o prefixKey) int {
	if c := cmp.Compare(k.head, o.head); c != 0 {
		return c
	}
	if c := cmp.Compare(k.text, o.text); c != 0 {
		return c
	}
	return cmp.Compare(k.index, o.index)
}

func newPrefixKey(text string, index int) prefixKey {
	k := prefixKey{text: lower(text), index: int32(index)}
	for i := range 8 {
		k.head <<= 8
		if i < len(k.text) {
			k.head |= uint64(k.text[i])
		}
	}
	return k
}

// sortedKeys gives the sorted keys, or nil while going through all ids is as good.
func (l *Log) sortedKeys() []prefixKey {
	p := &l.prefixes
	if p.asked++; p.asked <= patience || p.keys != nil {
		return p.keys
	}
	keys := make([]prefixKey, 0, 2*len(l.records))
	for i := range l.records {
		r := &l.records[i]
		if r.RepeatOf != None {
			continue
		}
		keys = append(keys, newPrefixKey(string(r.ID), i))
		if tail := r.ID.Tail(); len(tail) < len(r.ID) {
			keys = append(keys, newPrefixKey(tail, i))
		}
	}
	slices.SortFunc(keys, prefixKey.compare)
	p.keys = keys
	return keys
}

// FindPrefix gives the records whose id or tail has the prefix, in file order, at most max of them (max <= 0: all).
// Upper and lower case are the same.
func (l *Log) FindPrefix(prefix string, max int) []int {
	var found []int
	keys := l.sortedKeys()
	if keys == nil {
		for i := range l.records {
			if r := &l.records[i]; r.RepeatOf == None && (prefix == "" || r.ID.MayBegin(prefix[0])) && r.ID.HasPrefix(prefix) {
				if found = append(found, i); len(found) == max {
					break
				}
			}
		}
		return found
	}
	wanted := newPrefixKey(prefix, None)
	at := sort.Search(len(keys), func(i int) bool { return keys[i].compare(wanted) >= 0 })
	for ; at < len(keys) && strings.HasPrefix(keys[at].text, wanted.text); at++ {
		found = append(found, int(keys[at].index))
	}
	slices.Sort(found)
	found = slices.Compact(found) // a prefix of both id and tail
	if max > 0 && len(found) > max {
		found = found[:max]
	}
	return found
}

// Short is the short form of the i-th record's id: the shortest prefix of its tail, at least
// [objects.MinShort] characters, that begins no other id or tail, and ends in a letter or digit; the whole id if there is none.
func (l *Log) Short(i int) string {
	if of := l.records[i].RepeatOf; of != None {
		i = of
	}
	id := l.records[i].ID
	tail := id.Tail()
	common := l.commonPrefix(i, tail)
	if common >= len(tail) {
		return string(id)
	}
	n := min(max(common+1, objects.MinShort), len(tail))
	for n < len(tail) && strings.IndexByte("._:-", tail[n-1]) >= 0 {
		n++ // the name of an entry that ends in a dot reads as the end of a sentence
	}
	return tail[:n]
}

// commonPrefix is the longest prefix, in characters, that tail has in common with the id or
// tail of another record than i.
func (l *Log) commonPrefix(i int, tail string) int {
	longest := 0
	keys := l.sortedKeys()
	own := newPrefixKey(tail, i)
	if keys == nil {
		for j := range l.records {
			r := &l.records[j]
			if j == i || r.RepeatOf != None || own.text == "" || !r.ID.MayBegin(own.text[0]) {
				continue
			}
			longest = max(longest, sharedFold(own.text, string(r.ID)), sharedFold(own.text, r.ID.Tail()))
		}
		return longest
	}
	at, _ := slices.BinarySearchFunc(keys, own, prefixKey.compare)
	for before := at - 1; before >= 0; before-- {
		if int(keys[before].index) != i {
			longest = sharedFold(own.text, keys[before].text)
			break
		}
	}
	for behind := at; behind < len(keys); behind++ {
		if int(keys[behind].index) != i {
			return max(longest, sharedFold(own.text, keys[behind].text))
		}
	}
	return longest
}

// lower changes ASCII letters only: ids have no others, and a Kelvin sign is no k.
func lower(s string) string {
	isUpper := func(r rune) bool { return 'A' <= r && r <= 'Z' }
	if strings.IndexFunc(s, isUpper) < 0 {
		return s
	}
	b := []byte(s)
	for i, c := range b {
		if isUpper(rune(c)) {
			b[i] = c | 0x20
		}
	}
	return string(b)
}

// sharedFold is the length of what lower, which has no upper case, and s begin with in common.
func sharedFold(lower, s string) int {
	n := min(len(lower), len(s))
	for i := range n {
		c := s[i]
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		if c != lower[i] {
			return i
		}
	}
	return n
}

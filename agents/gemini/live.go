package gemini

import (
	"slices"
	"strings"

	"tlog/objects"
)

// live is the list of messages that the client has, and the path of entries that stands for it (docs/gemini.md "The graph").
type live struct {
	path  []node
	own   map[string]*own // the newest entries of messages on the path, by the client's id
	list  []string        // the client's ids of the messages in its list
	at    map[string]int  // their places
	used  map[string]int  // how many messages of an id there were, gone ones too
	known map[string]bool // ids that stood in a list
	// answered are the calls whose results are told, as far as the list goes.
	answered map[string]bool
}

// node is an entry on the path.
type node struct {
	id     objects.ID
	client string // of a message; empty for a list of messages
	// undo is how the answered calls were before it, the last one first; replaced is all that was answered before a list of messages.
	undo     []answer
	replaced map[string]bool
}

type answer struct {
	id  string
	was bool
}

// own are the entries of a message: it may come again with calls added, which are entries of their own.
type own struct {
	first, last int // on the path
	calls       []string
	shape       shape
	plain       bool // its first entry has the id that the client's gives
	told        told // how its results stood when it came
	before      *own // an older one of that id, further up the path
}

// shape is what of a message stays as it is when calls are added. It is the same whether its strings lie in blobs or not.
type shape struct {
	thoughts, parts int
	text            bool // there is some
	calls           bool // some stand in the content
}

func newLive() live {
	return live{
		own: map[string]*own{}, at: map[string]int{}, used: map[string]int{}, known: map[string]bool{}, answered: map[string]bool{},
	}
}

// tip is the entry that what comes next hangs at.
func (l *live) tip() objects.ID { return l.entry(len(l.path) - 1) }

func (l *live) entry(at int) objects.ID {
	if at < 0 {
		return ""
	}
	return l.path[at].id
}

// placed is where a message comes to stand.
type placed struct {
	id, parent objects.ID
	// repeated: it stands for an entry that is there; that may be none of the last ones.
	repeated bool
	told     told
}

// place finds the place of a message: behind its own first entry with the calls that are new, in the place of one of its id, or at the end.
func (l *live) place(rec record) placed {
	o := l.own[rec.id]
	if _, listed := l.at[rec.id]; o == nil || !listed {
		p := placed{id: messageID(rec.id), parent: l.tip(), told: l.told(rec)}
		switch n := l.used[rec.id] + 1; {
		case n > 1:
			p.id = againID(rec.id, n)
		case p.told == words:
			p.id = wordsID(rec.id)
		}
		return p
	}
	if o.last == len(l.path)-1 && o.goesOn(rec) {
		return placed{id: callsID(rec.id, len(o.calls)), parent: l.tip()}
	}
	return placed{id: l.entry(o.last), parent: l.entry(o.last - 1), repeated: true, told: o.told}
}

// goesOn reports whether a record is the message with nothing but calls added.
func (o *own) goesOn(rec record) bool {
	if !o.plain || rec.typ != typeGemini || o.shape.calls || shapeOf(rec) != o.shape {
		return false
	}
	calls := callIDs(rec)
	return len(calls) > len(o.calls) && slices.Equal(calls[:len(o.calls)], o.calls)
}

func callIDs(rec record) (ids []string) {
	objects.Elements(rec.calls, func(call []byte) { ids = append(ids, idOf(call)) })
	return ids
}

func shapeOf(rec record) (s shape) {
	s.thoughts = count(rec.thoughts)
	eachPart(rec.content, func(p part) {
		s.parts++
		s.text = s.text || isText(p.text)
		s.calls = s.calls || p.call != nil
	})
	return s
}

// add takes in a message with the entry that it was given.
func (l *live) add(rec record, p placed) {
	_, listed := l.at[rec.id]
	o := l.own[rec.id]
	last := len(l.path) - 1
	switch {
	case p.repeated:
		o.calls, o.shape = callIDs(rec), shapeOf(rec)
		l.answer(&l.path[o.last], rec)
		return
	case o != nil && listed && o.last == last && o.goesOn(rec):
		o.last, o.calls = last+1, callIDs(rec)
	default:
		l.used[rec.id]++
		l.own[rec.id] = &own{
			first: last + 1, last: last + 1, calls: callIDs(rec), shape: shapeOf(rec), plain: p.id == messageID(rec.id),
			told: p.told, before: o,
		}
		if !listed {
			l.at[rec.id] = len(l.list)
			l.list = append(l.list, rec.id)
		}
	}
	l.path = append(l.path, node{id: p.id, client: rec.id})
	l.answer(&l.path[last+1], rec)
}

// answer notes the calls in a message, and their results.
func (l *live) answer(n *node, rec record) {
	rec.eachAnswer(func(id string, answered bool) {
		n.undo = append(n.undo, answer{id, l.answered[id]})
		l.answered[id] = answered
	})
}

// eachAnswer calls each for the calls in a message that are open, and for the results.
func (rec record) eachAnswer(each func(id string, answered bool)) {
	eachPart(rec.content, func(p part) {
		if p.call != nil {
			each(idOf(p.call), false)
		}
		if p.response != nil {
			each(idOf(p.response), true)
		}
	})
	objects.Elements(rec.calls, func(call []byte) {
		if isObject(call) {
			_, ok := resultOfCall(call)
			each(idOf(call), ok)
		}
	})
}

// told says of a message of the user how its results stand: all of them are told already, and it may hold nothing else.
type told uint8

const (
	news  told = iota
	words      // it holds something else
	nothing
)

func (l *live) told(rec record) told {
	if rec.typ != typeUser {
		return news
	}
	results, all, alone := 0, true, true
	eachPart(rec.content, func(p part) {
		if p.response == nil {
			alone = alone && p.block() == nil
			return
		}
		results++
		all = all && l.answered[idOf(p.response)]
	})
	switch {
	case results == 0 || !all:
		return news
	case alone:
		return nothing
	}
	return words
}

// replace takes in a list of messages that stands for all before it.
func (l *live) replace(rec record, id objects.ID) {
	n := node{id: id, replaced: l.answered}
	l.answered = map[string]bool{}
	l.list, l.at = nil, map[string]int{}
	l.path = append(l.path, n)
	objects.Elements(rec.list, func(value []byte) {
		said := record{}
		if isObject(value) {
			said = readRecord(value)
		}
		if said.kind != message {
			return
		}
		said.eachAnswer(func(id string, answered bool) { l.answered[id] = answered })
		l.known[said.id] = true
		if _, twice := l.at[said.id]; !twice {
			l.at[said.id] = len(l.list)
			l.list = append(l.list, said.id)
		}
	})
}

// saysMore reports whether a list of messages has any that somebody said and that was not there before. What the client adds for results that it has
// already is called by the id of their reply (formats/others.md).
func (l *live) saysMore(rec record) (more bool) {
	objects.Elements(rec.list, func(value []byte) {
		if more || !isObject(value) {
			return
		}
		said := readRecord(value)
		reply := strings.TrimSuffix(said.id, "_response")
		switch {
		case said.kind != message || l.used[said.id] > 0 || l.known[said.id] || l.used[reply] > 0 || l.known[reply]:
		case said.typ == typeGemini, said.typ == typeUser && said.note() == "":
			more = true
		}
	})
	return more
}

// maxBack is among how many messages of a list one with an entry is looked for, so that taking back one after the other of a long list takes no time.
const maxBack = 1000

// rewind drops a message and all behind it; all, if it is not there.
func (l *live) rewind(client string) {
	at, listed := l.at[client]
	if !listed {
		at = 0
	}
	keep := 0 // of the path
	if o := l.own[client]; listed && o != nil {
		keep = o.first
	} else {
		// It stands in a list alone: what is before it is told by the last of these that has an entry.
		for i := at - 1; i >= max(0, at-maxBack) && keep == 0; i-- {
			if o := l.own[l.list[i]]; o != nil {
				keep = o.last + 1
			}
		}
	}
	for _, gone := range l.list[at:] {
		delete(l.at, gone)
	}
	l.list = l.list[:at]
	for len(l.path) > keep {
		l.pop()
	}
}

// pop takes the last entry off the path.
func (l *live) pop() {
	last := len(l.path) - 1
	n := l.path[last]
	l.path = l.path[:last]
	if n.client == "" {
		l.answered = n.replaced
		return
	}
	for _, a := range slices.Backward(n.undo) {
		l.answered[a.id] = a.was
	}
	switch o := l.own[n.client]; {
	case o == nil:
	case o.first == last && o.before == nil:
		delete(l.own, n.client)
	case o.first == last:
		l.own[n.client] = o.before
	case o.last == last:
		o.last = last - 1
	}
}

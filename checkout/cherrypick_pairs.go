package checkout

import (
	"fmt"
	"slices"

	"tlog/log"
	"tlog/objects"
)

const (
	// nearby is how many entries are looked at for what belongs to one before it is asked whether there is such an entry at all.
	nearby = 1000
	// maxApart is how many entries may lie between a call and its results.
	maxApart = 10_000
)

// pairing finds calls and their results in a log. Each entry is read once.
type pairing struct {
	log  *log.Log
	read map[int]pairIDs
	all  *pairIndex // of the whole log, made when something is not nearby
}

// pairIDs are the ids of the calls that an entry makes, and of those whose results it holds. A call that has its result in the same message is in neither.
type pairIDs struct{ calls, results []string }

// pairIndex tells which ids have a call, and which a result, anywhere in a log.
type pairIndex struct{ calls, results map[string]bool }

// of are the ids in an entry.
func (p *pairing) of(at int) (pairIDs, error) {
	if ids, ok := p.read[at]; ok || p.log.Record(at).Type != objects.TypeMessage {
		return ids, nil
	}
	_, m, _, err := p.log.MessageAt(at)
	if err != nil {
		return pairIDs{}, err
	}
	var ids pairIDs
	for _, b := range m.Calls() {
		ids.calls = append(ids.calls, b.CallID)
	}
	for _, b := range m.Results() { // some agents keep both in one message
		if i := slices.Index(ids.calls, b.CallID); i >= 0 {
			ids.calls = slices.Delete(ids.calls, i, i+1)
		} else {
			ids.results = append(ids.results, b.CallID)
		}
	}
	p.read[at] = ids
	return ids, nil
}

// index reads the whole log.
func (p *pairing) index() (*pairIndex, error) {
	if p.all != nil {
		return p.all, nil
	}
	all := &pairIndex{map[string]bool{}, map[string]bool{}}
	for at := range p.log.Len() {
		ids, err := p.of(at)
		if err != nil {
			return nil, err
		}
		for _, id := range ids.calls {
			all.calls[id] = true
		}
		for _, id := range ids.results {
			all.results[id] = true
		}
	}
	p.all = all
	return all, nil
}

// callOf is the nearest entry above at that makes a call; log.None if there is none.
func (p *pairing) callOf(at int, id string) (int, error) {
	for n, up := 0, p.log.Record(at).Parent; up != log.None && n < maxApart; n, up = n+1, p.log.Record(up).Parent {
		if p.all != nil || n == nearby {
			if all, err := p.index(); err != nil || !all.calls[id] {
				return log.None, err
			}
		}
		ids, err := p.of(up)
		if err != nil {
			return log.None, err
		}
		if slices.Contains(ids.calls, id) {
			return up, nil
		}
	}
	return log.None, nil
}

// resultOf is the nearest entry below at, whether on a path or beside it, that holds the result of its call and not that of another call with the same id further
// down; log.None if there is none.
func (p *pairing) resultOf(at int, id string) (int, error) {
	queue := slices.Clone(p.log.Children(at))
	for n := 0; n < len(queue) && n < maxApart; n++ {
		if p.all != nil || n == nearby {
			if all, err := p.index(); err != nil || !all.results[id] {
				return log.None, err
			}
		}
		ids, err := p.of(queue[n])
		if err != nil {
			return log.None, err
		}
		if slices.Contains(ids.results, id) {
			return queue[n], nil
		}
		if !slices.Contains(ids.calls, id) { // below that the results are of that call
			queue = append(queue, p.log.Children(queue[n])...)
		}
	}
	return log.None, nil
}

// need says that an entry is not brought over without another one.
type need struct {
	who    int
	reason string // why not
}

// close adds what belongs to the chosen entries by tool calls, and leaves out what would lack its result or its call.
func (c *picker) close(queue []int) error {
	needs := map[int][]need{} // by the entry that is needed
	var open []need
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		if c.chosen[at] {
			continue
		}
		c.chosen[at] = true
		ids, err := c.pairs.of(at)
		if err != nil {
			return err
		}
		require := func(find func(int, string) (int, error), ids []string, words string) error {
			for _, id := range ids {
				other, err := find(at, id)
				if err != nil {
					return err
				}
				n := need{at, fmt.Sprintf(words, id)}
				if other == log.None {
					open = append(open, n)
					continue
				}
				needs[other] = append(needs[other], n)
				queue = append(queue, other)
			}
			return nil
		}
		if err := require(c.pairs.resultOf, ids.calls, "its call %.80s has no result"); err != nil {
			return err
		}
		if err := require(c.pairs.callOf, ids.results, "the call %.80s of its result is not there"); err != nil {
			return err
		}
	}
	for len(open) > 0 {
		n := open[0]
		open = open[1:]
		if c.chosen[n.who] {
			delete(c.chosen, n.who)
			c.left = append(c.left, LeftOut{c.from.Record(n.who).ID, n.reason})
			open = append(open, needs[n.who]...)
		}
	}
	return nil
}

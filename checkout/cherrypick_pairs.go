package checkout

import (
	"fmt"
	"slices"

	"tlog/log"
	"tlog/objects"
)

// maxApart is how many entries below a call its results are looked for in.
const maxApart = 10_000

// resultsOf are the entries below at that hold the results of the calls in its message. They are near, whether on one path or side by side.
func (c *picker) resultsOf(at int, m objects.Message) (found []int, err error) {
	open := map[string]bool{}
	for _, call := range m.Calls() {
		open[call.CallID] = true
	}
	for _, result := range m.Results() { // some agents keep both in one message
		delete(open, result.CallID)
	}
	queue := slices.Clone(c.from.Children(at))
	for n := 0; n < maxApart && len(queue) > 0 && len(open) > 0; n++ {
		next := queue[0]
		queue = queue[1:]
		if c.from.Record(next).Type == objects.TypeMessage {
			_, below, _, err := c.from.MessageAt(next)
			if err != nil {
				return nil, err
			}
			answers := false
			for _, result := range below.Results() {
				answers = answers || open[result.CallID]
				delete(open, result.CallID)
			}
			if answers {
				found = append(found, next)
			}
		}
		queue = append(queue, c.from.Children(next)...)
	}
	return found, nil
}

// callsOf are the entries above at that make the calls whose results it holds.
func (c *picker) callsOf(at int, m objects.Message) (found []int, err error) {
	open := map[string]bool{}
	for _, result := range m.Results() {
		open[result.CallID] = true
	}
	for _, call := range m.Calls() {
		delete(open, call.CallID)
	}
	for up := c.from.Record(at).Parent; up != log.None && len(open) > 0; up = c.from.Record(up).Parent {
		if c.from.Record(up).Type != objects.TypeMessage {
			continue
		}
		_, above, _, err := c.from.MessageAt(up)
		if err != nil {
			return nil, err
		}
		makes := false
		for _, call := range above.Calls() {
			makes = makes || open[call.CallID]
			delete(open, call.CallID)
		}
		if makes {
			found = append(found, up)
		}
	}
	return found, nil
}

// dropOpen leaves out calls without all of their results, and results without their call, until none is left.
func (c *picker) dropOpen() error {
	for again := true; again; {
		again = false
		calls, results := map[string]bool{}, map[string]bool{}
		messages := map[int]objects.Message{}
		for at := range c.chosen {
			_, m, _, err := c.from.MessageAt(at)
			if err != nil {
				return err
			}
			messages[at] = m
			for _, b := range m.Calls() {
				calls[b.CallID] = true
			}
			for _, b := range m.Results() {
				results[b.CallID] = true
			}
		}
		for _, at := range c.inOrder() {
			reason := openPair(messages[at], calls, results)
			if reason == "" {
				continue
			}
			delete(c.chosen, at)
			c.left = append(c.left, LeftOut{c.from.Record(at).ID, reason})
			again = true
		}
	}
	return nil
}

// openPair says what an entry lacks; empty if nothing.
func openPair(m objects.Message, calls, results map[string]bool) string {
	for _, b := range m.Calls() {
		if !results[b.CallID] {
			return fmt.Sprintf("its call %.80s has no result", b.CallID)
		}
	}
	for _, b := range m.Results() {
		if !calls[b.CallID] {
			return fmt.Sprintf("the call %.80s of its result is not there", b.CallID)
		}
	}
	return ""
}

package main

import (
	"errors"
	"fmt"

	"tlog/checkout"
	"tlog/log"
	"tlog/store"
)

// tellRoots says in a line which of several trees of a transcript is the one that is shown, and how to see the longest: what
// an agent does not show any more is not lost.
func (run *importRun) tellRoots(file importFile, done store.Imported) (err error) {
	if done.Roots < 2 || !done.Created && done.New == 0 {
		return nil
	}
	session, err := checkout.Open(done.File, run.app.options())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	live, ok := session.Refs.Branch(done.Tracking)
	if !ok || live.At == log.None {
		return nil
	}
	l := session.Log
	longest, lengths := longestPath(l)
	entries := func(n int) string { return fmt.Sprintf("%d %s", n, plural(n, "entry", "entries")) }
	if lengths[longest] == lengths[live.At] {
		longest = live.At
	}
	text := fmt.Sprintf("'%s' has %d roots; '%s' is at %s, with %s", file.shown, done.Roots, done.Tracking, l.Short(live.At), entries(lengths[live.At]))
	if longest == live.At {
		run.app.note("%s, the longest", text)
		return nil
	}
	run.app.note("%s; 'tlog -s %s checkout %s' shows the longest, with %s", text, done.Session, l.Short(longest), entries(lengths[longest]))
	return nil
}

// longestPath is the entry to which the most visible entries lead, and for each record how many lead to it, itself included.
func longestPath(l *log.Log) (longest int, lengths []int) {
	lengths = make([]int, l.Len())
	known := make([]bool, l.Len())
	var path []int
	for i := range l.Len() {
		path = path[:0]
		at := i
		for ; at != log.None && !known[at]; at = l.Record(at).Parent {
			known[at] = true // a parent may stand below its child, but never is one its own
			path = append(path, at)
		}
		length := 0
		if at != log.None {
			length = lengths[at]
		}
		for j := len(path) - 1; j >= 0; j-- {
			if r := l.Record(path[j]); r.Tree() && r.Visible() {
				length++
			}
			lengths[path[j]] = length
		}
		if lengths[i] > lengths[longest] {
			longest = i
		}
	}
	return longest, lengths
}

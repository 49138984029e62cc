// Package patch reads the two forms of patches that agents' tools are given and record, the envelope of apply_patch and unified diffs, and applies
// their hunks and the replacements of texts.
package patch

import "tlog/objects"

// Count is how many lines hunks add and remove.
func Count(hunks []objects.Hunk) (added, removed int) {
	for _, h := range hunks {
		for _, l := range h.Lines {
			switch l.Op {
			case '+':
				added++
			case '-':
				removed++
			}
		}
	}
	return added, removed
}

// counted fills in the lines that an edit by hunks adds and removes.
func counted(op objects.FileOp) objects.FileOp {
	op.Added, op.Removed = Count(op.Hunks)
	op.Counted = true
	return op
}

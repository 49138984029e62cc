package main

import (
	"errors"
	"strings"

	"tlog/diff"
	"tlog/log"
	"tlog/objects"
)

// judge is the status of a pair in what was asked for, and whether it has any part in that. With --text and --tools an entry may differ in nothing but what
// was not asked for.
func (d *comparison) judge(pair diff.EntryPair) (status diff.Status, part bool, err error) {
	part, err = d.part(pair)
	if err != nil || !part || pair.Status != diff.Changed || !d.opt.text && !d.opt.tools {
		return pair.Status, part, err
	}
	a, b, err := d.bothTexts(pair)
	if a == b {
		return diff.Same, part, err
	}
	return diff.Changed, part, err
}

// part reports whether an entry of the pair holds what was asked for.
func (d *comparison) part(pair diff.EntryPair) (bool, error) {
	if !d.opt.text && !d.opt.tools {
		return true, nil
	}
	for _, s := range []struct {
		side
		at int
	}{{d.a, pair.A}, {d.b, pair.B}} {
		if s.at == diff.None {
			continue
		}
		_, m, _, err := s.log.MessageAt(s.at)
		if err != nil {
			return false, err
		}
		for _, b := range m.Blocks {
			if d.opt.shows(b) {
				return true, nil
			}
		}
	}
	return false, nil
}

// shows reports whether a block was asked for: with --text words of a user or a model, with --tools calls and results.
func (opt diffOptions) shows(b objects.Block) bool {
	switch {
	case opt.tools:
		return b.Kind == objects.BlockToolCall || b.Kind == objects.BlockToolResult
	case opt.text:
		return b.Kind == objects.BlockText && strings.TrimSpace(b.Text) != ""
	}
	return true
}

// bothTexts are the whole texts of two entries that correspond.
func (d *comparison) bothTexts(pair diff.EntryPair) (a, b string, err error) {
	if a, err = d.wholeText(d.a, pair.A); err != nil {
		return "", "", err
	}
	b, err = d.wholeText(d.b, pair.B)
	return a, b, err
}

// wholeText is what show tells of an entry, as far as it was asked for, with what lies in blobs.
func (d *comparison) wholeText(s side, at int) (string, error) {
	v, err := s.reader.ReadWhole(at, false)
	var hole *log.BlobError
	if err != nil && !errors.As(err, &hole) {
		return "", err
	}
	blocks := make([]objects.Block, len(v.Message.Blocks))
	for i, b := range v.Message.Blocks {
		if b.CallID = ""; d.opt.shows(b) { // ids of calls differ always
			blocks[i] = b
		} else {
			blocks[i] = objects.Block{Kind: objects.BlockText}
		}
	}
	v.Message.Blocks = blocks
	lines := v.Lines(0)
	if len(lines) == 0 {
		return "", nil
	}
	return strings.Join(lines, "\n") + "\n", nil
}

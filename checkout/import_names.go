package checkout

import (
	"errors"

	"tlog/log"
	"tlog/objects"
	"tlog/refs"
)

// standing is where names stand before an import.
type standing struct {
	head    refs.Head
	headTip objects.ID
	tracked objects.ID // the tip of the tracking branch
	follows bool       // main stands where the tracking branch does
}

// standing tells where names stand now.
func (s *Session) standing(im *importer) standing {
	st := standing{head: s.Refs.Head()}
	st.headTip = s.idOf(st.head.At)
	tracked, isTracked := s.Refs.Branch(im.tracking)
	main, isMain := s.Refs.Branch(refs.DefaultBranch)
	if isTracked {
		st.tracked = s.idOf(tracked.At)
	}
	before := tracked.At
	if im.brokenOff > 0 {
		// main stands where that import found it.
		before = s.lastTracked(im.tracking, im.brokenOff)
		isTracked = before != log.None
	}
	if isTracked {
		st.follows = isMain && main.At == before
	} else {
		// Nothing was imported yet. An unborn main that HEAD waits on follows, one that was renamed does not.
		st.follows = !isMain && st.head.Branch == refs.DefaultBranch
	}
	return st
}

// lastTracked is the last entry above a line that moved the tracking branch.
func (s *Session) lastTracked(tracking string, line int) int {
	at := log.None
	for i := range s.Log.Len() {
		r := s.Log.Record(i)
		switch {
		case r.Line >= line:
			return at
		case r.Ref != tracking:
		case r.Tree():
			at = i
		case r.RepeatOf != log.None:
			at = r.RepeatOf
		}
	}
	return at
}

// finish adds the ref lines behind the imported ones, and ends with one that descends from HEAD's tip. Nothing is added if
// there is nothing to be written.
func (im *importer) finish(st standing, opt Options) error {
	tip := st.tracked
	if im.tip != "" {
		tip = im.tip
	}
	moved := im.journal && tip != ""
	switch {
	case im.nowhere:
		tip, moved = "", tip != ""
	case im.leaf != "" && im.leaf != tip:
		tip, moved = im.leaf, true
	}
	if len(im.lines) == 0 && !moved && im.brokenOff == 0 && !im.remark {
		return nil
	}
	im.followed = st.follows && tip != ""
	headTip := st.headTip
	if st.head.Branch == im.tracking || im.followed && st.head.Branch == refs.DefaultBranch {
		headTip = tip
	}
	j := journal{parent: headTip, opt: opt, reason: ImportReason + im.tracking}
	if moved {
		j.ref(im.tracking, tip)
	}
	if im.journal {
		j.headAt(st.head, headTip)
	}
	if im.followed {
		j.ref(refs.DefaultBranch, tip)
	} else if !im.journal {
		j.headAt(st.head, headTip)
	}
	if j.err != nil {
		return j.err
	}
	im.lines = append(im.lines, j.lines...)
	return im.mark()
}

// journal makes ref and head lines of one operation.
type journal struct {
	parent objects.ID
	reason string
	opt    Options
	lines  []log.Line
	err    error
}

func (j *journal) ref(name string, target objects.ID) {
	j.add(objects.TypeRef, objects.StringField("name", name), objects.IDField("targetId", target))
}

// headAt says that HEAD is where it is.
func (j *journal) headAt(head refs.Head, tip objects.ID) {
	if head.Detached() {
		j.add(objects.TypeHead, objects.IDField("targetId", tip))
		return
	}
	j.add(objects.TypeHead, objects.StringField("name", head.Branch))
}

func (j *journal) add(t objects.Type, payload ...objects.Field) {
	now := j.opt.Now()
	id, err := objects.NewID(now, j.opt.Random)
	j.err = errors.Join(j.err, err)
	line := objects.Build(t, id, j.parent, timestamp(now), withReason(j.reason, payload...)...)
	// The parent may go by an id that is derived once its line is written.
	j.lines = append(j.lines, log.Line{Bytes: line, Verbatim: true})
}

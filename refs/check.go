package refs

import (
	"slices"

	"tlog/log"
	"tlog/objects"
)

// Check yields what is wrong with refs, in file order: ref, head, label, skip and
// unskip lines whose target is no entry, and names that no branch may have.
// Lines that cannot be read are left to log.Log.Check.
func (s *State) Check() []log.Finding {
	var findings []log.Finding
	refs := newRefSet()
	for i := range s.log.Len() {
		r := s.log.Record(i)
		c, err := refs.read(s.log, i, r)
		if err != nil {
			continue
		}
		if c.problem != "" {
			findings = append(findings, dangling(r, c.problem))
		}
		for _, id := range lostTargets(s.log, i) {
			findings = append(findings, dangling(r, noEntry(string(id))))
		}
	}
	return findings
}

func dangling(r *log.Record, message string) log.Finding {
	return log.Finding{
		Code:    log.DanglingRef,
		Line:    r.Line,
		Offset:  r.Offset,
		ID:      string(r.ID),
		Message: string(r.Type) + ": " + message,
	}
}

// lostTargets are the targets of a label, skip or unskip entry that are no entries.
func lostTargets(l *log.Log, i int) []objects.ID {
	r := l.Record(i)
	switch r.Type {
	case objects.TypeLabel, objects.TypeSkip, objects.TypeUnskip:
	default:
		return nil
	}
	if r.RepeatOf != log.None {
		return nil
	}
	e, err := l.Entry(i)
	if err != nil {
		return nil
	}
	targets := e.TargetIDs()
	if r.Type == objects.TypeLabel {
		target, _ := e.Text("targetId")
		targets = []objects.ID{objects.ID(target)}
	}
	return slices.DeleteFunc(targets, func(id objects.ID) bool {
		return findEntry(l, id) != log.None
	})
}

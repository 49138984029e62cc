package store

import (
	"path/filepath"
	"strings"

	"tlog/agents"
	"tlog/agents/transcript"
	"tlog/checkout"
	"tlog/log"
	"tlog/objects"
)

// baseOf is what a transcript goes on from by reference.
func baseOf(agent agents.Foreign, path string, head []byte) (transcript.Base, error) {
	if based, ok := agent.(agents.Based); ok {
		return based.Base(path, head)
	}
	return transcript.Base{}, nil
}

// lookAgain looks for what a session's transcript goes on from, which was nowhere when the session was made. If it came up since, its lines
// stay out all the same: they would belong in front of lines that have been written, whose parents and ids are for good. What cannot be read is
// not there.
func (im *foreignImporter) lookAgain(session *checkout.Session, head []byte, result *Imported) error {
	if _, ok := im.agent.(agents.Based); !ok {
		return nil
	}
	gap, err := gapOf(session.Log)
	if err != nil || gap == "" {
		return err
	}
	base, err := baseOf(im.agent, im.path, head)
	switch {
	case err != nil:
		result.MissingBase = gap
	case base.Missing != "":
		result.MissingBase = base.Missing
	case len(base.Files) > 0:
		result.LateBase = base.Files[len(base.Files)-1]
		for _, file := range base.Files {
			if strings.Contains(filepath.Base(file), string(gap)+logSuffix) {
				result.LateBase = file
				break
			}
		}
	}
	im.source.Base.Missing = result.MissingBase
	return nil
}

// gapOf is what the first of an agent's nodes names as its parent that was nowhere; empty if none does.
func gapOf(l *log.Log) (objects.ID, error) {
	for i := range l.Len() {
		if r := l.Record(i); !r.Foreign || !r.Bridged || !r.Tree() {
			continue
		}
		e, err := l.Entry(i)
		return objects.ID(e.Gap), err
	}
	return "", nil
}

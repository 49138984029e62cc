package checkout

import (
	"errors"

	"tlog/agents"
	"tlog/log"
	"tlog/objects"
)

// Calls gives for each tool call in the log at path the entry that it stands in, the last of several. What lies in blobs
// is not looked at.
func Calls(path string) (calls map[string]objects.ID, err error) {
	l, err := log.Open(path, log.WithDecoders(agents.Decoder))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	calls = map[string]objects.ID{}
	for i := range l.Len() {
		r := l.Record(i)
		if !r.Tree() || r.Type != objects.TypeMessage {
			continue
		}
		e, err := l.Entry(i)
		if err != nil {
			return nil, err
		}
		m, ok := l.Message(e)
		if !ok {
			continue
		}
		for _, call := range m.Calls() {
			calls[call.CallID] = r.ID
		}
	}
	return calls, nil
}

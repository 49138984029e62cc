package store

import (
	"sync"

	"tlog/agents"
	"tlog/agents/transcript"
)

// sideFiles gives what an agent keeps beside a transcript.
type sideFiles func(path string, id transcript.Identity) ([]transcript.SideFile, error)

// besideReaders are those of the agents, by name. They remember what they read of files that all sessions share, for as long as
// the store is in use.
type besideReaders struct {
	mu      sync.Mutex
	readers map[string]sideFiles
}

func (b *besideReaders) of(agent agents.Foreign) sideFiles {
	b.mu.Lock()
	defer b.mu.Unlock()
	reader, ok := b.readers[agent.Name()]
	if !ok {
		if b.readers == nil {
			b.readers = map[string]sideFiles{}
		}
		reader = agent.SideFileReader()
		b.readers[agent.Name()] = reader
	}
	return reader
}

package agents

import "tlog/objects"

// Threaded is an agent that keeps what its user takes for one session in several transcripts, and goes on from one of them.
type Threaded interface {
	Agent
	// Thread is the id by which the agent knows what a session is a part of.
	Thread(session objects.ID) objects.ID
	// Supersedes reports whether of two transcripts of one thread the agent goes on from the one at path and not from the other.
	Supersedes(path, other string) bool
}

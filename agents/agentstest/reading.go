package agentstest

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"tlog/agents"
	"tlog/objects"
)

// reading is what a reader made of a transcript.
type reading struct {
	agent     agents.Foreign
	envelopes []objects.Envelope
	entries   []objects.Entry
	leaf      objects.ID
	damaged   int
	last      map[objects.ID]int // the entry of an id: the last one counts
}

// read reads a transcript at once.
func read(t testing.TB, agent agents.Foreign, session objects.ID, data []byte) reading {
	t.Helper()
	r := agent.NewReader(session)
	envelopes := r.Read(data)
	return parse(t, agent, envelopes, r.Leaf(), r.Damaged())
}

func parse(t testing.TB, agent agents.Foreign, envelopes []objects.Envelope, leaf objects.ID, damaged int) reading {
	t.Helper()
	out := reading{agent: agent, envelopes: envelopes, leaf: leaf, damaged: damaged, last: map[objects.ID]int{}}
	for i, v := range envelopes {
		e, err := objects.ParseEntry(v.Bytes())
		if err != nil {
			t.Fatalf("envelope %d is no entry: %v", i, err)
		}
		if e.Agent != agent.Name() || e.ID != v.ID {
			t.Fatalf("envelope %d is of agent '%s' and has the id '%s', expected '%s'", i, e.Agent, e.ID, v.ID)
		}
		out.entries = append(out.entries, e)
		out.last[e.ID] = i
	}
	return out
}

// inPieces reads a transcript in pieces: of some lines by one reader, or each of many by a new one that was told of what stands before.
func (s Suite) inPieces(t testing.TB, rng *rand.Rand, session objects.ID, data []byte, renew bool) reading {
	t.Helper()
	r := s.Agent.NewReader(session)
	var envelopes []objects.Envelope
	damaged, most := 0, 8
	if renew {
		most = bytes.Count(data, []byte{'\n'})/2 + 1
	}
	for len(data) > 0 {
		if renew {
			damaged += r.Damaged()
			r = s.Agent.NewReader(session)
			for _, v := range envelopes {
				e, err := objects.ParseEntry(v.Bytes())
				if err != nil {
					t.Fatal(err)
				}
				r.Known(e)
			}
		}
		end := 0
		for range 1 + rng.IntN(most) {
			next := bytes.IndexByte(data[end:], '\n')
			if next < 0 {
				end = len(data)
				break
			}
			end += next + 1
		}
		envelopes = append(envelopes, r.Read(data[:end])...)
		data = data[end:]
	}
	return parse(t, s.Agent, envelopes, r.Leaf(), damaged+r.Damaged())
}

// source are the bytes that the envelopes were made of, but for a last "\n".
func (r reading) source() []byte {
	var b bytes.Buffer
	for _, v := range r.envelopes {
		b.Write(v.Line)
		if !v.Joined {
			b.WriteByte('\n')
		}
	}
	return b.Bytes()
}

// checkBytes: the envelopes hold the bytes of the transcript, and the entries made of them those of the lines.
func (r reading) checkBytes(t testing.TB, data []byte) {
	t.Helper()
	if got := r.source(); !bytes.Equal(bytes.TrimSuffix(got, []byte{'\n'}), bytes.TrimSuffix(data, []byte{'\n'})) {
		t.Errorf("the lines of the envelopes are not the file: %d bytes, expected %d", len(got), len(data))
	}
	for i, e := range r.entries {
		if line, ok := e.SourceLine(); !ok || !bytes.Equal(line, r.envelopes[i].Line) {
			t.Errorf("entry %d holds %.200q, expected %.200q", i, line, r.envelopes[i].Line)
		}
	}
}

// checkGraph: ids are such, parents exist or are named as a gap, no entry is its own ancestor, and the leaf is a node.
func (r reading) checkGraph(t testing.TB) {
	t.Helper()
	for i, e := range r.entries {
		if !e.ID.Valid() {
			t.Errorf("entry %d has the id %q", i, e.ID)
		}
		if at, found := r.last[e.ParentID]; e.ParentID != "" && (!found || r.entries[at].Type.Journal()) {
			t.Errorf("entry %d, '%s', hangs at '%s', which is no node", i, e.ID, e.ParentID)
		}
	}
	done := map[objects.ID]bool{"": true}
	for _, e := range r.entries {
		var walk []objects.ID
		for id := e.ID; !done[id]; id = r.entries[r.last[id]].ParentID {
			if len(walk) > len(r.entries) {
				t.Fatalf("'%s' is its own ancestor", id)
			}
			walk = append(walk, id)
		}
		for _, id := range walk {
			done[id] = true
		}
	}
	if at, found := r.last[r.leaf]; r.leaf != "" && (!found || r.entries[at].Type.Journal()) {
		t.Errorf("the leaf '%s' is no node", r.leaf)
	}
}

// decode decodes every line; no line may make the decoder panic.
func (r reading) decode(t testing.TB) {
	t.Helper()
	for i, e := range r.entries {
		m, ok := r.agent.Message(e)
		if !ok && e.Type == objects.TypeMessage || ok && !e.Type.Visible() {
			t.Errorf("entry %d, '%s', has the type '%s', and it is %v that it holds a message", i, e.ID, e.Type, ok)
		}
		if ok && m.Role == "" {
			t.Errorf("entry %d, '%s', is a message without role", i, e.ID)
		}
		if _, ok := r.agent.Compaction(e); ok && e.Type != objects.TypeCompaction {
			t.Errorf("entry %d, '%s', has the type '%s' and is a compaction", i, e.ID, e.Type)
		}
	}
}

// path are the entries up to an id, oldest first.
func (r reading) path(tip objects.ID) (path []objects.Entry) {
	for tip != "" && len(path) <= len(r.entries) {
		e := r.entries[r.last[tip]]
		path = append(path, e)
		tip = e.ParentID
	}
	slices.Reverse(path)
	return path
}

// branches is the number of nodes that nothing hangs at.
func (r reading) branches() (n int) {
	parents := map[objects.ID]bool{}
	for _, i := range r.last {
		parents[r.entries[i].ParentID] = true
	}
	for id, i := range r.last {
		if !r.entries[i].Type.Journal() && !parents[id] {
			n++
		}
	}
	return n
}

// nodes are what is told of a path.
func (r reading) nodes(path []objects.Entry) (nodes []Node) {
	for _, e := range path {
		n := Node{ID: e.ID, Visible: e.Type.Visible(), Hidden: e.Hidden}
		if m, ok := r.agent.Message(e); ok {
			n.Role, n.Text = m.Role, m.Text()
			if m.Note != "" {
				n.Text = ""
			}
			for _, call := range m.Calls() {
				n.Calls = append(n.Calls, call.CallID)
			}
			for _, result := range m.Results() {
				n.Results = append(n.Results, result.CallID)
			}
		}
		nodes = append(nodes, n)
	}
	return nodes
}

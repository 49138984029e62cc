package agentstest

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tlog/objects"
)

// sample holds a transcript to all that is known about it.
func (s Suite) sample(t *testing.T, sample Sample) {
	t.Helper()
	if r := s.read(t, sample); !t.Failed() && r.leaf != "" && s.NoExport == "" {
		s.export(t, sample, r)
	}
}

// read reads a transcript, at once and in pieces.
func (s Suite) read(t *testing.T, sample Sample) reading {
	t.Helper()
	session := sample.orSession()
	r := read(t, s.Agent, session, sample.Data)
	r.checkBytes(t, sample.Data)
	r.checkGraph(t)
	r.decode(t)
	sample.check(t, r)
	if isDocument(s.Agent, sample.Data) {
		return r
	}
	rng := rand.New(rand.NewPCG(uint64(len(sample.Data)), 2))
	samePieces(t, r, s.inPieces(t, rng, session, sample.Data, false), "by one reader")
	samePieces(t, r, s.inPieces(t, rng, session, sample.Data, true), "by new readers")
	return r
}

func (sample Sample) check(t *testing.T, r reading) {
	t.Helper()
	if sample.Records > 0 && len(r.entries) != sample.Records {
		t.Errorf("%d entries, expected %d", len(r.entries), sample.Records)
	}
	if sample.Branches > 0 && r.branches() != sample.Branches {
		t.Errorf("%d branches, expected %d", r.branches(), sample.Branches)
	}
	if !sample.Damaged && r.damaged != 0 {
		t.Errorf("%d lines are called damaged", r.damaged)
	}
	if sample.Damaged && r.damaged == 0 {
		t.Error("no line is called damaged")
	}
	path := r.path(r.leaf)
	nodes := r.nodes(path)
	if !sample.Damaged {
		checkPairs(t, nodes)
	}
	if sample.Live != nil {
		sample.checkLive(t, r, nodes)
	}
	if sample.Texts != nil {
		var texts []string
		for i, n := range nodes {
			if m, ok := r.agent.Message(path[i]); ok && m.Note == "" && len(n.Results) == 0 && n.Text != "" {
				texts = append(texts, n.Text)
			}
		}
		if !slices.Equal(texts, sample.Texts) {
			t.Errorf("the path says %q, expected %q", texts, sample.Texts)
		}
	}
}

func (sample Sample) checkLive(t *testing.T, r reading, got []Node) {
	t.Helper()
	for i := range max(len(got), len(sample.Live)) {
		if i >= len(got) || i >= len(sample.Live) {
			t.Errorf("the path has %d entries, expected %d", len(got), len(sample.Live))
			return
		}
		want := sample.Live[i]
		if m, ok := r.agent.Message(r.entries[r.last[got[i].ID]]); ok && m.Note != "" {
			want.Text = ""
		}
		if !got[i].equal(want) {
			t.Errorf("entry %d of the path of %d is\n%.1000v, expected\n%.1000v", i, len(got), got[i], want)
			return
		}
	}
}

func (n Node) equal(o Node) bool {
	return n.ID == o.ID && n.same(o) && n.Visible == o.Visible && n.Hidden == o.Hidden
}

// same reports whether two entries say the same.
func (n Node) same(o Node) bool {
	return n.Role == o.Role && n.Text == o.Text && slices.Equal(n.Calls, o.Calls) && slices.Equal(n.Results, o.Results)
}

// checkPairs: on the path each call has its result and each result its call, above it.
func checkPairs(t testing.TB, path []Node) {
	t.Helper()
	open := map[string]bool{}
	for _, n := range path {
		for _, call := range n.Calls {
			open[call] = true
		}
		for _, result := range n.Results {
			if _, found := open[result]; !found {
				t.Errorf("'%s' holds a result of '%s', which nothing above it calls", n.ID, result)
			}
			open[result] = false
		}
	}
	for call, unanswered := range open {
		if unanswered {
			t.Errorf("the call '%s' has no result on the path", call)
		}
	}
}

// samePieces: what was read in pieces is what was read at once.
func samePieces(t testing.TB, whole, pieces reading, how string) {
	t.Helper()
	if len(whole.entries) != len(pieces.entries) {
		t.Errorf("%d entries at once, %d %s", len(whole.entries), len(pieces.entries), how)
		return
	}
	for i, e := range whole.entries {
		if string(e.Raw) != string(pieces.entries[i].Raw) {
			t.Errorf("entry %d is, in pieces %s,\n%.600s, expected\n%.600s", i, how, pieces.entries[i].Raw, e.Raw)
			return
		}
	}
	if whole.leaf != pieces.leaf {
		t.Errorf("the leaf is, in pieces %s, '%s', expected '%s'", how, pieces.leaf, whole.leaf)
	}
	if whole.damaged != pieces.damaged {
		t.Errorf("%d damaged lines in pieces %s, expected %d", pieces.damaged, how, whole.damaged)
	}
}

// orSession is the id of a sample's session, or one that does for those that say none.
func (sample Sample) orSession() objects.ID {
	if sample.Session != "" {
		return sample.Session
	}
	return "sample"
}

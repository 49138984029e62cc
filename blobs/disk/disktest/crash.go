package disktest

import (
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// model is what is on disk for certain, and what may be: every write since the last sync of its file, every change of a name since the last sync of its
// folder. Files are only appended to.
type model struct {
	root    string
	names   map[string]*node   // as programs see them
	durable map[string]*node   // after a crash, for certain
	pending map[string][]entry // changes of the names in a folder, in order
}

// node is a file, or a folder.
type node struct {
	folder  bool
	synced  []byte
	written []byte // behind it
}

// entry is a change of names in one folder.
type entry struct {
	name string
	node *node  // nil: the name goes
	from string // a name that goes in the same step; empty for none
}

func newModel(root string) (*model, error) {
	m := &model{root: root, names: map[string]*node{}, pending: map[string][]entry{}}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == root {
			return err
		}
		n := &node{folder: d.IsDir()}
		if d.Type().IsRegular() {
			n.synced, err = os.ReadFile(path)
		}
		m.names[path] = n
		return err
	})
	m.durable = maps.Clone(m.names)
	return m, err
}

var digits = regexp.MustCompile(`[0-9]{5,}`)

// short is a name for people, without what differs in each run.
func (m *model) short(name string) string {
	if rel, err := filepath.Rel(m.root, name); err == nil && filepath.IsLocal(rel) {
		name = rel
	}
	return digits.ReplaceAllString(name, "#")
}

// lookup is the file of a name. What lies elsewhere is none of the model's.
func (m *model) lookup(name string) *node {
	if n, ok := m.names[name]; ok {
		return n
	}
	return &node{}
}

func (m *model) change(e entry) {
	e.apply(m.names)
	folder := filepath.Dir(e.name)
	m.pending[folder] = append(m.pending[folder], e)
}

func (m *model) create(name string) {
	if m.names[name] == nil {
		m.change(entry{name: name, node: &node{}})
	}
}

func (m *model) mkdir(name string)      { m.change(entry{name: name, node: &node{folder: true}}) }
func (m *model) link(from, to string)   { m.change(entry{name: to, node: m.lookup(from)}) }
func (m *model) rename(from, to string) { m.change(entry{name: to, node: m.lookup(from), from: from}) }
func (m *model) remove(name string)     { m.change(entry{name: name}) }

func (m *model) syncFolder(folder string) {
	for _, e := range m.pending[folder] {
		e.apply(m.durable)
	}
	delete(m.pending, folder)
}

func (e entry) apply(names map[string]*node) {
	if e.from != "" {
		delete(names, e.from)
	}
	if e.node == nil {
		delete(names, e.name)
		return
	}
	names[e.name] = e.node
}

func (n *node) write(b []byte) { n.written = append(n.written, b...) }

func (n *node) sync() {
	n.synced = append(n.synced, n.written...)
	n.written = nil
}

// Crash writes what a crash at this moment may have left to the folder to, which must not be there: what was synced, and of all else whatever chance takes.
func (f *FS) Crash(rng *rand.Rand, to string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	names := f.model.afterCrash(rng)
	if err := os.Mkdir(to, 0o700); err != nil {
		return err
	}
	content := map[*node][]byte{} // two names of one file have the same bytes
	for _, name := range slices.Sorted(maps.Keys(names)) {
		n := names[name]
		if lost(names, f.model.root, name) {
			continue
		}
		rel, err := filepath.Rel(f.model.root, name)
		if err != nil {
			return err
		}
		path := filepath.Join(to, rel)
		if n.folder {
			err = os.Mkdir(path, 0o700)
		} else {
			if content[n] == nil {
				content[n] = n.survivors(rng)
			}
			err = os.WriteFile(path, content[n], 0o600)
		}
		if err != nil {
			return fmt.Errorf("crash: %w", err)
		}
	}
	return nil
}

// afterCrash are the names that are there after a crash: of the changes in a folder none, all, or any of them.
func (m *model) afterCrash(rng *rand.Rand) map[string]*node {
	names := maps.Clone(m.durable)
	for _, folder := range slices.Sorted(maps.Keys(m.pending)) {
		luck := rng.IntN(3)
		for _, e := range m.pending[folder] {
			if luck == 1 || luck == 2 && rng.IntN(2) == 0 {
				e.apply(names)
			}
		}
	}
	return names
}

// lost reports whether a folder above a name is not there.
func lost(names map[string]*node, root, name string) bool {
	for at := filepath.Dir(name); at != root && strings.HasPrefix(at, root); at = filepath.Dir(at) {
		if n := names[at]; n == nil || !n.folder {
			return true
		}
	}
	return false
}

const sector = 512

// survivors are the bytes of a file after a crash: what was synced, and behind it of what was written nothing, all, a part, or a part with
// zeros where sectors did not come to disk.
func (n *node) survivors(rng *rand.Rand) []byte {
	out := append([]byte{}, n.synced...)
	if len(n.written) == 0 {
		return out
	}
	switch rng.IntN(5) {
	case 0:
		return out
	case 1:
		return append(out, n.written...)
	}
	part := slices.Clone(n.written[:rng.IntN(len(n.written)+1)])
	for at := 0; at < len(part); at += sector {
		if rng.IntN(3) == 0 {
			clear(part[at:min(at+sector, len(part))])
		}
	}
	if rng.IntN(3) == 0 {
		part = append(part, make([]byte, rng.IntN(len(n.written)-len(part)+1))...)
	}
	return append(out, part...)
}

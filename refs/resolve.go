package refs

import (
	"errors"
	"strings"

	"tlog/log"
	"tlog/objects"
)

// Rev is a revision resolved.
type Rev struct {
	State *State // of the session that the revision lies in
	At    int    // the entry; log.None for HEAD or a branch that is unborn
	// Name is the branch, label or "HEAD" that was named without suffix, or the branch that @{-n} stands for; else empty.
	Name string
}

// ID is the id of the entry, empty if unborn.
func (r Rev) ID() objects.ID {
	if r.At == log.None {
		return ""
	}
	return r.State.log.Record(r.At).ID
}

// Resolver turns the revisions of a session into entries; every command uses it. docs/revisions.md is its grammar.
type Resolver struct {
	State *State
	// Open opens another session for <session>:<rev> and <file>:<rev>; its error wraps
	// objects.ErrNotFound if there is none of that name. It may be nil. Sessions are not
	// closed here: they live on in the Rev.
	Open func(session string) (*State, error)
}

// Resolve resolves one revision:
//
//	<id>, a prefix of an id or of its tail; HEAD or @; a branch; a label
//	<rev>~<n>    the n-th visible entry before <rev>, ~0 the newest at or before it
//	<rev>^       the parent entry
//	<rev>^{turn} the user prompt that began its turn
//	<ref>@{<n>}  where the ref stood n moves ago; @{<n>} is of the branch that HEAD is attached to; @{-<n>} the n-th branch checked out before
//	:/<text>     the newest entry on HEAD's path whose text has it
//	<session>:<rev>, <file>:<rev>
//
// HEAD and @ come first, then a branch, a label, a full id, a prefix. A bare id may
// be that of a journal entry, which ResolveTree refuses. The error wraps
// objects.ErrNotFound (a *NotFoundError if no name fits), objects.ErrAmbiguous (an
// *AmbiguousError that lists the candidates) or objects.ErrInvalid.
func (r *Resolver) Resolve(rev string) (Rev, error) {
	if rev == "" {
		return Rev{}, invalid("empty revision")
	}
	if text, ok := strings.CutPrefix(rev, ":/"); ok {
		return r.search(text)
	}
	found, err := r.local(rev)
	if err == nil || errors.Is(err, objects.ErrAmbiguous) {
		return found, err
	}
	if strings.Contains(rev, ":") {
		return r.across(rev)
	}
	return Rev{}, err
}

// ResolveTree resolves a revision to an entry that is a node of the history. A
// journal entry is an error that wraps objects.ErrInvalid, HEAD or a branch without an entry one that wraps objects.ErrNotFound.
func (r *Resolver) ResolveTree(rev string) (Rev, error) {
	found, err := r.Resolve(rev)
	if err != nil {
		return Rev{}, err
	}
	return found, found.wantTree()
}

// wantTree is an error if the revision is no node of the history.
func (r Rev) wantTree() error {
	switch {
	case r.At == log.None && r.Name != headName:
		return notFound("branch '%s' has no entry yet", r.Name)
	case r.At == log.None:
		return notFound("branch '%s' has no entry yet", r.State.Head().Branch)
	case !isEntry(r.State.log, r.At):
		rec := r.State.log.Record(r.At)
		return invalid("'%s' is a %s line about the session, no entry of its history", rec.ID, rec.Type)
	}
	return nil
}

// local resolves a revision of this session other than a search.
func (r *Resolver) local(rev string) (Rev, error) {
	e, err := parse(rev)
	if err == nil {
		var found Rev
		if found, err = r.eval(e); err == nil {
			return found, nil
		}
	}
	if errors.Is(err, objects.ErrAmbiguous) {
		return Rev{}, err
	}
	// Other programs give labels that are no names by the rules. They count where nothing else fits.
	if found, ok, labelErr := r.label(rev); ok {
		return found, labelErr
	}
	return Rev{}, err
}

// eval resolves a revision that was taken apart.
func (r *Resolver) eval(e expr) (Rev, error) {
	var at Rev
	var err error
	steps := e.steps
	if len(steps) > 0 && (steps[0].kind == stepMoves || steps[0].kind == stepFormer) {
		at, err = r.moved(e.base, steps[0])
		steps = steps[1:]
	} else {
		at, err = r.name(e.base)
	}
	if err != nil || len(steps) == 0 {
		return at, err
	}
	if err := at.wantTree(); err != nil {
		return Rev{}, err
	}
	at.Name = ""
	for _, s := range steps {
		if at.At, err = r.step(at.At, s); err != nil {
			return Rev{}, err
		}
	}
	return at, nil
}

// maxCandidates is how many candidates an AmbiguousError lists.
const maxCandidates = 10

// name resolves a name without suffix.
func (r *Resolver) name(name string) (Rev, error) {
	s := r.State
	if name == headName || name == "@" {
		return Rev{s, s.Head().At, headName}, nil
	}
	if b, ok := s.Branch(name); ok {
		return Rev{s, b.At, name}, nil
	}
	if name != "" && name == s.Head().Branch {
		return Rev{s, log.None, name}, nil
	}
	if found, ok, err := r.label(name); ok {
		return found, err
	}
	if i, ok := s.log.Find(objects.ID(name)); ok {
		return Rev{State: s, At: i}, nil
	}
	return r.prefix(name)
}

// label resolves a label; ok is false if no entry has it.
func (r *Resolver) label(label string) (found Rev, ok bool, err error) {
	entries := r.State.Labelled(label)
	switch len(entries) {
	case 0:
		return Rev{}, false, nil
	case 1:
		return Rev{r.State, entries[0], label}, true, nil
	}
	return Rev{}, true, r.ambiguous(label, entries)
}

// prefix resolves the beginning of an id or of its tail.
func (r *Resolver) prefix(prefix string) (Rev, error) {
	if !objects.ID(prefix).Valid() {
		return Rev{}, r.unknown(prefix)
	}
	entries := r.State.log.FindPrefix(prefix, maxCandidates+1)
	switch len(entries) {
	case 0:
		return Rev{}, r.unknown(prefix)
	case 1:
		return Rev{State: r.State, At: entries[0]}, nil
	}
	if i, ok := r.wholeID(prefix, entries); ok {
		return Rev{State: r.State, At: i}, nil
	}
	return Rev{}, r.ambiguous(prefix, entries)
}

// wholeID is the one of entries whose whole id was typed in another case.
func (r *Resolver) wholeID(id string, entries []int) (int, bool) {
	whole := log.None
	for _, i := range entries {
		if len(r.State.log.Record(i).ID) == len(id) {
			if whole != log.None {
				return log.None, false
			}
			whole = i
		}
	}
	return whole, whole != log.None
}

func (r *Resolver) ambiguous(name string, entries []int) error {
	e := &AmbiguousError{Name: name, State: r.State, Candidates: entries}
	if len(entries) > maxCandidates {
		e.Candidates, e.More = entries[:maxCandidates], true
	}
	return e
}

func (r *Resolver) unknown(name string) error {
	return &NotFoundError{Name: name, Suggestion: r.State.suggest(name)}
}

// maxColons is how many colons are tried as the end of a session's name.
const maxColons = 4

// across resolves <session>:<rev>. The name of a session may contain colons
// itself (pi:<id>): the first one that ends the name of a session counts.
func (r *Resolver) across(rev string) (Rev, error) {
	var first error
	end := 0
	for range maxColons {
		colon := strings.IndexByte(rev[end:], ':')
		if colon < 0 {
			break
		}
		end += colon
		session, rest := rev[:end], rev[end+1:]
		end++
		if session == "" {
			continue
		}
		state, err := r.open(session)
		if err == nil {
			if rest == "" {
				rest = headName
			}
			return (&Resolver{State: state}).Resolve(rest)
		}
		if !errors.Is(err, objects.ErrNotFound) {
			return Rev{}, err
		}
		if first == nil {
			first = err
		}
	}
	if first == nil {
		first = r.unknown(rev)
	}
	return Rev{}, first
}

func (r *Resolver) open(session string) (*State, error) {
	if r.Open == nil {
		return nil, notFound("no session '%s'", shorten(session))
	}
	return r.Open(session)
}

package refs

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"tlog/objects"
)

// failure is an error with a text of its own that belongs to a class of package objects.
type failure struct {
	text  string
	class error
}

func (f *failure) Error() string { return f.text }
func (f *failure) Unwrap() error { return f.class }

func invalid(format string, args ...any) error {
	return &failure{fmt.Sprintf(format, args...), objects.ErrInvalid}
}

func notFound(format string, args ...any) error {
	return &failure{fmt.Sprintf(format, args...), objects.ErrNotFound}
}

// NotFoundError says that a revision begins with a name that nothing has.
type NotFoundError struct {
	Name       string // as it was asked for
	Suggestion string // a branch or label of a similar name; empty if there is none
}

// Error names the revision and, if there is one, the suggestion.
func (e *NotFoundError) Error() string {
	text := fmt.Sprintf("unknown revision '%s'", shorten(e.Name))
	if e.Suggestion != "" {
		text += fmt.Sprintf("; did you mean '%s'?", e.Suggestion)
	}
	return text
}

// Unwrap makes the error an objects.ErrNotFound.
func (e *NotFoundError) Unwrap() error { return objects.ErrNotFound }

// AmbiguousError lists what a name may stand for.
type AmbiguousError struct {
	Name       string
	State      *State
	Candidates []int // in file order, at most 10
	More       bool  // there are more than Candidates
}

// Error names short id and type of each candidate.
func (e *AmbiguousError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "ambiguous revision '%s':", shorten(e.Name))
	for n, i := range e.Candidates {
		if n > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, " %s (%s)", e.State.log.Short(i), e.State.log.Record(i).Type)
	}
	if e.More {
		b.WriteString(" and more")
	}
	return b.String()
}

// Unwrap makes the error an objects.ErrAmbiguous.
func (e *AmbiguousError) Unwrap() error { return objects.ErrAmbiguous }

// maxShown is how many bytes of what a user gave an error repeats.
const maxShown = 200

// shorten cuts off the end of a long text, between two characters.
func shorten(s string) string {
	if len(s) <= maxShown {
		return s
	}
	end := maxShown
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "..."
}

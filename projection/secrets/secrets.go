// Package secrets finds credentials in what a session says, and takes them out of what leaves it. It knows tokens by the forms that
// their issuers document, passwords by where they stand (in a URL, behind a name such as api_key), and nothing of whether they are valid.
// What it does not know it does not find: its silence proves nothing.
package secrets

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Find is a secret in a text.
type Find struct {
	Kind       string // as "github-token"; stable
	Start, End int    // where it stands, in bytes
	Shown      string // what may be shown of it: how it begins, where that says only what kind it is
}

// In gives the secrets in a text, in order, none over another.
func In(text string) []Find {
	lower, found := lowerASCII(text), []Find(nil)
	for _, r := range rules() {
		var more []Find
		for _, at := range r.find(text, lower) {
			more = append(more, Find{Kind: r.kind, Start: at[0], End: at[1], Shown: text[at[0] : at[0]+r.prefix]})
		}
		if len(more) > 0 {
			slices.SortFunc(more, func(a, b Find) int { return cmp.Compare(a.Start, b.Start) })
			found = merge(found, more)
		}
	}
	return found
}

// merge puts two lists of finds in order into one. Of those that overlap the one of the first list stays, or the one that begins first.
func merge(first, second []Find) []Find {
	all := make([]Find, 0, len(first)+len(second))
	for len(second) > 0 {
		next := second[0]
		for len(first) > 0 && first[0].Start < next.End {
			all, first = append(all, first[0]), first[1:]
		}
		if len(all) == 0 || all[len(all)-1].End <= next.Start {
			all = append(all, next)
		}
		second = second[1:]
	}
	return append(all, first...)
}

// Mask is what stands in the place of a secret. It needs no escape in JSON, in whatever depth, nor in a page.
func (f Find) Mask() string { return "[redacted " + f.Kind + "]" }

// String tells a find without giving it away.
func (f Find) String() string {
	return fmt.Sprintf("%s %s… (%d bytes)", f.Kind, f.Shown, f.End-f.Start)
}

// Redact gives a text with its secrets masked, and how many there were.
func Redact(text string) (redacted string, n int) {
	found := In(text)
	if len(found) == 0 {
		return text, 0
	}
	var b strings.Builder
	at := 0
	for _, f := range found {
		b.WriteString(text[at:f.Start])
		b.WriteString(f.Mask())
		at = f.End
	}
	b.WriteString(text[at:])
	return b.String(), len(found)
}

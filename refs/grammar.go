package refs

import (
	"math"
	"strings"
)

// stepKind is one kind of suffix of a revision.
type stepKind uint8

const (
	stepBack   stepKind = iota // ~n
	stepParent                 // ^
	stepSelf                   // ^0, ^{}
	stepTurn                   // ^{turn}
	stepMoves                  // @{n}
	stepFormer                 // @{-n}
)

// step is one suffix of a revision.
type step struct {
	kind stepKind
	n    int    // of ~n, @{n}, @{-n}
	text string // as written, for errors
}

// expr is a revision taken apart: a name and what is done to it.
type expr struct {
	base  string // empty if the revision begins with @{
	steps []step
}

// parse takes a revision apart. The error wraps objects.ErrInvalid.
//
//	revision = [ base ] { "~" [ digits ] | "^" [ "0" | "1" | "{}" | "{turn}" ] | "@{" [ "-" ] digits "}" }
//
// The base is everything up to the first suffix. Only "@{" may stand without a
// base, and it may only stand first.
func parse(rev string) (expr, error) {
	end := baseEnd(rev)
	e := expr{base: rev[:end]}
	for rest := rev[end:]; rest != ""; {
		s, n, reason := parseStep(rest)
		if reason != "" {
			return expr{}, invalid("invalid revision '%s': %s", shorten(rev), reason)
		}
		rest = rest[n:]
		if reason := e.add(s); reason != "" {
			return expr{}, invalid("invalid revision '%s': %s", shorten(rev), reason)
		}
	}
	return e, nil
}

// baseEnd is the offset of the first suffix. An "@" alone is a name, before "{" a suffix.
func baseEnd(rev string) int {
	for i := range len(rev) {
		switch rev[i] {
		case '~', '^':
			return i
		case '@':
			if strings.HasPrefix(rev[i:], "@{") {
				return i
			}
		}
	}
	return len(rev)
}

// add adds a step, or says why it cannot stand there. Steps of ~ that follow one
// another are one: they are counted in one history, that of what they follow.
func (e *expr) add(s step) (reason string) {
	first := len(e.steps) == 0
	switch {
	case s.kind == stepMoves && !first:
		return "'" + s.text + "' follows only HEAD or a branch"
	case s.kind == stepFormer && (!first || e.base != ""):
		return "'" + s.text + "' stands alone"
	case s.kind != stepMoves && s.kind != stepFormer && first && e.base == "":
		return "nothing stands before '" + s.text + "'"
	}
	if last := len(e.steps) - 1; s.kind == stepBack && last >= 0 && e.steps[last].kind == stepBack {
		e.steps[last].n = addCapped(e.steps[last].n, s.n)
		e.steps[last].text += s.text
		return ""
	}
	e.steps = append(e.steps, s)
	return ""
}

// parseStep reads the suffix at the start of s and its length, or says what is wrong with it.
func parseStep(s string) (st step, size int, reason string) {
	switch s[0] {
	case '~':
		digits := leadingDigits(s[1:])
		n := 1
		if digits != "" {
			n = number(digits)
		}
		size = 1 + len(digits)
		return step{stepBack, n, s[:size]}, size, ""
	case '^':
		return parseCaret(s)
	case '@':
		if strings.HasPrefix(s, "@{") {
			return parseAt(s)
		}
	}
	return step{}, 0, "expected ~, ^ or @{ before '" + shorten(s) + "'"
}

func parseCaret(s string) (st step, size int, reason string) {
	if strings.HasPrefix(s, "^{") {
		inner, _, ok := strings.Cut(s[2:], "}")
		size = len(inner) + 3
		switch {
		case !ok:
			return step{}, 0, "expected '}' after '" + shorten(s) + "'"
		case inner == "":
			return step{stepSelf, 0, s[:size]}, size, ""
		case inner == "turn":
			return step{stepTurn, 0, s[:size]}, size, ""
		}
		return step{}, 0, "expected ^{turn} or ^{}, got '" + shorten(s[:size]) + "'"
	}
	digits := leadingDigits(s[1:])
	size = 1 + len(digits)
	switch {
	case digits == "":
		return step{stepParent, 0, s[:size]}, size, ""
	case number(digits) == 0:
		return step{stepSelf, 0, s[:size]}, size, ""
	case number(digits) == 1:
		return step{stepParent, 0, s[:size]}, size, ""
	}
	return step{}, 0, "an entry has one parent, got '" + shorten(s[:size]) + "'"
}

func parseAt(s string) (st step, size int, reason string) {
	inner, _, ok := strings.Cut(s[2:], "}")
	if !ok {
		return step{}, 0, "expected '}' after '" + shorten(s) + "'"
	}
	size = len(inner) + 3
	digits, former := strings.CutPrefix(inner, "-")
	if digits == "" || leadingDigits(digits) != digits {
		return step{}, 0, "expected a number in '" + shorten(s[:size]) + "'"
	}
	st = step{stepMoves, number(digits), s[:size]}
	if former {
		st.kind = stepFormer
		if st.n == 0 {
			return step{}, 0, "'" + s[:size] + "' names no branch, they are counted from 1"
		}
	}
	return st, size, ""
}

func leadingDigits(s string) string {
	end := 0
	for end < len(s) && '0' <= s[end] && s[end] <= '9' {
		end++
	}
	return s[:end]
}

// number reads digits. What is too great for an int is the greatest int: no log is that long.
func number(digits string) int {
	n := 0
	for i := range len(digits) {
		d := int(digits[i] - '0')
		if n > (math.MaxInt-d)/10 {
			return math.MaxInt
		}
		n = n*10 + d
	}
	return n
}

func addCapped(a, b int) int {
	if a > math.MaxInt-b {
		return math.MaxInt
	}
	return a + b
}

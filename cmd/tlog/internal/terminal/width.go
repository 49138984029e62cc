package terminal

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// ellipsis ends a text that was cut. One cell.
const ellipsis = "…"

// Width returns how many cells s takes on a terminal. What no terminal shows
// (controls, tabs and newlines among them) counts as nothing, so ask for the
// width of text in line form.
func Width(s string) int {
	if plainPrefix(s) == len(s) {
		return len(s)
	}
	return uniseg.StringWidth(s)
}

// Truncate returns s cut to at most the given number of cells; where something
// was cut, it ends in "…". It cuts between characters as people count them, so a
// letter keeps its accent, and its result is valid UTF-8. s is expected in line
// form; [Fit] does both.
func Truncate(s string, cells int) string {
	if cells <= 0 {
		return ""
	}
	if len(s) <= cells && plainPrefix(s) == len(s) {
		return s
	}
	if !utf8.ValidString(s) {
		s = string([]rune(s)) // each byte that is not UTF-8 becomes U+FFFD
	}
	return cutAt(s, cells, false)
}

// Fit returns the line form of s cut to at most the given number of cells. It
// looks at no more of s than can be shown, so s may be megabytes long.
func Fit(s string, cells int) string {
	if cells <= 0 {
		return ""
	}
	head, more := s, false
	// Text that puts more than this many bytes in a cell is cut short, which
	// harms nobody: a family of four with skin tones has as many.
	const perCell = 20
	if limit := perCell * (cells + 1); cells < Unlimited/perCell-1 && len(s) > limit {
		for limit > perCell*cells && !utf8.RuneStart(s[limit]) {
			limit--
		}
		head, more = s[:limit], true
	}
	return cutAt(SafeLine(head), cells, more)
}

// A line that is longer than longLine bytes is cut to shownOfLong cells even where nothing limits the width: no reader of a list wants megabytes in
// a line of it.
const (
	longLine    = 8 << 10
	shownOfLong = 1000
)

// FitLong is Fit, and cuts a very long line also where the width is unlimited; how many bytes of s are left out stands behind it then.
func FitLong(s string, cells int) string {
	if cells <= shownOfLong || len(s) <= longLine {
		return Fit(s, cells)
	}
	head := s[:shownOfLong]
	for len(head) > 0 && !utf8.RuneStart(s[len(head)]) {
		head = head[:len(head)-1]
	}
	return fmt.Sprintf("%s… (%d bytes more)", Fit(head, shownOfLong), len(s)-len(head))
}

// cutAt cuts valid s; more says that s itself was cut off something longer.
func cutAt(s string, cells int, more bool) string {
	if !more && len(s) <= cells && plainPrefix(s) == len(s) {
		return s
	}
	used, keep := 0, 0 // keep: the bytes that leave a cell for the ellipsis
	state := -1
	for i := 0; i < len(s); {
		cluster, _, w, next := uniseg.FirstGraphemeClusterInString(s[i:], state)
		state = next
		used += w
		if used > cells {
			return s[:keep] + ellipsis
		}
		i += len(cluster)
		if used < cells {
			keep = i
		}
	}
	if more {
		return s[:keep] + ellipsis
	}
	return s
}

// Pad returns s with spaces after it, up to the given number of cells.
func Pad(s string, cells int) string {
	if n := cells - Width(s); n > 0 {
		return s + strings.Repeat(" ", n)
	}
	return s
}

// PadLeft returns s with spaces before it, up to the given number of cells.
func PadLeft(s string, cells int) string {
	if n := cells - Width(s); n > 0 {
		return strings.Repeat(" ", n) + s
	}
	return s
}

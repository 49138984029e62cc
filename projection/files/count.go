package files

import "strings"

// maxEdits is up to how many changed lines the shortest edit between two texts is looked for; beyond it all between the first and the last changed line is
// taken as changed.
const maxEdits = 500

// countLines is how many lines the shortest edit adds and removes that makes one text of another.
func countLines(from, to string) (added, removed int) {
	if from == to {
		return 0, 0
	}
	from, to = trimCommon(from, to)
	a, b := lines(from), lines(to)
	edits := distance(a, b)
	// added + removed = edits, added - removed = the difference in length
	return (edits + len(b) - len(a)) / 2, (edits + len(a) - len(b)) / 2
}

// trimCommon takes the lines off that two texts have in common at their beginning and at their end.
func trimCommon(a, b string) (string, string) {
	n := 0
	for i := 0; i < len(a) && i < len(b) && a[i] == b[i]; i++ {
		if a[i] == '\n' {
			n = i + 1
		}
	}
	a, b = a[n:], b[n:]
	end := 0
	for i := 1; i <= len(a) && i <= len(b) && a[len(a)-i] == b[len(b)-i]; i++ {
		if i == len(a) && i == len(b) || (i < len(a) && a[len(a)-i-1] == '\n' || i == len(a)) && (i < len(b) && b[len(b)-i-1] == '\n' || i == len(b)) {
			end = i
		}
	}
	return a[:len(a)-end], b[:len(b)-end]
}

func lines(text string) []string {
	if text == "" {
		return nil
	}
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// distance is the number of lines that the shortest edit adds and removes: the furthest that each diagonal is reached with one edit more, and so on.
func distance(a, b []string) int {
	limit := min(len(a)+len(b), maxEdits)
	reached := make([]int, 2*limit+3)
	for d := 0; d <= limit; d++ {
		for k := -d; k <= d; k += 2 {
			x := reached[limit+k] + 1
			if at := reached[limit+k+2]; k == -d || k != d && at >= x {
				x = at
			}
			if d == 0 {
				x = 0
			}
			y := x - k
			for x < len(a) && y < len(b) && x >= 0 && y >= 0 && a[x] == b[y] {
				x, y = x+1, y+1
			}
			reached[limit+k+1] = x
			if x >= len(a) && y >= len(b) {
				return d
			}
		}
	}
	return len(a) + len(b)
}

package refs

import (
	"slices"
	"strings"
)

// maxDistance is how far from what was typed a name may be to be suggested.
const maxDistance = 2

// suggest is the branch, label or HEAD nearest to a name that nothing has, empty
// if none is near. Of names that are equally near the first one counts, branches before labels.
func (s *State) suggest(typed string) string {
	if len(typed) > maxName {
		return ""
	}
	names := []string{headName}
	for _, b := range s.Branches() {
		names = append(names, b.Name)
	}
	if head := s.Head(); !head.Detached() {
		names = append(names, head.Branch)
	}
	labels := make([]string, 0, len(s.labels))
	for _, i := range s.Labels() {
		labels = append(labels, s.Label(i))
	}
	slices.Sort(labels)

	lower := []rune(strings.ToLower(typed))
	best, least := "", min(maxDistance, len(lower)-1)+1
	for _, name := range append(names, labels...) {
		if len(name) > maxName {
			continue
		}
		if d := distance(lower, []rune(strings.ToLower(name)), least); d < least {
			best, least = name, d
		}
	}
	return best
}

// distance is the number of characters to insert, delete or replace between a
// and b, or limit if it is not less.
func distance(a, b []rune, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, ca := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j, cb := range b {
			cost := diagonal
			if ca != cb {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return min(row[len(b)], limit)
}

package graph

// slants draws the connectors that take lanes to their new columns. A cell holds
// the lane that the line in it leads to, or -1. The cell of lane n's bar is 2n;
// in a row, a line moves one cell to the left, or two where it crosses a bar. The
// first line that has a long way runs along the floor of the cells between.
type slants struct {
	cells, last []int
}

// draw returns the connectors for a shift of width lanes, top to bottom, each
// padded to width lanes.
func (s *slants) draw(move shift, width int) []string {
	s.cells = s.cells[:0]
	for i := range width {
		s.cells = append(s.cells, move.target(i), -1)
	}
	var rows []string
	for !s.settled() {
		rows = append(rows, s.row(width*2))
	}
	return rows
}

// settled reports whether every line is in its column, or in the gap to the right
// of it, from where it is drawn as leaning into the column.
func (s *slants) settled() bool {
	for i, target := range s.cells {
		if target >= 0 && target != i/2 {
			return false
		}
	}
	return true
}

// row moves the lines on by a row and draws it.
func (s *slants) row(width int) string {
	floor := s.advance()
	row := make([]byte, 0, width)
	s.last = append(s.last[:0], s.cells...)
	ran := false
	for i, target := range s.cells {
		switch {
		case target < 0:
			row = append(row, ' ')
		case target*2 == i:
			row = append(row, '|')
		case target == floor.target && i != floor.end-1:
			if i != target*2+3 {
				s.cells[i] = -1
			}
			ran = true
			row = append(row, '_')
		default:
			if ran && i < floor.end {
				s.cells[i] = -1
			}
			row = append(row, '/')
		}
	}
	return string(row)
}

// run is the line of a row that goes along the floor.
type run struct{ target, end int }

func (s *slants) advance() run {
	from := append(s.last[:0], s.cells...)
	s.last = from
	for i := range s.cells {
		s.cells[i] = -1
	}
	floor := run{-1, -1}
	for i, target := range from {
		step := 0
		switch {
		case target < 0:
			continue
		case target*2 == i:
			s.cells[i] = target
			continue
		case s.cells[i-1] < 0:
			step = 1
		case s.cells[i-1] == target: // one of the same lane is there already
			continue
		default:
			step = 2
		}
		s.cells[i-step] = target
		if floor.end < 0 {
			floor = run{target, i - step + 1}
			for j := target*2 + 3; j < i-2; j += 2 {
				s.cells[j] = target
			}
		}
	}
	return floor
}

// landed appends the lanes that the last row leant into, if there was one.
func (s *slants) landed(lanes []int, drawn bool) []int {
	if !drawn {
		return lanes
	}
	for i := 1; i < len(s.last); i += 2 {
		if s.last[i] == i/2 {
			lanes = append(lanes, i/2)
		}
	}
	return lanes
}

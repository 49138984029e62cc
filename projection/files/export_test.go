package files

// Prior is what was known of the file before the operation, what the operation tells of it left out.
func (c Change) Prior() State { return c.prior }

// Plain is a text as agents record it that know one line end alone.
func Plain(text string) string { return plain(text) }

// HasLines reports whether lines stand in a text from a line on.
func HasLines(text string, first int, lines string) bool { return hasLines(text, first, lines) }

// CountLines is how many lines were added and removed.
func CountLines(from, to string) (added, removed int) { return countLines(from, to) }

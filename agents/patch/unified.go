package patch

import (
	"strconv"
	"strings"

	"tlog/objects"
)

// Unified reads a unified diff of any number of files, as diff -u and git diff write it. What stands between the files is passed over. The error wraps
// objects.ErrInvalid; what was read up to the fault is given all the same.
func Unified(text string) ([]objects.FileOp, error) {
	var ops []objects.FileOp
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); {
		if !strings.HasPrefix(lines[i], "--- ") || i+1 == len(lines) || !strings.HasPrefix(lines[i+1], "+++ ") {
			i++
			continue
		}
		op := unifiedOp(diffPath(lines[i][4:]), diffPath(lines[i+1][4:]))
		i += 2
		for i < len(lines) && strings.HasPrefix(lines[i], "@@") {
			hunk, n, err := unifiedHunk(lines[i:], i+1)
			if err != nil {
				return append(ops, counted(op)), err
			}
			op.Hunks = append(op.Hunks, hunk)
			i += n
		}
		ops = append(ops, counted(op))
	}
	return ops, nil
}

const noFile = "/dev/null"

// unifiedOp is what a diff between two names does. Names of git begin with a/ and b/.
func unifiedOp(from, to string) objects.FileOp {
	if strings.HasPrefix(from, "a/") && (strings.HasPrefix(to, "b/") || to == noFile) || from == noFile && strings.HasPrefix(to, "b/") {
		from, to = strings.TrimPrefix(from, "a/"), strings.TrimPrefix(to, "b/")
	}
	switch {
	case to == noFile:
		return objects.FileOp{Kind: objects.FileDelete, Path: from}
	case from == noFile:
		return objects.FileOp{Kind: objects.FileEdit, Path: to, Created: true}
	case from != to:
		return objects.FileOp{Kind: objects.FileMove, Path: from, To: to}
	}
	return objects.FileOp{Kind: objects.FileEdit, Path: to}
}

// diffPath is the name of a file in the head of its diff, without the time behind a tab.
func diffPath(name string) string {
	name, _, _ = strings.Cut(strings.TrimSuffix(name, "\r"), "\t")
	if len(name) > 1 && name[0] == '"' {
		if plain, err := strconv.Unquote(name); err == nil {
			return plain
		}
	}
	return name
}

// unifiedHunk reads the hunk that lines begin with, by the counts in its head; n is how many lines it has. line is the number of the first.
func unifiedHunk(lines []string, line int) (h objects.Hunk, n int, err error) {
	start, left, added, ok := hunkHead(lines[0])
	if !ok {
		return h, 0, faulty(line, "the head of a hunk cannot be read")
	}
	h.OldStart = start
	if left == 0 {
		h.OldStart++ // it names the line behind which the added ones stand
	}
	for n = 1; n < len(lines) && (left > 0 || added > 0); n++ {
		text := lines[n]
		if text == "" {
			text = " " // some programs cut off white space at the end
		}
		switch text[0] {
		case ' ':
			left, added = left-1, added-1
		case '-':
			left--
		case '+':
			added--
		case '\\':
		default:
			return h, n, faulty(line+n, "expected a line of a hunk")
		}
		h.Lines = append(h.Lines, objects.HunkLine{Op: text[0], Text: text[1:]})
	}
	if left != 0 || added != 0 {
		return h, n, faulty(line+n, "the hunk has not the lines that its head names")
	}
	if n < len(lines) && strings.HasPrefix(lines[n], `\`) {
		h.Lines = append(h.Lines, objects.HunkLine{Op: '\\', Text: lines[n][1:]})
		n++
	}
	return h, n, nil
}

// hunkHead reads "@@ -start,count +start,count @@".
func hunkHead(line string) (start, removed, added int, ok bool) {
	fields := strings.Fields(line)
	if len(fields) < 4 || fields[0] != "@@" || !strings.HasPrefix(fields[3], "@@") {
		return 0, 0, 0, false
	}
	start, removed, ok = hunkRange(fields[1], "-")
	if !ok {
		return 0, 0, 0, false
	}
	_, added, ok = hunkRange(fields[2], "+")
	return start, removed, added, ok
}

func hunkRange(field, sign string) (start, count int, ok bool) {
	field, ok = strings.CutPrefix(field, sign)
	if !ok {
		return 0, 0, false
	}
	first, number, found := strings.Cut(field, ",")
	count = 1
	start, err := strconv.Atoi(first)
	if err == nil && found {
		count, err = strconv.Atoi(number)
	}
	return start, count, err == nil && start >= 0 && count >= 0
}

package agentstest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// damage breaks every line of the samples in every way that was seen, and reads the file: all other lines are there.
func (s Suite) damage(t *testing.T) {
	for _, sample := range s.Samples {
		if sample.Damaged {
			continue
		}
		t.Run(sample.Name, func(t *testing.T) {
			if isDocument(s.Agent, sample.Data) {
				s.brokenDocument(t, sample.Data)
				return
			}
			lines := bytes.SplitAfter(sample.Data, []byte{'\n'})
			for i, line := range lines {
				if len(bytes.TrimSpace(line)) == 0 {
					continue
				}
				for how, broken := range damages(line) {
					s.broken(t, lines, i, broken, fmt.Sprintf("line %d, %s", i+1, how))
				}
				if t.Failed() {
					return
				}
			}
		})
	}
	if s.Generate == nil {
		return
	}
	for seed := range min(s.Seeds, 60) {
		rng := rand.New(rand.NewPCG(seed, 3))
		data := s.Generate(rng).Data
		if isDocument(s.Agent, data) {
			continue
		}
		lines := bytes.SplitAfter(data, []byte{'\n'})
		i := rng.IntN(len(lines) - 1)
		for how, broken := range damages(lines[i]) {
			s.broken(t, lines, i, broken, fmt.Sprintf("seed %d, line %d, %s", seed, i+1, how))
		}
		if t.Failed() {
			return
		}
	}
}

// damages are the ways in which a line breaks.
func damages(line []byte) map[string][]byte {
	text := bytes.TrimSuffix(line, []byte{'\n'})
	nul := bytes.Repeat([]byte{0}, 90)
	middle := len(text) / 2
	broken := map[string][]byte{
		"NULs behind it":      slicesOf(text, nul, "\n"),
		"NULs before it":      slicesOf(nul, text, "\n"),
		"NULs in the middle":  slicesOf(text[:middle], nul, text[middle:], "\n"),
		"NULs alone before":   slicesOf(nul, "\n", line),
		"a carriage return":   slicesOf(text, "\r\n"),
		"a byte order mark":   slicesOf("\xef\xbb\xbf", line),
		"blanks around it":    slicesOf("  \t", text, "  \r\n"),
		"a blank line before": slicesOf("\n \r\n", line),
		"rubbish before":      slicesOf("no json at all\n", line),
		"rubbish with braces": slicesOf("}{}{[\"\n", line),
		"no object":           slicesOf("[1,2]\nnull\n\"x\"\n7\n", line),
		"invalid UTF-8":       slicesOf(text[:middle], "\xff\xfe\xc3", text[middle:], "\n"),
		"the line twice":      slicesOf(line, line),
		"lost":                {},
	}
	for k := 1; k <= 7; k++ {
		at := len(text) * k / 8
		broken[fmt.Sprintf("cut at byte %d", at)] = slicesOf(text[:at], "\n")
		broken[fmt.Sprintf("cut at byte %d, glued to the next", at)] = text[:at]
	}
	broken["glued to the next"] = text
	return broken
}

func slicesOf(parts ...any) []byte {
	var b bytes.Buffer
	for _, part := range parts {
		fmt.Fprintf(&b, "%s", part)
	}
	return b.Bytes()
}

// broken reads the lines with broken in the place of line i.
func (s Suite) broken(t *testing.T, lines [][]byte, i int, broken []byte, how string) {
	t.Helper()
	failed := t.Failed()
	defer func() {
		if p := recover(); p != nil {
			t.Fatalf("%s: %v", how, p)
		}
		if !failed && t.Failed() {
			t.Log(how)
		}
	}()
	data := bytes.Join([][]byte{bytes.Join(lines[:i], nil), broken, bytes.Join(lines[i+1:], nil)}, nil)
	r := read(t, s.Agent, "sample", data)
	r.checkBytes(t, data)
	r.checkGraph(t)
	r.decode(t)
	whole := map[string]bool{}
	for _, e := range r.entries {
		whole[string(e.SourceObject())] = true
	}
	for k, line := range lines {
		if text := bytes.TrimSpace(line); k != i && len(text) > 0 && !whole[string(text)] {
			t.Errorf("line %d is lost: %.200s", k+1, text)
			break
		}
	}
}

// deep: a line may nest as deep as it likes, and a history be as long.
func (s Suite) deep(t *testing.T) {
	if len(s.Samples) == 0 {
		t.Skip("no samples")
	}
	const depth = 1_000_000
	data := bytes.TrimSuffix(s.Samples[0].Data, []byte{'\n'})
	for name, nest := range map[string]string{
		"arrays":      strings.Repeat("[", depth) + strings.Repeat("]", depth),
		"objects":     strings.Repeat(`{"a":`, depth) + "1" + strings.Repeat("}", depth),
		"not closed":  strings.Repeat("[", depth),
		"not closed2": strings.Repeat(`{"a":`, depth),
	} {
		line := bytes.Replace(data, []byte(`"content":`), []byte(`"content":`+nest+`,"was":`), 1)
		if bytes.Equal(line, data) {
			t.Fatal("the first sample has no content to nest in")
		}
		r := read(t, s.Agent, "sample", line)
		if t.Failed() {
			t.Fatal(name)
		}
		r.checkBytes(t, line)
		r.decode(t)
	}
}

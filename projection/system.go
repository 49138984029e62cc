package projection

import (
	"slices"
	"strings"

	"tlog/objects"
)

// prompt is the system prompt while the system messages of a context are
// replayed: content is added to what is there, sections are set and deleted by
// name (formats/pi.md, section 4).
type prompt struct {
	content  []string
	sections []string       // in the order in which they were first set; empty if deleted
	names    map[string]int // where a section stands
}

func (p *prompt) patch(m objects.Message) {
	if text := m.Text(); text != "" {
		p.content = append(p.content, text)
	}
	sections := member(m.Raw, "sections")
	if len(sections) == 0 || sections[0] != '{' {
		return
	}
	// A value inside of a valid line is valid.
	_ = objects.Scan(sections, func(m objects.Member) {
		name, _ := objects.Unquote(slices.Concat([]byte{'"'}, m.Key, []byte{'"'}))
		text, ok := objects.Unquote(m.Value)
		at, there := p.names[name]
		switch {
		case there && ok:
			p.sections[at] = text
		case there: // null, or no text
			p.sections[at] = ""
			delete(p.names, name)
		case ok:
			if p.names == nil {
				p.names = map[string]int{}
			}
			p.names[name] = len(p.sections)
			p.sections = append(p.sections, text)
		}
	})
}

func (p *prompt) text() string {
	parts := slices.Clone(p.content)
	for _, s := range p.sections {
		if s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, "\n\n")
}

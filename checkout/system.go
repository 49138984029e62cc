package checkout

import (
	"bytes"
	"slices"
	"strconv"
	"time"

	"tlog/objects"
	"tlog/projection"
)

// system is what the system messages of a context come to (formats/pi.md sections 2 and 5). Its
// values are the bytes that stand in the messages.
type system struct {
	content  [][]byte        // texts, without their quotes
	sections []objects.Field // the keys decoded
	tools    []tool          // that the model has now
}

type tool struct {
	name string
	raw  []byte
}

// foldSystem folds the system messages; nil if there are none.
func foldSystem(messages []projection.Message) *system {
	var folded *system
	for _, m := range messages {
		if m.Role != objects.RoleSystem {
			continue
		}
		if folded == nil {
			folded = &system{}
		}
		folded.fold(m.JSON)
	}
	return folded
}

// fold takes one message. Tools that it removes go before those that it adds come.
func (s *system) fold(message []byte) {
	m, err := objects.ParseEntry(message)
	if err != nil {
		return // cannot be: a message in the log was scanned when it was read
	}
	if content := m.Get("content"); len(content) > 0 {
		s.addContent(content)
	}
	if sections := m.Get("sections"); len(sections) > 0 {
		_ = objects.Scan(sections, s.patch) // what is no object patches nothing
	}
	objects.Elements(m.Get("toolsRemoved"), s.removeTool)
	objects.Elements(m.Get("toolsAdded"), s.addTool)
}

// addContent adds a message's text: a string, or the text blocks of a list.
func (s *system) addContent(value []byte) {
	if value[0] == '"' {
		s.addText(value)
		return
	}
	var text []byte
	objects.Elements(value, func(block []byte) {
		b, err := objects.ParseEntry(block)
		if part := b.Get("text"); err == nil && len(part) > 2 && part[0] == '"' {
			if text != nil {
				text = append(text, `\n`...)
			}
			text = append(text, part[1:len(part)-1]...)
		}
	})
	s.addText(slices.Concat([]byte{'"'}, text, []byte{'"'}))
}

// addText adds a string token.
func (s *system) addText(token []byte) {
	if len(token) > 2 {
		s.content = append(s.content, token[1:len(token)-1])
	}
}

// patch sets a section; null removes it.
func (s *system) patch(m objects.Member) {
	i := slices.IndexFunc(s.sections, func(f objects.Field) bool { return m.Is(f.Key) })
	switch null := string(m.Value) == "null"; {
	case null && i >= 0:
		s.sections = slices.Delete(s.sections, i, i+1)
	case null:
	case i >= 0:
		s.sections[i].Value = m.Value
	default:
		key, _ := objects.Unquote(slices.Concat([]byte{'"'}, m.Key, []byte{'"'}))
		s.sections = append(s.sections, objects.Field{Key: key, Value: m.Value})
	}
}

func (s *system) indexTool(raw []byte) (name string, at int) {
	e, err := objects.ParseEntry(raw)
	if err != nil {
		return "", -1
	}
	name, _ = e.Text("name")
	return name, slices.IndexFunc(s.tools, func(t tool) bool { return t.name == name })
}

func (s *system) removeTool(raw []byte) {
	if _, i := s.indexTool(raw); i >= 0 {
		s.tools = slices.Delete(s.tools, i, i+1)
	}
}

func (s *system) addTool(raw []byte) {
	switch name, i := s.indexTool(raw); {
	case i >= 0:
		s.tools[i].raw = raw
	case name != "":
		s.tools = append(s.tools, tool{name, raw})
	}
}

// json is one system message that says it all.
func (s *system) json(now time.Time) []byte {
	out := []byte(`{"role":"system","content":"`)
	out = append(append(out, bytes.Join(s.content, []byte(`\n\n`))...), '"')
	if len(s.sections) > 0 {
		out = append(out, `,"sections":{`...)
		for i, f := range s.sections {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(append(objects.AppendQuote(out, f.Key), ':'), f.Value...)
		}
		out = append(out, '}')
	}
	if len(s.tools) > 0 {
		out = append(out, `,"toolsAdded":[`...)
		for i, t := range s.tools {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(out, t.raw...)
		}
		out = append(out, ']')
	}
	out = append(out, `,"timestamp":`...)
	return append(strconv.AppendInt(out, now.UnixMilli(), 10), '}')
}

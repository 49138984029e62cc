package page

import (
	"strings"

	"tlog/objects"
)

// mainArguments are those by which one knows what a call does, the first that is there.
var mainArguments = []string{"command", "cmd", "file_path", "path", "pattern", "query", "url", "input", "prompt", "description"}

// call writes a tool call: its main argument, then the others.
func (p *page) call(b objects.Block) {
	p.out.WriteString("\n**Call of** " + codeSpan(b.Name) + "\n")
	arguments := []byte(b.Arguments)
	for _, name := range mainArguments {
		value := objects.Entry{Raw: arguments}.Get(name)
		text, ok := objects.Unquote(value)
		if !ok {
			continue
		}
		p.out.WriteString("\n" + Fenced("text", text) + "\n")
		arguments = objects.RemoveMember(arguments, name)
		break
	}
	if rest := strings.TrimSpace(string(arguments)); rest != "" && rest != "{}" {
		p.out.WriteString("\n" + Fenced("json", rest) + "\n")
	}
}

// result writes the result of a tool call.
func (p *page) result(b objects.Block) error {
	name := b.Name
	if name == "" {
		name = p.tools[b.CallID]
	}
	p.out.WriteString("\n**Result**")
	if name != "" {
		p.out.WriteString(" of " + codeSpan(name))
	}
	switch {
	case b.State != "":
		p.out.WriteString(" (" + inline(b.State) + ")")
	case b.IsError:
		p.out.WriteString(" (failed)")
	}
	p.out.WriteString("\n")
	switch {
	case strings.TrimSpace(b.Text) != "":
		p.out.WriteString("\n" + Fenced("text", b.Text) + "\n")
	case b.Images == 0:
		p.out.WriteString("\nNo output.\n")
	}
	if b.Images == 0 {
		return nil
	}
	content := objects.Entry{Raw: b.Raw}.Get("content")
	var err error
	objects.Elements(content, func(value []byte) {
		inner, _ := objects.DecodeMessage(objects.Entry{
			Type: objects.TypeMessage, Raw: []byte(`{"message":{"content":[` + string(value) + `]}}`),
		})
		for _, part := range inner.Blocks {
			if part.Kind == objects.BlockImage && err == nil {
				err = p.image(part)
			}
		}
	})
	return err
}

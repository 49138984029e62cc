package projection

import (
	"strings"

	"tlog/agents/transcript"
	"tlog/objects"
)

func plain(text string) transcript.Part {
	return transcript.Part{Kind: objects.BlockText, Text: text}
}

// user hands over a message of the user.
func (h *handoff) user(i int) {
	u := &h.units[i]
	var parts []transcript.Part
	for _, b := range u.blocks {
		parts = append(parts, h.userPart(i, b)...)
	}
	h.add(u.at, transcript.Message{Role: objects.RoleUser, Parts: parts})
}

// userPart is a block of what the user or a tool says; none if it cannot come along.
func (h *handoff) userPart(i int, b objects.Block) []transcript.Part {
	switch b.Kind {
	case objects.BlockText:
		if !blank(b.Text) {
			return []transcript.Part{plain(b.Text)}
		}
		return nil
	case objects.BlockImage:
		return []transcript.Part{h.image(i, b)}
	}
	h.lose(transcript.DroppedBlock, h.units[i].at, "a block of type %q", b.Type)
	return nil
}

// image is an image, or a text in its place.
func (h *handoff) image(i int, b objects.Block) transcript.Part {
	p, ok := pictureOf(b)
	size := int64(len(strings.TrimRight(string(p.data), "="))) * 3 / 4
	switch {
	case !ok:
		h.lose(transcript.DroppedImage, h.units[i].at, "an image of type %q that no model takes", b.MimeType)
		return plain("[image left out]")
	case p.url != "":
		h.lose(transcript.DroppedImage, h.units[i].at, "an image that lies at an address")
		return plain("[image at " + p.url + "]")
	case h.opt.NoImages || h.opt.MaxImage > 0 && size > h.opt.MaxImage:
		words := p.mime + " " + string(objects.AppendSize(nil, size))
		h.lose(transcript.DroppedImage, h.units[i].at, "%s", words)
		return plain("[" + words + " left out]")
	}
	return transcript.Part{Kind: objects.BlockImage, MimeType: p.mime, Data: string(p.data)}
}

// reply hands over a reply of the model, which may lie in several units, and the results of its calls.
func (h *handoff) reply(units []int) {
	first := &h.units[units[0]]
	m := transcript.Message{Role: objects.RoleAssistant, Provider: first.msg.Provider, Model: first.msg.Model}
	var calls []handedCall
	for _, i := range units {
		u := &h.units[i]
		waiting := u.calls
		for _, b := range u.msg.Blocks {
			switch b.Kind {
			case objects.BlockText:
				if !blank(b.Text) {
					m.Parts = append(m.Parts, plain(b.Text))
				}
			case objects.BlockThinking:
				m.Parts = append(m.Parts, h.thinking(i, b)...)
			case objects.BlockToolCall:
				c := handedCall{waiting[0], i, h.call(i, b)}
				waiting = waiting[1:]
				calls = append(calls, c)
				if h.opt.AsText {
					m.Parts = append(m.Parts, plain(callWords(c.part)))
				} else {
					m.Parts = append(m.Parts, c.part)
				}
			case objects.BlockToolResult: // is with its call
			default:
				h.lose(transcript.DroppedBlock, u.at, "a block of type %q", b.Type)
			}
		}
	}
	h.add(first.at, m)
	for _, c := range calls {
		h.result(c)
	}
}

// handedCall is a call that was handed over.
type handedCall struct {
	*call
	unit int
	part transcript.Part
}

// thinking is what a model thought, in the only form in which another one may see it.
func (h *handoff) thinking(i int, b objects.Block) []transcript.Part {
	if !h.opt.Thinking || blank(b.Text) {
		h.lose(transcript.DroppedThinking, h.units[i].at, "another model is not sent it")
		return nil
	}
	lines := strings.Split(strings.TrimRight(b.Text, "\n"), "\n")
	return []transcript.Part{plain("> " + strings.Join(lines, "\n> "))}
}

// call is a call under an id and a name that every API takes, with arguments that are an object.
func (h *handoff) call(i int, b objects.Block) transcript.Part {
	p := transcript.Part{
		Kind: objects.BlockToolCall, CallID: h.ids.next(b.CallID), Name: fit(b.Name, maxToolName, "tool"), Arguments: arguments(b.Arguments),
	}
	at := h.units[i].at
	if p.CallID != b.CallID || p.Name != b.Name {
		h.lose(transcript.RenamedCall, at, "the call %q of %q is %q of %q", b.CallID, b.Name, p.CallID, p.Name)
	}
	if len(b.Arguments) > 0 && objects.Scan(b.Arguments, nil) != nil {
		if objects.Valid(b.Arguments) {
			p.Arguments = arguments(object(field{"input", b.Arguments}))
		}
		h.lose(transcript.RepairedInput, at, "the arguments of the call %q are no object", b.CallID)
	}
	return p
}

// result hands over the result of a call, or what stands for one that was not recorded.
func (h *handoff) result(c handedCall) {
	m := transcript.Message{Role: objects.RoleToolResult, CallID: c.part.CallID, Tool: c.part.Name}
	at := h.units[c.unit].at
	switch {
	case c.result == nil:
		m.Failed, m.Parts = true, []transcript.Part{plain(interrupted)}
	default:
		m.Failed, at = c.result.IsError, c.resultOf.at
		for _, b := range resultParts(*c.result) {
			m.Parts = append(m.Parts, h.userPart(c.unit, b)...)
		}
	}
	if h.opt.AsText {
		m = resultWords(m)
	}
	h.add(at, m)
}

// callWords writes a call out.
func callWords(p transcript.Part) string {
	return "I called the tool `" + p.Name + "`:\n\n" + fenced("json", string(p.Arguments))
}

// resultWords is the result of a call written out, as something that the user says.
func resultWords(m transcript.Message) transcript.Message {
	words := "The result of the tool `" + m.Tool + "`:"
	if m.Failed {
		words = "The tool `" + m.Tool + "` failed:"
	}
	var texts []string
	out := transcript.Message{Role: objects.RoleUser}
	var images []transcript.Part
	for _, p := range m.Parts {
		if p.Kind == objects.BlockText {
			texts = append(texts, p.Text)
		} else {
			images = append(images, p)
		}
	}
	switch {
	case len(texts) > 0:
		words += "\n\n" + fenced("", strings.Join(texts, "\n"))
	case len(images) == 0:
		words += "\n\n" + noOutput
	}
	out.Parts = append([]transcript.Part{plain(words)}, images...)
	return out
}

// fenced is a text between fences that are longer than any in it.
func fenced(language, text string) string {
	longest, run := 2, 0
	for i := range len(text) {
		if text[i] != '`' {
			run = 0
			continue
		}
		if run++; run > longest {
			longest = run
		}
	}
	fence := strings.Repeat("`", longest+1)
	return fence + language + "\n" + strings.TrimRight(text, "\n") + "\n" + fence
}

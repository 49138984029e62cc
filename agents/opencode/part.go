package opencode

import (
	"slices"
	"strings"

	"tlog/objects"
)

// part is what is looked at of a part of a message. Values are as they stand.
type part struct {
	raw       []byte
	typ       string
	text      []byte
	synthetic bool
	ignored   bool
	mime      string
	url       []byte
	filename  string
	prompt    []byte // of a subtask
	keepsFrom string // of a compaction: tail_start_id
	call      []byte // callID
	tool      []byte
	state     []byte
}

func readPart(raw []byte) part {
	p := part{raw: raw}
	_ = objects.Scan(raw, func(m objects.Member) {
		switch value := m.Value; {
		case m.Is("type"):
			p.typ = objects.StringOf(value)
		case m.Is("text") && isString(value):
			p.text = value
		case m.Is("synthetic"):
			p.synthetic = string(value) == "true"
		case m.Is("ignored"):
			p.ignored = string(value) == "true"
		case m.Is("mime"):
			p.mime = objects.StringOf(value)
		case m.Is("url"):
			p.url = value
		case m.Is("filename"):
			p.filename = objects.StringOf(value)
		case m.Is("prompt") && isString(value):
			p.prompt = value
		case m.Is("tail_start_id"):
			p.keepsFrom = objects.StringOf(value)
		case m.Is("callID"):
			p.call = value
		case m.Is("tool"):
			p.tool = value
		case m.Is("state") && isObject(value):
			p.state = value
		}
	})
	return p
}

// content is what the parts of a message say, as blocks that objects.DecodeMessage reads.
type content struct {
	said      [][]byte
	files     [][]byte // that the user gave
	added     [][]byte // what the client added to what the user said
	results   []result
	sent      bool   // there are parts besides what the model thought (formats/others.md "Parts seen")
	compacts  bool   // it asks for a compaction
	keepsFrom string // the first message that this one keeps
}

func (c content) empty() bool  { return c.unsaid() && len(c.added) == 0 }
func (c content) unsaid() bool { return len(c.said) == 0 && len(c.files) == 0 }

// blocks are those of what was said, the files, and behind them what was added.
func (c content) blocks() [][]byte { return slices.Concat(c.said, c.files, c.added) }

func contentOf(rec record) (c content) {
	var readable [][]byte
	objects.Elements(rec.parts, func(raw []byte) {
		if !isObject(raw) {
			return
		}
		p := readPart(raw)
		c.sent = c.sent || p.typ != "step-start" && p.typ != "reasoning"
		switch {
		case rec.role == roleUser && p.typ == "file" && p.readable():
			readable = append(readable, textBlock(fileWords(p)))
		case rec.role == roleUser:
			c.user(p)
		default:
			c.reply(p)
		}
	})
	if len(c.added) == 0 { // nothing tells what is in them
		c.files = append(c.files, readable...)
	}
	return c
}

// user takes a part of what the user says, or of what is said in the user's name.
func (c *content) user(p part) {
	switch p.typ {
	case "text":
		switch {
		case p.ignored || len(p.text) <= len(`""`): // no model is told it
		case p.synthetic:
			c.added = append(c.added, valueBlock("text", p.text))
		default:
			c.said = append(c.said, valueBlock("text", p.text))
		}
	case "subtask":
		if len(p.prompt) > len(`""`) {
			c.said = append(c.said, valueBlock("text", p.prompt))
		}
	case "file":
		if block, isImage := p.file(); p.synthetic && !isImage {
			c.added = append(c.added, block)
		} else {
			c.files = append(c.files, block)
		}
	case "compaction":
		c.compacts, c.keepsFrom = true, p.keepsFrom
	case "agent": // the text names it
	default:
		c.other(p)
	}
}

// reply takes a part of what a model thought, said and called.
func (c *content) reply(p part) {
	switch p.typ {
	case "text":
		if len(p.text) > len(`""`) {
			c.said = append(c.said, valueBlock("text", p.text))
		}
	case "reasoning":
		if len(p.text) > len(`""`) {
			c.said = append(c.said, valueBlock("thinking", p.text))
		}
	case "tool":
		c.said = append(c.said, p.callBlock())
		if r, ok := p.result(); ok {
			c.said, c.results = append(c.said, r.block(p)), append(c.results, r)
		}
	case "file":
		block, _ := p.file()
		c.said = append(c.said, block)
	default:
		c.other(p)
	}
}

// other takes a part that is shown by its type alone, if it tells anything of what was said.
func (c *content) other(p part) {
	switch p.typ {
	case "step-start", "step-finish", "snapshot", "patch", "retry":
		return
	}
	c.said = append(c.said, block(otherType(p.typ), objects.Field{Key: "part", Value: p.raw}))
}

// otherType is the type of the block of a part that is not known; none that a block of another kind has.
func otherType(typ string) string {
	if typ == "" || strings.HasPrefix(typ, "part ") {
		return "part"
	}
	return "part " + typ
}

// file is the block of a file: of an image that stands in the part, else of words.
func (p part) file() (block []byte, isImage bool) {
	if image := p.image(); image != nil {
		return image, true
	}
	return textBlock(fileWords(p)), false
}

// readable reports whether a file is one whose content the client puts into a text beside it, which a model is told instead.
func (p part) readable() bool { return p.mime == "text/plain" || p.mime == "application/x-directory" }

// image is the block of an image that stands in the part itself; nil for others. Of one that lies in a blob there is no data.
func (p part) image() []byte {
	if !strings.HasPrefix(p.mime, "image/") {
		return nil
	}
	url := objects.StringOf(p.url)
	head, data, found := strings.Cut(url, ",")
	switch {
	case strings.HasPrefix(url, "["): // what stands for it in the log
		data = ""
	case !found || !strings.HasPrefix(head, "data:") || !strings.HasSuffix(head, ";base64"):
		return nil
	}
	return block("image", objects.StringField("data", data), objects.StringField("mimeType", p.mime))
}

// fileWords tell of a file that no model is shown.
func fileWords(p part) string {
	name := p.filename
	if url := objects.StringOf(p.url); name == "" && !strings.HasPrefix(url, "data:") {
		name = url
	}
	return strings.TrimSpace("[file "+name) + "]"
}

// block is a block of a message in tlog's words.
func block(kind string, fields ...objects.Field) []byte {
	return objects.Object(append([]objects.Field{objects.StringField("type", kind)}, fields...)...)
}

// valueBlock is a block with a string as it stands, under the key that is called as the block is.
func valueBlock(kind string, text []byte) []byte {
	return block(kind, objects.Field{Key: kind, Value: text})
}

func textBlock(text string) []byte { return block("text", objects.StringField("text", text)) }

// list is a JSON array of the values.
func list(values [][]byte) []byte {
	b := []byte{'['}
	for i, v := range values {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, v...)
	}
	return append(b, ']')
}

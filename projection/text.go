package projection

import (
	"strconv"
	"strings"

	"tlog/objects"
)

// Text gives the context as text for people: each message under a heading with
// its role, a call on one line, thinking left out. It is what the log holds, control
// characters included; whoever shows it on a terminal makes it harmless.
func (c *Context) Text() string {
	var b strings.Builder
	for i, m := range c.Messages {
		if i > 0 {
			b.WriteString("\n")
		}
		msg := c.decode(m)
		b.WriteString(heading(m, msg))
		b.WriteString("\n\n")
		if words, ok := plainWords(m); ok {
			writeText(&b, words)
			continue
		}
		for _, block := range msg.Blocks {
			writeBlock(&b, block)
		}
		if m.Role == objects.RoleSystem {
			var p prompt
			p.patch(objects.Message{Raw: msg.Raw})
			writeText(&b, p.text())
		}
		if msg.Error != "" {
			writeText(&b, "[failed: "+msg.Error+"]")
		}
	}
	return b.String()
}

// heading names the role, of a reply the model and how it ended if not well, and of what nobody said what it is.
func heading(m Message, msg objects.Message) string {
	h := "## " + m.Role
	switch m.Role {
	case "":
		h = "## (no role)"
	case objects.RoleAssistant:
		if msg.Model != "" {
			h += " " + msg.Model
		}
		if msg.StopReason == "error" || msg.StopReason == "aborted" {
			h += " (" + msg.StopReason + ")"
		}
	case objects.RoleCustom:
		if t := text(m.JSON, "customType"); t != "" {
			h += " " + t
		}
	}
	if msg.Note != "" {
		h += " (" + msg.Note + ")"
	}
	return h
}

func writeBlock(b *strings.Builder, block objects.Block) {
	switch block.Kind {
	case objects.BlockText:
		writeText(b, block.Text)
	case objects.BlockThinking:
	case objects.BlockToolCall:
		arguments := string(block.Arguments)
		if arguments == "" {
			arguments = "{}"
		}
		writeText(b, "-> "+block.Name+" "+arguments)
	case objects.BlockToolResult:
		word := "result"
		if block.IsError {
			word = "error"
		}
		writeText(b, "<- "+strings.TrimSpace(block.Name+" "+word))
		writeText(b, block.Text)
		if block.Images > 0 {
			writeText(b, "["+strconv.Itoa(block.Images)+" images]")
		}
	case objects.BlockImage:
		writeText(b, "[image "+block.MimeType+"]")
	default:
		writeText(b, "["+block.Type+"]")
	}
}

// writeText writes a text so that it ends with a newline.
func writeText(b *strings.Builder, s string) {
	if s == "" {
		return
	}
	b.WriteString(s)
	if !strings.HasSuffix(s, "\n") {
		b.WriteString("\n")
	}
}

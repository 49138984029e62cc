// Package page makes a page of a session for people, in Markdown (docs/hand-off.md "Pages").
//
// Nothing that a transcript says is taken for anything but that: its code stands between fences that are longer than any in
// it, its prose in a quote that it cannot end, without HTML or pictures of its own.
package page

import (
	"errors"
	"io"
	"strconv"
	"strings"
	"time"

	"tlog/log"
	"tlog/objects"
	"tlog/refs"
)

// Options are how to make a page.
type Options struct {
	Title string // empty for one that the session's id makes
	// Image keeps an image, the nth of the page from 1, and gives what a link to it says. Without it a note stands in the image's place.
	Image func(n int, mime string, data []byte) (link string, err error)
	// AllowMissing takes marked placeholders for what lay in blobs that are missing or damaged. Without it these are an error
	// (a *log.BlobError).
	AllowMissing bool
}

// Write writes the path of a history, less what is undone, as log shows it. The error is that of w, of Image, or of reading.
func Write(w io.Writer, h *refs.History, opt Options) error {
	p := &page{log: h.Log(), opt: opt, tools: map[string]string{}}
	p.title()
	for _, i := range h.Path() {
		if h.SkippedBy(i) != log.None || !p.log.Record(i).Visible() {
			continue
		}
		if err := p.entry(i); err != nil {
			return err
		}
		if _, err := io.WriteString(w, p.out.String()); err != nil {
			return err
		}
		p.out.Reset()
	}
	_, err := io.WriteString(w, p.out.String())
	return err
}

// page writes one page.
type page struct {
	log    *log.Log
	opt    Options
	out    strings.Builder
	images int
	reply  string            // the id of the reply that stands last on the page
	tools  map[string]string // the names of the tools of calls, by id
}

func (p *page) title() {
	header := p.log.Header()
	title := p.opt.Title
	if strings.TrimSpace(title) == "" {
		title = "Session " + string(header.ID)
	}
	p.out.WriteString("# " + inline(title) + "\n\n")
	p.out.WriteString("Session " + codeSpan(string(header.ID)))
	if header.Cwd != "" {
		p.out.WriteString(" in " + codeSpan(header.Cwd))
	}
	if header.Agent != "" {
		p.out.WriteString(", recorded by " + inline(header.Agent))
	}
	p.out.WriteString(".\n")
}

// entry writes an entry under a heading.
func (p *page) entry(i int) error {
	e, err := p.log.Whole(i)
	var hole *log.BlobError
	if err != nil && !(p.opt.AllowMissing && errors.As(err, &hole)) {
		return err
	}
	m, _ := p.log.Message(e)
	switch e.Type {
	case objects.TypeCompaction:
		says, _ := p.log.Compaction(e)
		p.heading(e, "Compaction", "")
		if strings.TrimSpace(says.Summary) != "" {
			p.prose(says.Summary, false)
		}
		return nil
	case objects.TypeBranchSummary:
		summary, _ := e.Text("summary")
		p.heading(e, "Summary of a branch", "")
		p.prose(summary, false)
		return nil
	}
	if m.ReplyID == "" || m.ReplyID != p.reply {
		p.heading(e, roleName(m), m.Model)
	}
	p.reply = m.ReplyID
	for _, b := range m.Blocks {
		if err := p.block(m, b); err != nil {
			return err
		}
	}
	if m.Error != "" {
		p.out.WriteString("\nThe reply failed:\n\n" + Fenced("text", m.Error) + "\n")
	}
	return nil
}

// roleName is whose message it is, in words.
func roleName(m objects.Message) string {
	name := map[string]string{
		objects.RoleUser: "User", objects.RoleAssistant: "Assistant", objects.RoleToolResult: "Tool result", "tool": "Tool result",
		objects.RoleSystem: "System", objects.RoleBash: "Shell command", objects.RoleCustom: "Note",
	}[m.Role]
	if name == "" {
		name = "Message"
	}
	if m.Role == objects.RoleUser && len(m.Blocks) > 0 && len(m.Results()) == len(m.Blocks) {
		name = "Tool result"
	}
	if m.Note != "" {
		name += " (" + inline(m.Note) + ")"
	}
	return name
}

func (p *page) heading(e objects.Entry, name, model string) {
	p.out.WriteString("\n## " + name)
	if model != "" {
		p.out.WriteString(" · " + inline(model))
	}
	if t, err := time.Parse(time.RFC3339Nano, e.Timestamp); err == nil {
		p.out.WriteString(" · " + t.UTC().Format("2006-01-02 15:04:05 UTC"))
	}
	p.out.WriteString("\n")
}

func (p *page) block(m objects.Message, b objects.Block) error {
	switch b.Kind {
	case objects.BlockText:
		p.prose(b.Text, m.Role != objects.RoleAssistant)
	case objects.BlockThinking:
		if strings.TrimSpace(b.Text) != "" {
			p.out.WriteString("\n<details>\n<summary>Thinking</summary>\n\n" + Fenced("text", b.Text) + "\n\n</details>\n")
		}
	case objects.BlockImage:
		return p.image(b)
	case objects.BlockToolCall:
		p.tools[b.CallID] = b.Name
		p.call(b)
	case objects.BlockToolResult:
		return p.result(b)
	default:
		p.out.WriteString("\n[" + inline(b.Type) + "]\n")
	}
	return nil
}

// prose writes what somebody says, in Markdown as they may have meant it.
func (p *page) prose(text string, lines bool) {
	if strings.TrimSpace(text) != "" {
		p.out.WriteString("\n" + quoted(text, lines))
	}
}

// image writes a link to an image.
func (p *page) image(b objects.Block) error {
	p.images++
	kind := b.MimeType
	if kind == "" {
		kind = "image"
	}
	if p.opt.Image == nil || len(b.Data) == 0 {
		size := ""
		if len(b.Data) > 0 {
			size = " " + string(objects.AppendSize(nil, int64(len(b.Data))*3/4))
		}
		p.out.WriteString("\n[" + inline(kind) + size + "]\n")
		return nil
	}
	link, err := p.opt.Image(p.images, b.MimeType, b.Data)
	if err != nil {
		return err
	}
	p.out.WriteString("\n![Image " + strconv.Itoa(p.images) + "](<" + linkPath(link) + ">)\n")
	return nil
}

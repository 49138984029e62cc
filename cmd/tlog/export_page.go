package main

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tlog/checkout"
	"tlog/cmd/tlog/internal/jsonout"
	"tlog/cmd/tlog/internal/terminal"
	"tlog/cmd/tlog/internal/view"
	"tlog/log"
	"tlog/objects"
	"tlog/projection/page"
	"tlog/projection/secrets"
	"tlog/refs"
	"tlog/store"
)

// pageFormats are what export --to writes that is for no agent.
var pageFormats = []string{"markdown", "json", "anthropic", "openai"}

func (opt toOptions) page() bool { return slices.Contains(pageFormats, opt.agent) }

// paging is an export of a session to a page.
type paging struct {
	app     *App
	session *checkout.Session
	opt     exportOptions
	at      int
	file    string // empty for standard output
	images  []string
}

func runExportPage(a *App, opt exportOptions, args []string) error {
	fail := func(err error) error { return fmt.Errorf("export: %w", err) }
	s, masked, err := opt.session(a)
	if err != nil {
		return err
	}
	defer s.Close()
	defer masked.note(a)
	p := &paging{app: a, session: s, opt: opt}
	if p.at, err = a.revision(s, args); err != nil {
		return fail(err)
	}
	if p.at == log.None {
		return fail(fmt.Errorf("%w: the branch has no entry yet", objects.ErrNotFound))
	}
	if opt.output == "" || opt.output == "-" {
		if err := p.write(a.IO.Out.Raw()); err != nil {
			return fail(err)
		}
		return nil
	}
	p.file = a.path(opt.output)
	if err := checkFolder(p.file); err != nil {
		return fail(err)
	}
	err = store.WriteNew(p.file, opt.force, p.write)
	if errors.Is(err, fs.ErrExist) {
		err = withHint(fmt.Errorf("a file of that name is there already: %w: %w", objects.ErrRefused, err), "--force overwrites it")
	}
	if err != nil {
		return fail(errors.Join(err, p.removeImages()))
	}
	if a.JSON {
		return a.printJSON(new(jsonout.Object).String("file", p.file).Strings("images", p.images))
	}
	return nil
}

// write writes the page.
func (p *paging) write(w io.Writer) error {
	switch p.opt.to.agent {
	case "anthropic", "openai":
		return p.request(w)
	case "json":
		return p.entries(w)
	}
	h, err := refs.NewHistory(p.session.Log, p.at)
	if err != nil {
		return err
	}
	opt := page.Options{Title: p.title(), AllowMissing: p.opt.missing}
	if p.file != "" {
		opt.Image = p.image
	}
	if p.file == "" && p.app.IO.Out.IsTerminal() {
		return p.show(h, opt)
	}
	return page.Write(w, h, opt)
}

// show prints the page on a terminal.
func (p *paging) show(h *refs.History, opt page.Options) error {
	var text strings.Builder
	if err := page.Write(&text, h, opt); err != nil {
		return err
	}
	p.app.page()
	p.app.IO.Out.Println(terminal.Block(strings.TrimRight(text.String(), "\n")))
	return p.app.IO.Out.Err()
}

func (p *paging) title() string {
	if p.opt.name != "" {
		return p.opt.name
	}
	if p.opt.redact {
		name, _ := secrets.Redact(p.session.Refs.Name())
		return name
	}
	return p.session.Refs.Name()
}

// image writes an image beside the page: talk.md has talk-1.png.
func (p *paging) image(n int, mime string, data []byte) (link string, err error) {
	extension, ok := map[string]string{"image/png": ".png", "image/jpeg": ".jpg", "image/jpg": ".jpg", "image/gif": ".gif", "image/webp": ".webp"}[mime]
	if !ok {
		extension = ".bin"
	}
	base := strings.TrimSuffix(filepath.Base(p.file), filepath.Ext(p.file))
	name := base + "-" + strconv.Itoa(n) + extension
	file := filepath.Join(filepath.Dir(p.file), name)
	content, err := base64.StdEncoding.DecodeString(string(data))
	if err != nil {
		content, name = data, name+".base64"
		file += ".base64"
	}
	err = store.WriteNew(file, p.opt.force, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("image %d: %w", n, err)
	}
	p.images = append(p.images, file)
	return name, nil
}

// removeImages takes away the images of a page that was not written.
func (p *paging) removeImages() (err error) {
	for _, file := range p.images {
		err = errors.Join(err, os.Remove(file))
	}
	return err
}

// request writes the context as a request to a model's API.
func (p *paging) request(w io.Writer) error {
	c, err := p.session.Context(p.at)
	if err != nil {
		return err
	}
	if err := c.Missing(); err != nil && !p.opt.missing {
		return err
	}
	request := c.OpenAI
	if p.opt.to.agent == "anthropic" {
		request = c.Anthropic
	}
	req, err := request()
	if err != nil {
		return err
	}
	for _, r := range req.Repairs {
		p.app.note("%s: %s", r.Kind, repairText(p.session.Log, r))
	}
	return p.put(w, requestObject(req))
}

// entries writes the entries that log shows, with all that they say in one form whatever agent wrote them.
func (p *paging) entries(w io.Writer) error {
	h, err := refs.NewHistory(p.session.Log, p.at)
	if err != nil {
		return err
	}
	reader := view.NewReader(p.session.Refs)
	for _, i := range h.Path() {
		if h.SkippedBy(i) != log.None || !p.session.Log.Record(i).Visible() {
			continue
		}
		if _, err := p.session.Log.Whole(i); err != nil && !p.opt.missing {
			return err
		}
		v, err := reader.ReadWhole(i, false)
		if err != nil {
			return err
		}
		if err := p.put(w, v.JSON().Array("content", contentArray(v.Message))); err != nil {
			return err
		}
	}
	return nil
}

// put writes an object on a line.
func (p *paging) put(w io.Writer, o *jsonout.Object) error {
	if p.file == "" {
		return p.app.printJSON(o)
	}
	_, err := w.Write(append(o.Bytes(), '\n'))
	return err
}

// contentArray are the blocks of a message.
func contentArray(m objects.Message) (list jsonout.Array) {
	for _, b := range m.Blocks {
		o := new(jsonout.Object)
		switch b.Kind {
		case objects.BlockText:
			o.String("type", "text").String("text", b.Text)
		case objects.BlockThinking:
			o.String("type", "thinking").String("text", b.Text)
		case objects.BlockImage:
			o.String("type", "image").Known("mimeType", b.MimeType).String("data", string(b.Data))
		case objects.BlockToolCall:
			o.String("type", "toolCall").String("id", b.CallID).String("name", b.Name).Raw("arguments", b.Arguments)
		case objects.BlockToolResult:
			o.String("type", "toolResult").String("id", b.CallID).Known("name", b.Name).String("text", b.Text)
			o.Int("images", int64(b.Images)).Bool("isError", b.IsError).Known("state", b.State)
		default:
			o.String("type", b.Type)
		}
		list.Object(o)
	}
	return list
}

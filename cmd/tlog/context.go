package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"tlog/checkout"
	"tlog/cmd/tlog/internal/jsonout"
	"tlog/cmd/tlog/internal/terminal"
	"tlog/cmd/tlog/internal/view"
	"tlog/log"
	"tlog/projection"
)

type contextOptions struct {
	format  string
	explain bool
}

func newContextCommand(a *App) *cobra.Command {
	var opt contextOptions
	cmd := &cobra.Command{
		Use:   "context [<rev>] [--format {tlog | anthropic | openai | text}]",
		Short: "Print what the model would be sent",
		Long: "Print the context of HEAD or of an entry: the path to it, less what is undone, through\n" +
			"compaction and edits. tlog is the messages themselves, one a line; anthropic and openai\n" +
			"are the messages of a request to those APIs, mended where the API would refuse them\n" +
			"(what was mended goes to standard error, with --json into \"repairs\"); text is for people.\n" +
			"--explain says for each entry of the path why it is in or out.\n\n" +
			exitStatus(exitOK, exitUsage, exitNotFound, exitCorrupt),
		Example: "  tlog context --format text\n  tlog context --format anthropic --json HEAD~2",
		Args:    operands(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !cmd.Flags().Changed("format") && a.IO.Out.IsTerminal() && !a.JSON {
				opt.format = "text"
			}
			switch opt.format {
			case "tlog", "anthropic", "openai", "text":
			default:
				return usagef("--format '%s': expected tlog, anthropic, openai or text", opt.format)
			}
			return runContext(a, opt, args)
		},
	}
	cmd.Flags().StringVar(&opt.format, "format", "tlog", "tlog, anthropic, openai or text (on a terminal text is the default)")
	cmd.Flags().BoolVar(&opt.explain, "explain", false, "say for each entry why it is in or out")
	return cmd
}

func runContext(a *App, opt contextOptions, args []string) error {
	s, err := a.session()
	if err != nil {
		return err
	}
	defer s.Close()
	at := s.Refs.Head().At
	if len(args) == 1 {
		rev, err := a.resolver(s).ResolveTree(args[0])
		if err != nil {
			return fmt.Errorf("context: %w", err)
		}
		if rev.State != s.Refs {
			s = &checkout.Session{Log: rev.State.Log(), Refs: rev.State}
		}
		at = rev.At
	}
	c, err := s.Context(at)
	if err != nil {
		return fmt.Errorf("context: %w", err)
	}
	if opt.explain {
		return explainContext(a, s, c)
	}
	return printContext(a, s, c, opt.format)
}

func printContext(a *App, s *checkout.Session, c *projection.Context, format string) error {
	req := projection.Request{Repairs: c.Repairs}
	var err error
	switch format {
	case "anthropic":
		req, err = c.Anthropic()
	case "openai":
		req, err = c.OpenAI()
	case "text":
		if !a.JSON {
			a.page()
			a.IO.Out.Println(terminal.Block(strings.TrimRight(c.Text(), "\n")))
			return a.IO.Out.Err()
		}
		fallthrough
	default:
		for _, m := range c.Messages {
			req.Messages = append(req.Messages, m.JSON)
		}
	}
	if err != nil {
		return fmt.Errorf("context: %w", err)
	}
	if a.JSON {
		return a.printJSON(contextObject(s, c, req, format))
	}
	for _, r := range req.Repairs {
		if format != "tlog" {
			a.note("%s: %s", r.Kind, repairText(s.Log, r))
		}
	}
	if format == "tlog" {
		return printMessages(a, req)
	}
	return a.printJSON(requestObject(req))
}

func repairText(l *log.Log, r projection.Repair) string {
	text := l.Short(r.At)
	if r.CallID != "" {
		text += ", call " + r.CallID
	}
	if r.Detail != "" {
		text += ": " + r.Detail
	}
	return text
}

func printMessages(a *App, req projection.Request) error {
	out := a.IO.Out
	for _, m := range req.Messages {
		line := []byte(m)
		if out.IsTerminal() {
			line = terminal.EscapeJSON(line)
		}
		if _, err := out.Raw().Write(append(line[:len(line):len(line)], '\n')); err != nil {
			return err
		}
	}
	return nil
}

func requestObject(req projection.Request) *jsonout.Object {
	o := new(jsonout.Object)
	if len(req.System) > 0 {
		o.Raw("system", req.System)
	}
	return o.Array("messages", messageArray(req))
}

func messageArray(req projection.Request) jsonout.Array {
	var list jsonout.Array
	for _, m := range req.Messages {
		list.Raw(m)
	}
	return list
}

func contextObject(s *checkout.Session, c *projection.Context, req projection.Request, format string) *jsonout.Object {
	o := requestObject(req)
	if format == "text" {
		o.String("text", c.Text())
	}
	o.Raw("model", knownModel(c.Model)).String("thinkingLevel", c.ThinkingLevel).Strings("queue", c.Queue)
	o.Object("compaction", compactionObject(s.Log, c.Compaction))
	var repairs jsonout.Array
	for _, r := range req.Repairs {
		repairs.Object(new(jsonout.Object).String("kind", string(r.Kind)).ID("id", idAt(s.Log, r.At)).
			Known("callId", r.CallID).Known("detail", r.Detail))
	}
	return o.Array("repairs", repairs)
}

// explainContext says for each entry of the path why it is in the context or out of it, oldest first.
func explainContext(a *App, s *checkout.Session, c *projection.Context) error {
	a.page()
	reader := view.NewReader(s.Refs)
	for _, d := range c.Decisions {
		v, err := reader.Read(d.At, false)
		if err != nil {
			return fmt.Errorf("context: %w", err)
		}
		if a.JSON {
			o := new(jsonout.Object).ID("id", v.Record.ID).String("short", v.Short).String("type", string(v.Record.Type))
			err = a.printJSON(o.Known("role", v.Role()).Bool("in", d.In).String("reason", d.Reason))
		} else {
			err = printDecision(a.IO.Out, v, d)
		}
		if err != nil {
			return err
		}
	}
	return a.IO.Out.Err()
}

func printDecision(out *terminal.Writer, v view.Entry, d projection.Decision) error {
	mark := terminal.Red.Paint("out ")
	if d.In {
		mark = terminal.Green.Paint("in  ")
	}
	title := terminal.Concat(mark, terminal.Yellow.Paint(v.Short), terminal.Line("  "), terminal.Line(d.Reason), terminal.Line("  "))
	return out.Println(title, v.Subject(out.Width()-title.Width()))
}

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tlog/agents"
	"tlog/cmd/tlog/internal/jsonout"
	"tlog/objects"
	"tlog/store"
)

// toHelp is what the help of export says of --to.
const toHelp = "--to writes a transcript that an agent resumes, without what is undone, to a file (-o) or to where the agent\n" +
	"looks for it (--install), and prints its id. What the model would refuse is repaired; notes say what. An end within a\n" +
	"tool call moves on to its results. A session of another agent goes over as what its model is sent: prose, images,\n" +
	"and calls with their results; --report lists what could not come along. --to markdown makes a page to read, --to json\n" +
	"its entries, --to anthropic and openai the messages of a request, to standard output or a file.\n\n"

// toOptions are the flags of export for an agent's transcript.
type toOptions struct {
	agent    string
	install  bool
	maxImage string
	noImages bool
	cwd      string
	thinking string
	tools    string
	report   string
	// asConversation: the form of what is handed over was asked for.
	asConversation bool
}

func (opt *toOptions) addFlags(flags *pflag.FlagSet) {
	flags.StringVar(&opt.agent, "to", "", "write a transcript for an `agent` ("+agents.TargetNames()+"), or "+strings.Join(pageFormats, ", "))
	flags.BoolVar(&opt.install, "install", false, "write it to where the agent looks for its sessions; with --original, back to where it was imported from")
	opt.addContentFlags(flags)
}

// addContentFlags adds those that say what stands in the transcript.
func (opt *toOptions) addContentFlags(flags *pflag.FlagSet) {
	flags.StringVar(&opt.maxImage, "max-image", "", "leave out images of more than `size` (500kB, 2MB; default: what the agent's model takes)")
	flags.BoolVar(&opt.noImages, "no-images", false, "leave out all images")
	flags.StringVar(&opt.cwd, "cwd", "", "the working `folder` of the transcript (default: that of the session)")
	flags.StringVar(&opt.thinking, "thinking", "none", "what another agent gets of the model's thinking: text (quoted) or none")
	flags.StringVar(&opt.tools, "tools", "native", "how another agent gets tool calls: native, or written out as text")
	flags.StringVar(&opt.report, "report", "", "list what was changed or could not come along in a `file` ('-' for standard output), an object a line")
}

// checkContent checks the flags that say what stands in the transcript.
func (opt *toOptions) checkContent(cmd *cobra.Command) error {
	switch {
	case opt.thinking != "text" && opt.thinking != "none":
		return usagef("--thinking '%s': expected text or none", opt.thinking)
	case opt.tools != "native" && opt.tools != "text":
		return usagef("--tools '%s': expected native or text", opt.tools)
	}
	opt.asConversation = cmd.Flags().Changed("thinking") || cmd.Flags().Changed("tools")
	_, err := opt.target()
	return err
}

// check checks the flags of export that go with --to, and those that do not.
func (opt *toOptions) check(cmd *cobra.Command, all exportOptions) error {
	agentFlags := []string{"install", "max-image", "no-images", "cwd", "thinking", "tools", "report"}
	if opt.agent == "" || opt.page() {
		if opt.agent == "" {
			agentFlags = append(agentFlags, "to")
		}
		for _, name := range agentFlags {
			if cmd.Flags().Changed(name) && !(name == "install" && all.original) {
				return usagef("--%s needs --to with the name of an agent: %s", name, agents.TargetNames())
			}
		}
		return errors.Join(checkExclusive(cmd, "to", "original"), checkExclusive(cmd, "to", "flatten"))
	}
	if err := errors.Join(checkExclusive(cmd, "to", "original"), checkExclusive(cmd, "to", "flatten"), checkExclusive(cmd, "install", "output"),
		checkExclusive(cmd, "install", "force")); err != nil {
		return err
	}
	if !opt.install && all.output == "" {
		return usagef("export --to %s: expected -o <file> or --install", opt.agent)
	}
	if all.output == "-" && opt.report == "-" {
		return usagef("-o - and --report - cannot go together")
	}
	return opt.checkContent(cmd)
}

func (opt toOptions) target() (agents.Target, error) {
	agent, ok := agents.LookupTarget(opt.agent)
	if !ok {
		return nil, usagef("'%s' is no agent that transcripts are written for: expected one of %s", opt.agent, agents.TargetNames())
	}
	return agent, nil
}

// newCwd is the working folder of a new transcript: the one asked for, else that of the session, or where that is now.
func (a *App) newCwd(asked, old string) (string, error) {
	switch {
	case asked != "":
		return filepath.Clean(a.path(asked)), nil
	case old == "" || !filepath.IsAbs(old):
		return old, nil
	}
	st, err := a.store()
	if err != nil {
		return old, nil
	}
	_, resolved, err := store.Project(old)
	if err != nil {
		return old, nil
	}
	now, err := st.MovedTo(old)
	if err != nil || now == resolved {
		return old, err
	}
	return now, nil
}

// install writes the transcript to where the agent looks for it.
func (t *telling) install() error {
	if t.export.Cwd == "" {
		t.export.Cwd = t.app.Cwd
	}
	t.file = t.agent.InstallPath(t.app.env, t.export.Cwd, t.export.Session)
	if err := os.MkdirAll(filepath.Dir(t.file), 0o700); err != nil {
		return err
	}
	if err := t.refuseExisting(store.WriteNew(t.file, false, t.write)); err != nil {
		return err
	}
	t.nameInstalled()
	return nil
}

func (t *telling) refuseExisting(err error) error {
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("'%s' is there already: %w", t.file, objects.ErrRefused)
	}
	return err
}

func runExportTo(a *App, opt exportOptions, args []string) error {
	fail := func(err error) error { return fmt.Errorf("export: %w", err) }
	s, masked, err := opt.session(a)
	if err != nil {
		return err
	}
	defer s.Close()
	t, err := newTelling(a, s, args, opt.to, opt.name, opt.missing)
	if err != nil {
		return fail(err)
	}
	switch {
	case opt.to.install:
		err = t.install()
	case opt.output == "-":
		err = t.write(a.IO.Out.Raw())
	default:
		t.file = a.path(opt.output)
		if err = checkFolder(t.file); err == nil {
			err = t.refuseExisting(store.WriteNew(t.file, opt.force, t.write))
		}
		if errors.Is(err, objects.ErrRefused) {
			err = withHint(err, "--force overwrites it")
		}
	}
	if err != nil {
		return fail(err)
	}
	t.notes()
	masked.note(a)
	if err := t.writeReport(opt.to.report); err != nil {
		return fail(err)
	}
	switch {
	case opt.output == "-":
		a.note("the transcript is session %s", t.export.Session)
		return nil
	case a.JSON:
		return a.printJSON(t.object())
	}
	return a.IO.Out.Printf("%s\n", t.export.Session)
}

// object is what --json prints of an export.
func (t *telling) object() *jsonout.Object {
	o := new(jsonout.Object).ID("session", t.export.Session).Known("file", t.file).Known("cwd", t.export.Cwd)
	o.ID("parentSession", t.export.From).ID("parentEntry", t.at)
	o.Int("lines", int64(t.report.Lines)).Int("messages", int64(t.report.Messages)).Int("undone", int64(t.undone))
	var repairs jsonout.Array
	for _, r := range t.report.Repairs {
		repairs.Object(repairObject(r))
	}
	return o.Array("repairs", repairs)
}

// parseSize reads a number of bytes: 4096, 500kB, 2MB; kB being 1000. 0 for an empty text.
func parseSize(text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	number := strings.TrimSpace(text)
	factor := 1.0
	for _, unit := range []struct {
		name   string
		factor float64
	}{{"kb", 1e3}, {"mb", 1e6}, {"gb", 1e9}, {"k", 1e3}, {"m", 1e6}, {"g", 1e9}, {"b", 1}} {
		if rest, found := strings.CutSuffix(strings.ToLower(number), unit.name); found {
			number, factor = strings.TrimSpace(rest), unit.factor
			break
		}
	}
	n, err := strconv.ParseFloat(number, 64)
	if size := n * factor; err == nil && size >= 1 && size < math.MaxInt64/2 {
		return int64(size), nil
	}
	return 0, fmt.Errorf("%w size '%s': expected a number of bytes, as 500kB or 2MB", objects.ErrInvalid, text)
}

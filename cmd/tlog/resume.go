package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"tlog/agents"
	"tlog/agents/transcript"
	"tlog/cmd/tlog/internal/jsonout"
	"tlog/objects"
)

type resumeOptions struct {
	to      toOptions
	name    string
	exec    bool
	missing bool
}

func newResumeCommand(a *App) *cobra.Command {
	var opt resumeOptions
	cmd := &cobra.Command{
		Use:   "resume [<rev>] --in <agent> [--exec]",
		Short: "Go on in an agent from an entry",
		Long: "Write the path to HEAD or to an entry as a new transcript where the agent looks for it, and print the command that\n" +
			"resumes it, or run that with --exec. It runs in the session's working folder; where that is gone, name another\n" +
			"one with --cwd. The transcript is that of 'tlog export --to'; a session of another agent is handed over.\n\n" +
			exitStatus(exitOK, exitUsage, exitNotFound, exitCorrupt, exitRefused, exitIO),
		Example: "  tlog resume --in claude\n  tlog resume HEAD~4 --in claude --exec",
		Args:    operands(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if opt.to.agent == "" {
				return usagef("resume: expected --in with the name of an agent: %s", agents.TargetNames())
			}
			if err := opt.to.checkContent(cmd); err != nil {
				return err
			}
			if opt.to.report == "-" && (a.JSON || opt.exec) {
				return usagef("--report - cannot go with --json or --exec")
			}
			if opt.exec && a.JSON {
				return usagef("--exec cannot go with --json")
			}
			return runResume(a, opt, args)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&opt.to.agent, "in", "", "the `agent`: "+agents.TargetNames())
	flags.BoolVar(&opt.exec, "exec", false, "run the command")
	flags.StringVar(&opt.name, "name", "", "what the new transcript is called")
	flags.BoolVar(&opt.missing, "allow-missing", false, "go on where a blob is missing or damaged, with a marked placeholder")
	opt.to.addContentFlags(flags)
	return cmd
}

func runResume(a *App, opt resumeOptions, args []string) error {
	fail := func(err error) error { return fmt.Errorf("resume: %w", err) }
	s, err := a.session()
	if err != nil {
		return err
	}
	defer s.Close()
	t, err := newTelling(a, s, args, opt.to, opt.name, opt.missing)
	if err != nil {
		return fail(err)
	}
	if !isFolder(t.export.Cwd) {
		return fail(withHint(fmt.Errorf("%w: the session's working folder '%s' is not there", objects.ErrRefused, t.export.Cwd),
			"--cwd names another one; 'tlog project alias' says where it is now"))
	}
	if err := t.install(); err != nil {
		return fail(err)
	}
	t.notes()
	if err := t.writeReport(opt.to.report); err != nil {
		return fail(err)
	}
	command := t.command()
	switch {
	case opt.exec:
		return a.execute(command)
	case a.JSON:
		o := t.object()
		o.Object("command", new(jsonout.Object).String("dir", command.Dir).Strings("args", command.Args).Strings("env", command.Env))
		return a.printJSON(o)
	}
	return a.IO.Out.Printf("%s\n", shellLine(command))
}

// command is the agent's own to go on with what was installed.
func (t *telling) command() transcript.Command {
	if agent, ok := t.agent.(agents.FileTarget); ok {
		return agent.ResumeFile(t.export.Cwd, t.file)
	}
	return t.agent.Resume(t.export.Cwd, t.export.Session)
}

// execute runs a command on the terminal in tlog's place. Its exit code is tlog's.
func (a *App) execute(command transcript.Command) error {
	if err := a.IO.Out.Flush(); err != nil {
		return err
	}
	program, err := exec.LookPath(command.Args[0])
	if err != nil {
		return withHint(fmt.Errorf("resume: %w", err), "the command is: "+shellLine(command))
	}
	cmd := exec.Command(program, command.Args[1:]...)
	cmd.Dir, cmd.Env = command.Dir, append(os.Environ(), command.Env...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	// An interrupt from the keyboard is for the program, which may go on. It gets it as well.
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	err = cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return silentError{programError{exitCodeOf(exit.ProcessState), err}}
	}
	if err != nil {
		return fmt.Errorf("resume: %w", err)
	}
	return nil
}

// exitCodeOf is the exit code of a program; of one that a signal ended, that which a shell gives.
func exitCodeOf(state *os.ProcessState) int {
	if code := state.ExitCode(); code >= 0 {
		return code
	}
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return exitIO
}

// shellLine is a command as one types it into a shell.
func shellLine(command transcript.Command) string {
	var words []string
	for _, env := range command.Env {
		name, value, _ := strings.Cut(env, "=")
		words = append(words, name+"="+shellWord(value))
	}
	for _, arg := range command.Args {
		words = append(words, shellWord(arg))
	}
	line := strings.Join(words, " ")
	if command.Dir == "" {
		return line
	}
	return "cd " + "'" + strings.ReplaceAll(command.Dir, "'", `'\''`) + "' && " + line
}

// shellWord quotes a word where a shell would not take it as it is.
func shellWord(word string) string {
	plain := word != ""
	for i := range len(word) {
		c := word[i]
		if !('0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' || strings.IndexByte("-_./:=@%+,", c) >= 0) {
			plain = false
		}
	}
	if plain {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

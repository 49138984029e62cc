package terminal

import (
	"errors"
	"io"
	"os/exec"
	"runtime"
	"slices"
	"strings"
)

// pager is a running pager, and what to go back to after it.
type pager struct {
	cmd  *exec.Cmd
	pipe io.WriteCloser
	out  io.Writer
	err  io.Writer // nil if standard error was left alone
}

// PagerCommand returns the command line of the user's pager: TLOG_PAGER, else
// configured (the value of a setting, nil if there is none), else PAGER, else
// less. A variable that is set but empty counts: it says that there is no pager.
func PagerCommand(lookup func(string) (string, bool), configured *string) string {
	if v, ok := lookup("TLOG_PAGER"); ok {
		return v
	}
	if configured != nil {
		return *configured
	}
	if v, ok := lookup("PAGER"); ok {
		return v
	}
	return "less"
}

// StartPager sends what follows on Out through a pager, if Out is a terminal.
// The command line is split into words at blanks, with quotes as a shell has
// them but no shell; an empty one and "cat" mean no pager. Words NAME=value in
// front set the pager's environment. A pager that is missing or does not start
// is no error: the output goes straight to the terminal.
//
// While it runs, standard error goes through it too if that is a terminal, so
// that a warning does not land in the middle of its screen. [Streams.Close]
// waits until the user has quit it; a command must call it before it ends, also
// after an interrupt, or the pager is left without a terminal.
func (s *Streams) StartPager(cmdline string) {
	if s.pager != nil || !s.Out.tty || s.Out.Flush() != nil {
		return
	}
	cmd := s.pagerProcess(cmdline)
	if cmd == nil {
		return
	}
	pipe, err := cmd.StdinPipe()
	if err != nil {
		return
	}
	if err := cmd.Start(); err != nil {
		pipe.Close()
		return
	}
	s.pager = &pager{cmd: cmd, pipe: pipe, out: s.Out.dst}
	s.Out.redirect(pipe, ErrPagerQuit)
	if s.Err.tty {
		s.pager.err = s.Err.dst
		s.Err.Flush()
		s.Err.redirect(flushFirst{s.Out, pipe}, ErrPagerQuit)
	}
}

// pagerProcess prepares the pager; nil if there is none to run.
func (s *Streams) pagerProcess(cmdline string) *exec.Cmd {
	words, err := splitWords(cmdline, runtime.GOOS != "windows")
	if err != nil {
		return nil
	}
	var set []string
	for len(words) > 0 && isAssignment(words[0]) {
		set = append(set, words[0])
		words = words[1:]
	}
	if len(words) == 0 || words[0] == "cat" && len(words) == 1 {
		return nil
	}
	path, err := exec.LookPath(words[0]) // fails for a program of the current folder
	if err != nil {
		return nil
	}
	cmd := exec.Command(path, words[1:]...)
	cmd.Args[0] = words[0]
	cmd.Env = pagerEnviron(s.environ, cmd.Environ, set)
	cmd.Stdout, cmd.Stderr = s.Out.dst, s.Err.dst
	if s.files[0] != nil { // the file itself, or exec would copy
		cmd.Stdout, cmd.Stderr = s.files[0], s.files[1]
	}
	return cmd
}

// pagerEnviron returns the environment of the pager: the process's, without the
// variables that would start another pager, with settings for less and lv that
// let colours through and end at once when all fits on the screen.
func pagerEnviron(environ []string, inherited func() []string, set []string) []string {
	if environ == nil {
		environ = inherited()
	}
	env := slices.DeleteFunc(slices.Clone(environ), func(v string) bool {
		return strings.HasPrefix(v, "PAGER=") || strings.HasPrefix(v, "TLOG_PAGER=")
	})
	env = append(env, set...)
	for _, v := range []string{"LESS=FRX", "LV=-c"} {
		name := v[:strings.IndexByte(v, '=')+1]
		if !slices.ContainsFunc(env, func(have string) bool { return strings.HasPrefix(have, name) }) {
			env = append(env, v)
		}
	}
	return env
}

// stopPager lets the pager see the end and waits for the user to quit it.
func (s *Streams) stopPager() error {
	p := s.pager
	if p == nil {
		return nil
	}
	s.pager = nil
	err := s.Out.Flush()
	if p.err != nil {
		s.Err.Flush()
	}
	p.pipe.Close()
	p.cmd.Wait() // how a pager ends says nothing about the command
	s.Out.redirect(p.out, ErrClosedPipe)
	if p.err != nil {
		s.Err.redirect(p.err, ErrClosedPipe)
	}
	if errors.Is(err, ErrPagerQuit) {
		return nil
	}
	return err
}

// flushFirst keeps standard output and error in order when both go to the pager.
type flushFirst struct {
	before *Writer
	dst    io.Writer
}

func (f flushFirst) Write(p []byte) (int, error) {
	if err := f.before.Flush(); err != nil {
		return 0, err
	}
	return f.dst.Write(p)
}

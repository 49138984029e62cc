package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// exitMeaning explains the exit codes, in the order of their numbers.
var exitMeaning = []struct {
	code int
	text string
}{
	{exitOK, "success"},
	{exitNo, "a negative answer: fsck with findings, nothing found"},
	{exitUsage, "the command line or an input line breaks a rule"},
	{exitNotFound, "no such, or an ambiguous, revision or session"},
	{exitLocked, "another process holds the session's lock; trying again may help"},
	{exitCorrupt, "damaged beyond reading"},
	{exitRefused, "refused for safety"},
	{exitVersion, "the file has a newer format version than this program writes"},
	{exitIO, "the operating system refused: disk full, no permission, read error"},
	{exitInterrupted, "interrupted"},
	{exitPipe, "nobody reads the output any more"},
}

// exitStatus is the section on exit codes in a command's help.
func exitStatus(codes ...int) string {
	var b strings.Builder
	b.WriteString("Exit status:\n")
	for _, m := range exitMeaning {
		for _, code := range codes {
			if code == m.code {
				fmt.Fprintf(&b, "  %d  %s\n", m.code, m.text)
			}
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// newHelpTopics are pages of the help that belong to no command.
func newHelpTopics() []*cobra.Command {
	all := make([]int, 0, len(exitMeaning))
	for _, m := range exitMeaning {
		all = append(all, m.code)
	}
	return []*cobra.Command{
		{Use: "exit-codes", Short: "What the exit codes mean", Long: exitStatus(all...)},
		{Use: "revisions", Short: "How to name an entry", Long: revisionsHelp},
		{Use: "environment", Short: "Which variables tlog reads", Long: environmentHelp},
	}
}

const revisionsHelp = `A revision names an entry:

  <id>            an id, or a prefix of it, or of the last 12 characters of a UUIDv7
  HEAD, @         where the session stands
  <branch>        the tip of a branch
  <label>         the entry that carries the label
  <rev>~<n>       the n-th entry before <rev> that log shows; ~0 the newest at or before it
  <rev>^          the parent entry
  <rev>^{turn}    the user prompt that began its turn
  <ref>@{<n>}     where the ref stood n moves ago; @{<n>} of the current branch
  @{-<n>}         the n-th branch checked out before
  :/<text>        the newest entry on HEAD's path whose text has it
  <session>:<rev> in another session, by id prefix, or pi:<id>:<rev> in pi's own folder
  <file>:<rev>    in a session file

HEAD comes first, then branches, labels, ids. A range is

  <a>..<b>        what is on the path to b and not on that to a
  <a>...<b>       what is on one of the paths and not on both

and a side that is left out is HEAD. For undo a range names its entries, both ends included.`

const environmentHelp = `  TLOG_DIR        the store, instead of the nearest .tlog or $XDG_DATA_HOME/tlog
  TLOG_SESSION    the session, as -s; it goes before the one of 'tlog use'
  TLOG_PAGER      the pager; cat for none. Then PAGER, then less
  XDG_DATA_HOME   where the store lies by default: $XDG_DATA_HOME/tlog, else ~/.local/share/tlog
  PI_CODING_AGENT_SESSION_DIR, PI_CODING_AGENT_DIR
                  where pi keeps its sessions, for pi:<id>; ~/.pi/agent by default
  CLAUDE_CONFIG_DIR
                  where Claude Code keeps its sessions, for claude:<id>, 'import --all' and resume; ~/.claude by default
  CODEX_HOME      where Codex CLI keeps its own; ~/.codex by default
  NO_COLOR        no colour. CLICOLOR_FORCE, FORCE_COLOR: colour; CLICOLOR=0: none
  COLUMNS         the width of the terminal in cells
  TLOG_FORCE_TTY  behave as on a terminal of so many cells`

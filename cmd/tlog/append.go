package main

import (
	"bytes"
	"fmt"

	"github.com/spf13/cobra"

	"tlog/checkout"
	"tlog/cmd/tlog/internal/jsonout"
	"tlog/objects"
)

func newAppendCommand(a *App) *cobra.Command {
	var opt checkout.AppendOptions
	var stream bool
	cmd := &cobra.Command{
		Use:   "append [--to <branch>] [--stream]",
		Short: "Append entries from standard input",
		Long: "Append JSON Lines from standard input: whole entries, or bare messages\n" +
			"{\"role\",\"content\"}. What an entry lacks of id, parentId and timestamp is added, its\n" +
			"own bytes are kept. If one line is refused none is appended. All go into the log with one write, and\n" +
			"the ids are printed once they are on disk.\n\n" +
			"With --stream each line is answered by a line {\"id\":...} as soon as it is on disk, and\n" +
			"{\"undo\":n} takes the n newest entries back. A line that is refused is answered by\n" +
			"{\"error\":...}; the stream goes on, and the command ends with 2.\n\n" +
			exitStatus(exitOK, exitUsage, exitNotFound, exitLocked, exitRefused, exitVersion),
		Example: "  echo '{\"role\":\"user\",\"content\":\"fix the test\"}' | tlog append\n" +
			"  my-agent --jsonl | tlog append --stream --to attempt-2",
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if a.IO.InIsTerminal() {
				return withHint(usagef("append reads JSON Lines from standard input, which is a terminal"),
					"pipe entries into it, 'tlog append --help' shows how")
			}
			if stream {
				return runAppendStream(cmd, a, opt)
			}
			return runAppend(cmd, a, opt)
		},
	}
	cmd.Flags().StringVar(&opt.Branch, "to", "", "append to `branch` and leave HEAD where it is")
	cmd.Flags().BoolVar(&stream, "stream", false, "answer each line as soon as it is on disk")
	return cmd
}

func runAppend(cmd commandContext, a *App, opt checkout.AppendOptions) error {
	input, err := a.readAll(cmd.Context())
	if err != nil {
		return err
	}
	lines := inputLines(input)
	s, err := a.writable(cmd)
	if err != nil {
		return err
	}
	defer s.Close()
	ids, err := s.Append(cmd.Context(), lines, opt)
	if err != nil {
		return fmt.Errorf("append: %w", err)
	}
	for _, id := range ids {
		if err := printID(a, id); err != nil {
			return err
		}
	}
	return nil
}

func printID(a *App, id objects.ID) error {
	if a.JSON {
		return a.printJSON(new(jsonout.Object).ID("id", id))
	}
	return a.IO.Out.Printf("%s\n", id)
}

// inputLines splits JSON Lines; blank ones are left out.
func inputLines(input []byte) [][]byte {
	var lines [][]byte
	for line := range bytes.SplitSeq(input, []byte("\n")) {
		if line = bytes.Trim(line, " \t\r"); len(line) > 0 {
			lines = append(lines, line)
		}
	}
	return lines
}

package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"tlog/cmd/tlog/internal/jsonout"
	"tlog/cmd/tlog/internal/terminal"
	"tlog/log"
)

// chainDigits is the number of digits in a chain.
const chainDigits = 64

func newVerifyCommand(a *App) *cobra.Command {
	var root string
	cmd := &cobra.Command{
		Use:   "verify [--root <hash>]",
		Short: "Prove that a session holds what it held",
		Long: "Compute the chain of the whole session again and print the last one, its root. Write the root down, and --root proves\n" +
			"later that the session still begins with all that it held then: nothing changed, missing or moved. Without it a session that was\n" +
			"cut off at the end of a line looks whole.\n\n" +
			exitStatus(exitOK, exitNo, exitUsage, exitNotFound, exitCorrupt, exitVersion),
		Example: "  tlog verify\n  tlog verify --root 5c1f…",
		Args:    noArgs,
		RunE: func(*cobra.Command, []string) error {
			root = strings.ToLower(root)
			if root != "" && (len(root) != chainDigits || strings.Trim(root, "0123456789abcdef") != "") {
				return usagef("--root '%s': expected %d hex digits", root, chainDigits)
			}
			return runVerify(a, root)
		},
	}
	cmd.Flags().StringVar(&root, "root", "", "the `hash` that verify printed before")
	return cmd
}

func runVerify(a *App, root string) error {
	s, err := a.session()
	if err != nil {
		return err
	}
	defer s.Close()
	v, err := s.Log.Verify(root)
	if err != nil {
		return err
	}
	if err := printVerified(a, v, root); err != nil {
		return err
	}
	if len(v.Broken) > 0 || root != "" && v.Line == 0 {
		return errNo
	}
	return nil
}

func printVerified(a *App, v log.Verified, root string) error {
	if a.JSON {
		o := new(jsonout.Object).Known("root", v.Root).Int("chained", int64(v.Chained)).Int("behind", int64(v.Behind)).Int("broken", int64(len(v.Broken)))
		if v.Line > 0 {
			return a.printJSON(o.Int("line", int64(v.Line)))
		}
		return a.printJSON(o.Raw("line", nil))
	}
	for _, f := range v.Broken {
		if err := printFinding(a, f); err != nil {
			return err
		}
	}
	switch {
	case root != "" && v.Line > 0:
		a.note("all that stood up to line %d is there as it was", v.Line)
	case root != "":
		a.note("the root is nowhere in the session, or what stands before it has changed")
	}
	if v.Behind > 0 {
		a.note("%d %s behind the last chained one: nothing proves %s", v.Behind, plural(v.Behind, "line", "lines"), plural(v.Behind, "it", "them"))
	}
	if v.Root == "" {
		return fmt.Errorf("verify: %w", errNo)
	}
	return a.IO.Out.Println(terminal.Line(v.Root))
}

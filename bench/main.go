// Command bench measures tlog against what else could be used, side by side on one machine:
//
//	go run ./bench generate -size 1000000000 FILE   a session with the shapes of real ones
//	go run ./bench run                              the table of docs/performance.md
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

var errUsage = errors.New("usage: bench generate [-size N] [-branches N] [-seed N] FILE | bench join FOLDER FILE | bench run [flags]")

func run(args []string) error {
	if len(args) == 0 {
		return errUsage
	}
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	switch args[0] {
	case "generate":
		size := flags.Int64("size", 1_000_000_000, "about how many bytes the file is to have")
		branches := flags.Int("branches", 10, "how many branches")
		seed := flags.Uint64("seed", 1, "what the session is drawn from")
		if err := flags.Parse(args[1:]); err != nil {
			return err
		}
		if flags.NArg() != 1 || *branches < 1 {
			return errUsage
		}
		return generate(flags.Arg(0), *size, *branches, *seed)
	case "join":
		if len(args) != 3 {
			return errUsage
		}
		return join(args[1], args[2])
	case "run":
		opt := options{}
		flags.StringVar(&opt.dir, "dir", "", "the `folder` for what is measured, kept and used again (default: a temporary one)")
		flags.Int64Var(&opt.size, "size", 1_000_000_000, "about how many bytes the session is to have")
		flags.IntVar(&opt.runs, "runs", 5, "how many runs the medians are of")
		flags.StringVar(&opt.corpus, "corpus", "", "a `folder` of transcripts of Claude Code to import")
		flags.StringVar(&opt.pi, "pi", os.Getenv("TLOG_PI_DIR"), "the installed package of pi; TLOG_NODE names the Node that runs it")
		if err := flags.Parse(args[1:]); err != nil {
			return err
		}
		return measure(opt, os.Stdout)
	}
	return errUsage
}

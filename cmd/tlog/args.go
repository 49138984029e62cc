package main

import (
	"slices"
	"strings"
)

// gitHabits makes of the arguments what cobra reads: 'log -5' is 'log --max-count=5', and
// the -s of cat-file is its size.
func gitHabits(args []string) []string {
	return catFileSize(countFlag(args))
}

// countFlag makes the -<n> of log and reflog the flag --max-count.
func countFlag(args []string) []string {
	command := commandIndex(args)
	if command < 0 || args[command] != "log" && args[command] != "reflog" {
		return args
	}
	args = slices.Clone(args)
	for i := command + 1; i < len(args) && args[i] != "--"; i++ {
		digits, dash := strings.CutPrefix(args[i], "-")
		if dash && digits != "" && strings.Trim(digits, "0123456789") == "" {
			args[i] = "--max-count=" + digits
		}
	}
	return args
}

// catFileModes are the flags that choose what cat-file prints, besides -s.
var catFileModes = []string{"-t", "-p", "-e", "--type", "--print", "--exists", "--batch", "--batch-check", "--size"}

// catFileSize makes the -s of cat-file the flag --size. -s names the session everywhere,
// and the size in git's cat-file; both habits hold: behind 'cat-file' the last -s is the size, unless
// another flag says already what to print.
func catFileSize(args []string) []string {
	command := commandIndex(args)
	if command < 0 || args[command] != "cat-file" {
		return args
	}
	options := args[command+1:]
	if end := slices.Index(options, "--"); end >= 0 {
		options = options[:end]
	}
	size := -1
	for i, arg := range options {
		switch {
		case slices.Contains(catFileModes, arg):
			return args
		case arg == "-s":
			size = command + 1 + i
		}
	}
	if size < 0 {
		return args
	}
	args = slices.Clone(args)
	args[size] = "--size"
	return args
}

// commandIndex finds the command's name behind the global flags.
func commandIndex(args []string) int {
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; {
		case arg == "-C", arg == "-s", arg == "--session", arg == "--store", arg == "--directory",
			arg == "--color", arg == "--durability", arg == "--blob-threshold", arg == "--lock-timeout":
			i++
		case !strings.HasPrefix(arg, "-"):
			return i
		}
	}
	return -1
}

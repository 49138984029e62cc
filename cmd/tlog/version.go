package main

import (
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"tlog/cmd/tlog/internal/jsonout"
	"tlog/objects"
)

func newVersionCommand(a *App) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the program's version",
		Args:  noArgs,
		RunE:  func(*cobra.Command, []string) error { return runVersion(a) },
	}
}

func runVersion(a *App) error {
	version, commit := "devel", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		if v := info.Main.Version; v != "" && v != "(devel)" {
			version = v
		}
		for _, setting := range info.Settings {
			if setting.Key == "vcs.revision" {
				commit = setting.Value
			}
		}
	}
	platform := runtime.GOOS + "/" + runtime.GOARCH
	if a.JSON {
		o := new(jsonout.Object).String("version", version).Known("commit", commit)
		o.Int("format", objects.Version).String("go", runtime.Version()).String("platform", platform)
		return a.printJSON(o)
	}
	return a.IO.Out.Printf("tlog %s, log format %d, %s %s\n", version, objects.Version, runtime.Version(), platform)
}

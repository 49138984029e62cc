package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"tlog/cmd/tlog/internal/jsonout"
	"tlog/objects"
	"tlog/store"
)

func newUseCommand(a *App) *cobra.Command {
	var clear bool
	cmd := &cobra.Command{
		Use:   "use [<session> | --clear]",
		Short: "Pin the session that commands take here",
		Long: "Pin a session of the store, by the beginning of its id, as the one that commands take in this project. Without one, show\n" +
			"what is pinned. -s and TLOG_SESSION win over it; if nothing is pinned, the session changed last is taken.\n\n" +
			exitStatus(exitOK, exitUsage, exitNotFound, exitIO),
		Example: "  tlog use 9d2ef1\n  tlog use --clear",
		Args:    operands(0, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			var err error
			switch {
			case clear && len(args) > 0:
				return usagef("use --clear takes no session")
			case clear:
				err = runUseClear(a)
			case len(args) == 0:
				err = runUseShow(a)
			default:
				err = runUse(a, args[0])
			}
			if err != nil {
				return fmt.Errorf("use: %w", err)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&clear, "clear", false, "take the session changed last again")
	return cmd
}

func runUse(a *App, name string) error {
	if _, _, ok := store.AgentName(name); ok || looksLikePath(name) {
		return withHint(usagef("'%s': expected the id of a session of the store", name), "'tlog import FILE' brings a session into the store")
	}
	st, err := a.store()
	if err != nil {
		return err
	}
	info, err := st.Find(a.Cwd, name)
	if err != nil {
		return err
	}
	if err := st.Pin(a.Cwd, info.ID); err != nil {
		return err
	}
	return printPinned(a, info)
}

func runUseClear(a *App) error {
	st, err := a.store()
	if err != nil {
		return err
	}
	was, err := st.Unpin(a.Cwd)
	switch {
	case err != nil:
		return err
	case a.JSON:
		return printPinned(a, store.Info{})
	case !was:
		a.note("no session was pinned here")
	}
	return nil
}

func runUseShow(a *App) error {
	st, err := a.store()
	if err != nil {
		return err
	}
	id, err := st.Pinned(a.Cwd)
	if err != nil {
		return hintUnpin(err)
	}
	if id == "" {
		if a.JSON {
			return printPinned(a, store.Info{})
		}
		a.note("no session is pinned here; commands take the one changed last")
		return nil
	}
	info, err := st.Current(a.Cwd)
	if err != nil {
		return hintUnpin(err)
	}
	return printPinned(a, info)
}

func printPinned(a *App, info store.Info) error {
	if a.JSON {
		return a.printJSON(new(jsonout.Object).ID("session", info.ID).Known("file", info.File))
	}
	if info.Name == "" {
		return a.IO.Out.Printf("%s\n", info.ID)
	}
	return a.IO.Out.Printf("%s  %s\n", info.ID, info.Name)
}

// hintUnpin says how to get rid of a pin that leads nowhere.
func hintUnpin(err error) error {
	var gone *store.PinError
	if errors.As(err, &gone) || errors.Is(err, objects.ErrInvalid) {
		return withHint(err, "'tlog use --clear' takes the session changed last again, 'tlog use SESSION' pins another one")
	}
	return err
}

// notePinned says that a session just made, in the folder of a project, is not the one that commands take there.
func (a *App) notePinned(made objects.ID, file string) {
	st, err := a.store()
	if err != nil || !st.InProject(a.Cwd, file) {
		return
	}
	if pinned, err := st.Pinned(a.Cwd); err == nil && pinned != "" && pinned != made {
		a.note("session %s is pinned here and goes before it; 'tlog use %s' or 'tlog use --clear' changes that", pinned, made)
	}
}

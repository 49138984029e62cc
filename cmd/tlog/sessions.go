package main

import (
	"cmp"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tlog/cmd/tlog/internal/dates"
	"tlog/cmd/tlog/internal/view"
	"tlog/objects"
	"tlog/store"
)

type sessionsOptions struct {
	all       bool
	worktrees bool
	project   string
	agent     string
	tree      bool
	subagents bool
	since     string
	sort      string
	reverse   bool
	limit     int
}

// sessionOrders are the orders of --sort; the first is the default.
var sessionOrders = []struct {
	name    string
	compare func(a, b store.Info) int
}{
	{"modified", func(a, b store.Info) int { return b.Modified.Compare(a.Modified) }},
	{"created", func(a, b store.Info) int { return b.Created.Compare(a.Created) }},
	{"size", func(a, b store.Info) int { return cmp.Compare(b.Size, a.Size) }},
	{"name", func(a, b store.Info) int {
		return strings.Compare(strings.ToLower(sessionTitle(a)), strings.ToLower(sessionTitle(b)))
	}},
}

func newSessionsCommand(a *App) *cobra.Command {
	var opt sessionsOptions
	cmd := &cobra.Command{
		Use:   "sessions [--all | --project <dir-or-name> | --worktrees] [--tree] [--agent <agent>]",
		Short: "List the sessions of this project",
		Long: "List the sessions of this project, or of others, those changed last first: id, age, agent, branch, entries, size, name or\n" +
			"first prompt. What is not at the two ends of a long file is left out; 'tlog status' reads all of it.\n\n" +
			exitStatus(exitOK, exitUsage, exitNotFound, exitIO),
		Example: "  tlog sessions\n  tlog sessions --all --since '2 weeks ago' --sort size -n 20\n  tlog sessions --tree --worktrees",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := errors.Join(checkExclusive(cmd, "all", "project", "worktrees"), checkExclusive(cmd, "agent", "project"),
				checkExclusive(cmd, "agent", "worktrees"), checkExclusive(cmd, "agent", "tree")); err != nil {
				return err
			}
			return runSessions(a, opt)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&opt.all, "all", false, "of all projects")
	flags.StringVar(&opt.project, "project", "", "of the project of a `folder`, or whose name ends so")
	flags.StringVar(&opt.agent, "agent", "", "those that an `agent` keeps in its own folder, in the store or not: "+agentNames())
	flags.BoolVar(&opt.worktrees, "worktrees", false, "of all worktrees of this git repository")
	flags.BoolVar(&opt.tree, "tree", false, "forks under the sessions that they were made of")
	flags.BoolVar(&opt.subagents, "subagents", false, "those of subagents too")
	flags.StringVar(&opt.since, "since", "", "only those changed on `date` or later: 2026-11-30, '2 weeks ago', yesterday")
	flags.StringVar(&opt.sort, "sort", sessionOrders[0].name, "the `order`: modified, created, size (newest and largest first) or name")
	flags.BoolVarP(&opt.reverse, "reverse", "r", false, "turn the order round")
	flags.IntVarP(&opt.limit, "number", "n", 0, "the first `n` only")
	return cmd
}

func runSessions(a *App, opt sessionsOptions) error {
	// A listing keeps little and throws much away; collecting that as often as usual takes a fifth of its time.
	defer debug.SetGCPercent(debug.SetGCPercent(listingGCPercent))
	list, err := pickSessions(a, opt)
	if err != nil {
		return err
	}
	rows := flatRows(list)
	if opt.tree {
		st, err := a.store()
		if err != nil {
			return err
		}
		if rows, err = treeRows(st, list); err != nil {
			return fmt.Errorf("sessions: %w", err)
		}
	}
	if opt.limit > 0 {
		rows = rows[:min(opt.limit, len(rows))]
	}
	switch {
	case len(rows) > 0 || a.JSON:
	case opt.agent != "":
		a.note("no sessions of %s; --all lists those of all folders", opt.agent)
	default:
		a.note("no sessions; 'tlog new' begins one, 'tlog import FILE' brings one in")
	}
	a.page()
	for _, row := range rows {
		row.state = sourceState(a, row.info.Source)
		if a.JSON {
			err = a.printJSON(row.object())
		} else {
			err = row.print(a, opt.all || opt.worktrees)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// listingGCPercent lets the heap of a listing of 10,000 sessions grow to some 30 MB.
const listingGCPercent = 400

// pickSessions finds the sessions to list, in their order.
func pickSessions(a *App, opt sessionsOptions) ([]store.Info, error) {
	var since time.Time
	if opt.since != "" {
		var err error
		if since, err = dates.Parse(opt.since, a.Now()); err != nil {
			return nil, usagef("--since: %w", err)
		}
	}
	order := slices.IndexFunc(sessionOrders, func(o struct {
		name    string
		compare func(a, b store.Info) int
	}) bool {
		return o.name == opt.sort
	})
	switch {
	case order < 0:
		return nil, usagef("--sort '%s': expected 'modified', 'created', 'size' or 'name'", opt.sort)
	case opt.limit < 0:
		return nil, usagef("-n %d: expected a number above 0", opt.limit)
	}
	list, err := listSessions(a, opt)
	if err != nil {
		return nil, fmt.Errorf("sessions: %w", err)
	}
	list = slices.DeleteFunc(list, func(info store.Info) bool {
		return info.Subagent && !opt.subagents || info.Modified.Before(since)
	})
	slices.SortStableFunc(list, sessionOrders[order].compare)
	if opt.reverse {
		slices.Reverse(list)
	}
	return list, nil
}

// listSessions lists the sessions of the projects that are asked for.
func listSessions(a *App, opt sessionsOptions) ([]store.Info, error) {
	st, err := a.store()
	if err != nil {
		return nil, err
	}
	skipped := func(file string, err error) { a.note("not a session: %v", err) }
	var projects []string
	switch {
	case opt.agent != "":
		return agentSessions(a, st, opt, skipped)
	case opt.all:
		return st.Sessions("", skipped)
	case opt.project != "":
		projects, err = projectFolders(a, st, opt.project)
	case opt.worktrees:
		if store.Repository(a.Cwd) == "" {
			return nil, fmt.Errorf("git repository at or above %s: %w", a.Cwd, objects.ErrNotFound)
		}
		projects, err = st.Worktrees(a.Cwd)
	default:
		return st.Sessions(a.Cwd, skipped)
	}
	if err != nil {
		return nil, err
	}
	return st.SessionsIn(projects, skipped)
}

// agentSessions lists what an agent keeps of this project, or of all folders.
func agentSessions(a *App, st *store.Store, opt sessionsOptions, skipped func(string, error)) ([]store.Info, error) {
	named, err := agentsNamed(opt.agent)
	if err != nil {
		return nil, err
	}
	list, err := store.AgentSessions(named[0], a.env, skipped)
	if err != nil && len(list) == 0 {
		return nil, err
	} else if err != nil {
		a.note("%v", err)
	}
	if opt.all {
		return list, nil
	}
	here, err := st.Folders(a.Cwd)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(list, func(info store.Info) bool {
		name, _, err := store.Project(info.Cwd)
		return err != nil || !slices.Contains(here, name)
	}), nil
}

// projectFolders are the folders of a project that is named by its working folder or by a name.
func projectFolders(a *App, st *store.Store, name string) ([]string, error) {
	path := a.path(name)
	if strings.ContainsAny(name, `/\`) || name == "." || name == ".." || isFolder(path) {
		return st.Folders(path)
	}
	project, err := st.FindProject(name)
	if err != nil {
		return nil, withHint(err, "'tlog project' lists the projects")
	}
	return []string{project}, nil
}

// sessionTitle is what a session is called: its name, else its first prompt.
func sessionTitle(info store.Info) string {
	if info.Name != "" {
		return info.Name
	}
	if info.Agent != "" {
		return view.WithoutPasteTags(info.FirstPrompt)
	}
	return info.FirstPrompt
}

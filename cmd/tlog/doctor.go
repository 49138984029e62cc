package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"tlog/agents"
	"tlog/agents/transcript"
	"tlog/log"
	"tlog/store"
)

type doctorOptions struct {
	agent string
	quick bool
}

// soon is how long before an agent deletes a transcript doctor warns.
const soon = 7 * 24 * time.Hour

func newDoctorCommand(a *App) *cobra.Command {
	var opt doctorOptions
	cmd := &cobra.Command{
		Use:   "doctor [--agent <agent>] [--quick]",
		Short: "Look after what the agents of this machine keep",
		Long: "Say which agents are here, where they keep sessions, which of these are not in the store yet or have gone on since, which\n" +
			"are gone there and kept here, which the agent's own clean-up deletes within a week, and which are damaged or have gaps. Each\n" +
			"transcript is read through once for that; --quick leaves it out. Nothing is changed.\n\n" +
			"The answer is 1 if something needs care: sessions that are not in the store as they are, damaged ones, and what cannot be read.\n\n" +
			exitStatus(exitOK, exitNo, exitUsage, exitIO, exitInterrupted),
		Example: "  tlog doctor\n  tlog doctor --agent claude --quick --json",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runDoctor(cmd.Context(), a, opt) },
	}
	cmd.Flags().StringVar(&opt.agent, "agent", "", "only this `agent`: "+agentNames())
	cmd.Flags().BoolVar(&opt.quick, "quick", false, "do not read transcripts through")
	return cmd
}

func runDoctor(ctx context.Context, a *App, opt doctorOptions) error {
	chosen, err := agentsNamed(opt.agent)
	if err != nil {
		return err
	}
	st, err := a.store()
	if err != nil {
		return err
	}
	kept, err := st.Sessions("", func(string, error) {}) // what is wrong with the store's own files is told by fsck
	if err != nil {
		return fmt.Errorf("doctor: %w", err)
	}
	healthy := true
	var wanting []string
	for _, agent := range chosen {
		found, err := examine(ctx, a, st, agent, kept, opt.quick)
		if err != nil {
			return fmt.Errorf("doctor: %w", err)
		}
		if a.JSON {
			err = a.printJSON(found.object())
		} else {
			err = found.print(a)
		}
		if err != nil {
			return err
		}
		healthy = healthy && !found.needsCare()
		if len(found.missing)+len(found.changed) > 0 {
			wanting = append(wanting, agent.Name())
		}
	}
	if err := a.adviseImport(wanting); err != nil {
		return err
	}
	if !healthy {
		return errNo
	}
	return nil
}

// adviseImport names the command that brings in what agents have and the store has not.
func (a *App) adviseImport(wanting []string) error {
	command := "tlog import --all"
	switch len(wanting) {
	case 0:
		return nil
	case 1:
		command = "tlog import --agent " + wanting[0] + " --all"
	}
	if a.JSON {
		return nil
	}
	return a.IO.Out.Printf("'%s' brings in what is not in the store\n", command)
}

// examination is what was found out about an agent.
type examination struct {
	agent   agents.Agent
	folder  string
	here    bool
	quick   bool
	cleanUp transcript.CleanUp
	errs    []error // of what could not be looked at

	sessions, subagents int
	size                int64
	stored              int              // as they are
	copies              []store.Surveyed // older ones, at other paths, of what is stored
	missing             []store.Surveyed
	changed             []store.Surveyed // since they were imported
	gone                []store.Info
	expiring            []expiry
	damaged             []damagedFile
	broken              []brokenFile
	unread              map[string]bool // paths of transcripts of which an error was told
}

// expiry is a session that the agent will delete.
type expiry struct {
	store.Surveyed
	at time.Time // zero for the next start of the agent
}

// damagedFile is a transcript with lines that hold no whole object, or something around one.
type damagedFile struct {
	path   string
	faults []log.Damage // the first ones
	total  int
}

// brokenFile is a transcript whose rows do not hang together. The agent itself writes such ones, so it is no damage.
type brokenFile struct {
	path string
	breaks
}

// needsCare reports whether somebody has to do something about what was found.
func (x *examination) needsCare() bool {
	return len(x.errs)+len(x.missing)+len(x.changed)+len(x.damaged) > 0
}

package files

import (
	"slices"
	"strings"

	"tlog/agents"
	"tlog/log"
	"tlog/objects"
)

// walk goes along a path and hands calls with their results to the replay.
type walk struct {
	replay *Replay
	log    *log.Log
	open   map[string]*openCall // by call id
	cwd    string
}

// openCall is a call without its result.
type openCall struct {
	block objects.Block
	agent string
	at    int
	cwd   string
	holes bool // strings of it lie in blobs that cannot be read
	told  bool // it was taken for one that stays without a result
}

// entry takes in what an entry holds. A call counts where its result is: the results of parallel calls stand in the order in which they ended.
func (w *walk) entry(i int) error {
	record := w.log.Record(i)
	if record.Type != objects.TypeMessage {
		return nil
	}
	e, err := w.log.Entry(i)
	if err != nil {
		return err
	}
	m, ok := agents.Message(e)
	if !ok {
		return nil
	}
	holes := false
	if record.Blobs && slices.ContainsFunc(m.Blocks, isTool) {
		if e, err = w.log.Whole(i); err != nil {
			if e.Raw == nil {
				return err
			}
			holes = true
		}
		m, _ = agents.Message(e)
	}
	if slices.ContainsFunc(m.Blocks, isTool) {
		w.takeCwd(e)
	}
	switch {
	case m.Role == objects.RoleBash && len(m.Blocks) > 0:
		return w.replay.use(&deed{entry: i, result: i, tool: m.Role, cwd: w.cwd, use: objects.ToolUse{Command: m.Blocks[0].Text}})
	case m.Note == "command":
		if command := typedCommand(m.Text()); command != "" {
			return w.replay.use(&deed{entry: i, result: i, tool: "shell", cwd: w.cwd, use: objects.ToolUse{Command: command}})
		}
	case m.Prompt():
		w.replay.pause()
		if err := w.unanswered(); err != nil { // a model is not asked again before it has its results
			return err
		}
	}
	for _, b := range m.Blocks {
		switch b.Kind {
		case objects.BlockToolCall:
			w.open[b.CallID] = &openCall{block: b, agent: e.Agent, at: i, cwd: w.cwd, holes: holes}
		case objects.BlockToolResult:
			if err := w.result(i, b, e, holes); err != nil {
				return err
			}
		}
	}
	return nil
}

func isTool(b objects.Block) bool {
	return b.Kind == objects.BlockToolCall || b.Kind == objects.BlockToolResult
}

// typedCommand is the command that a user ran, of a text in which the agent's program tells of it.
func typedCommand(text string) string {
	for _, tag := range []string{"bash-input", "command"} {
		if _, rest, found := strings.Cut(text, "<"+tag+">"); found {
			command, _, _ := strings.Cut(rest, "</"+tag+">")
			return strings.TrimSpace(command)
		}
	}
	return ""
}

// takeCwd takes over the working folder that a line of an agent names.
func (w *walk) takeCwd(e objects.Entry) {
	if !e.Foreign() {
		return
	}
	if cwd := objects.StringOf(objects.MemberOf(e.SourceObject(), "cwd")); cwd != "" {
		w.cwd = cwd
	}
}

// result takes in the result of a call.
func (w *walk) result(i int, b objects.Block, e objects.Entry, holes bool) error {
	c, ok := w.open[b.CallID]
	if !ok {
		return nil
	}
	delete(w.open, b.CallID)
	return w.replay.use(&deed{
		entry: c.at, result: i, tool: c.block.Name, cwd: c.cwd, use: agents.ToolUse(c.agent, c.block, b, e), holes: holes || c.holes,
	})
}

// unanswered takes in the calls of which nobody knows how they ended, at the end of their turn. Each may have done what it asks for.
func (w *walk) unanswered() error {
	var calls []*openCall
	for _, c := range w.open {
		if !c.told {
			calls = append(calls, c)
			c.told = true
		}
	}
	slices.SortFunc(calls, func(a, b *openCall) int {
		if a.at != b.at {
			return a.at - b.at
		}
		return strings.Compare(a.block.CallID, b.block.CallID)
	})
	for _, c := range calls {
		use := agents.ToolUse(c.agent, c.block, objects.Block{}, objects.Entry{})
		if err := w.replay.use(&deed{entry: c.at, result: log.None, tool: c.block.Name, cwd: c.cwd, use: use}); err != nil {
			return err
		}
	}
	return nil
}

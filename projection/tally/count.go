package tally

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"tlog/agents"
	"tlog/log"
	"tlog/objects"
	"tlog/projection"
)

// counter adds up entries, in the order of the path.
type counter struct {
	log      *log.Log
	sum      Tally
	usage    projection.UsageCount
	calls    map[string]pendingCall // without a result so far, by the id of the call
	tools    map[string]*ToolCount
	files    fileCounts
	models   map[[2]string]int // the place in sum.Models
	replies  map[string]struct{}
	previous time.Time
	unseen   time.Duration // that something ran since the last entry that log shows
}

// pendingCall is a call whose result has not come.
type pendingCall struct {
	block objects.Block
	agent string
}

func newCounter(l *log.Log) *counter {
	return &counter{
		log: l, calls: map[string]pendingCall{}, tools: map[string]*ToolCount{}, files: fileCounts{},
		models: map[[2]string]int{}, replies: map[string]struct{}{},
	}
}

// add counts one entry.
func (c *counter) add(at int) error {
	r := c.log.Record(at)
	if !r.Tree() {
		return nil
	}
	if err := c.usage.Add(c.log, at); err != nil {
		return err
	}
	if r.Visible() {
		c.sum.Entries++
	}
	if r.Type == objects.TypeCompaction {
		c.sum.Compactions++
	}
	e, m, ok, err := c.log.MessageAt(at)
	if err != nil {
		return err
	}
	if ok && r.Blobs { // what a runner said, or a user pasted, may lie in one
		if whole, err := c.log.Whole(at); whole.Raw != nil {
			e = whole
			m, ok = c.log.Message(whole)
		} else if err != nil {
			return err
		}
	}
	prompt := ok && !r.Hidden && m.Prompt()
	c.time(e.Timestamp, r.Visible(), prompt)
	if !ok {
		return nil
	}
	if prompt {
		c.sum.Turns++
		c.sum.Words += words(m)
	}
	c.reply(m, e, r.ID)
	if m.Role == objects.RoleBash {
		c.userCommand(m)
	}
	for _, b := range m.Blocks {
		switch b.Kind {
		case objects.BlockToolCall:
			c.call(b, e.Agent)
		case objects.BlockToolResult:
			c.result(b, e)
		}
	}
	return nil
}

// words counts what the user wrote.
func words(m objects.Message) (n int) {
	for _, b := range m.Blocks {
		if b.Kind == objects.BlockText {
			n += len(strings.Fields(b.Text))
		}
	}
	return n
}

// userCommand counts a command that the user ran beside the conversation.
func (c *counter) userCommand(m objects.Message) {
	c.sum.Commands++
	code := string(objects.MemberOf(m.Raw, "exitCode"))
	if string(objects.MemberOf(m.Raw, "cancelled")) == "true" || code != "" && code != "null" && code != "0" {
		c.sum.CommandsBad++
	}
	if len(m.Blocks) > 1 {
		c.sum.Tests.take(m.Blocks[1].Text)
	}
}

// reply counts the models; the lines of one reply, and what was brought over beside its origin, count once.
func (c *counter) reply(m objects.Message, e objects.Entry, entry objects.ID) {
	if m.Role != objects.RoleAssistant || m.Model == "" || m.Note != "" {
		return
	}
	id := "entry " + string(entry)
	if m.ReplyID != "" {
		id = "reply " + m.ReplyID
	} else if origin := e.Origin(); origin != "" {
		id = "entry " + string(origin)
	}
	if _, again := c.replies[id]; again {
		return
	}
	c.replies[id] = struct{}{}
	key := [2]string{m.Provider, m.Model}
	at, ok := c.models[key]
	if !ok {
		at = len(c.sum.Models)
		c.models[key] = at
		c.sum.Models = append(c.sum.Models, ModelCount{Provider: m.Provider, Model: m.Model})
	}
	c.sum.Models[at].Replies++
}

func (c *counter) call(b objects.Block, agent string) {
	t := c.tools[b.Name]
	if t == nil {
		t = &ToolCount{Name: b.Name}
		c.tools[b.Name] = t
	}
	t.Calls++
	if old, ok := c.calls[b.CallID]; ok { // two calls of one id: the older one stays without a result
		c.open(old)
	}
	c.calls[b.CallID] = pendingCall{block: b, agent: agent}
}

// result counts what a call did. The result of a call that is not counted, as one of the common part, is not counted either.
func (c *counter) result(b objects.Block, row objects.Entry) {
	call, ok := c.calls[b.CallID]
	if !ok {
		return
	}
	delete(c.calls, b.CallID)
	use := agents.ToolUse(call.agent, call.block, b, row)
	if use.Failed {
		c.tools[call.block.Name].Failed++
	}
	if use.Command != "" {
		c.sum.Commands++
		if use.Failed {
			c.sum.CommandsBad++
		}
		c.sum.Tests.take(b.Text)
	}
	cwd := c.log.Header().Cwd
	for _, op := range use.Files {
		if op.Path != "" {
			c.files.add(within(cwd, use.Cwd, op.Path), within(cwd, use.Cwd, op.To), op, use.Failed)
		}
	}
}

// open counts a call that has no result.
func (c *counter) open(call pendingCall) {
	c.tools[call.block.Name].Pending++
	if agents.ToolUse(call.agent, call.block, objects.Block{}, objects.Entry{}).Command != "" {
		c.sum.Commands++
		c.sum.CommandsOpen++
	}
}

// time counts the time to an entry. What lies before a prompt is the user's, whatever an agent's program wrote meanwhile.
func (c *counter) time(timestamp string, visible, prompt bool) {
	at, err := time.Parse(time.RFC3339Nano, timestamp)
	if err != nil {
		return
	}
	gap := at.Sub(c.previous)
	if c.previous.IsZero() || gap < 0 || gap > PauseAfter {
		gap = 0
	}
	c.previous = at
	c.unseen += gap
	if !visible {
		return
	}
	first := c.sum.First.IsZero()
	if !first && !prompt {
		c.sum.Active += c.unseen
	}
	c.unseen = 0
	if first || at.Before(c.sum.First) {
		c.sum.First = at
	}
	if first || at.After(c.sum.Last) {
		c.sum.Last = at
	}
	c.sum.Timed = !first
}

// finish gives the sums.
func (c *counter) finish(opt Options) Tally {
	for _, id := range slices.Sorted(maps.Keys(c.calls)) {
		c.open(c.calls[id])
	}
	sum := c.sum
	sum.Usage = c.usage.Total()
	sum.Wall = sum.Last.Sub(sum.First)
	for _, name := range slices.Sorted(maps.Keys(c.tools)) {
		sum.Tools = append(sum.Tools, *c.tools[name])
	}
	slices.SortStableFunc(sum.Tools, func(a, b ToolCount) int { return cmp.Compare(b.Calls, a.Calls) })
	counts := c.files
	if opt.Changes != nil {
		counts = opt.Changes.counts
	}
	sum.Files = counts.sorted(opt.Files)
	return sum
}

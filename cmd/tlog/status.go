package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tlog/checkout"
	"tlog/cmd/tlog/internal/jsonout"
	"tlog/cmd/tlog/internal/terminal"
	"tlog/cmd/tlog/internal/view"
	"tlog/log"
	"tlog/objects"
	"tlog/projection"
	"tlog/refs"
	"tlog/store"
)

func newStatusCommand(a *App) *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "Show where the session stands",
		Long: "Show the session, where HEAD is, and the state that an agent would resume with.\n\n" +
			exitStatus(exitOK, exitUsage, exitNotFound, exitCorrupt),
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error { return runStatus(a) },
	}
}

// sessionStatus is what status tells.
type sessionStatus struct {
	session *checkout.Session
	context *projection.Context
	entries int              // tree entries of the log
	visible int              // of HEAD's path, less what is undone
	newest  int              // of visible, or log.None
	skipped int              // undone on HEAD's path
	tokens  projection.Usage // of all branches
	level   string           // of thinking, that an agent would resume with; empty if none is recorded
	effort  string           // that the model's newest reply on HEAD's path was asked for; empty if not recorded
	behind  string
	source  checkout.SourceMark // of an import
	state   store.SourceState
	// subagents are the ids of the sessions that this one's subagents made; nil if not known.
	subagents []string
}

func readStatus(s *checkout.Session) (*sessionStatus, error) {
	head := s.Refs.Head()
	history, err := refs.NewHistory(s.Log, head.At)
	if err != nil {
		return nil, err
	}
	st := &sessionStatus{session: s, visible: len(history.Visible()), skipped: len(history.Skipped())}
	st.newest, _ = history.Back(0)
	if st.context, err = projection.BuildState(history); err != nil {
		return nil, err
	}
	if st.level, st.effort, err = thinkingOf(s, history); err != nil {
		return nil, err
	}
	var used projection.UsageCount
	if err := used.AddAll(s.Log); err != nil {
		return nil, err
	}
	for at := range s.Log.Len() {
		if s.Log.Record(at).Tree() {
			st.entries++
		}
	}
	st.tokens = used.Total()
	st.behind = trackingNote(s.Refs)
	st.source, err = store.SourceOf(s)
	return st, err
}

// trackingNote says how far the source of an import has gone on without HEAD's branch.
func trackingNote(s *refs.State) string {
	h := s.Log().Header()
	if h.Agent == "" {
		return ""
	}
	branch, ok := s.Branch(h.Agent)
	head := s.Head()
	if !ok || head.At == branch.At || head.At == log.None {
		return ""
	}
	l := s.Log()
	base := l.CommonAncestor(head.At, branch.At)
	count := func(tip int) (n int) {
		for at := tip; at != base && at != log.None; at = l.Record(at).Parent {
			if l.Record(at).Visible() {
				n++
			}
		}
		return n
	}
	ahead := count(branch.At)
	if ahead == 0 {
		return ""
	}
	return fmt.Sprintf("'%s' has gone on by %d %s since", branch.Name, ahead, plural(ahead, "entry", "entries"))
}

func runStatus(a *App) error {
	s, err := a.session()
	if err != nil {
		return err
	}
	defer s.Close()
	st, err := readStatus(s)
	if err != nil {
		return fmt.Errorf("status: %w", err)
	}
	st.state = sourceState(a, st.source)
	if st.subagents, err = subagentsOf(a, s); err != nil {
		return fmt.Errorf("status: %w", err)
	}
	if a.JSON {
		return a.printJSON(st.object())
	}
	return st.print(a.IO.Out)
}

func (st *sessionStatus) object() *jsonout.Object {
	s, h, c := st.session, st.session.Log.Header(), st.context
	o := new(jsonout.Object).ID("session", h.ID).String("file", s.Log.Path()).Known("cwd", h.Cwd)
	o.Known("name", s.Refs.Name()).Known("agent", h.Agent).Int("version", int64(s.Log.Version()))
	o.Object("head", headObject(s.Refs))
	var branches jsonout.Array
	for _, b := range s.Refs.Branches() {
		branches.Object(new(jsonout.Object).String("name", b.Name).ID("id", idAt(s.Log, b.At)))
	}
	o.Array("branches", branches).Int("entries", int64(st.entries)).Int("total", int64(s.Entries())).Int("skipped", int64(st.skipped))
	o.Int("damaged", int64(len(s.Log.Damaged()))).Raw("model", knownModel(c.Model)).Known("thinkingLevel", st.level)
	o.Known("effort", st.effort).Object("compaction", compactionObject(s.Log, c.Compaction)).Strings("queue", c.Queue)
	o.Known("parentSession", h.ParentSession).ID("parentEntry", h.ParentEntry)
	if st.subagents == nil {
		o.Raw("subagents", nil)
	} else {
		o.Strings("subagents", st.subagents)
	}
	return o.Object("source", sourceObject(st.source, st.state)).Object("tokens", tokensObject(st.tokens))
}

// compactionObject is the compaction that a context is seen through, nil if there is none.
func compactionObject(l *log.Log, c *projection.Compaction) *jsonout.Object {
	if c == nil {
		return nil
	}
	o := new(jsonout.Object).ID("id", idAt(l, c.At)).ID("firstKeptEntryId", c.FirstKeptEntryID)
	return o.Int("kept", int64(c.Kept)).Int("dropped", int64(c.Dropped)).Raw("tokensBefore", c.TokensBefore)
}

func (st *sessionStatus) print(out *terminal.Writer) error {
	s, h, c := st.session, st.session.Log.Header(), st.context
	head := s.Refs.Head()
	switch {
	case head.Detached():
		out.Println(terminal.Red.Paint("HEAD detached at " + s.Log.Short(head.At)))
	case head.At == log.None:
		out.Printf("On branch %s, no entry yet\n", terminal.Green.Paint(head.Branch))
	default:
		out.Printf("On branch %s at %s\n", terminal.Green.Paint(head.Branch), s.Log.Short(standsAt(s.Log, head.At, st.newest)))
	}
	row := func(key, format string, args ...any) {
		out.Printf("  %-10s "+format+"\n", append([]any{key}, args...)...)
	}
	row("session", "%s", h.ID)
	if name := s.Refs.Name(); name != "" {
		row("name", "%s", name)
	}
	row("file", "%s", s.Log.Path())
	if h.Cwd != "" {
		row("cwd", "%s", h.Cwd)
	}
	if h.ParentSession != "" {
		relation, parent := originWords(h)
		row(relation, "%s", parent)
	}
	row("entries", "%s, %d shown on this branch, %d undone", st.entryWords(), st.visible, st.skipped)
	if words := st.modelWords(); words != "" {
		row("model", "%s", words)
	}
	if c.Compaction != nil {
		n := c.Compaction.Dropped
		row("compaction", "%s stands for %d %s", s.Log.Short(c.Compaction.At), n, plural(n, "entry", "entries"))
	}
	if st.tokens.Recorded {
		row("tokens", "%s  (whole session)", tokensText(st.tokens))
	} else {
		row("tokens", "not recorded")
	}
	if len(c.Queue) > 0 {
		row("queue", "%d waiting", len(c.Queue))
	}
	if len(st.subagents) > 0 {
		row("subagents", "%s", subagentsText(st.subagents))
	}
	if st.behind != "" {
		row("import", "%s", st.behind)
	}
	if h.Agent != "" && st.behind == "" {
		row("agent", "%s", h.Agent)
	}
	if st.state != store.SourceUnknown {
		row("source", "%s (%s)", st.source.Path, string(st.state))
	}
	if v := s.Log.Version(); v != objects.Version {
		row("version", "%d", v)
	}
	if n := len(s.Log.Damaged()); n > 0 {
		out.Println(terminal.Red.Paint(fmt.Sprintf("  %d damaged %s; 'tlog fsck' tells more", n, plural(n, "line", "lines"))))
	}
	return out.Err()
}

// entryWords are how many entries there are: all that an import counts, and those of the history where they are fewer.
func (st *sessionStatus) entryWords() string {
	if total := st.session.Entries(); total != st.entries {
		return fmt.Sprintf("%d %s, %d of the history", total, plural(total, "entry", "entries"), st.entries)
	}
	return fmt.Sprintf("%d in the log", st.entries)
}

// modelWords are the model, and how much it thinks as far as that is recorded.
func (st *sessionStatus) modelWords() string {
	var words []string
	if model := modelText(st.context.Model); model != "" {
		words = append(words, model)
	}
	if st.level != "" {
		words = append(words, "thinking "+st.level)
	}
	if st.effort != "" {
		words = append(words, "effort "+st.effort)
	}
	return strings.Join(words, ", ")
}

// thinkingOf walks back from the end of a path to what last set the level of thinking, and to the newest reply of a model, which in an agent's
// line tells the effort that it was asked for.
func thinkingOf(s *checkout.Session, history *refs.History) (level, effort string, err error) {
	replied := s.Log.Header().Agent == "" // no reply of a session of tlog's own tells an effort
	for _, at := range slices.Backward(history.Path()) {
		r := s.Log.Record(at)
		isLevel := r.Type == objects.TypeThinkingLevel && level == ""
		isReply := r.Type == objects.TypeMessage && !replied
		if !isLevel && !isReply || history.SkippedBy(at) != log.None {
			continue
		}
		v, err := view.New(s.Refs, at, false)
		if err != nil {
			return "", "", err
		}
		switch {
		case isLevel:
			level, _ = v.Entry.Text("thinkingLevel")
		case v.Message.Role == objects.RoleAssistant && (v.Message.Model != "" || !r.Foreign):
			effort, replied = v.Effort(), true
		}
	}
	return level, effort, nil
}

// knownModel is a context's model, nil if nothing of it is recorded.
func knownModel(model []byte) []byte {
	if bytes.Equal(model, []byte("{}")) {
		return nil
	}
	return model
}

// modelText is a model as provider/id.
func modelText(model []byte) string {
	var provider, id string
	objects.Scan(model, func(m objects.Member) {
		s, _ := objects.Unquote(m.Value)
		switch {
		case m.Is("provider"):
			provider = s
		case m.Is("modelId"):
			id = s
		}
	})
	if provider == "" {
		return id
	}
	return provider + "/" + id
}

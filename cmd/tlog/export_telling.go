package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"tlog/agents"
	"tlog/agents/transcript"
	"tlog/checkout"
	"tlog/cmd/tlog/internal/jsonout"
	"tlog/log"
	"tlog/objects"
	"tlog/projection"
	"tlog/store"
)

// telling is an export of a session to an agent.
type telling struct {
	app     *App
	session *checkout.Session
	opt     toOptions
	agent   agents.Target
	missing bool // take placeholders for blobs that are missing
	rev     int  // the entry that was asked for

	// verbatim: the entries are told one by one, else what the model is sent.
	verbatim bool
	export   transcript.Export // Session, Now, Cwd and Name of it count for a conversation too
	messages []transcript.Message
	lost     []transcript.Repair
	undone   int

	report transcript.Report
	asked  objects.ID // the entry that was asked for
	at     objects.ID // the one that it ends at
	file   string
}

// newTelling prepares the export of the path to HEAD or to the revision in args.
func newTelling(a *App, s *checkout.Session, args []string, opt toOptions, name string, missing bool) (*telling, error) {
	agent, err := opt.target()
	if err != nil {
		return nil, err
	}
	t := &telling{app: a, session: s, opt: opt, agent: agent, missing: missing}
	if t.rev, err = a.revision(s, args); err != nil {
		return nil, err
	}
	id, err := s.NewID()
	if err != nil {
		return nil, err
	}
	t.export = transcript.Export{
		Session: id, From: s.Log.Header().ID, Now: a.Now(), OldCwd: s.Log.Header().Cwd, Name: name, NoImages: opt.noImages,
	}
	if t.export.MaxImage, err = parseSize(opt.maxImage); err != nil {
		return nil, usagef("--max-image: %w", err)
	}
	if t.export.Cwd, err = a.newCwd(opt.cwd, t.export.OldCwd); err != nil {
		return nil, err
	}
	return t, t.choose()
}

// revision is the entry of the session that args name, HEAD's without any.
func (a *App) revision(s *checkout.Session, args []string) (int, error) {
	if len(args) == 0 {
		return s.Refs.Head().At, nil
	}
	rev, err := a.resolver(s).ResolveTree(args[0])
	if err != nil {
		return log.None, err
	}
	if rev.State != s.Refs {
		return log.None, withHint(usagef("'%s' lies in another session", args[0]), "name that session with -s")
	}
	return rev.At, nil
}

// choose decides how the session is told: its own lines to the agent that wrote them, entries of tlog's own to one that takes them, all else
// as a conversation (docs/hand-off.md).
func (t *telling) choose() error {
	told, verbatim, err := t.entries()
	switch {
	case errors.Is(err, objects.ErrRefused) && !verbatim:
		return t.converse()
	case err != nil:
		return err
	case !verbatim:
		return t.converse()
	}
	t.verbatim = true
	t.export.Entries, t.export.Parent, t.undone = told.Entries, told.Parent, told.Undone
	t.ends(told.Asked, told.At)
	return nil
}

// entries are those that the agent takes one by one; verbatim is false if it takes none, or was not to get them so.
func (t *telling) entries() (told checkout.Transcript, verbatim bool, err error) {
	native, takesNative := t.agent.(agents.NativeTarget)
	opt := checkout.TranscriptOptions{Agent: t.agent.Name(), AllowMissing: t.missing}
	if takesNative && native.NativeEntries() {
		if t.opt.asConversation {
			return told, false, nil
		}
		if told, err = t.session.NativeTranscript(t.rev, t.export.Name, opt); err == nil {
			t.export.Name = "" // it is among the entries
		}
		return told, err == nil, err
	}
	told, err = t.session.Transcript(t.rev, opt)
	switch {
	case err != nil:
		return told, false, err
	case told.Own == 0:
		return told, takesNative && !t.opt.asConversation, nil
	case t.opt.asConversation:
		return told, true, usagef("--thinking and --tools are for sessions of another agent: this one is of %s itself", t.agent.Name())
	}
	return told, true, nil
}

// converse prepares a conversation.
func (t *telling) converse() error {
	h, err := t.session.Conversation(t.rev, checkout.HandoffOptions{AllowMissing: t.missing, HandoffOptions: projection.HandoffOptions{
		Thinking: t.opt.thinking == "text", AsText: t.opt.tools == "text", MaxImage: t.export.MaxImage, NoImages: t.export.NoImages,
	}})
	if err != nil {
		return err
	}
	t.verbatim, t.messages, t.lost, t.undone = false, h.Messages, h.Lost, h.Undone
	if t.export.Name == "" {
		t.export.Name = t.session.Refs.Name()
	}
	t.ends(h.Asked, h.At)
	return nil
}

func (t *telling) ends(asked, at int) {
	t.asked, t.at = idAt(t.session.Log, asked), idAt(t.session.Log, at)
}

// write writes the transcript.
func (t *telling) write(w io.Writer) (err error) {
	if t.verbatim {
		t.report, err = t.agent.Export(w, t.export)
		if errors.Is(err, objects.ErrRefused) { // and has written nothing
			err = t.converse()
		}
	}
	if err == nil && !t.verbatim {
		x := t.export
		t.report, err = t.agent.WriteConversation(w, transcript.Conversation{Session: x.Session, Now: x.Now, Cwd: x.Cwd, Name: x.Name, Messages: t.messages})
		t.report.Repairs = append(t.lost, t.report.Repairs...)
	}
	if err != nil {
		return err
	}
	if t.report.Messages == 0 {
		return fmt.Errorf("%w: there is no message that %s could go on from", objects.ErrNotFound, t.agent.Name())
	}
	if t.asked != t.at {
		moved := transcript.Repair{Kind: transcript.MovedEnd, ID: t.at, Detail: "the end was moved from " + string(t.asked) + " to the results of its calls"}
		t.report.Repairs = append([]transcript.Repair{moved}, t.report.Repairs...)
	}
	return nil
}

// writeReport lists what the transcript is not as the session is, in the file that --report names.
func (t *telling) writeReport(file string) error {
	if file == "" {
		return nil
	}
	var lines bytes.Buffer
	for _, r := range t.report.Repairs {
		lines.Write(repairObject(r).Bytes())
		lines.WriteByte('\n')
	}
	if file == "-" {
		_, err := t.app.IO.Out.Raw().Write(lines.Bytes())
		return err
	}
	err := store.WriteNew(t.app.path(file), true, func(w io.Writer) error {
		_, err := w.Write(lines.Bytes())
		return err
	})
	if err != nil {
		return fmt.Errorf("--report: %w", err)
	}
	return nil
}

func repairObject(r transcript.Repair) *jsonout.Object {
	return new(jsonout.Object).String("kind", string(r.Kind)).ID("id", r.ID).String("detail", r.Detail)
}

package pi

import (
	"bufio"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/uuid"

	"tlog/agents/transcript"
	"tlog/objects"
)

// sessionVersion is the version of the files that are written here.
const sessionVersion = "3"

// WriteConversation implements transcript.ConversationWriter: a session file of version 3.
func (Agent) WriteConversation(w io.Writer, c transcript.Conversation) (transcript.Report, error) {
	f := newFile(w, c.Now)
	f.header(c.Session, c.Cwd, "")
	for _, m := range c.Messages {
		when := m.Time
		if when.IsZero() {
			when = c.Now
		}
		f.entry(objects.TypeMessage, m.ID, stamp(when), objects.Field{Key: "message", Value: messageOf(m, c.Now)})
		f.report.Messages++
	}
	f.name(c.Session, c.Name)
	return f.finish()
}

// file writes the lines of a session file.
type file struct {
	w      *bufio.Writer
	now    time.Time
	tip    objects.ID // of the last entry
	report transcript.Report
	err    error
}

func newFile(w io.Writer, now time.Time) *file {
	return &file{w: bufio.NewWriterSize(w, 1<<16), now: now}
}

// header writes the first line. parent is the path of the file that this one is made of, empty for none (formats/pi.md section 2).
func (f *file) header(session objects.ID, cwd, parent string) {
	fields := []objects.Field{
		objects.StringField("type", string(objects.TypeSession)), {Key: "version", Value: []byte(sessionVersion)},
		objects.StringField("id", string(session)), objects.StringField("timestamp", stamp(f.now)), objects.StringField("cwd", cwd),
	}
	if parent != "" {
		fields = append(fields, objects.StringField("parentSession", parent))
	}
	f.line(objects.Object(fields...))
}

// entry writes an entry behind the last one.
func (f *file) entry(t objects.Type, id objects.ID, timestamp string, payload ...objects.Field) {
	f.line(objects.Build(t, id, f.tip, timestamp, payload...))
	f.tip = id
}

// name writes the session's name, if it has one.
func (f *file) name(session objects.ID, name string) {
	if name != "" {
		f.entry(objects.TypeSessionInfo, objects.DerivedID(session, 1), stamp(f.now), objects.StringField("name", name))
	}
}

func (f *file) line(line []byte) {
	if f.err != nil {
		return
	}
	if _, f.err = f.w.Write(line); f.err == nil {
		f.err = f.w.WriteByte('\n')
	}
	f.report.Lines++
}

func (f *file) finish() (transcript.Report, error) {
	if f.err == nil {
		f.err = f.w.Flush()
	}
	return f.report, f.err
}

// InstallPath is where pi keeps a session of the working folder cwd (formats/pi.md section 1). The time in the name is that of the session's
// id, a UUIDv7; of another id the beginning of 1970: pi reads no names.
func (a Agent) InstallPath(env func(string) string, cwd string, session objects.ID) string {
	begun := time.UnixMilli(0)
	if id, err := uuid.Parse(string(session)); err == nil && id.Version() == 7 {
		begun = time.Unix(id.Time().UnixTime())
	}
	name := fileStamp(begun) + "_" + string(session) + ".jsonl"
	if dir := env("PI_CODING_AGENT_SESSION_DIR"); dir != "" {
		return filepath.Join(expand(dir, env("HOME")), name)
	}
	return filepath.Join(agentFolder(env), "sessions", EncodePath(cwd), name)
}

// EncodePath is the name of the folder in which pi keeps the sessions of a working folder, an absolute path. Different paths may
// have the same name.
func EncodePath(cwd string) string {
	if cwd != "" && (cwd[0] == '/' || cwd[0] == '\\') {
		cwd = cwd[1:]
	}
	return "--" + strings.NewReplacer("/", "-", `\`, "-", ":", "-").Replace(cwd) + "--"
}

// ResumeFile is pi's command to go on with the session in a file. It names the file, since pi looks for ids among the sessions of one folder only.
func (Agent) ResumeFile(cwd, file string) transcript.Command {
	return transcript.Command{Dir: cwd, Args: []string{"pi", "--session", file}}
}

// Resume is pi's command to go on with a session that lies where it looks for those of the working folder.
func (Agent) Resume(cwd string, session objects.ID) transcript.Command {
	return transcript.Command{Dir: cwd, Args: []string{"pi", "--session", string(session)}}
}

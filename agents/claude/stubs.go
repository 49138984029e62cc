package claude

import (
	"io"

	"tlog/agents/transcript"
	"tlog/objects"
)

func NewReader(session objects.ID) *Reader { panic("todo") }

type Reader struct{}

func (r *Reader) Known(e objects.Entry)                                  { panic("todo") }
func (r *Reader) Read(data []byte) []objects.Envelope                    { panic("todo") }
func (r *Reader) Leaf() objects.ID                                       { panic("todo") }
func (r *Reader) Damaged() int                                           { panic("todo") }
func (Agent) Detect(head []byte) bool                                    { return false }
func (Agent) Locate(env func(string) string) ([]transcript.Found, error) { return nil, nil }
func (Agent) Message(e objects.Entry) (objects.Message, bool)            { return objects.Message{}, false }
func (Agent) Compaction(e objects.Entry) (objects.Compaction, bool) {
	return objects.Compaction{}, false
}
func (Agent) Export(w io.Writer, x transcript.Export) (transcript.Report, error) { panic("todo") }
func (Agent) Identify(path string, head []byte) (transcript.Identity, error)     { panic("todo") }
func (Agent) SideFiles(path string, id transcript.Identity) ([]transcript.SideFile, error) {
	panic("todo")
}
func (Agent) Folder(env func(string) string) string { panic("todo") }
func (Agent) InstallPath(env func(string) string, cwd string, session objects.ID) string {
	panic("todo")
}
func (Agent) Resume(cwd string, session objects.ID) transcript.Command    { panic("todo") }
func (Agent) CleanUp(env func(string) string) (transcript.CleanUp, error) { panic("todo") }

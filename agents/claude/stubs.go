package claude

import (
	"io"

	"tlog/agents/transcript"
	"tlog/objects"
)

func NewReader(session objects.ID) *Reader { panic("todo") }

type Reader struct{}

func (r *Reader) Known(e objects.Entry)                       { panic("todo") }
func (r *Reader) Read(data []byte) []objects.Envelope         { panic("todo") }
func (r *Reader) Leaf() objects.ID                            { panic("todo") }
func (r *Reader) Damaged() int                                { panic("todo") }
func (Agent) Detect(head []byte) bool                         { return false }
func (Agent) Export(w io.Writer, x transcript.Export) (transcript.Report, error) { panic("todo") }

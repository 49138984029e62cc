package checkout

import (
	"tlog/agents/transcript"
	"tlog/objects"
)

// ForeignHeader is the header of a new session for a foreign agent's transcript at path. Its working folder is as it was recorded.
func ForeignHeader(agent, path string, id transcript.Identity) objects.Header {
	source := objects.AppendQuote([]byte(`{"path":`), path)
	if id.Subagent != "" {
		source = objects.AppendQuote(append(source, `,"subagent":`...), id.Subagent)
	}
	if id.Meta != nil {
		source = append(append(source, `,"meta":`...), id.Meta...)
	}
	return objects.Header{
		ID: id.ID, Timestamp: id.Timestamp, Cwd: id.Cwd, Name: id.Name, Agent: agent,
		ParentSession: string(id.Parent), Source: append(source, '}'),
	}
}

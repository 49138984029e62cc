package agents

import (
	"tlog/agents/pi"
	"tlog/objects"
)

// ToolUse tells what a call of an entry's agent did. agent is the one that wrote the call, empty for a session of tlog's or pi's own; result is the call's result
// and row the entry in which that stands, both zero for a call that has none. Strings that lie in blobs have to be filled in for what files hold to be told.
// A tool that its agent does not know is read by the usual names of tools and arguments (docs/files.md).
func ToolUse(agent string, call, result objects.Block, row objects.Entry) objects.ToolUse {
	if foreign, ok := LookupForeign(agent); ok {
		if decoder, ok := foreign.(objects.ToolDecoder); ok {
			if use, ok := decoder.ToolUse(call, result, row); ok {
				return use
			}
		}
	} else if agent == "" || agent == (pi.Agent{}).Name() {
		if use, ok := pi.ToolUse(call, result, row); ok {
			return use
		}
	}
	return genericUse(agent, call, result)
}

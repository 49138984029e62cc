package agents

import "tlog/objects"

// ToolUse tells what a call of an entry's agent did. agent is the one that wrote the call, empty for a session of tlog's or pi's own; result is the call's result
// and row the entry in which that stands, both zero for a call that has none.
func ToolUse(agent string, call, result objects.Block, row objects.Entry) objects.ToolUse {
	return objects.ToolUse{}
}

package claude

import (
	"tlog/agents/transcript"
	"tlog/objects"
)

// interrupted is what the client itself says in the place of a result that is missing at the end of a session (2.1.332), so that
// it goes on from the export just as it would from its own file.
const interrupted = "[Tool call interrupted: the session ended before this call's result was recorded, so its outcome is unknown. " +
	"Check whether it took effect before relying on it or running it again.]"

// writeStandIns writes rows for the results that calls lack, and has the next row hang at the last of them.
func (e *exporter) writeStandIns(calls []int) error {
	before := e.last
	for _, at := range calls {
		call := e.plan.calls[at]
		block := objects.Object(
			objects.StringField("type", "tool_result"),
			objects.StringField("tool_use_id", call.id),
			objects.Field{Key: "is_error", Value: []byte("true")},
			objects.StringField("content", interrupted))
		r := e.newRow("user", string(objects.DerivedID(e.x.Session+"."+call.entry, call.nth)), e.now(), userContent([][]byte{block}))
		if err := e.put(r); err != nil {
			return err
		}
		e.made[before] = append(e.made[before], r.uuid)
		e.repaired(transcript.AddedResult, call.entry, "the call %s of %s had no result", call.id, call.name)
	}
	return nil
}

package main

import (
	"cmp"
	"strings"

	"tlog/agents/transcript"
)

// repairNotes say what each kind of repair did, of one and of several.
var repairNotes = []struct {
	kind      transcript.RepairKind
	one, many string
}{
	{transcript.AddedResult, "call had no result: a stand-in was added", "calls had no result: stand-ins were added"},
	{transcript.DroppedResult, "result without its call was left out", "results without their calls were left out"},
	{transcript.DroppedThinking, "block of thinking that the model refuses was left out", "blocks of thinking that the model refuses were left out"},
	{transcript.ReplacedText, "entry had characters that are none: they were replaced", "entries had characters that are none: they were replaced"},
	{transcript.DroppedImage, "image was left out", "images were left out"},
	{transcript.RenamedCall, "id or name of a tool call was changed", "ids or names of tool calls were changed"},
	{transcript.RepairedInput, "call had arguments that are no object: they were put into one", "calls had arguments that are no object: they were put into one"},
	{transcript.BridgedParent, "entry without its parent was linked to the one before it", "entries without their parents were linked to those before them"},
	{transcript.DroppedDuplicate, "entry whose id another one has was left out", "entries whose ids others have were left out"},
	{transcript.CleanedLine, "line was cleaned of what stood around its record", "lines were cleaned of what stood around their records"},
	{transcript.DroppedLine, "line without a record was left out", "lines without a record were left out"},
	{transcript.DroppedReply, "reply that failed or was stopped was left out", "replies that failed or were stopped were left out"},
	{transcript.DroppedNote, "note of the agent's program was left out", "notes of the agent's program were left out"},
	{transcript.DroppedSystem, "system prompt was left out", "system prompts were left out"},
	{transcript.DroppedQueue, "prompt that waits for its turn was left out", "prompts that wait for their turn were left out"},
	{transcript.DroppedName, "name is kept by the agent elsewhere and was left out", "names are kept by the agent elsewhere and were left out"},
	{transcript.MissingText, "entry has a placeholder for what is missing", "entries have placeholders for what is missing"},
	{transcript.AddedPrompt, "message of the user was put before the first reply", "messages of the user were put before the first reply"},
	{transcript.DroppedBlock, "part that the agent cannot take was left out", "parts that the agent cannot take were left out"},
}

// notes tell what the transcript is not as the session is.
func (t *telling) notes() {
	if t.asked != t.at {
		t.app.note("the end was moved to %s, so that no call is split from its results", t.at)
	}
	if n := t.undone; n > 0 {
		t.app.note("%d undone %s left out", n, plural(n, "entry was", "entries were"))
	}
	for _, words := range repairNotes {
		var ids []string
		n := 0
		for _, r := range t.report.Repairs {
			if r.Kind != words.kind {
				continue
			}
			n++
			if id := string(r.ID); id != "" && len(ids) < maxNamed && (len(ids) == 0 || ids[len(ids)-1] != id) {
				ids = append(ids, id)
			}
		}
		if n > 0 {
			t.app.note("%d %s (%s)", n, plural(n, words.one, words.many), cmp.Or(strings.Join(ids, ", "), "no entry"))
		}
	}
}

// maxNamed is how many entries a note names.
const maxNamed = 5

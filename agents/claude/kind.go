package claude

import "tlog/objects"

// entryKind is the type of a row's entry, and whether log hides it (docs/claude.md "Lines and envelopes"). behind says that the
// row stands behind a compact_boundary.
func entryKind(rec *record, behind bool) (kind objects.Type, hidden bool) {
	switch rec.kind {
	case "user":
		switch {
		case rec.summary && !behind:
			return objects.TypeCompaction, false
		case rec.summary, rec.meta:
			return objects.TypeMessage, true
		}
		return objects.TypeMessage, false
	case "assistant":
		return objects.TypeMessage, false
	case "attachment":
		if rec.queuedPrompt {
			return objects.TypeMessage, false
		}
	case "system":
		switch rec.subtype {
		case "compact_boundary":
			return objects.TypeCompaction, false
		case "local_command":
			return objects.TypeMessage, true
		}
	case "progress":
		return objects.TypeMeta, false
	}
	return objects.TypeCustom, false
}

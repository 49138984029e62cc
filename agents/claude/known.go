package claude

import "tlog/objects"

// knownRecord is the record of a line that the log holds. It shares no memory with the entry. Long strings of the line
// may have gone to blobs; what is needed of them is in the entry.
func knownRecord(e objects.Entry) record {
	rec := record{}
	if line, ok := e.SourceLine(); ok {
		if first, _ := parseRecord(line); first.object != nil {
			rec = first
		}
	}
	rec.line, rec.object = nil, nil
	rec.id = e.ID
	rec.timestamp = e.Timestamp
	rec.told = &told{kind: e.Type, parent: e.ParentID, gap: e.Gap, hidden: e.Hidden}
	if !rec.row && e.Type != objects.TypeMeta {
		// The line is a row, but it lies in a blob as a whole.
		rec.row, rec.uuid, rec.kind = true, string(e.ID), "unknown"
		rec.parent = link{named, string(e.ParentID)}
		if e.ParentID == "" {
			rec.parent = link{state: nullLink}
		}
	}
	return rec
}

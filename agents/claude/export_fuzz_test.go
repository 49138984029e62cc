package claude

import (
	"bytes"
	"testing"

	"tlog/agents/transcript"
	"tlog/objects"
)

// FuzzExport: whatever the entries are, and wherever they hang, the export is one that the client and the API take. bits says which
// entries are on the path and which are tlog's own.
func FuzzExport(f *testing.F) {
	f.Add([]byte(say("user", "u1", "null", `"one"`)+say("assistant:m", "a1", "u1", calls("c1", "c1"))+say("user", "u2", "a1", result("c1", "x"))), uint64(0))
	f.Add([]byte(say("user", "u1", "u1", `"one"`)+say("user", "u1", "u2", words(""))), uint64(5))
	f.Add([]byte(`{"type":"system","subtype":"compact_boundary","uuid":"b","parentUuid":null,"logicalParentUuid":"x","compactMetadata":{"preservedMessages":{"anchorUuid":"s","uuids":["u1"]},"preservedSegment":{"headUuid":"u1","tailUuid":"u9"}}}`+"\n"), uint64(0))
	f.Add([]byte("{\"type\":\"message\",\"id\":\"e1\",\"message\":{\"role\":\"assistant\",\"content\":[{\"type\":\"toolCall\",\"id\":\"c\",\"name\":\"x\",\"arguments\":1}]}}\n\x00{\"uuid\":\"\\ud800\",\"type\":\"user\"}{}"), uint64(1)<<32)
	f.Add([]byte(`{"type":"progress","uuid":"p"}`+"\n"+`{"type":"user","uuid":"p","isSidechain":true,"toolUseResult":{"type":"image/png","data":"\u0041"}}`), uint64(3))
	f.Fuzz(func(t *testing.T, data []byte, bits uint64) {
		var entries []transcript.Entry
		for i, line := range bytes.Split(data, []byte{'\n'}) {
			native := bits>>(32+i%32)&1 == 1
			if e, err := objects.ParseEntry(line); err == nil && native {
				entries = append(entries, transcript.Entry{Entry: e, EffectiveID: e.ID, OnPath: true})
				continue
			}
			kind, id := objects.TypeMeta, objects.ID("side")
			if object := objects.TrimLine(line); objects.Scan(object, nil) == nil {
				if r := readRowObject(object); r.uuid != "" && r.kind != "" {
					kind, id = objects.TypeMessage, objects.ID(r.uuid)
				}
			}
			v := objects.Envelope{Type: kind, ID: id, ParentID: "p", Agent: Name, Line: line}
			e, err := objects.ParseEntry(v.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			entries = append(entries, transcript.Entry{Entry: e, EffectiveID: id, OnPath: kind != objects.TypeMeta && bits>>(i%32)&1 == 0})
		}
		exportLab(t, entries, func(x *transcript.Export) { x.NoImages = bits&2 != 0 })
	})
}

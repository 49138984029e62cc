//go:build acceptance

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tlog/agents/claude/claudetest"
	"tlog/agents/transcript"
)

// TestAcceptanceExports: of every transcript of the real client, the client resumes tlog's export as it resumes the
// source. Where the export repaired something it holds at least as much.
func TestAcceptanceExports(t *testing.T) {
	for _, file := range claudeTranscripts(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			want, err := claudetest.Resume(t, claudetest.SessionID, readFile(t, file))
			if err != nil {
				t.Skip("the client does not resume the source: ", err)
			}
			got, report := importClaude(t, file).resume()
			if got.Refused != nil {
				t.Errorf("the API would refuse: %q", got.Refused)
			}
			compare(t, file, got, want, repairsOf(t, report))
		})
	}
}

// TestAcceptancePrefixes: after the checkout of an earlier entry the client resumes exactly what it would if the source
// ended with that entry. TLOG_ACCEPTANCE=all takes more entries of each transcript.
func TestAcceptancePrefixes(t *testing.T) {
	for _, file := range claudeTranscripts(t) {
		parts := 2
		if strings.Contains(filepath.ToSlash(file), "/samples/") {
			parts = 3
		}
		if os.Getenv("TLOG_ACCEPTANCE") == "all" {
			parts = 8
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			in := importClaude(t, file)
			ids := in.path()
			for part := 1; part < parts; part++ {
				prefixOf(t, in, file, ids[len(ids)*part/parts])
			}
		})
	}
}

// prefixOf compares the export at an entry with the source up to the line of that entry.
func prefixOf(t *testing.T, in imported, file, id string) {
	t.Helper()
	in.tlog("-s", in.session, "checkout", id)
	got, report := in.resume()
	repairs := repairsOf(t, report)
	if len(repairs) > 0 && repairs[0].Kind == string(transcript.MovedEnd) { // an export does not end between calls and results
		id, repairs = repairs[0].ID, repairs[1:]
	}
	cut := cutAt(readFile(t, file), id)
	if cut == nil {
		t.Fatalf("no line of %s has the id %s", file, id)
	}
	want, err := claudetest.Resume(t, claudetest.SessionID, cut)
	if err != nil {
		t.Logf("%s: the client resumes nothing up to there: %v", id, err)
		return
	}
	compare(t, fmt.Sprintf("%s at %s", file, id), got, want, repairs)
}

// compare holds that an export is resumed as its source. One that was repaired may hold more.
func compare(t *testing.T, what string, got, want claudetest.Resumed, repairs []repairOf) {
	t.Helper()
	if len(repairs) == 0 || claudetest.Words(got.Messages) == claudetest.Words(want.Messages) {
		sameMessages(t, what, got.Messages, want.Messages)
		return
	}
	t.Logf("%s: what the client sends of the export differs, after the repairs %v", what, repairs)
	holdsAll(t, got.Messages, want.Messages)
}

// cutAt is a transcript up to the last line with the uuid, at which the client goes on for certain.
func cutAt(data []byte, id string) []byte {
	var end int
	for at := 0; at < len(data); {
		next := len(data)
		if i := bytes.IndexByte(data[at:], '\n'); i >= 0 {
			next = at + i + 1
		}
		var row struct{ UUID string }
		if json.Unmarshal(data[at:next], &row) == nil && row.UUID == id {
			end = next
		}
		at = next
	}
	if end == 0 {
		return nil
	}
	checkpoint := fmt.Sprintf(`{"type":"last-prompt","leafUuid":%q,"explicit":true,"sessionId":%q}`+"\n", id, claudetest.SessionID)
	return append(bytes.Clone(bytes.TrimSuffix(data[:end], []byte("\n"))), "\n"+checkpoint...)
}

// repairOf is a repair as export --json prints it.
type repairOf struct{ Kind, ID, Detail string }

func repairsOf(t *testing.T, report string) []repairOf {
	t.Helper()
	var r struct{ Repairs []repairOf }
	if err := json.Unmarshal([]byte(report), &r); err != nil {
		t.Fatalf("export --json: %v: %s", err, report)
	}
	return r.Repairs
}

// standIns are the words that the client puts where something is missing.
var standIns = []string{
	"(no content)", "No response requested.", "[Tool use interrupted]", "[Tool call interrupted: the session ended before",
}

// holdsAll holds that a conversation has all blocks of another, in their order; more may stand between.
func holdsAll(t *testing.T, got, want []claudetest.Message) {
	t.Helper()
	have := blocksOf(got)
	for _, block := range blocksOf(want) {
		i := 0
		for i < len(have) && have[i] != block {
			i++
		}
		if i == len(have) {
			t.Errorf("not resumed, or not in this order: %.1000s", block)
			return
		}
		have = have[i+1:]
	}
}

func blocksOf(messages []claudetest.Message) (blocks []string) {
next:
	for _, m := range messages {
		for _, block := range m.Content {
			one := claudetest.Message{Role: m.Role, Content: []claudetest.Block{block}}.String()
			for _, words := range standIns {
				if strings.Contains(one, words) {
					continue next
				}
			}
			// Texts that follow each other are sent with a line break between, which belongs to none of them.
			blocks = append(blocks, strings.ReplaceAll(one, `\n"`, `"`))
		}
	}
	return blocks
}

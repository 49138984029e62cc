package claudetest

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"
)

// Row is a line of a transcript as the client writes it, to be changed by tests.
type Row map[string]any

// SessionID is the session that rows made here belong to.
const SessionID = "7d9f0c2e-5b1a-4c6d-8e3f-0123456789ab"

// NewRow is a row of the kind with what all rows have. The parent is empty for a root.
func NewRow(kind, id, parent string) Row {
	row := Row{
		"parentUuid": parent, "isSidechain": false, "userType": "external", "entrypoint": "cli", "cwd": "/somewhere/else",
		"sessionId": SessionID, "version": "2.1.332", "gitBranch": "HEAD", "type": kind, "uuid": id,
	}
	if parent == "" {
		row["parentUuid"] = nil
	}
	return row
}

// User is a row of the user's. The content is a text or blocks.
func User(id, parent string, content any) Row {
	row := NewRow("user", id, parent)
	row["message"] = map[string]any{"role": "user", "content": content}
	return row
}

// Assistant is a row of the model's with one block of a reply.
func Assistant(id, parent, reply string, block Block) Row {
	row := NewRow("assistant", id, parent)
	row["requestId"] = "req_" + reply
	row["message"] = map[string]any{
		"id": reply, "type": "message", "role": "assistant", "model": "claude-opus-4-1", "content": []Block{block},
		"stop_reason": nil, "stop_sequence": nil, "usage": map[string]any{"input_tokens": 3, "output_tokens": 2},
	}
	return row
}

// CallWithID is a tool_use block.
func CallWithID(id, name string, input any) Block {
	return Block{"type": "tool_use", "id": id, "name": name, "input": input}
}

// ToolResult is a tool_result block.
func ToolResult(call string, content any) Block {
	return Block{"type": "tool_result", "tool_use_id": call, "content": content}
}

// Blocks gives the blocks of a row's message.
func (r Row) Blocks() []Block {
	message, _ := r["message"].(map[string]any)
	blocks, _ := message["content"].([]Block)
	return blocks
}

// Lines writes rows as a transcript, a second after another where they have no timestamp.
func Lines(rows ...Row) string {
	var b strings.Builder
	at := time.Date(2026, 5, 4, 10, 0, 0, 0, time.UTC)
	for _, row := range rows {
		if _, ok := row["timestamp"]; !ok {
			row["timestamp"] = at.Format("2006-01-02T15:04:05.000Z")
		}
		at = at.Add(time.Second)
		b.Write(row.line())
	}
	return b.String()
}

// line writes the members in the client's order: a row that is read in part shows its parent first, and its id behind the message.
func (r Row) line() []byte {
	order := slices.DeleteFunc(strings.Fields("parentUuid isSidechain type message uuid timestamp"), func(key string) bool {
		_, ok := r[key]
		return !ok
	})
	for _, key := range slices.Sorted(maps.Keys(r)) {
		if !slices.Contains(order, key) {
			order = append(order, key)
		}
	}
	var b bytes.Buffer
	for i, key := range order {
		value, err := json.Marshal(map[string]any{key: r[key]})
		if err != nil {
			panic(err) // rows are written by a test
		}
		if i == 0 {
			b.WriteByte('{')
		} else {
			b.WriteByte(',')
		}
		b.Write(value[1 : len(value)-1])
	}
	return append(b.Bytes(), "}\n"...)
}

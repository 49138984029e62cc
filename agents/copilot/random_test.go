package copilot_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"tlog/agents/agentstest"
	"tlog/agents/copilot"
	"tlog/objects"
)

const randomSession = "7c000000-0000-4000-8000-0000000000ff"

// node is an event of a random session.
type node struct {
	id     string
	parent int // -1 for the first
	text   string
}

// generate writes a session of events at random, with branches, and knows what its live path says.
func generate(rng *rand.Rand) agentstest.Sample {
	var data bytes.Buffer
	var nodes []node
	write := func(typ string, parent int, body map[string]any, text string) int {
		id := fmt.Sprintf("e%d", len(nodes))
		event := map[string]any{"type": typ, "data": body, "id": id, "timestamp": fmt.Sprintf("2026-05-02T10:00:%02d.%03dZ", len(nodes)/1000%60, len(nodes)%1000), "parentId": nil}
		if parent >= 0 {
			event["parentId"] = nodes[parent].id
		}
		b, err := json.Marshal(event)
		if err != nil {
			panic(err)
		}
		data.Write(append(b, '\n'))
		nodes = append(nodes, node{id: id, parent: parent, text: text})
		return len(nodes) - 1
	}
	tip := write("session.start", -1, map[string]any{"sessionId": randomSession, "producer": "copilot-agent", "startTime": "2026-05-02T10:00:00.000Z"}, "")
	var forks []int // events at which no call waits
	for range 2 + rng.IntN(30) {
		forks = append(forks, tip)
		if rng.IntN(8) == 0 {
			tip = forks[rng.IntN(len(forks))]
		}
		n := len(nodes)
		switch rng.IntN(6) {
		case 0, 1:
			tip = write("user.message", tip, map[string]any{"content": fmt.Sprintf("prompt %d", n)}, fmt.Sprintf("prompt %d", n))
		case 2:
			call := fmt.Sprintf("c%d", n)
			tip = write("assistant.message", tip, map[string]any{"messageId": fmt.Sprint(n), "content": "", "toolRequests": []any{
				map[string]any{"toolCallId": call, "name": "bash", "arguments": map[string]any{"command": "ls"}},
			}}, "")
			tip = write("tool.execution_start", tip, map[string]any{"toolCallId": call, "toolName": "bash"}, "")
			tip = write("tool.execution_complete", tip, map[string]any{"toolCallId": call, "success": rng.IntN(2) == 0, "result": map[string]any{"content": "x"}}, "")
		case 3:
			tip = write("hook.start", tip, map[string]any{"hookType": "x"}, "")
		default:
			tip = write("assistant.message", tip, map[string]any{"messageId": fmt.Sprint(n), "content": fmt.Sprintf("reply %d", n)}, fmt.Sprintf("reply %d", n))
		}
	}
	var texts []string
	for at := len(nodes) - 1; at >= 0; at = nodes[at].parent {
		if nodes[at].text != "" {
			texts = append([]string{nodes[at].text}, texts...)
		}
	}
	return agentstest.Sample{Name: "random", Data: data.Bytes(), Session: randomSession, Texts: texts}
}

// Whatever stands in a file, its bytes come out again, and reading it in two pieces makes the same of it as reading it at once.
func FuzzReader(f *testing.F) {
	for seed := range uint64(4) {
		f.Add(generate(rand.New(rand.NewPCG(seed, 1))).Data)
	}
	f.Add([]byte(`{"type":"user.message","data":{"content":"x"},"id":"a","parentId":"a"}{"type":"abort"}` + "\n\n{"))
	f.Fuzz(func(t *testing.T, data []byte) {
		whole := copilot.NewReader("s").Read(data)
		var back []byte
		ids := map[objects.ID]bool{"": true}
		for _, v := range whole {
			back = append(back, v.Line...)
			if !v.Joined {
				back = append(back, '\n')
			}
			if !v.ID.Valid() || !ids[v.ParentID] {
				t.Fatalf("entry %q hangs at %q", v.ID, v.ParentID)
			}
			ids[v.ID] = true
		}
		if !bytes.Equal(bytes.TrimSuffix(back, []byte{'\n'}), bytes.TrimSuffix(data, []byte{'\n'})) {
			t.Fatalf("the bytes are %q, expected %q", back, data)
		}
		cut := bytes.IndexByte(data, '\n') + 1
		if cut == 0 || cut == len(data) {
			return
		}
		first := copilot.NewReader("s")
		pieces := first.Read(data[:cut])
		second := copilot.NewReader("s")
		for _, v := range pieces {
			e, err := objects.ParseEntry(v.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			second.Known(e)
		}
		pieces = append(pieces, second.Read(data[cut:])...)
		for i := range whole {
			if pieces[i].ID != whole[i].ID || pieces[i].ParentID != whole[i].ParentID {
				t.Fatalf("entry %d is %s at %s in pieces, %s at %s at once", i, pieces[i].ID, pieces[i].ParentID, whole[i].ID, whole[i].ParentID)
			}
		}
	})
}

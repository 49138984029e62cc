package codextest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// Item is an item of the Responses API: of a request's input, or of an answer.
type Item map[string]any

// Text is a message of the model.
func Text(text string) Item {
	return Item{"type": "message", "role": "assistant", "status": "completed", "content": []Item{{"type": "output_text", "text": text, "annotations": []any{}}}}
}

// Reasoning is what the model thought, as far as it tells.
func Reasoning(text string) Item {
	return Item{"type": "reasoning", "summary": []Item{{"type": "summary_text", "text": text}}, "encrypted_content": "none"}
}

// Call is a call of a tool. Each call of a model has an id of its own.
func Call(name string, arguments map[string]any) Item {
	text, err := json.Marshal(arguments)
	if err != nil {
		panic(err) // a script is written by a test
	}
	return Item{"type": "function_call", "status": "completed", "name": name, "arguments": string(text)}
}

// Request is one that the client sent to its model.
type Request struct {
	Raw  []byte
	Body struct {
		Model string
		Input []Item
	}
}

// Model is a fake of the API that the client talks to, on a port of the loopback: as much of it as the client uses. It answers by its
// script, a turn a request, or with "pong N".
type Model struct {
	URL string // where it listens, with the version: "http://127.0.0.1:1234/v1"

	mu       sync.Mutex
	turns    [][]Item
	requests []Request
	ids      int
	pongs    int
}

// requestLimit is the size of the largest request that is read.
const requestLimit = 256 << 20

// NewModel starts a model that answers by the turns, in order. It ends with the test.
func NewModel(t testing.TB, turns ...[]Item) *Model {
	m := &Model{turns: turns}
	server := httptest.NewUnstartedServer(http.HandlerFunc(m.serve))
	server.Config.ReadHeaderTimeout = 10 * time.Second
	server.Config.ReadTimeout = time.Minute
	server.Start()
	m.URL = server.URL + "/v1"
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return m
}

// Requests are those for a turn that came in so far.
func (m *Model) Requests() []Request {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]Request(nil), m.requests...)
}

func (m *Model) serve(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, requestLimit))
	switch {
	case err != nil:
		w.WriteHeader(http.StatusRequestEntityTooLarge)
	case r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/models"):
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"object":"list","data":[],"models":[]}`) // the client may have gone away
	case r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/responses"):
		m.answer(w, raw)
	default:
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, `{"error":{"message":"not part of the fake model"}}`)
	}
}

// take notes a request and finds the items that answer it, each with an id.
func (m *Model) take(raw []byte) (id string, items []Item) {
	request := Request{Raw: raw}
	_ = json.Unmarshal(raw, &request.Body) // what is wrong with it a test sees in it
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests = append(m.requests, request)
	if len(m.turns) > 0 {
		items, m.turns = m.turns[0], m.turns[1:]
	} else {
		m.pongs++
		items = []Item{Text(fmt.Sprint("pong ", m.pongs))}
	}
	var answer []Item
	for _, item := range items {
		m.ids++
		named := Item{"id": fmt.Sprint("item_", m.ids)}
		for key, value := range item {
			named[key] = value
		}
		if item["type"] == "function_call" && item["call_id"] == nil {
			named["call_id"] = fmt.Sprint("call_", m.ids)
		}
		answer = append(answer, named)
	}
	m.ids++
	return fmt.Sprint("resp_", m.ids), answer
}

func (m *Model) answer(w http.ResponseWriter, raw []byte) {
	id, items := m.take(raw)
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	event := func(kind string, body map[string]any) {
		body["type"] = kind
		data, err := json.Marshal(body)
		if err != nil {
			panic(err) // a script is written by a test
		}
		_, _ = fmt.Fprintf(w, "event: %s\ndata: %s\n\n", kind, data) // the client may have gone away
	}
	event("response.created", map[string]any{"response": map[string]any{"id": id, "object": "response", "status": "in_progress", "output": []any{}}})
	for i, item := range items {
		event("response.output_item.added", map[string]any{"output_index": i, "item": item})
		event("response.output_item.done", map[string]any{"output_index": i, "item": item})
	}
	event("response.completed", map[string]any{"response": map[string]any{
		"id": id, "object": "response", "status": "completed", "output": items,
		"usage": map[string]any{
			"input_tokens": 100, "input_tokens_details": map[string]any{"cached_tokens": 0}, "output_tokens": 10,
			"output_tokens_details": map[string]any{"reasoning_tokens": 0}, "total_tokens": 110,
		},
	}})
}

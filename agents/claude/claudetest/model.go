package claudetest

import (
	"crypto/rand"
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

// Model is a fake of the API that the client talks to: as much of it as the client uses, on a port of the
// loopback. It notes every request, and answers by its script or with "pong N". It takes any request for valid, so a test of what
// the real API refuses has to look at the requests.
type Model struct {
	// URL is where it listens, for ANTHROPIC_BASE_URL.
	URL string

	name     string        // in its ids, which are no other model's
	done     chan struct{} // closed when the test is over
	mu       sync.Mutex
	turns    []Turn
	requests []Request
	ids      int
	pongs    int
}

// Request is one that came in.
type Request struct {
	Method, Path string
	Raw          []byte
	Body         struct {
		Model    string
		Stream   bool
		Tools    []json.RawMessage
		Messages []RawMessage
	}
}

// RawMessage is a message of a request as it came.
type RawMessage struct {
	Role    string
	Content json.RawMessage
}

// Main reports whether it asks for a step of the conversation. Requests for titles, summaries and
// the like offer no tools.
func (r Request) Main() bool { return r.isMessages() && len(r.Body.Tools) > 0 }

func (r Request) isMessages() bool {
	return r.Method == http.MethodPost && strings.HasSuffix(r.Path, "/v1/messages")
}

// requestLimit is the size of the largest request that is read.
const requestLimit = 256 << 20

// NewModel starts a model that answers by the turns, in order. It ends with the test.
func NewModel(t testing.TB, turns ...Turn) *Model {
	m := &Model{turns: turns, name: rand.Text()[:8], done: make(chan struct{})}
	server := httptest.NewUnstartedServer(http.HandlerFunc(m.serve))
	server.Config.ReadHeaderTimeout = 10 * time.Second
	server.Config.ReadTimeout = time.Minute
	server.Config.WriteTimeout = 2 * time.Minute
	server.Start()
	m.URL = server.URL
	t.Cleanup(func() {
		close(m.done)
		server.CloseClientConnections()
		server.Close()
	})
	return m
}

// Script adds turns behind those that are left.
func (m *Model) Script(turns ...Turn) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.turns = append(m.turns, turns...)
}

// Left is the number of turns that were not asked for.
func (m *Model) Left() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.turns)
}

// Requests are all that came in so far.
func (m *Model) Requests() []Request {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]Request(nil), m.requests...)
}

func (m *Model) newID(prefix string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ids++
	return fmt.Sprintf("%s_%s%04d", prefix, m.name, m.ids)
}

func (m *Model) serve(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, requestLimit))
	if err != nil {
		writeError(w, http.StatusRequestEntityTooLarge, "request_too_large", err.Error())
		return
	}
	request := Request{Method: r.Method, Path: r.URL.Path, Raw: raw}
	bad := json.Unmarshal(raw, &request.Body)
	m.mu.Lock()
	m.requests = append(m.requests, request)
	m.mu.Unlock()
	w.Header().Set("Request-Id", m.newID("req"))
	switch {
	case strings.HasSuffix(request.Path, "/count_tokens"):
		writeJSON(w, http.StatusOK, map[string]any{"input_tokens": len(raw)/4 + 1})
	case r.Method == http.MethodHead:
		w.WriteHeader(http.StatusOK)
	case !request.isMessages():
		writeError(w, http.StatusNotFound, "not_found_error", "not part of the fake model")
	case bad != nil:
		writeError(w, http.StatusBadRequest, "invalid_request_error", bad.Error())
	default:
		m.reply(w, r, request)
	}
}

func (m *Model) reply(w http.ResponseWriter, r *http.Request, request Request) {
	turn := m.take(request)
	if !m.wait(r, turn.Delay) {
		return
	}
	if turn.Status != 0 {
		writeError(w, turn.Status, "api_error", "as the script has it")
		return
	}
	message := m.answer(turn, request)
	if !request.Body.Stream {
		writeJSON(w, http.StatusOK, message)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	for _, part := range events(message) {
		data, err := json.Marshal(part)
		if err != nil {
			panic(err) // a script is written by a test
		}
		if _, err := fmt.Fprintf(w, "event: %s\ndata: %s\n\n", part["type"], data); err != nil {
			return // the client went away
		}
	}
}

// wait reports whether the client is still there after the time.
func (m *Model) wait(r *http.Request, d time.Duration) bool {
	if d == 0 {
		return true
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.Context().Done():
	case <-m.done:
	}
	return false
}

func writeJSON(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value) // the client may have gone away
}

func writeError(w http.ResponseWriter, status int, kind, text string) {
	writeJSON(w, status, map[string]any{"type": "error", "error": map[string]any{"type": kind, "message": text}})
}

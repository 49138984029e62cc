package claudetest

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
)

// TestModel: the fake model answers by its script, in both ways, and keeps turns of side requests apart.
func TestModel(t *testing.T) {
	m := NewModel(t,
		Turn{When: "later", Content: []Block{Text("of later")}},
		Turn{Content: []Block{Thinking("hm", "sig"), Call("Bash", map[string]any{"command": "ls"})}},
		Turn{Side: true, Content: []Block{Text("a summary")}},
		Turn{Status: http.StatusInternalServerError},
	)
	const tools = `,"tools":[{"name":"Bash"}]`
	for _, tt := range []struct{ path, rest, text, want string }{
		{"/v1/messages", tools, "now", `"stop_reason":"tool_use"`},
		{"/v1/messages", "", "now", "a summary"},
		{"/v1/messages", "", "now", "A title"},
		{"/v1/messages?beta=true", tools + `,"stream":true`, "later", "event: content_block_delta"},
		{"/v1/messages", tools, "now", "as the script has it"},
		{"/v1/messages", tools, "now", "pong 1"},
		{"/v1/messages", tools, "now", "pong 2"},
		{"/v1/messages/count_tokens", tools, "now", "input_tokens"},
		{"/api/hello", tools, "now", "not_found_error"},
	} {
		body := `{"model":"some","messages":[{"role":"user","content":"` + tt.text + `"}]` + tt.rest + `}`
		r, err := http.Post(m.URL+tt.path, "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
		if !strings.Contains(string(got), tt.want) {
			t.Errorf("%s %s: got %s, expected it to hold %s", tt.path, tt.rest, got, tt.want)
		}
	}
	if n := len(m.Requests()); n != 9 || m.Left() != 0 {
		t.Errorf("%d requests and %d turns left", n, m.Left())
	}
}

// TestNormalise: what the client makes anew at each start is not compared.
func TestNormalise(t *testing.T) {
	var r Request
	err := json.Unmarshal([]byte(`{"messages":[
		{"role":"user","content":[{"type":"text","text":"<system-reminder>\nx"},{"type":"text","text":"one","cache_control":{"type":"ephemeral"}}]},
		{"role":"system","content":"environment"},
		{"role":"assistant","content":"two"},
		{"role":"user","content":[{"type":"text","text":" <system-reminder>only"}]},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":[{"type":"text","text":"<system-reminder>"}],"is_error":false}]}]}`), &r.Body)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Normalise(r)
	if err != nil {
		t.Fatal(err)
	}
	want := `user [{"text":"one","type":"text"}]
assistant [{"text":"two","type":"text"}]
user [{"content":[{"text":"<system-reminder>","type":"text"}],"tool_use_id":"c","type":"tool_result"}]
`
	if Words(got) != want {
		t.Errorf("got\n%sexpected\n%s", Words(got), want)
	}
}

// TestClient: the real client writes a session with a tool call, and resumes it.
func TestClient(t *testing.T) {
	c := New(t, Turn{Content: []Block{Text("I look."), Call("Bash", map[string]any{"command": "echo found", "description": "look"})}})
	c.Say("look around", "--session-id", SessionID, "--allowedTools", "Bash")
	got, err := c.Resume(SessionID)
	if err != nil {
		t.Fatal(err)
	}
	if words := Words(got.Messages); len(got.Messages) != 5 || !strings.Contains(words, "found") || !strings.Contains(words, "pong 1") {
		t.Errorf("got %s", words)
	}
	data, err := os.ReadFile(c.Transcript(SessionID))
	if err != nil || !strings.Contains(string(data), "look around") {
		t.Error("no transcript: ", err)
	}
}

// TestClientRefuses: a session that is not there is an error of its own.
func TestClientRefuses(t *testing.T) {
	if _, err := Resume(t, SessionID, []byte("\n")); err == nil || !strings.Contains(err.Error(), "No conversation found") {
		t.Errorf("got %v", err)
	}
}

// TestClientRows: rows made here are what the client resumes.
func TestClientRows(t *testing.T) {
	got, err := Resume(t, SessionID, []byte(Lines(
		User("u1", "", "one"), Assistant("a1", "u1", "msg_1", Text("two")),
		Assistant("a2", "a1", "msg_1", CallWithID("toolu_1", "Bash", map[string]any{"command": "ls"})),
		User("u2", "a2", []Block{ToolResult("toolu_1", "three")}), Assistant("a3", "u2", "msg_2", Text("four")),
	)))
	if err != nil || len(got.Messages) != 5 || !strings.Contains(Words(got.Messages), "three") || got.Refused != nil {
		t.Errorf("got %s, %v, refused: %v", Words(got.Messages), err, got.Refused)
	}
}

// TestRefused: each rule of the API that the fake model does not hold itself.
func TestRefused(t *testing.T) {
	const call = `{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"Bash","input":{}}]}`
	const result = `{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"x"}]}`
	big := strings.Repeat("A", 8<<20)
	for _, tt := range []struct{ messages, want string }{
		{`{"role":"user","content":"one \ud83d\ude00 \\ud83d \n"},` + call + `,` + result, ""},
		{`{"role":"user","content":"one \ud83d"}`, "lone surrogate"},
		{`{"role":"user","content":"one \ud83d\n\ude00"}`, "lone surrogate"},
		{`{"role":"user","content":"one \udc00"}`, "lone surrogate"},
		{call, "has no result"},
		{call + `,{"role":"user","content":"x"},` + result, "has no result"},
		{result, "without its call"},
		{call + `,` + result + `,` + call + `,` + result, "second call"},
		{call + `,` + result + `,` + result, "without its call"},
		{`{"role":"assistant","content":[{"type":"thinking","thinking":"x","signature":""}]}`, "signature"},
		{`{"role":"assistant","content":[{"type":"thinking","thinking":""}]}`, "signature"},
		{`{"role":"assistant","content":[{"type":"thinking","thinking":"","signature":"s"}]}`, ""},
		{`{"role":"user","content":""}`, "empty text"},
		{`{"role":"user","content":[]}`, "no content"},
		{`{"role":"user","content":[{"type":"x"}]}`, "block of type"},
		{`{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"a.b","input":{}}]}`, "not allowed"},
		{`{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"ab","input":"x"}]}`, "no object"},
		{`{"role":"user","content":[{"type":"image","source":{"type":"base64","data":"` + big + `"}}]}`, "image"},
		{call + `,{"role":"user","content":[{"type":"text","text":"x"},{"type":"tool_result","tool_use_id":"c1"}]}`, "behind other content"},
	} {
		r := Request{Raw: []byte(`{"messages":[` + tt.messages + `]}`)}
		if err := json.Unmarshal(r.Raw, &r.Body); err != nil {
			t.Fatalf("%.300s: %v", tt.messages, err)
		}
		got := strings.Join(Refused(r), "; ")
		if (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%.300s: got %q, expected %q", tt.messages, got, tt.want)
		}
	}
}

package gemini_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"

	"tlog/agents/agentstest"
)

type object map[string]any

// history makes a session at random, and knows what its live path says.
type history struct {
	rng   *rand.Rand
	data  bytes.Buffer
	count int
	path  []said   // what stands on the path
	list  []string // the client's list
	gone  []string // ids that were dropped
}

// said is a message on the path.
type said struct {
	id, text string
	message  object // of a reply: it may come again
	prompt   bool
}

// generate writes a session of lines, or now and then a document.
func generate(rng *rand.Rand) agentstest.Sample {
	h := &history{rng: rng}
	if rng.IntN(8) == 0 {
		return h.document()
	}
	head := object{"sessionId": "7a000000-0000-4000-8000-000000000001", "projectHash": "ab", "startTime": "2026-05-01T10:00:00.000Z", "kind": "main"}
	h.line(head)
	for range 2 + rng.IntN(40) {
		switch n := rng.IntN(20); {
		case n < 6:
			h.prompt()
		case n < 13:
			h.reply()
		case n < 14:
			h.line(object{"id": h.id(), "type": "info", "content": "note", "timestamp": h.time()}) // a node that says nothing
			h.list = append(h.list, fmt.Sprintf("m%d", h.count))
			h.path = append(h.path, said{id: fmt.Sprintf("m%d", h.count)})
		case n < 15:
			h.edit()
		case n < 16:
			h.line(object{"$set": object{"lastUpdated": h.time()}})
		case n < 17:
			h.line(head)
		case n < 19:
			h.rewind()
		default:
			h.replace()
		}
	}
	var texts []string
	for _, s := range h.path {
		if s.text != "" {
			texts = append(texts, s.text)
		}
	}
	return agentstest.Sample{Name: "random", Data: h.data.Bytes(), Session: "7a000000-0000-4000-8000-000000000001", Texts: orNone(texts)}
}

func orNone(texts []string) []string {
	if len(texts) == 0 {
		return nil
	}
	return texts
}

func (h *history) line(o object) {
	b, err := json.Marshal(o)
	if err != nil {
		panic(err)
	}
	h.data.Write(append(b, '\n'))
}

func (h *history) time() string { return fmt.Sprintf("2026-05-01T10:%02d:00.000Z", h.count%60) }

// id is a new one, or now and then one that was dropped.
func (h *history) id() string {
	h.count++
	return fmt.Sprintf("m%d", h.count)
}

func (h *history) take(s said, listed bool) {
	h.path = append(h.path, s)
	if !listed {
		h.list = append(h.list, s.id)
	}
}

func (h *history) prompt() {
	id := h.id()
	if len(h.gone) > 0 && h.rng.IntN(3) == 0 {
		if again := h.gone[h.rng.IntN(len(h.gone))]; !slices.Contains(h.list, again) {
			id = again
		}
	}
	text := fmt.Sprintf("prompt %d %s", h.count, []string{"ä", "\u2028", "\"{\\", "🌱"}[h.rng.IntN(4)])
	content := []any{text, []object{{"text": text}}, object{"text": text}}[h.rng.IntN(3)]
	h.line(object{"id": id, "type": "user", "content": content, "timestamp": h.time()})
	h.take(said{id: id, text: text, prompt: true}, false)
}

// reply is one with or without calls, whose results stand in it, behind it, or both.
func (h *history) reply() {
	id := h.id()
	text := fmt.Sprintf("reply %d", h.count)
	if h.rng.IntN(4) == 0 {
		text = ""
	}
	m := object{"id": id, "type": "gemini", "content": text, "timestamp": h.time(), "model": "gemini-x", "tokens": object{"input": 5, "output": h.count}}
	if h.rng.IntN(2) == 0 {
		m["thoughts"] = []object{{"subject": "s", "description": "d"}}
	}
	calls := h.calls(id)
	switch h.rng.IntN(4) {
	case 0: // none
		h.line(m)
		h.take(said{id: id, text: text, message: m}, false)
	case 1: // all at once
		m["toolCalls"] = calls
		h.line(m)
		h.take(said{id: id, message: m}, false)
		h.results(id, calls)
	default: // one after the other
		h.line(m)
		h.take(said{id: id, text: text}, false)
		for n := range calls {
			m["toolCalls"] = calls[:n+1]
			h.line(m)
			if h.rng.IntN(5) == 0 {
				h.line(m) // again
			}
			h.take(said{id: id}, true)
		}
		h.results(id, calls)
	}
}

func (h *history) calls(id string) (calls []object) {
	for n := range 1 + h.rng.IntN(3) {
		call := fmt.Sprintf("%s-c%d", id, n)
		c := object{"id": call, "name": "tool", "args": object{"n": n}, "status": "success", "result": []object{response(call)}}
		switch h.rng.IntN(6) {
		case 0:
			c["status"] = "cancelled"
			delete(c, "result")
		case 1:
			c["status"] = "error"
		}
		calls = append(calls, c)
	}
	return calls
}

func response(call string) object {
	return object{"functionResponse": object{"id": call, "name": "tool", "response": object{"output": "out of " + call}}}
}

// results are told once more by a message of their own, which may have words behind them.
func (h *history) results(id string, calls []object) {
	if h.rng.IntN(3) == 0 {
		return
	}
	var parts []object
	for _, c := range calls {
		parts = append(parts, response(c["id"].(string)))
	}
	s := said{id: id + "r"}
	if h.rng.IntN(4) == 0 {
		s.text = "words " + id
		parts = append(parts, object{"text": s.text})
	}
	h.line(object{"id": s.id, "type": "user", "content": parts, "timestamp": h.time()})
	h.take(s, false)
}

// edit has a message come again with another text.
func (h *history) edit() {
	if len(h.path) == 0 {
		return
	}
	at := h.rng.IntN(len(h.path))
	s := &h.path[at]
	if !s.prompt || !slices.Contains(h.list, s.id) || slices.ContainsFunc(h.path[at+1:], func(later said) bool { return later.id == s.id }) {
		return
	}
	s.text += " edited"
	h.line(object{"id": s.id, "type": "user", "content": s.text, "timestamp": h.time()})
}

// rewind drops a prompt and all behind it, or everything.
func (h *history) rewind() {
	at := 0
	target := "nobody"
	if h.rng.IntN(5) > 0 && len(h.list) > 0 {
		at = h.rng.IntN(len(h.list))
		target = h.list[at]
		on := h.placeOf(target)
		if on < 0 || !h.path[on].prompt {
			return
		}
		h.path = h.path[:on]
	} else {
		h.path = nil
	}
	h.line(object{"$rewindTo": target})
	h.gone = append(h.gone, h.list[at:]...)
	h.list = h.list[:at]
}

// placeOf is where the newest message of an id stands on the path; -1 if none does.
func (h *history) placeOf(id string) int {
	for i, s := range slices.Backward(h.path) {
		if s.id == id {
			return i
		}
	}
	return -1
}

// replace gives a new list: some of the messages that were there, and one of its own.
func (h *history) replace() {
	messages := []object{{"id": h.id(), "type": "user", "content": "<session_context>x", "timestamp": h.time()}}
	list := []string{fmt.Sprintf("m%d", h.count)}
	for _, id := range h.list {
		if h.rng.IntN(4) > 0 {
			messages = append(messages, object{"id": id, "type": "user", "content": []object{{"text": "listed"}}})
			list = append(list, id)
		} else {
			h.gone = append(h.gone, id)
		}
	}
	h.list = list
	h.line(object{"$set": object{"messages": messages, "lastUpdated": h.time()}})
}

// document is a session as older clients wrote it.
func (h *history) document() agentstest.Sample {
	var messages []object
	var texts []string
	for range h.rng.IntN(20) {
		id := h.id()
		m := object{"id": id, "timestamp": h.time(), "type": "user", "content": "prompt " + id}
		switch h.rng.IntN(4) {
		case 0:
			m["type"], m["content"], m["toolCalls"] = "gemini", "look", h.calls(id)
		case 1:
			m["type"], m["content"] = "gemini", "reply "+id
			texts = append(texts, "reply "+id)
		case 2:
			m["type"] = "warning"
		default:
			texts = append(texts, "prompt "+id)
		}
		messages = append(messages, m)
	}
	indent := []string{"  ", "\t", ""}[h.rng.IntN(3)]
	whole := struct {
		SessionID   string   `json:"sessionId"`
		ProjectHash string   `json:"projectHash"`
		StartTime   string   `json:"startTime"`
		Messages    []object `json:"messages"`
		Summary     string   `json:"summary"`
	}{"7a000000-0000-4000-8000-000000000002", "ab", "2026-05-01T10:00:00.000Z", append([]object{}, messages...), "s"}
	b, err := json.MarshalIndent(whole, "", indent)
	if err != nil {
		panic(err)
	}
	return agentstest.Sample{Name: "random document", Data: b, Session: "7a000000-0000-4000-8000-000000000002", Texts: orNone(texts)}
}

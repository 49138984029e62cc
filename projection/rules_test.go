package projection

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// The functions of this file say what the APIs refuse, written down from their
// documentation and error messages and without a look at how the package obeys.

var (
	idRule        = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)
	mediaRule     = regexp.MustCompile(`^image/(jpeg|png|gif|webp)$`)
	surrogatePair = regexp.MustCompile(`(?i)\\ud[89ab]..\\ud[cdef]..`)
	surrogate     = regexp.MustCompile(`(?i)\\ud[89abcdef]..`)
)

// acceptJSON fails on what no API parses.
func acceptJSON(raw []byte) (any, error) {
	if !utf8.Valid(raw) {
		return nil, fmt.Errorf("not UTF-8")
	}
	escapes := surrogatePair.ReplaceAllString(strings.ReplaceAll(string(raw), `\\`, ""), "")
	if lone := surrogate.FindString(escapes); lone != "" {
		return nil, fmt.Errorf("the lone surrogate %s", lone)
	}
	var v any
	d := json.NewDecoder(strings.NewReader(string(raw)))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	return v, nil
}

type apiMessage struct {
	Role       string          `json:"role"`
	Content    json.RawMessage `json:"content"`
	ToolCalls  []apiToolCall   `json:"tool_calls"`
	ToolCallID string          `json:"tool_call_id"`
}

type apiToolCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

type apiBlock struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	Thinking  *string         `json:"thinking"`
	Signature string          `json:"signature"`
	Data      string          `json:"data"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	ToolUseID string          `json:"tool_use_id"`
	Content   json.RawMessage `json:"content"`
	IsError   bool            `json:"is_error"`
	Source    *struct {
		Type      string `json:"type"`
		MediaType string `json:"media_type"`
		Data      string `json:"data"`
		URL       string `json:"url"`
	} `json:"source"`
	ImageURL *struct {
		URL string `json:"url"`
	} `json:"image_url"`
}

// acceptAnthropic is what Anthropic's Messages API takes.
func acceptAnthropic(r Request) error {
	if r.System != nil {
		var s string
		if err := json.Unmarshal(r.System, &s); err != nil || s == "" {
			return fmt.Errorf("system: %q, %v", s, err)
		}
	}
	a := anthropicRules{ids: map[string]bool{}}
	for i, raw := range r.Messages {
		if err := a.message(i, raw, i == len(r.Messages)-1); err != nil {
			return fmt.Errorf("messages.%d: %w in %.300s", i, err, raw)
		}
	}
	if len(a.open) > 0 && a.lastRole == "assistant" {
		return fmt.Errorf("calls at the end without a result: %v", a.open)
	}
	return nil
}

type anthropicRules struct {
	ids      map[string]bool
	open     []string // calls of the message before
	lastRole string
}

func (a *anthropicRules) message(i int, raw []byte, last bool) error {
	if _, err := acceptJSON(raw); err != nil {
		return err
	}
	var m apiMessage
	var blocks []apiBlock
	if err := json.Unmarshal(raw, &m); err != nil {
		return err
	}
	if err := json.Unmarshal(m.Content, &blocks); err != nil {
		return err
	}
	want := "user"
	if a.lastRole == "user" {
		want = "assistant"
	}
	switch {
	case m.Role != want:
		return fmt.Errorf("role %q, expected %q", m.Role, want)
	case len(blocks) == 0:
		return fmt.Errorf("empty content")
	}
	a.lastRole = m.Role
	if m.Role == "user" {
		return a.user(blocks)
	}
	return a.assistant(blocks, last)
}

func (a *anthropicRules) user(blocks []apiBlock) error {
	waiting := map[string]bool{}
	for _, id := range a.open {
		waiting[id] = true
	}
	a.open = nil
	results := true
	for _, b := range blocks {
		if b.Type != "tool_result" {
			results = false
			if err := acceptUserBlock(b); err != nil {
				return err
			}
			continue
		}
		if !results {
			return fmt.Errorf("a result behind other content")
		}
		if !waiting[b.ToolUseID] {
			return fmt.Errorf("unexpected tool_use_id %q", b.ToolUseID)
		}
		delete(waiting, b.ToolUseID)
		if err := acceptResult(b); err != nil {
			return err
		}
	}
	if len(waiting) > 0 {
		return fmt.Errorf("calls without a result: %v", waiting)
	}
	return nil
}

func acceptResult(b apiBlock) error {
	var text string
	if json.Unmarshal(b.Content, &text) == nil {
		if text == "" {
			return fmt.Errorf("empty result")
		}
		return nil
	}
	var blocks []apiBlock
	if err := json.Unmarshal(b.Content, &blocks); err != nil || len(blocks) == 0 {
		return fmt.Errorf("content of result: %v", err)
	}
	for _, block := range blocks {
		if err := acceptUserBlock(block); err != nil {
			return err
		}
		if b.IsError && block.Type != "text" {
			return fmt.Errorf("%s in an error result", block.Type)
		}
	}
	return nil
}

func acceptUserBlock(b apiBlock) error {
	switch b.Type {
	case "text":
		if strings.TrimSpace(b.Text) == "" {
			return fmt.Errorf("a text without text")
		}
		return nil
	case "document":
		if b.Source == nil || b.Source.Data == "" && b.Source.URL == "" {
			return fmt.Errorf("document without source")
		}
		return nil
	case "image":
		switch {
		case b.Source == nil:
			return fmt.Errorf("image without source")
		case b.Source.Type == "url":
			return nil
		}
		return acceptImage(b.Source.MediaType, b.Source.Data)
	}
	return fmt.Errorf("block %q in a user message", b.Type)
}

func acceptImage(mediaType, data string) error {
	if !mediaRule.MatchString(mediaType) {
		return fmt.Errorf("media type %q", mediaType)
	}
	if bytes, err := base64.StdEncoding.DecodeString(data); err != nil || len(bytes) == 0 {
		return fmt.Errorf("image data: %v", err)
	}
	return nil
}

func (a *anthropicRules) assistant(blocks []apiBlock, last bool) error {
	for i, b := range blocks {
		end := i == len(blocks)-1
		switch b.Type {
		case "text":
			if strings.TrimSpace(b.Text) == "" {
				return fmt.Errorf("a text without text")
			}
			if last && end && strings.TrimRight(b.Text, " \t\r\n") != b.Text {
				return fmt.Errorf("white space at the end")
			}
		case "thinking":
			if b.Thinking == nil || b.Signature == "" || end {
				return fmt.Errorf("thinking %+v, last: %v", b, end)
			}
		case "redacted_thinking":
			if b.Data == "" || end {
				return fmt.Errorf("redacted thinking %+v, last: %v", b, end)
			}
		case "tool_use":
			switch {
			case !idRule.MatchString(b.ID) || !idRule.MatchString(b.Name):
				return fmt.Errorf("id %q, name %q", b.ID, b.Name)
			case a.ids[b.ID]:
				return fmt.Errorf("id %q twice", b.ID)
			case len(b.Input) == 0 || b.Input[0] != '{':
				return fmt.Errorf("input %s", b.Input)
			}
			a.ids[b.ID] = true
			a.open = append(a.open, b.ID)
		case "server_tool_use":
			if b.ID == "" || b.Name == "" || !slices.ContainsFunc(blocks[i:], func(r apiBlock) bool { return r.ToolUseID == b.ID }) {
				return fmt.Errorf("tool of the server without a result: %+v", b)
			}
		default:
			if !strings.HasSuffix(b.Type, "_tool_result") || b.Type == "tool_result" ||
				!slices.ContainsFunc(blocks[:i], func(c apiBlock) bool { return c.ID == b.ToolUseID }) {
				return fmt.Errorf("block %q in a reply", b.Type)
			}
		}
	}
	return nil
}

// acceptOpenAI is what OpenAI's Chat Completions API takes.
func acceptOpenAI(r Request) error {
	if r.System != nil {
		return fmt.Errorf("a system beside the messages")
	}
	o := openAIRules{ids: map[string]bool{}, waiting: map[string]bool{}}
	for i, raw := range r.Messages {
		if err := o.message(i, raw); err != nil {
			return fmt.Errorf("messages.%d: %w in %.300s", i, err, raw)
		}
	}
	if len(o.waiting) > 0 {
		return fmt.Errorf("calls without a result: %v", o.waiting)
	}
	return nil
}

type openAIRules struct {
	ids     map[string]bool
	waiting map[string]bool
}

func (o *openAIRules) message(i int, raw []byte) error {
	if _, err := acceptJSON(raw); err != nil {
		return err
	}
	var m apiMessage
	if err := json.Unmarshal(raw, &m); err != nil {
		return err
	}
	if m.Role != "tool" && len(o.waiting) > 0 {
		return fmt.Errorf("calls without a result: %v", o.waiting)
	}
	var s string
	plain := json.Unmarshal(m.Content, &s) == nil && string(m.Content) != "null"
	switch m.Role {
	case "system":
		if i != 0 || s == "" {
			return fmt.Errorf("system at %d: %q", i, s)
		}
	case "user":
		if plain {
			return nonEmpty(s)
		}
		return acceptParts(m.Content)
	case "tool":
		if !o.waiting[m.ToolCallID] {
			return fmt.Errorf("a result for no call %q", m.ToolCallID)
		}
		delete(o.waiting, m.ToolCallID)
		return nonEmpty(s)
	case "assistant":
		if len(m.ToolCalls) == 0 {
			return nonEmpty(s)
		}
		return o.calls(m.ToolCalls)
	default:
		return fmt.Errorf("role %q", m.Role)
	}
	return nil
}

func nonEmpty(s string) error {
	if strings.TrimSpace(s) == "" {
		return fmt.Errorf("empty content")
	}
	return nil
}

func acceptParts(content []byte) error {
	var blocks []apiBlock
	if err := json.Unmarshal(content, &blocks); err != nil || len(blocks) == 0 {
		return fmt.Errorf("content: %v", err)
	}
	for _, b := range blocks {
		switch b.Type {
		case "text":
			if err := nonEmpty(b.Text); err != nil {
				return err
			}
		case "image_url":
			if b.ImageURL == nil || b.ImageURL.URL == "" {
				return fmt.Errorf("image without address")
			}
			if rest, ok := strings.CutPrefix(b.ImageURL.URL, "data:"); ok {
				mime, data, _ := strings.Cut(rest, ";base64,")
				if err := acceptImage(mime, data); err != nil {
					return err
				}
			}
		default:
			return fmt.Errorf("part %q", b.Type)
		}
	}
	return nil
}

func (o *openAIRules) calls(calls []apiToolCall) error {
	for _, c := range calls {
		var arguments map[string]json.RawMessage
		switch {
		case !idRule.MatchString(c.ID) || len(c.ID) > 40 || !idRule.MatchString(c.Function.Name):
			return fmt.Errorf("id %q, name %q", c.ID, c.Function.Name)
		case o.ids[c.ID]:
			return fmt.Errorf("id %q twice", c.ID)
		case c.Type != "function":
			return fmt.Errorf("call of type %q", c.Type)
		case json.Unmarshal([]byte(c.Function.Arguments), &arguments) != nil:
			return fmt.Errorf("arguments %q", c.Function.Arguments)
		}
		o.ids[c.ID] = true
		o.waiting[c.ID] = true
	}
	return nil
}

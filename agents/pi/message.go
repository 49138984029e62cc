package pi

import (
	"strconv"
	"strings"
	"time"

	"tlog/agents/transcript"
	"tlog/objects"
)

// unknownModel stands for the provider or model of a reply of which none is recorded.
const unknownModel = "unknown"

// noUsage is the usage of a reply of which none is recorded: pi counts what all replies used (formats/pi.md section 4).
const noUsage = `{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"totalTokens":0,` +
	`"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}}`

// messageOf is a message of a conversation in pi's words (formats/pi.md section 4).
func messageOf(m transcript.Message, now time.Time) []byte {
	at := m.Time
	if at.IsZero() {
		at = now
	}
	var blocks [][]byte
	calls := false
	for _, p := range m.Parts {
		blocks = append(blocks, partBlock(p))
		calls = calls || p.Kind == objects.BlockToolCall
	}
	content := objects.Field{Key: "content", Value: array(blocks)}
	timestamp := objects.Field{Key: "timestamp", Value: strconv.AppendInt(nil, at.UnixMilli(), 10)}
	role := objects.StringField("role", m.Role)
	switch m.Role {
	case objects.RoleAssistant:
		return objects.Object(append(append([]objects.Field{role, content}, replyFields(m.Provider, m.Model, calls)...), timestamp)...)
	case objects.RoleToolResult:
		return objects.Object(role, objects.StringField("toolCallId", m.CallID), objects.StringField("toolName", m.Tool), content,
			boolField("isError", m.Failed), timestamp)
	}
	return objects.Object(role, content, timestamp)
}

// replyFields are what pi wants to know of each reply: without a usage or a model it fails or complains.
func replyFields(provider, model string, calls bool) []objects.Field {
	if provider == "" {
		provider = unknownModel
	}
	if model == "" {
		model = unknownModel
	}
	stop := "stop"
	if calls {
		stop = "toolUse"
	}
	return []objects.Field{
		objects.StringField("api", apiOf(provider)), objects.StringField("provider", provider), objects.StringField("model", model),
		{Key: "usage", Value: []byte(noUsage)}, objects.StringField("stopReason", stop),
	}
}

// apiOf is pi's name of the API of a provider.
func apiOf(provider string) string {
	switch provider {
	case "anthropic":
		return "anthropic-messages"
	case "openai":
		return "openai-responses"
	case "google":
		return "google-generative-ai"
	}
	return unknownModel
}

func partBlock(p transcript.Part) []byte {
	switch p.Kind {
	case objects.BlockImage:
		return imageBlock(p.MimeType, p.Data)
	case objects.BlockToolCall:
		return callBlock(p.CallID, p.Name, p.Arguments)
	}
	return textBlock(p.Text)
}

func textBlock(text string) []byte {
	return objects.Object(objects.StringField("type", "text"), objects.StringField("text", text))
}

func imageBlock(mime, data string) []byte {
	return objects.Object(objects.StringField("type", "image"), objects.StringField("data", data), objects.StringField("mimeType", mime))
}

// callBlock is a call; arguments are a JSON object.
func callBlock(id, name string, arguments []byte) []byte {
	return objects.Object(objects.StringField("type", "toolCall"), objects.StringField("id", id), objects.StringField("name", name),
		objects.Field{Key: "arguments", Value: arguments})
}

func boolField(key string, value bool) objects.Field {
	return objects.Field{Key: key, Value: strconv.AppendBool(nil, value)}
}

// array is a JSON array of the values.
func array(values [][]byte) []byte {
	out := []byte{'['}
	for i, v := range values {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, v...)
	}
	return append(out, ']')
}

// stamp is a time as entries carry it.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

func isString(value []byte) bool { return len(value) > 0 && value[0] == '"' }

func isObject(value []byte) bool { return len(value) > 0 && value[0] == '{' }

// fileStamp is a time as it stands in the name of a file.
func fileStamp(t time.Time) string {
	return strings.NewReplacer(":", "-", ".", "-").Replace(stamp(t))
}

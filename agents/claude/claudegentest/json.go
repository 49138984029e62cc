package claudegentest

import (
	"bytes"
	"encoding/json"
)

// raw is JSON that goes into a line as it stands.
type raw = json.RawMessage

// object is a JSON object of keys and values in turn, in this order, as JSON.stringify writes it. Keys whose value is absent{} are
// left out.
func object(pairs ...any) []byte {
	out := []byte{'{'}
	for i := 0; i+1 < len(pairs); i += 2 {
		if _, left := pairs[i+1].(absent); left {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(out, value(pairs[i])...)
		out = append(out, ':')
		out = append(out, value(pairs[i+1])...)
	}
	return append(out, '}')
}

// absent stands for a member that is not there.
type absent struct{}

// list is a JSON array of objects made by object.
func list(objects ...[]byte) raw {
	return append(append(raw{'['}, bytes.Join(objects, []byte{','})...), ']')
}

func value(v any) []byte {
	switch v := v.(type) {
	case raw:
		return v
	case []byte:
		return v
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'})
}

// orNull is an id, or null for none.
func orNull(id string) any {
	if id == "" {
		return nil
	}
	return id
}

// when is v if the condition holds.
func when(condition bool, v any) any {
	if condition {
		return v
	}
	return absent{}
}

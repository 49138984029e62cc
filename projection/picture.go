package projection

import (
	"bytes"

	"tlog/objects"
)

// picture is an image that an API takes: its bytes or where it lies on the web.
type picture struct {
	mime string
	data []byte // base64
	url  string
}

// pictureOf gives the image in a block. ok is false if no API would take it:
// not one of the four formats, no proper base64, no address.
func pictureOf(b objects.Block) (p picture, ok bool) {
	if len(b.Data) == 0 {
		url := text(member(b.Raw, "source"), "url")
		if url == "" {
			url = text(member(b.Raw, "image_url"), "url")
		}
		return picture{url: url}, hasPrefix(url, "https://") || hasPrefix(url, "http://")
	}
	mime := b.MimeType
	switch mime {
	case "image/jpg":
		mime = "image/jpeg"
	case "image/jpeg", "image/png", "image/gif", "image/webp":
	default:
		return picture{}, false
	}
	return picture{mime: mime, data: b.Data}, isBase64(b.Data)
}

func hasPrefix(s, prefix string) bool { return len(s) > len(prefix) && s[:len(prefix)] == prefix }

// isBase64 reports whether data is padded base64 in the usual alphabet.
func isBase64(data []byte) bool {
	digits := bytes.TrimRight(data, "=")
	if len(data)%4 != 0 || len(data)-len(digits) > 2 || len(digits) == 0 {
		return false
	}
	for _, c := range digits {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '+', c == '/':
		default:
			return false
		}
	}
	return true
}

// anthropic is the picture as a content block of Anthropic's.
func (p picture) anthropic() []byte {
	source := object(field{"type", quote("url")}, field{"url", quote(p.url)})
	if p.data != nil {
		source = object(field{"type", quote("base64")}, field{"media_type", quote(p.mime)}, field{"data", p.quoted("")})
	}
	return object(field{"type", quote("image")}, field{"source", source})
}

// openAI is the picture as a content part of OpenAI's.
func (p picture) openAI() []byte {
	url := quote(p.url)
	if p.data != nil {
		url = p.quoted("data:" + p.mime + ";base64,")
	}
	return object(field{"type", quote("image_url")}, field{"image_url", object(field{"url", url})})
}

// quoted is the data behind a prefix as a JSON string; base64 needs no escapes.
func (p picture) quoted(prefix string) []byte {
	out := make([]byte, 0, len(prefix)+len(p.data)+2)
	out = append(append(out, '"'), prefix...)
	return append(append(out, p.data...), '"')
}

// parts are the texts and pictures of a result, in order.
func resultParts(b objects.Block) []objects.Block { return decodeContent(member(b.Raw, "content")) }

package claude

import (
	"bytes"
	"encoding/base64"
	"image"
	_ "image/gif"  // for the size of pictures
	_ "image/jpeg" // likewise
	_ "image/png"  // likewise
	"slices"
	"strings"

	"tlog/agents/transcript"
	"tlog/objects"
)

// What the API takes of an image. The client measures the base64, and sends nothing at all if one is longer than 5 MiB.
const (
	maxImageBytes = (5 << 20) / 4 * 3
	maxImageSide  = 8000 // pixels
)

// leftOut is what stands in the place of an image; empty if the image stays. kind is its media type, data its base64.
func (e *exporter) leftOut(kind string, data []byte) string {
	size := int64(len(bytes.TrimRight(data, "="))) * 3 / 4
	limit := e.x.MaxImage
	if limit == 0 {
		limit = maxImageBytes
	}
	if kind == "" {
		kind = "image"
	}
	switch {
	case e.x.NoImages, size > limit:
	case hugePicture(data):
	default:
		return ""
	}
	return "[" + kind + " " + string(objects.AppendSize(nil, size)) + " left out]"
}

// hugePicture reports whether an image has more pixels on a side than the API takes. What cannot be read has not.
func hugePicture(data []byte) bool {
	c, _, err := image.DecodeConfig(base64.NewDecoder(base64.StdEncoding, bytes.NewReader(data)))
	return err == nil && (c.Width > maxImageSide || c.Height > maxImageSide)
}

// repairImage is an image block, or a text in its place.
func (e *exporter) repairImage(r row, raw []byte) []byte {
	source := objects.MemberOf(raw, "source")
	data, ok := objects.Unquote(objects.MemberOf(source, "data"))
	words, picture := "[image left out]", raw
	if ok {
		picture = []byte(data)
		words = e.leftOut(objects.StringOf(objects.MemberOf(source, "media_type")), picture)
	} else if kind := objects.StringOf(objects.MemberOf(source, "type")); !e.x.NoImages && kind != "" && kind != "base64" {
		words = "" // it names a place that the model fetches it from
	}
	if words == "" {
		return raw
	}
	e.dropped(r.entry, picture, words)
	return textBlock(words)
}

// pictures are those that were left out. One that stands several times in a row is told of once, and copies in lines that are no rows are not,
// if a row has the picture.
type pictures struct {
	of     objects.ID // the entry of which pictures were left out last
	inIt   map[[blake3Size]byte]bool
	told   map[[blake3Size]byte]bool
	copies []pictureCopy
}

// pictureCopy is a picture in a line that is no row.
type pictureCopy struct {
	entry   objects.ID
	picture [blake3Size]byte
	words   string
}

// dropped tells that a picture of an entry was left out.
func (e *exporter) dropped(id objects.ID, picture []byte, words string) {
	if e.planning {
		return
	}
	p, key := &e.pictures, sum(picture)
	if p.of != id || p.inIt == nil {
		p.of, p.inIt = id, map[[blake3Size]byte]bool{}
	}
	if p.inIt[key] {
		return
	}
	if p.told == nil {
		p.told = map[[blake3Size]byte]bool{}
	}
	p.inIt[key], p.told[key] = true, true
	e.repaired(transcript.DroppedImage, id, "%s", words)
}

// tellCopies tells of the pictures that were left out of lines that are no rows and stand in no row.
func (e *exporter) tellCopies() {
	for _, c := range e.pictures.copies {
		if !e.pictures.told[c.picture] {
			e.repaired(transcript.DroppedImage, c.entry, "%s", c.words)
		}
	}
}

// repairResultImages repairs the images in the content of a tool result.
func (e *exporter) repairResultImages(r row, result []byte) []byte {
	return e.repairImageList(r, result, "content")
}

// repairImageList repairs the images in a member of an object that is a list of blocks.
func (e *exporter) repairImageList(r row, value []byte, name string) []byte {
	var blocks [][]byte
	changed := false
	objects.Elements(objects.MemberOf(value, name), func(raw []byte) {
		repaired := raw
		if objects.StringOf(objects.MemberOf(raw, "type")) == "image" {
			repaired = e.repairImage(r, raw)
			changed = changed || !bytes.Equal(repaired, raw)
		}
		blocks = append(blocks, repaired)
	})
	if !changed {
		return value
	}
	list := append(append([]byte{'['}, bytes.Join(blocks, []byte{','})...), ']')
	return splice(value, edit{name: name, value: list})
}

// repairAttachment repairs the images of a prompt that waited in the queue: it is sent as a message of the user.
func (e *exporter) repairAttachment(r row) []byte {
	if r.kind != "attachment" || len(r.attached) == 0 || r.attached[0] != '{' {
		return r.object
	}
	repaired := e.repairImageList(r, r.attached, "prompt")
	if bytes.Equal(repaired, r.attached) {
		return r.object
	}
	return splice(r.object, edit{name: "attachment", value: repaired})
}

// withoutImages replaces the data of images that are left out wherever else they stand in a line, as in the copy
// that the client keeps of a tool's result. side: the line is no row.
func (e *exporter) withoutImages(line []byte, id objects.ID, side bool) []byte {
	if !bytes.Contains(line, []byte("image/")) && !bytes.Contains(line, []byte(`image\/`)) {
		return line
	}
	type hole struct {
		start, end int
		words      string
	}
	var holes []hole
	eachImageData(line, func(kind string, start, end int) {
		data, _ := objects.Unquote(line[start:end])
		if words := e.leftOut(kind, []byte(data)); words != "" && !strings.HasSuffix(data, " left out]") {
			holes = append(holes, hole{start, end, words})
			if side && !e.planning {
				e.pictures.copies = append(e.pictures.copies, pictureCopy{id, sum([]byte(data)), words})
			} else if !side {
				e.dropped(id, []byte(data), words)
			}
		}
	})
	slices.SortFunc(holes, func(a, b hole) int { return a.start - b.start })
	var out []byte
	from := 0
	for _, h := range holes {
		out = objects.AppendQuote(append(out, line[from:h.start]...), h.words)
		from = h.end
	}
	return append(out, line[from:]...)
}

// imageFrame is an object or list that is open while a line is gone over.
type imageFrame struct {
	object, value      bool // value: a value comes next, no key
	data, kind         bool // the key before is that of data, of a type
	kindStart, kindEnd int  // the value that names a type of images
	dataStart, dataEnd int
}

// eachImageData gives the tokens in valid JSON that are the data of an image: the members data and base64 of objects that also
// have a type that begins with "image/". They come in the order in which their objects end.
func eachImageData(b []byte, found func(kind string, start, end int)) {
	stack := []imageFrame{{}}
	for i := 0; i < len(b); i++ {
		top := &stack[len(stack)-1]
		switch b[i] {
		case '{', '[':
			stack = append(stack, imageFrame{object: b[i] == '{'})
		case '}', ']':
			if f := *top; f.kindEnd > 0 && f.dataEnd > 0 {
				found(objects.StringOf(b[f.kindStart:f.kindEnd]), f.dataStart, f.dataEnd)
			}
			stack = stack[:len(stack)-1]
		case ':':
			top.value = true
		case ',':
			top.value = false
		case '"':
			end := stringEnd(b, i)
			top.token(b, i, end)
			i = end - 1
		}
	}
}

// token takes a string into account.
func (f *imageFrame) token(b []byte, start, end int) {
	switch {
	case !f.object:
	case !f.value:
		key := string(b[start+1 : min(end-1, start+16)])
		f.data = key == "data" || key == "base64"
		f.kind = key == "media_type" || key == "mimeType" || key == "type"
	case f.data:
		f.dataStart, f.dataEnd = start, end
	case f.kind && strings.HasPrefix(objects.StringOf(b[start:min(end, start+1<<8)]), "image/"):
		f.kindStart, f.kindEnd = start, end
	}
}

// stringEnd is the offset behind the string that begins at b[i].
func stringEnd(b []byte, i int) int {
	for i++; i < len(b); i++ {
		next := bytes.IndexAny(b[i:], `"\`)
		if next < 0 {
			return len(b)
		}
		if i += next; b[i] == '"' {
			return i + 1
		}
		i++
	}
	return len(b)
}

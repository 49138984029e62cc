package checkout

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"iter"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/zeebo/blake3"

	"tlog/agents/transcript"
	"tlog/log"
	"tlog/objects"
)

// The members of an entry that holds what an agent keeps beside a transcript.
const (
	besideName   = "file"
	besideText   = "content"
	besideBinary = "contentBase64"
)

// addBeside adds what the agent keeps beside the transcript, where it is new or is not what the log, nil for a new
// one, holds of it.
func (im *importer) addBeside(l *log.Log, opt Options) error {
	source, ok := im.source.(*ForeignSource)
	if !ok || len(source.Beside) == 0 {
		return nil
	}
	known := map[string]int{}
	if l != nil {
		var err error
		if known, err = besideIn(l, im.tracking); err != nil {
			return err
		}
	}
	for _, file := range source.Beside {
		content, err := contentOf(file)
		if err != nil { // what can be had comes in all the same
			im.sideErrs = append(im.sideErrs, fmt.Errorf("%q: %w", file.Name, err))
			continue
		}
		if at, ok := known[file.Name]; ok {
			if same, err := holdsContent(l, at, content); err != nil || same {
				if err != nil {
					return err
				}
				continue
			}
		}
		now := opt.Now()
		id, err := objects.NewID(now, opt.Random)
		if err != nil {
			return err
		}
		line := objects.Build(objects.TypeMeta, id, "", timestamp(now), objects.StringField("agent", im.tracking),
			objects.StringField(besideName, file.Name), content)
		im.lines = append(im.lines, log.Line{Bytes: withRef(line, im.tracking), Verbatim: true})
		im.next++
		im.beside++
	}
	return nil
}

// besideIn are the last records of each file that a log holds of an agent's.
func besideIn(l *log.Log, tracking string) (map[string]int, error) {
	known := map[string]int{}
	for i := range l.Len() {
		if r := l.Record(i); r.Type != objects.TypeMeta || r.Foreign || r.Ref != tracking {
			continue
		}
		e, err := l.Entry(i)
		if err != nil {
			return nil, err
		}
		if name, ok := e.Text(besideName); ok {
			known[name] = i
		}
	}
	return known, nil
}

// contentOf is the member that holds a file.
func contentOf(file transcript.SideFile) (objects.Field, error) {
	if file.Skipped != nil {
		return objects.Field{}, file.Skipped
	}
	if !utf8.ValidString(file.Name) { // as text it would be another name, by which the file is not known again
		return objects.Field{}, fmt.Errorf("%w: expected a name in UTF-8", objects.ErrInvalid)
	}
	data := file.Data
	if file.Path != "" {
		var err error
		if data, err = transcript.ReadSide(file.Path); err != nil {
			return objects.Field{}, err
		}
	}
	if utf8.Valid(data) {
		return objects.StringField(besideText, string(data)), nil
	}
	return objects.StringField(besideBinary, base64.StdEncoding.EncodeToString(data)), nil
}

// holdsContent reports whether an entry has the content. A text in a blob is told by its hash, without reading it.
func holdsContent(l *log.Log, at int, content objects.Field) (bool, error) {
	e, err := l.Entry(at)
	if err != nil {
		return false, err
	}
	table, err := e.BlobTable()
	if e.Blobs == nil || err != nil {
		return string(e.Get(content.Key)) == string(content.Value), nil
	}
	for _, b := range table {
		if b.At != "/"+content.Key {
			continue
		}
		plain, ok := []byte(nil), false
		switch b.Encoding {
		case objects.BlobJSON:
			plain, ok = content.Value, true
		case objects.BlobText:
			var text string
			text, ok = objects.Unquote(content.Value)
			plain = []byte(text)
		}
		sum := blake3.Sum256(plain)
		return ok && hex.EncodeToString(sum[:]) == b.Hash, nil
	}
	return false, nil
}

// SideFiles gives what the log holds of what the agent keeps beside the transcript, the last content of each name, in the order of the names.
// An error concerns the file in its pair.
func (s *Session) SideFiles() iter.Seq2[transcript.SideFile, error] {
	return func(yield func(transcript.SideFile, error) bool) {
		known, err := besideIn(s.Log, s.Log.Header().Agent)
		if err != nil {
			yield(transcript.SideFile{}, err)
			return
		}
		for _, name := range slices.Sorted(maps.Keys(known)) {
			file := transcript.SideFile{Name: name}
			if file.Data, err = s.sideContent(known[name]); err != nil {
				err = fmt.Errorf("side file %q: %w", name, err)
			}
			if !yield(file, err) {
				return
			}
		}
	}
}

// sideContent is the content of the file that a record holds.
func (s *Session) sideContent(at int) ([]byte, error) {
	e, err := s.Log.Whole(at)
	if err != nil {
		return nil, err
	}
	if text, ok := e.Text(besideText); ok {
		return []byte(text), nil
	}
	text, ok := e.Text(besideBinary)
	data, err := base64.StdEncoding.DecodeString(text)
	if !ok || err != nil {
		return nil, fmt.Errorf("line %d: %w: expected %s or %s", s.Log.Record(at).Line, objects.ErrCorrupt, besideText, besideBinary)
	}
	return data, nil
}

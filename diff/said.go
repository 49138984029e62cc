package diff

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"github.com/zeebo/blake3"

	"tlog/blobs"
	"tlog/log"
	"tlog/objects"
)

// entryKey is what an entry says.
type entryKey struct {
	key    hash   // two entries of one key say the same
	shape  uint32 // of the role and the tools
	calls  bool   // it calls tools
	prompt bool   // it begins a turn
	// sayings are the hashes of the texts, calls and results in it, one by one: agents divide a reply into lines each in its own way. They are valid until
	// the next entry is read.
	sayings []hash
}

// reader reads what entries of a log say.
type reader struct {
	log     *log.Log
	sayings []hash
}

// message is what is in an entry, filled in as far as texts lie in blobs; pictures are the names of the blobs that hold pictures. Blobs that are missing
// leave a placeholder.
func (r *reader) message(i int) (e objects.Entry, m objects.Message, pictures []string, err error) {
	e, err = r.log.Entry(i)
	if err != nil {
		return e, m, nil, fmt.Errorf("read entry %s: %w", r.log.Short(i), err)
	}
	if r.log.Record(i).Blobs {
		e, _ = e.Fill(func(b objects.Blob) ([]byte, error) {
			if b.Encoding == objects.BlobBase64 {
				pictures = append(pictures, b.Hash)
				return nil, errors.New("not read")
			}
			name, err := blobs.ParseHash(b.Hash)
			if err != nil {
				return nil, err
			}
			return r.log.Blobs().Get(name)
		})
	}
	m, _ = r.log.Message(e)
	return e, m, pictures, nil
}

// read reads what the i-th entry says.
func (r *reader) read(i int) (entryKey, error) {
	e, m, pictures, err := r.message(i)
	if err != nil {
		return entryKey{}, err
	}
	r.sayings = r.sayings[:0]
	said := entryKey{prompt: e.Type == objects.TypeMessage && m.Prompt()}
	shape := hashSeed.addText(string(e.Type)).addText(m.Role)
	for _, b := range m.Blocks {
		switch b.Kind {
		case objects.BlockToolCall:
			shape, said.calls = shape.addText(b.Name), true
		case objects.BlockToolResult:
			shape = shape.add(uint64(b.Kind))
		}
	}
	r.addMessage(m)
	switch {
	case e.Type == objects.TypeCompaction:
		r.addCompaction(e)
	case e.Type == objects.TypeBranchSummary:
		summary, _ := e.Text("summary")
		r.say(saying(string(e.Type)).addText(summary))
	}
	for _, picture := range pictures {
		r.say(saying("picture").addText(picture))
	}
	said.key, said.shape, said.sayings = hashSeed, uint32(shape^shape>>32), r.sayings
	for _, s := range r.sayings {
		said.key = said.key.add(uint64(s))
	}
	if len(r.sayings) == 0 {
		said.key = said.key.addText(string(e.Type)).addText(m.Role)
	}
	return said, nil
}

func saying(kind string) hash { return hashSeed.addText(kind) }

func (r *reader) say(h hash) { r.sayings = append(r.sayings, h) }

func (r *reader) addCompaction(e objects.Entry) {
	c, _ := r.log.Compaction(e)
	r.say(saying(string(e.Type)).addText(c.Summary))
	for _, m := range c.Replacement {
		r.addMessage(m)
	}
}

func (r *reader) addMessage(m objects.Message) {
	for _, b := range m.Blocks {
		switch b.Kind {
		case objects.BlockText:
			if b.Text != "" {
				r.say(saying("text").addText(m.Role).addText(b.Text))
			}
		case objects.BlockToolCall:
			r.say(hashJSON(saying("call").addText(b.Name), b.Arguments, 0))
		case objects.BlockToolResult:
			r.say(hashResult(b))
		case objects.BlockImage:
			if name, ok := pictureName(b); ok {
				r.say(saying("picture").addText(name))
			}
		case objects.BlockOther:
			r.say(hashJSON(saying("other"), b.Raw, 0))
		}
	}
	if m.Error != "" {
		r.say(saying("error").addText(m.Error))
	}
}

// failedCall stands before the output of a failed call where an agent has no other way to say so (docs/hand-off.md "Codex").
const failedCall = "execution error: "

// hashResult takes in how a call ended by whether it failed, and by its exit status where the text does not say it.
func hashResult(b objects.Block) hash {
	text, failed := b.Text, uint64(0)
	if b.IsError || b.State != "" {
		failed = 1
		text = strings.TrimPrefix(text, failedCall)
	}
	h := saying("result").add(failed).addText(text).add(uint64(b.Images))
	if strings.HasPrefix(b.State, "exit ") && !strings.HasPrefix(text, "Exit code ") {
		h = h.addText(b.State)
	}
	return h
}

// pictureName is the name that the picture has as a blob; ok is false if it lies in one, or elsewhere.
func pictureName(b objects.Block) (name string, ok bool) {
	content := make([]byte, base64.StdEncoding.DecodedLen(len(b.Data)))
	n, err := base64.StdEncoding.Decode(content, b.Data)
	if err != nil || n == 0 {
		return "", false
	}
	sum := blake3.Sum256(content[:n])
	return fmt.Sprintf("%x", sum), true
}

package checkout

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"tlog/objects"
)

// draft is a line that is to be appended, checked as far as that is possible
// without a look at the log.
type draft struct {
	entry objects.Entry // a whole entry as it came in; a bare message in its envelope
	id    objects.ID    // its own or a new one

	hasID        bool // entry.Raw has it
	hasTimestamp bool // likewise
	timestamp    string
}

// newDraft checks a line. What it lacks of id and timestamp is made here, so that it stays
// the same however often the line is placed.
func (s *Session) newDraft(line []byte) (*draft, error) {
	object := bytes.Trim(line, " \t\r\n")
	if bytes.IndexByte(object, '\n') >= 0 {
		return nil, fmt.Errorf("%w entry: expected an object on one line, got a line break in it", objects.ErrInvalid)
	}
	if !utf8.Valid(object) {
		return nil, fmt.Errorf("%w entry: expected UTF-8", objects.ErrInvalid)
	}
	var sh shape
	if err := objects.Scan(object, sh.member); err != nil {
		return nil, fmt.Errorf("%w entry: %w", objects.ErrInvalid, err)
	}
	if err := sh.check(); err != nil {
		return nil, err
	}
	d := &draft{}
	if sh.bare() {
		// What looks like an id in a bare message is a part of the message.
		object = objects.AppendMembers([]byte(`{"type":"message"}`), append([]byte(`"message":`), object...))
		sh = shape{}
	} else {
		object = bytes.Clone(object) // callers use their buffers again
	}
	return d, d.complete(s, object, sh)
}

// complete takes the checked object and makes what it lacks.
func (d *draft) complete(s *Session, object []byte, sh shape) (err error) {
	if d.entry, err = objects.ParseEntry(object); err != nil {
		return fmt.Errorf("%w entry: %w", objects.ErrInvalid, err)
	}
	if err := checkType(d.entry); err != nil {
		return err
	}
	if err := checkContent(d.entry); err != nil {
		return err
	}
	now := s.opt.Now()
	if d.hasTimestamp = sh.timestamp != nil; !d.hasTimestamp {
		d.timestamp = timestamp(now)
	}
	if d.hasID = sh.id != nil; d.hasID {
		d.id = d.entry.ID
		return nil
	}
	d.id, err = objects.NewID(now, s.opt.Random)
	return err
}

// shape is what of an object's top-level members has to be known to check it.
type shape struct {
	typ, role, message, id, parent, timestamp []byte // values; nil if missing

	chained bool // the last member is chain
}

func (sh *shape) member(m objects.Member) {
	sh.chained = false
	switch {
	case m.Is("type"):
		sh.typ = m.Value
	case m.Is("role"):
		sh.role = m.Value
	case m.Is("message"):
		sh.message = m.Value
	case m.Is("id"):
		sh.id = m.Value
	case m.Is("parentId"):
		sh.parent = m.Value
	case m.Is("timestamp"):
		sh.timestamp = m.Value
	case m.Is("chain"):
		sh.chained = true
	}
}

// bare reports whether the object is a message without an entry around it. A type "message" alone makes
// no entry, as in package migrate: the messages of model APIs have it too.
func (sh *shape) bare() bool {
	if sh.typ == nil {
		return true
	}
	typ, _ := objects.Unquote(sh.typ)
	return objects.Type(typ) == objects.TypeMessage && sh.role != nil && sh.message == nil
}

func (sh *shape) check() error {
	if sh.bare() {
		if role, _ := objects.Unquote(sh.role); role == "" {
			return fmt.Errorf("%w entry: expected a \"type\" (an entry) or a \"role\" (a message), got neither", objects.ErrInvalid)
		}
		return nil
	}
	if typ, _ := objects.Unquote(sh.typ); typ == "" {
		return fmt.Errorf("%w entry: expected a string as type, got %.40q", objects.ErrInvalid, sh.typ)
	}
	if sh.chained {
		return fmt.Errorf("%w entry: it ends with a chain, which only a log's own lines have", objects.ErrInvalid)
	}
	if sh.id != nil {
		if err := checkID("id", sh.id); err != nil {
			return err
		}
	}
	if sh.parent != nil && string(sh.parent) != "null" && string(sh.parent) != `""` {
		return checkID("parentId", sh.parent)
	}
	return nil
}

// checkID checks the value of a member that holds an id.
func checkID(name string, value []byte) error {
	s, ok := objects.Unquote(value)
	if !ok {
		return fmt.Errorf("%w %s: expected a string, got %.40q", objects.ErrInvalid, name, value)
	}
	if _, err := objects.ParseID(s); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// checkContent refuses a message whose content is neither text nor a list of blocks: no agent can go on from it.
func checkContent(e objects.Entry) error {
	if e.Type != objects.TypeMessage {
		return nil
	}
	var content []byte
	objects.Scan(e.Get("message"), func(m objects.Member) {
		if m.Is("content") {
			content = m.Value
		}
	})
	if len(content) == 0 || content[0] == '"' || content[0] == '[' || string(content) == "null" {
		return nil
	}
	return fmt.Errorf("%w message: expected a string or a list of blocks as content, got %.40q", objects.ErrInvalid, content)
}

// checkType refuses lines that only tlog itself writes.
func checkType(e objects.Entry) error {
	switch {
	case e.Type == objects.TypeSession:
		return fmt.Errorf("%w entry: a session line stands at the start of a log only", objects.ErrInvalid)
	case e.Type.Journal():
		return fmt.Errorf("%w entry: %s lines are written by checkout and branch, not appended", objects.ErrInvalid, e.Type)
	}
	return nil
}

// line is the draft's line with what it lacks, under the given parent. ref is added
// if it is not empty.
func (d *draft) line(parent objects.ID, ref string) []byte {
	object := d.entry.Raw
	var missing [][]byte
	if !d.hasID {
		missing = append(missing, member(objects.IDField("id", d.id)))
	}
	if !d.entry.HasParent {
		missing = append(missing, member(objects.IDField("parentId", parent)))
	}
	if !d.hasTimestamp {
		missing = append(missing, member(objects.StringField("timestamp", d.timestamp)))
	}
	if len(missing) > 0 {
		object = objects.InsertMembers(object, "type", missing...)
	}
	if ref != "" {
		object = objects.AppendMembers(object, member(objects.StringField("ref", ref)))
	}
	return object
}

// member is the bytes of a field; keys are names that need no escape.
func member(f objects.Field) []byte {
	b := make([]byte, 0, len(f.Key)+len(f.Value)+3)
	b = append(append(append(b, '"'), f.Key...), '"', ':')
	return append(b, f.Value...)
}

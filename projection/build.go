package projection

import (
	"encoding/json"
	"errors"
	"fmt"

	"tlog/log"
	"tlog/objects"
	"tlog/refs"
)

// Build projects the path of a history. It reads the entries that are in the
// context, and of the others only what sets the model, the thinking level and
// the queue; so it costs what a compaction keeps, not what was ever said.
func Build(h *refs.History) (*Context, error) {
	b := newBuilder(h)
	if err := b.run(b.findCompaction, b.readEdits, b.decideAll, b.readState, b.readQueue); err != nil {
		return nil, err
	}
	b.context.Repairs = b.context.converse().amiss()
	return b.context, nil
}

// BuildState is Build for who asks for no messages: Model, ThinkingLevel, Queue and Compaction alone are those of the context. Where nothing was compacted it reads
// only what sets them.
func BuildState(h *refs.History) (*Context, error) {
	b := newBuilder(h)
	if err := b.run(b.findCompaction, b.readEdits, b.readState, b.readQueue); err != nil {
		return nil, err
	}
	if b.compact < 0 {
		return b.context, nil
	}
	return b.context, b.decideAll() // to count what it keeps and drops
}

func newBuilder(h *refs.History) *builder {
	return &builder{
		history: h,
		log:     h.Log(),
		path:    h.Path(),
		compact: -1,
		edits:   map[int]edit{},
		short:   map[int]string{},
		holes:   map[int]error{},
		context: &Context{Model: json.RawMessage("null"), ThinkingLevel: "off", holes: map[int]error{}, foreign: map[int]objects.Message{}},
	}
}

func (b *builder) run(steps ...func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// builder holds a context while it is made. Positions are indexes into path.
type builder struct {
	history *refs.History
	log     *log.Log
	path    []int
	context *Context

	compact int           // position of the compaction that counts, or -1
	summary objects.Entry // the entry there
	says    objects.Compaction
	earlier map[int][]Message // of positions in kept that are compactions themselves: what the user said in them
	from    int               // position of the first entry that is not summarised, but for those in kept
	kept    []int             // positions that the compaction keeps one by one, in its order
	anchor  int               // position behind which what is kept stands in the context: compact, or one behind it
	edits   map[int]edit      // by target entry; the last one counts
	short   map[int]string    // short ids that were asked for
	holes   map[int]error     // what is missing in entries that were read
}

// edit is a context_edit that counts.
type edit struct {
	by          int    // its entry
	replacement []byte // JSON; null leaves the target out
}

func (b *builder) typeAt(pos int) objects.Type { return b.log.Record(b.path[pos]).Type }

func (b *builder) undone(pos int) bool { return b.history.SkippedBy(b.path[pos]) != log.None }

// read reads a whole entry. One with missing blobs is good enough to go on with.
func (b *builder) read(pos int) (objects.Entry, error) {
	e, err := b.log.Whole(b.path[pos])
	var hole *log.BlobError
	switch {
	case errors.As(err, &hole):
		b.holes[b.path[pos]] = err
	case err != nil:
		return objects.Entry{}, fmt.Errorf("project entry %s: %w", b.log.Record(b.path[pos]).ID, err)
	}
	return e, nil
}

// lookup is the entry of an id, the first line of those that repeat it; log.None if there is none.
func (b *builder) lookup(id objects.ID) int {
	i, ok := b.log.Find(id)
	if !ok || id == "" {
		return log.None
	}
	if first := b.log.Record(i).RepeatOf; first != log.None {
		return first
	}
	return i
}

// readEdits reads the edits that are not summarised. One without a replacement
// says nothing (pi cannot load it: formats/pi.md, section 7).
func (b *builder) readEdits() error {
	for pos := b.from; pos < len(b.path); pos++ {
		if b.typeAt(pos) != objects.TypeContextEdit || b.undone(pos) {
			continue
		}
		e, err := b.read(pos)
		if err != nil {
			return err
		}
		replacement := e.Get("replacement")
		target, _ := e.Text("targetId")
		if i := b.lookup(objects.ID(target)); i != log.None && replacement != nil {
			b.edits[i] = edit{by: b.path[pos], replacement: replacement}
		}
	}
	return nil
}

// readState walks back from the tip to what last set the model and the level.
func (b *builder) readState() error {
	model, level := false, false
	for pos := len(b.path) - 1; pos >= 0 && !(model && level); pos-- {
		t := b.typeAt(pos)
		isModel := !model && (t == objects.TypeModelChange || t == objects.TypeMessage)
		isLevel := !level && t == objects.TypeThinkingLevel
		if !isModel && !isLevel || b.undone(pos) {
			continue
		}
		e, err := b.read(pos)
		if err != nil {
			return err
		}
		switch {
		case isLevel:
			if s, ok := e.Text("thinkingLevel"); ok {
				b.context.ThinkingLevel, level = s, true
			}
		default:
			if m := b.modelOf(e); m != nil {
				b.context.Model, model = m, true
			}
		}
	}
	return nil
}

// modelOf is the model that a model_change or an assistant message sets, with
// what is recorded of it; nil if the entry sets none.
func (b *builder) modelOf(e objects.Entry) json.RawMessage {
	switch {
	case e.Type == objects.TypeModelChange:
		id := e.Get("modelId")
		if id == nil {
			id = e.Get("model") // an older spelling
		}
		return object(field{"provider", e.Get("provider")}, field{"modelId", id})
	case e.Foreign():
		m, _ := b.log.Message(e)
		if m.Role != objects.RoleAssistant || m.Model == "" {
			return nil
		}
		return object(field{"provider", quote(m.Provider)}, field{"modelId", quote(m.Model)})
	}
	message := e.Get("message")
	if text(message, "role") != objects.RoleAssistant {
		return nil
	}
	return object(field{"provider", member(message, "provider")}, field{"modelId", member(message, "model")})
}

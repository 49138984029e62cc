package claudegentest

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
)

// Options say what Generate writes.
type Options struct {
	// Size is the least number of bytes; 0 is a small session, some turns long.
	Size int64
	// Old writes progress lines and sidechains into the transcript, as clients before version 2.1 did.
	Old bool
	// Linear leaves out what makes branches.
	Linear bool
}

// Generate writes a session at random: turns with thinking, parallel calls and their results, what is typed in between, commands, compactions,
// rewinds, repeated lines. It is what an undamaged client leaves behind.
func Generate(w io.Writer, rng *rand.Rand, o Options) (Truth, error) {
	g := &generator{t: New(w, rng), rng: rng, o: o}
	turns := 1 + rng.IntN(8)
	g.begin()
	for i := 0; i < turns || g.t.Size() < o.Size; i++ {
		g.turn()
		g.move()
		if g.t.Err() != nil {
			return Truth{}, g.t.Err()
		}
	}
	g.end()
	return g.t.Truth(), g.t.Err()
}

// Bytes is Generate into memory.
func Bytes(rng *rand.Rand, o Options) ([]byte, Truth) {
	var b bytes.Buffer
	truth, err := Generate(&b, rng, o)
	if err != nil {
		panic(err) // a buffer takes everything
	}
	return b.Bytes(), truth
}

type generator struct {
	t   *Transcript
	rng *rand.Rand
	o   Options
	// prompts are those since the last compaction on this branch, the only ones that the client goes back to.
	prompts   []*Row
	compacted bool
	// from: the last compaction kept what stood before it. There the client does not always take a checkpoint on another branch.
	from     bool
	ended    []*Row // the ends of branches that were left since the last compaction
	said     string // the last prompt
	numbered int
}

// chance reports true once in n times.
func (g *generator) chance(n int) bool { return g.rng.IntN(n) == 0 }

func (g *generator) begin() {
	g.t.Side("mode", "mode", "normal")
	g.t.Side("permission-mode", "permissionMode", "default")
}

// text is a text of this session alone.
func (g *generator) text(what string) string {
	g.numbered++
	return fmt.Sprintf("%s %d: %s", what, g.numbered, words(g.rng, 3+g.rng.IntN(20)))
}

// turn writes a prompt, and all that follows up to the next one.
func (g *generator) turn() {
	g.said = g.text("prompt")
	var prompt *Row
	switch {
	case g.chance(12):
		prompt = g.t.PromptBlocks(Text(g.said), Image("image/png", pixel))
	default:
		prompt = g.t.Prompt(g.said)
	}
	g.prompts = append(g.prompts, prompt)
	if len(g.prompts) == 1 || g.chance(5) {
		for _, kind := range []string{"environment", "model", "date"} {
			g.t.Attachment(kind, g.text(kind))
		}
	}
	if g.o.Old && g.chance(4) {
		for range 1 + g.rng.IntN(3) {
			g.t.Sidechain(g.text("task"))
		}
		g.t.EndSidechain()
	}
	for range g.rng.IntN(4) {
		g.calls()
	}
	if g.chance(15) {
		g.t.Reply("end_turn", Text(g.text("half")))
		g.t.Interrupted()
		return
	}
	g.answer()
	if g.chance(3) {
		g.t.Duration()
	}
	if g.chance(8) {
		g.t.Again()
	}
	g.notes()
}

// answer writes the reply that ends a turn.
func (g *generator) answer() {
	var blocks []Block
	if g.chance(3) {
		blocks = append(blocks, g.thinking())
	}
	blocks = append(blocks, Text(g.text("answer")))
	g.t.Reply("end_turn", blocks...)
}

func (g *generator) thinking() Block {
	return Thinking(g.text("thought"), base64Words(g.rng))
}

// notes writes side lines.
func (g *generator) notes() {
	if g.chance(3) {
		g.t.Checkpoint(g.said)
		g.t.Side("mode", "mode", "normal")
	}
	if g.chance(6) {
		g.t.Title("Title " + strconv.Itoa(g.rng.IntN(100)))
	}
	if g.chance(4) {
		g.t.Side("cost-state", "totalCostUSD", g.rng.Float64(), "modelUsage", raw("{}"))
	}
}

// move does, now and then, what changes where the next turn hangs.
func (g *generator) move() {
	switch {
	case g.chance(9):
		g.t.Command("status", "now", g.text("output"))
		g.answerCommand()
	case g.chance(10):
		reminder, behind := g.t.Left(g.text("name"), g.text("renamed"))
		g.t.Resumed(reminder, behind)
	case g.chance(8):
		g.compact()
	case !g.o.Linear && g.chance(5):
		g.rewind()
	}
}

// answerCommand lets half of the commands be followed by a turn that is theirs; else they go with the next prompt.
func (g *generator) answerCommand() {
	if g.chance(2) {
		g.answer()
	}
}

func (g *generator) rewind() {
	i := g.rng.IntN(len(g.prompts))
	left := g.t.At()
	g.t.Rewind(g.prompts[i])
	g.prompts = g.prompts[:i]
	g.ended = append(g.ended, left)
	g.turn()
}

func (g *generator) compact() {
	prompt := g.prompts[g.rng.IntN(len(g.prompts))]
	summary := g.text("summary")
	g.from = false
	switch kind := g.rng.IntN(4); {
	case kind == 0:
		g.t.Compact(summary, false)
	case kind == 1 && prompt.Prev != nil:
		g.t.SummarizeUpTo(prompt, summary)
	case kind == 2 && prompt.Prev != nil && !g.compacted:
		g.from = true
		g.t.SummarizeFrom(prompt, summary)
	default:
		g.t.Compact(summary, true)
	}
	g.compacted, g.prompts, g.ended = true, nil, nil
	if g.chance(2) {
		g.t.Attachment("environment", g.text("environment"))
	}
	g.turn()
}

// end ends the session as a client does that is left, or killed.
func (g *generator) end() {
	switch {
	case len(g.ended) > 0 && !g.from && g.chance(8):
		g.t.CheckpointAt(g.ended[g.rng.IntN(len(g.ended))])
	case g.chance(8):
		g.t.Prompt(g.text("prompt"))
	case g.chance(2):
		g.t.Checkpoint(g.said)
	}
}

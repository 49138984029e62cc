package claudegentest

import (
	"fmt"
	"math/rand/v2"
)

// calls writes a reply that calls tools, and their results.
func (g *generator) calls() {
	r := g.t.Begin("tool_use")
	if g.chance(3) {
		r.Row(g.thinking())
	}
	if g.chance(2) {
		r.Row(Text(g.text("plan")))
	}
	n := 1
	if g.chance(2) {
		n = 2 + g.rng.IntN(3)
	}
	switch shape := g.rng.IntN(3); {
	case n == 1 || shape == 0:
		g.resultsBehind(r, n)
	case shape == 1:
		g.resultsBetween(r, n, false)
	default:
		g.resultsBetween(r, n, true)
	}
	if g.chance(6) {
		g.t.Queued(g.text("queued"))
	}
	if g.chance(8) {
		g.t.Attachment("date", g.text("date"))
	}
}

// call is a call of a tool.
func (g *generator) call() Block {
	id := g.t.id("toolu")
	if g.chance(2) {
		return Call(id, "Read", string(object("file_path", "/home/ada/shop/"+words(g.rng, 1)+".go")))
	}
	return Call(id, "Bash", string(object("command", "grep -rn "+words(g.rng, 2), "description", words(g.rng, 4))))
}

// resultsBehind writes all calls, and then their results, each below its call.
func (g *generator) resultsBehind(r *Reply, n int) {
	var rows []*Row
	for range n {
		rows = append(rows, r.Row(g.call()))
	}
	for _, row := range rows {
		g.result(row)
	}
}

// resultsBetween writes each result before the next call, which hangs at the call before it, or at that result.
func (g *generator) resultsBetween(r *Reply, n int, inLine bool) {
	for range n {
		row := r.Row(g.call())
		result := g.result(row)
		if inLine {
			r.prev = result.UUID
		}
	}
}

func (g *generator) result(call *Row) *Row {
	at := ""
	if g.o.Old {
		for range g.rng.IntN(3) {
			next := g.t.Progress(call.UUID)
			if g.chance(2) {
				at = next // later clients hang results at the call all the same
			}
		}
	}
	text := g.text("result")
	if g.chance(20) {
		text = words(g.rng, 3000)
	}
	return g.t.Result(call, at, text, g.chance(7))
}

// vocabulary is what texts are made of: with what is content to a reader of lines and an escape to a writer of JSON.
var vocabulary = []string{
	"apple", "basket", "café", "naïve", "шкаф", "棚卸し", "🍏", "👩‍🌾", "a\u2028b", "c\u2029d", "e\u0085f", "\"quoted\"", `back\slash`, "tab\there",
	"two\nlines", "<b>bold</b>", "&amp;", "{\"type\":\"user\"}", "nul\\u0000", "e\u0301", "price", "shelf", "ledger", "crate", "window", "\x7f",
}

// words are n words at random; no letter of a blank at the ends.
func words(rng *rand.Rand, n int) string {
	text := make([]byte, 0, 8*n)
	for i := range n {
		if i > 0 {
			text = append(text, ' ')
		}
		text = append(text, vocabulary[rng.IntN(len(vocabulary))]...)
	}
	return string(text)
}

// base64Words is a signature: it only has to look like one.
func base64Words(rng *rand.Rand) string {
	return fmt.Sprintf("%016x%016x==", rng.Uint64(), rng.Uint64())
}

// pixel is a picture of one point, a PNG in base64.
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

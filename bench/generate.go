package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"time"

	"tlog/checkout"
	"tlog/log"
	"tlog/objects"
)

// kind is a kind of entry, and how long its text is. The quantiles, in bytes, are those of 14,285 lines of 60 public transcripts of Claude Code,
// less the 600 bytes that the agent's own members take; the longest are cut at the last one.
type kind struct {
	share     float64 // of all entries
	quantiles []float64
}

var (
	prompts = kind{0.09, []float64{5, 40, 60, 80, 120, 160, 200, 300, 400, 600, 2700, 13000}}
	answers = kind{0.33, []float64{20, 300, 360, 480, 600, 700, 800, 970, 1400, 2200, 3600, 11000}}
	calls   = kind{0.29, []float64{30, 370, 390, 410, 430, 450, 480, 530, 690, 1200, 1900, 6000}}
	results = kind{0.29, []float64{20, 130, 300, 600, 1300, 2200, 3800, 6900, 12800, 33000, 44000, 79000}}
)

// at is the size at a place between 0 and 1 of the distribution. The quantiles are the deciles to 0.9, 0.95 and 0.99.
func (k kind) at(p float64) int {
	places := []float64{0, .1, .2, .3, .4, .5, .6, .7, .8, .9, .95, .99}
	for i := 1; i < len(places); i++ {
		if p < places[i] {
			low, high := k.quantiles[i-1], k.quantiles[i]
			return int(low + (high-low)*(p-places[i-1])/(places[i]-places[i-1]))
		}
	}
	return int(k.quantiles[len(k.quantiles)-1])
}

// generation makes one session.
type generation struct {
	rng     *rand.Rand
	session *checkout.Session
	words   []byte
	call    int
	pending [][]byte
	size    int64 // about, of what was made
}

// batch is how many entries are written at once.
const batch = 2000

// generate writes a session of about size bytes with so many branches to a new file. The same arguments make the same file.
func generate(file string, size int64, branches int, seed uint64) error {
	now := time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC)
	var key [32]byte
	key[0] = byte(seed)
	if err := os.RemoveAll(file); err != nil {
		return err
	}
	session, err := checkout.Create(file, objects.Header{Cwd: "/home/ada/garden"}, checkout.Options{
		Now:    func() time.Time { now = now.Add(time.Second); return now },
		Random: rand.NewChaCha8(key),
		Write:  log.WriteOptions{Durability: log.DurabilityOS, Blobs: log.BlobOptions{Threshold: -1}},
	})
	if err != nil {
		return err
	}
	defer session.Close()
	g := &generation{rng: rand.New(rand.NewPCG(seed, 1)), session: session}
	g.words = g.text(1 << 20)
	for branch := range branches {
		if branch > 0 {
			// An attempt begins somewhere in the last tenth of what there is.
			back := session.Log.Len() - 1 - g.rng.IntN(max(session.Log.Len()/10, 1))
			for !session.Log.Record(back).Visible() {
				back--
			}
			if err := session.SwitchNew(context.Background(), "attempt-"+strconv.Itoa(branch), back, false); err != nil {
				return err
			}
		}
		for end := size * int64(branch+1) / int64(branches); g.size < end; {
			g.turn()
			if len(g.pending) >= batch || g.size >= end {
				if err := g.flush(); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (g *generation) flush() error {
	_, err := g.session.Append(context.Background(), g.pending, checkout.AppendOptions{})
	g.pending = g.pending[:0]
	return err
}

// turn is a prompt and what follows: calls with their results, and answers between them.
func (g *generation) turn() {
	g.add(`{"role":"user","content":` + g.quoted(prompts) + `}`)
	for n := 1 + g.rng.IntN(6); n > 0; n-- {
		g.call++
		id := fmt.Sprintf("call_%08d", g.call)
		g.add(`{"role":"assistant","provider":"anthropic","model":"m-1","content":[{"type":"toolCall","id":"` + id + `","name":"bash","arguments":{"command":` +
			g.quoted(calls) + `}}],"usage":{"input":` + strconv.Itoa(g.rng.IntN(50_000)) + `,"output":` + strconv.Itoa(g.rng.IntN(2000)) + `},"stopReason":"toolUse"}`)
		g.add(`{"role":"toolResult","toolCallId":"` + id + `","toolName":"bash","content":[{"type":"text","text":` + g.quoted(results) + `}],"isError":false}`)
	}
	for n := 1 + g.rng.IntN(6); n > 0; n-- {
		g.add(`{"role":"assistant","provider":"anthropic","model":"m-1","content":[{"type":"text","text":` + g.quoted(answers) + `}],"stopReason":"stop"}`)
	}
}

func (g *generation) add(message string) {
	g.pending = append(g.pending, []byte(`{"type":"message","message":`+message+`}`))
	g.size += int64(len(message)) + 270 // what an entry has besides: id, parent, time, chain
}

// quoted is a text of a kind as a JSON string.
func (g *generation) quoted(k kind) string {
	size := k.at(g.rng.Float64())
	from := g.rng.IntN(len(g.words) - size)
	return string(objects.AppendQuote(nil, string([]rune(string(g.words[from:from+size])))))
}

// text is words, lines of a program and of a log, some of them not ASCII.
func (g *generation) text(size int) []byte {
	syllables := []string{"gar", "den", "pea", "bed", "seed", "rain", "soil", "tool", "path", "row", "é", "ß", "日", "本", "🌱"}
	var b []byte
	for len(b) < size {
		for n := 2 + g.rng.IntN(10); n > 0; n-- {
			for m := 1 + g.rng.IntN(3); m > 0; m-- {
				b = append(b, syllables[min(g.rng.IntN(10+g.rng.IntN(6)), len(syllables)-1)]...)
			}
			b = append(b, " \t\"\\=(){};,."[g.rng.IntN(14)%12])
		}
		b = append(b, '\n')
	}
	return b
}

// Command storegen fills a folder with a store of made-up sessions, to measure listings by:
//
//	go run ./store/storegen -sessions 10000 -projects 200 DIR
//
// The same arguments make the same bytes but for the paths. Most sessions are short and a few are long, as people's are.
package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tlog/checkout"
	"tlog/log"
	"tlog/objects"
	"tlog/store"
)

func main() {
	sessions := flag.Int("sessions", 10000, "how many sessions")
	projects := flag.Int("projects", 200, "how many projects")
	size := flag.Int("size", 0, "the size of every session in bytes; 0: most are short and a few are long")
	seed := flag.Uint64("seed", 1, "what the sessions are drawn from")
	flag.Parse()
	if flag.NArg() != 1 || *sessions < 0 || *projects < 1 {
		fmt.Fprintln(os.Stderr, "usage: storegen [-sessions N] [-projects N] [-size N] [-seed N] DIR")
		os.Exit(2)
	}
	g := newGenerator(*seed, *size)
	if err := g.fill(flag.Arg(0), *sessions, *projects); err != nil {
		fmt.Fprintln(os.Stderr, "storegen:", err)
		os.Exit(1)
	}
}

// generator makes sessions.
type generator struct {
	rng  *rand.Rand
	opt  checkout.Options
	size int
}

func newGenerator(seed uint64, size int) *generator {
	now := time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC)
	var key [32]byte
	key[0] = byte(seed)
	return &generator{
		rng: rand.New(rand.NewPCG(seed, 0)), size: size,
		opt: checkout.Options{
			Now:    func() time.Time { now = now.Add(time.Second); return now },
			Random: rand.NewChaCha8(key),
			Write:  log.WriteOptions{Durability: log.DurabilityOS, Blobs: log.BlobOptions{Threshold: -1}},
		},
	}
}

// fill writes the sessions, in projects taken in turn.
func (g *generator) fill(dir string, sessions, projects int) error {
	root, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	s := store.Open(root)
	parents := make([]objects.ID, projects)
	for i := range sessions {
		project := i % projects
		cwd := fmt.Sprintf("/home/ada/projects/p%03d", project)
		id, err := objects.NewID(g.opt.Now(), g.opt.Random)
		if err != nil {
			return err
		}
		header := objects.Header{ID: id, Cwd: cwd, Timestamp: g.timestamp()}
		if g.rng.IntN(5) == 0 {
			header.ParentSession = string(parents[project])
		}
		if g.rng.IntN(10) == 0 {
			header.Source = []byte(`{"subagent":true}`)
		}
		parents[project] = id
		file, err := s.File(cwd, id)
		if err != nil {
			return err
		}
		if err := log.WriteFile(file, header, g.lines(i), g.opt.Write); err != nil {
			return err
		}
	}
	return nil
}

// bytesOf draws the size of a session: half have up to 8 kB, one of fifty has up to 1 MB.
func (g *generator) bytesOf() int {
	if g.size > 0 {
		return g.size
	}
	most := 8 << 10
	switch n := g.rng.IntN(100); {
	case n < 2:
		most = 1 << 20
	case n < 15:
		most = 128 << 10
	case n < 50:
		most = 32 << 10
	}
	return most/8 + g.rng.IntN(most-most/8)
}

// lines are the lines of a session: what begins one, then turns, then sometimes a name and a checkout.
func (g *generator) lines(nth int) []log.Line {
	var out []log.Line
	parent := objects.ID("")
	left := g.bytesOf()
	add := func(t objects.Type, payload ...objects.Field) {
		id, _ := objects.NewID(g.opt.Now(), g.opt.Random) // this clock and this randomness do not fail
		line := objects.Build(t, id, parent, g.timestamp(), payload...)
		if !t.Journal() {
			parent = id
		}
		left -= len(line) + 90 // chain and "\n"
		out = append(out, log.Line{Bytes: line})
	}
	add(objects.TypeModelChange, objects.StringField("provider", "acme"), objects.StringField("modelId", "large-1"))
	add(objects.TypeMessage, message("user", fmt.Sprintf("task %d: %s", nth, g.words(20))))
	for left > 400 {
		call := fmt.Sprintf("call_%d", len(out))
		add(objects.TypeMessage, objects.Field{Key: "message", Value: fmt.Appendf(nil,
			`{"role":"assistant","content":[{"type":"text","text":"%s"},{"type":"toolCall","id":"%s","name":"bash","arguments":{"command":"%s"}}],"provider":"acme","model":"large-1","usage":{"input":%d,"output":%d}}`,
			g.words(15), call, g.words(6), g.rng.IntN(90000), g.rng.IntN(900))})
		add(objects.TypeMessage, objects.Field{Key: "message", Value: fmt.Appendf(nil,
			`{"role":"toolResult","toolCallId":"%s","toolName":"bash","isError":false,"content":[{"type":"text","text":"%s"}]}`,
			call, g.words(5+g.rng.IntN(max(1, min(left/8, 300)))))})
		if g.rng.IntN(4) == 0 {
			add(objects.TypeMessage, message("user", g.words(10)))
		}
	}
	if g.rng.IntN(3) == 0 {
		add(objects.TypeSessionInfo, objects.StringField("name", g.words(3)))
	}
	if g.rng.IntN(10) == 0 {
		add(objects.TypeRef, objects.StringField("name", "side"), objects.IDField("targetId", parent))
		add(objects.TypeHead, objects.StringField("name", "side"))
	}
	return out
}

func message(role, text string) objects.Field {
	return objects.Field{Key: "message", Value: fmt.Appendf(nil, `{"role":"%s","content":"%s"}`, role, text)}
}

func (g *generator) timestamp() string { return g.opt.Now().Format("2006-01-02T15:04:05.000Z") }

// vocabulary is what the sessions talk of.
var vocabulary = strings.Fields("parser test build fails line the a of in lock file index branch when and reads writes fix " +
	"large input error nil pointer server cache request retry table row schema commit review")

// words are n words.
func (g *generator) words(n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(vocabulary[g.rng.IntN(len(vocabulary))])
	}
	return b.String()
}

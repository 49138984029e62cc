package claudegentest

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"time"
)

// Sample is a session of testdata/claude.
type Sample struct {
	Name    string // of the file, without ".jsonl"; of the folder if there are subagents
	Data    []byte
	Truth   Truth
	Damaged bool
	// Repaired: its rows do not hang together.
	Repaired bool
	Records  int // that its lines hold; 0 if each holds one
}

// Samples are the sessions of testdata/claude, in a garden shop. TestSamples writes them.
func Samples() (samples []Sample) {
	for i, write := range []struct {
		name    string
		tell    func(*Transcript)
		damaged bool
		apart   bool
		records int
	}{
		{name: "simple", tell: simple},
		{name: "tools", tell: tools},
		{name: "rewound", tell: rewound},
		{name: "compacted", tell: compacted},
		{name: "gaps", tell: gaps, apart: true},
		{name: "unlinked", tell: unlinked, apart: true},
		{name: "old", tell: old},
		{name: "roots", tell: roots},
		{name: "subagent", tell: subagent},
		{name: "damaged", tell: damaged, damaged: true, records: 18},
	} {
		var b bytes.Buffer
		t := New(&b, rand.New(rand.NewPCG(uint64(i), 7)))
		t.Cwd = "/home/ada/garden"
		write.tell(t)
		samples = append(samples, Sample{write.name, b.Bytes(), t.Truth(), write.damaged, write.apart, write.records})
	}
	return samples
}

func simple(t *Transcript) {
	t.Side("mode", "mode", "normal")
	t.Prompt("Which beds are free?")
	t.Attachment("environment", "Working directory: /home/ada/garden")
	t.Attachment("date", "Today is the first of March.")
	t.Reply("end_turn", Thinking("The plan is in the head of the user.", "c2lnbmVkIGJ5IG5vYm9keQ=="), Text("The two beds at the wall."))
	t.Duration()
	t.Prompt("Put beans there.\nAnd peas.")
	t.Reply("end_turn", Text("Beans left, peas right."))
	t.Title("Beans and peas")
	t.Checkpoint("Put beans there.")
}

func tools(t *Transcript) {
	t.Prompt("Compare the seed lists.")
	r := t.Begin("tool_use")
	r.Row(Text("I read all three."))
	var calls []*Row
	for _, name := range []string{"spring", "summer", "winter"} {
		calls = append(calls, r.Row(Call("toolu_"+name, "Read", `{"file_path":"/home/ada/garden/`+name+`.txt"}`)))
	}
	t.Result(calls[0], "", "beans\npeas", false)
	t.Result(calls[1], "", "tomatoes", false)
	t.Result(calls[2], "", "no such file", true)
	r = t.Begin("tool_use")
	first := r.Row(Call("toolu_ls", "Bash", `{"command":"ls -l *.txt","description":"list"}`))
	t.Result(first, "", "spring.txt\nsummer.txt", false)
	second := r.Row(Call("toolu_wc", "Bash", `{"command":"wc -l spring.txt"}`))
	t.Result(second, "", "2 spring.txt", false)
	t.Queued("Leave out the peas.")
	t.Reply("end_turn", Text("There is no list for the winter."))
}

func rewound(t *Transcript) {
	t.Prompt("Draw a plan of the greenhouse.")
	t.Reply("end_turn", Text("A square, with a door to the south."))
	t.Duration()
	wrong := t.Prompt("Make it round.")
	t.Reply("end_turn", Text("Round, with no door."))
	t.Duration()
	t.Prompt("And the door?")
	t.Reply("end_turn", Text("A round one."))
	t.Checkpoint("And the door?")
	t.Rewind(wrong)
	t.Prompt("Make it longer.")
	t.Reply("end_turn", Text("Six paces by three."))
}

func compacted(t *Transcript) {
	t.Prompt("What did we sow last year?")
	t.Reply("end_turn", Text("Leeks, and too many of them."))
	t.Prompt("And the year before?")
	t.Reply("end_turn", Text("Carrots."))
	t.Duration()
	t.Compact("Leeks last year, carrots before.", true)
	t.Attachment("environment", "Working directory: /home/ada/garden")
	t.Prompt("So what this year?")
	t.Reply("end_turn", Text("Cabbage."))
	t.Compact("Leeks, carrots; cabbage this year.", false)
	t.Prompt("How many?")
	t.Reply("end_turn", Text("Twenty."))
}

func gaps(t *Transcript) {
	t.Prompt("How deep is the well?")
	t.Reply("end_turn", Text("Four metres."))
	t.Lose()
	t.Prompt("And the pond?")
	t.Reply("end_turn", Text("One metre."))
	t.Lose()
	t.Reply("end_turn", Text("The deep end two."))
	t.Prompt("Any fish?")
	t.Reply("end_turn", Text("Three."))
}

func unlinked(t *Transcript) {
	t.Unlink()
	t.Prompt("Is the gate shut?")
	t.Reply("end_turn", Text("It stands open."))
	t.Prompt("Shut it.")
	t.Reply("end_turn", Text("Done."))
}

func old(t *Transcript) {
	t.Version = "1.0.80"
	t.Prompt("Count the pots.")
	r := t.Begin("tool_use")
	call := r.Row(Call("toolu_pots", "Bash", `{"command":"ls pots | wc -l"}`))
	at := t.Progress(call.UUID)
	at = t.Progress(at)
	t.Sidechain("Count what is in the shed.")
	t.Sidechain("There are nine.")
	t.EndSidechain()
	t.Result(call, at, "31", false)
	t.Reply("end_turn", Text("Thirty-one, and nine in the shed."))
	t.Command("cost", "", "Nothing.")
	t.Prompt("Thank you.")
	t.Again()
	t.Reply("end_turn", Text("You are welcome."))
}

func roots(t *Transcript) {
	t.Prompt("A long talk about compost.")
	t.Reply("end_turn", Text("Turn it once a month."))
	t.Prompt("And in winter?")
	t.Reply("end_turn", Text("Cover it."))
	first := Path(t.At())[0]
	for _, again := range []string{"Are you there?", "Still nothing?"} {
		t.time = t.time.Add(24 * time.Hour)
		t.at, t.parent = first.Prev, ""
		t.Prompt(again)
	}
}

func subagent(t *Transcript) {
	t.Prompt("Have somebody look for snails.")
	t.Subagent("Look for snails.", func(child *Transcript) {
		child.Prompt("Look for snails.")
		r := child.Begin("tool_use")
		call := r.Row(Call("toolu_snails", "Bash", `{"command":"find . -name '*snail*'"}`))
		child.Result(call, "", "./bed/snail", false)
		child.Reply("end_turn", Text("One, in the bed."))
	})
	t.Reply("end_turn", Text("One snail was found."))
}

// damaged has 16 lines, of which two hold two records each. What is counted of it in between does not count.
func damaged(t *Transcript) {
	tap := t.w
	var line bytes.Buffer
	next := func(write func()) string { // the lines that write writes
		line.Reset()
		t.w = &line
		write()
		t.w = tap
		return line.String()
	}
	put := func(text string) { // they were counted already
		n := t.line
		t.Raw([]byte(text))
		t.line = n
	}
	t.Prompt("Is the fence whole?")
	put(strings.TrimSuffix(next(func() { t.Reply("end_turn", Text("Almost.")) }), "\n") + strings.Repeat("\x00", 700) + "\n")
	put(strings.Repeat("\x00", 1100) + "\n")
	put(strings.TrimSuffix(next(func() { t.Prompt("Where not?") }), "\n") + "\r\n")
	put("the power went here\n")
	two := strings.Split(next(func() { t.Reply("end_turn", Text("At the gate."), Text("And at the pond.")) }), "\n")
	put(two[0] + two[1] + "\n")
	put("\xef\xbb\xbf" + next(func() { t.Prompt("Mend it.") }))
	whole := next(func() { t.Reply("end_turn", Text("With wire.")) })
	put(whole[:len(whole)/3] + whole)
	put("\n")
	put(next(func() { t.Prompt("And paint it.") }))
	put(strings.Replace(next(func() { t.Reply("end_turn", Text("Green?")) }), "Green", "Gr\xffn", 1))
	put(next(func() { t.Prompt("Green.") }))
	put(`{"parentUuid":"` + t.parent + `","isSidechain":false,"message":{"model":"claude-op`)
}

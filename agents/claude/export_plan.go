package claude

import (
	"strconv"

	"tlog/agents/transcript"
	"tlog/objects"
)

// survey is what has to be known of all entries before the first row can be read.
type survey struct {
	edits    map[objects.ID][]byte // what context_edit gives its targets; nil leaves the target out
	counting map[string]bool       // the uuids of rows whose entries go by them
	uuids    map[string]bool       // those of all rows of the path
}

// plan is what becomes of the calls and results of the path, in its order.
type plan struct {
	calls    []plannedCall
	results  []plannedResult
	standIns map[int][]int // the calls whose stand-ins stand behind a row of the path
}

type plannedCall struct {
	entry objects.ID
	id    string // in the new transcript
	name  string
	nth   int // among the calls of its entry
}

type plannedResult struct {
	drop bool
	id   string // of its call
}

// prepare reads the entries before the first line is written. It reads them again if they turn out to edit or to repeat each other.
func (e *exporter) prepare() error {
	e.planning = true
	defer func() { e.planning = false }()
	p := &planner{e: e}
	again, err := p.scan()
	if err == nil && again {
		e.survey = p.survey
		p = &planner{e: e}
		_, err = p.scan()
	}
	e.survey, e.plan = p.survey, p.plan
	return err
}

// planner reads the path for its calls and results.
type planner struct {
	e       *exporter
	survey  survey
	plan    plan
	place   int
	doubted bool // rows were left out or taken without all being known

	taken  map[string]bool // ids of calls in the new transcript
	suffix map[string]int  // the number that an id which several calls would have was given last
	reply  reply           // the newest one
	entry  objects.ID      // of the call seen last
	nth    int
}

// reply is what is known of the newest reply: results belong to no other.
type reply struct {
	begun   bool
	id      string
	waiting map[string][]int // its calls without a result, by id as written
	order   []int            // all of its calls
	done    map[int]bool
	place   int // of its newest row, or of the newest result of its calls
}

// scan goes over all entries. again says that they have to be gone over once more, with what is known of them now.
func (p *planner) scan() (again bool, err error) {
	p.e.seen = map[string]bool{}
	p.survey = survey{edits: map[objects.ID][]byte{}, counting: map[string]bool{}, uuids: p.e.seen}
	p.taken, p.suffix = map[string]bool{}, map[string]int{}
	p.plan.standIns = map[int][]int{}
	for entry, err := range p.e.x.Entries {
		if err != nil {
			return false, err
		}
		if !entry.OnPath {
			continue
		}
		p.edit(entry)
		for _, r := range p.e.rowsOf(entry) {
			if r.entry == objects.ID(r.uuid) {
				p.survey.counting[r.uuid] = true
			} else if entry.Foreign() {
				p.doubted = true
			}
			p.row(r)
			p.place++
		}
	}
	p.close()
	return p.doubted, nil
}

// edit takes what a context_edit says.
func (p *planner) edit(entry transcript.Entry) {
	if entry.Foreign() || entry.Type != objects.TypeContextEdit {
		return
	}
	target, _ := entry.Text("targetId")
	switch replacement := entry.Get("replacement"); {
	case replacement == nil:
	case replacement[0] == '{':
		if content := objects.MemberOf(replacement, "content"); len(content) > 0 && (content[0] == '"' || content[0] == '[') {
			p.survey.edits[objects.ID(target)] = content
			p.doubted = true
		}
	case string(replacement) == "null":
		p.survey.edits[objects.ID(target)] = nil
		p.doubted = true
	}
}

// row takes the calls and results of a row of the path.
func (p *planner) row(r row) {
	switch r.kind {
	case "assistant":
		if id := objects.StringOf(objects.MemberOf(r.message, "id")); !p.reply.begun || id != p.reply.id {
			p.close()
			p.reply = reply{begun: true, id: id, waiting: map[string][]int{}, done: map[int]bool{}}
		}
		p.reply.place = p.place
		eachBlock(r, func(b block) {
			if b.kind == "tool_use" {
				p.call(r.entry, b)
			}
		})
	case "user":
		eachBlock(r, func(b block) {
			if b.kind == "tool_result" {
				p.result(objects.StringOf(objects.MemberOf(b.raw, "tool_use_id")))
			}
		})
	}
}

func (p *planner) call(entry objects.ID, b block) {
	if p.entry != entry {
		p.entry, p.nth = entry, 0
	}
	p.nth++
	id := objects.StringOf(objects.MemberOf(b.raw, "id"))
	at := len(p.plan.calls)
	p.plan.calls = append(p.plan.calls, plannedCall{entry, p.newID(id), objects.StringOf(objects.MemberOf(b.raw, "name")), p.nth})
	p.reply.waiting[id] = append(p.reply.waiting[id], at)
	p.reply.order = append(p.reply.order, at)
}

func (p *planner) result(id string) {
	waiting := p.reply.waiting[id]
	if len(waiting) == 0 {
		p.plan.results = append(p.plan.results, plannedResult{drop: true})
		return
	}
	at := waiting[0]
	p.reply.waiting[id] = waiting[1:]
	p.reply.done[at] = true
	p.reply.place = p.place
	p.plan.results = append(p.plan.results, plannedResult{id: p.plan.calls[at].id})
}

// close plans stand-ins for the results that the newest reply still waits for.
func (p *planner) close() {
	for _, at := range p.reply.order {
		if !p.reply.done[at] {
			p.plan.standIns[p.reply.place] = append(p.plan.standIns[p.reply.place], at)
		}
	}
	p.reply = reply{}
}

// newID is the id that a call has in the new transcript: its own, if the API takes it and no call has it yet.
func (p *planner) newID(id string) string {
	first := fitName(id, "call")
	fit := first
	for p.taken[fit] {
		n := max(p.suffix[first], 1) + 1
		p.suffix[first] = n
		tail := "-" + strconv.Itoa(n) // the client takes toolu_x_2 for a copy of toolu_x
		fit = first[:min(len(first), maxName-len(tail))] + tail
	}
	p.taken[fit] = true
	return fit
}

package main

import (
	"tlog/cmd/tlog/internal/jsonout"
	"tlog/diff"
)

// statusNames are the statuses in JSON.
var statusNames = map[diff.Status]string{diff.Same: "same", diff.Changed: "changed", diff.OnlyA: "a", diff.OnlyB: "b"}

// printJSON prints the summary and then, unless only the numbers are asked for, an object for each pair of turns (docs/json.md).
func (d *comparison) printJSON() error {
	both, err := d.tallies(true)
	if err != nil {
		return err
	}
	base := new(jsonout.Object).ID("a", idAt(d.a.log, d.BaseA)).ID("b", idAt(d.b.log, d.BaseB))
	common := new(jsonout.Object).Int("a", int64(len(d.CommonA))).Int("b", int64(len(d.CommonB))).Int("shown", int64(d.commonShown()))
	only := new(jsonout.Object).Int("a", int64(len(d.OnlyA))).Int("b", int64(len(d.OnlyB)))
	o := new(jsonout.Object).String("kind", "summary").Object("a", d.a.json()).Object("b", d.b.json())
	o.Bool("same", d.Empty()).String("relation", relations[d.Relation]).Object("base", base).Object("common", common).Object("only", only)
	o.Object("stat", new(jsonout.Object).Object("a", tallyObject(both[0])).Object("b", tallyObject(both[1])))
	if err := d.app.printJSON(o); err != nil || d.opt.stat {
		return err
	}
	for _, pair := range d.Undone {
		if part, err := d.part(pair); err != nil {
			return err
		} else if !part {
			continue
		}
		entry, err := d.pairObject(pair)
		if err != nil {
			return err
		}
		if err := d.app.printJSON(new(jsonout.Object).String("kind", "undone").Object("entry", entry)); err != nil {
			return err
		}
	}
	for _, t := range d.Turns {
		if err := d.printTurnJSON(t); err != nil {
			return err
		}
	}
	return nil
}

func (d *comparison) printTurnJSON(t diff.TurnPair) error {
	var entries jsonout.Array
	for _, pair := range t.Entries {
		status, part, err := d.judge(pair)
		if err != nil {
			return err
		}
		if !part {
			continue
		}
		pair.Status = status
		entry, err := d.pairObject(pair)
		if err != nil {
			return err
		}
		entries.Object(entry)
	}
	words, err := d.promptWords(t)
	if err != nil {
		return err
	}
	o := new(jsonout.Object).String("kind", "turn").String("status", statusNames[t.Status])
	return d.app.printJSON(turnNumbers(o, t).Known("prompt", words).Array("entries", entries))
}

// turnNumbers adds the numbers of a pair of turns, from 1 behind the common part; null for a turn that is missing.
func turnNumbers(o *jsonout.Object, t diff.TurnPair) *jsonout.Object {
	for _, side := range []struct {
		name string
		turn int
	}{{"a", t.A}, {"b", t.B}} {
		if side.turn == diff.None {
			o.Raw(side.name, nil)
			continue
		}
		o.Int(side.name, int64(side.turn)+1)
	}
	return o
}

// pairObject is an entry of one side, or two that correspond; of those that differ with what they differ in.
func (d *comparison) pairObject(pair diff.EntryPair) (*jsonout.Object, error) {
	o := new(jsonout.Object).String("status", statusNames[pair.Status])
	for _, s := range []struct {
		name string
		side
		at int
	}{{"a", d.a, pair.A}, {"b", d.b, pair.B}} {
		if s.at == diff.None || pair.Status == diff.Same && s.name == "b" {
			o.Object(s.name, d.idObject(s.side, s.at))
			continue
		}
		v, err := s.reader.ReadWhole(s.at, false)
		if err != nil {
			return nil, err
		}
		o.Object(s.name, v.JSON())
	}
	dropped, err := d.droppedObject(pair)
	if err != nil {
		return nil, err
	}
	if dropped != nil {
		o.Object("noLongerKept", dropped)
	}
	if pair.Status != diff.Changed {
		return o, nil
	}
	a, b, err := d.bothTexts(pair)
	if err != nil {
		return nil, err
	}
	return o.Array("diff", piecesArray(diff.Lines(a, b))), nil
}

// idObject is an entry by its id alone; nil for none.
func (d *comparison) idObject(s side, at int) *jsonout.Object {
	if at == diff.None {
		return nil
	}
	return new(jsonout.Object).ID("id", idAt(s.log, at))
}

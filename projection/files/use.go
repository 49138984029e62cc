package files

import (
	"path"
	"slices"
	"strings"

	"tlog/objects"
)

// deed is what a call did.
type deed struct {
	entry, result int // records
	tool          string
	cwd           string
	use           objects.ToolUse
	holes         bool // what it holds is not all there
}

// pause says that the user had the word, and may have changed any file by hand.
func (r *Replay) pause() {
	r.seq++
	r.doubt = r.seq
}

// use takes in a call. A command is one event, and each file of another tool.
func (r *Replay) use(d *deed) error {
	use := &d.use
	if use.NotRun {
		return r.failed(d)
	}
	if use.Opaque {
		r.obscure(d, d.tool)
	}
	if len(use.Files) > 0 {
		for _, op := range use.Files {
			if err := r.file(d, op); err != nil {
				return err
			}
		}
		return nil
	}
	if use.Command != "" {
		return r.command(d)
	}
	return nil
}

// obscure says that any file may have changed.
func (r *Replay) obscure(d *deed, why string) {
	r.seq++
	r.fog = event{seq: r.seq, by: d.entry, why: why}
}

// failed tells of the operations of a call that changed nothing.
func (r *Replay) failed(d *deed) error {
	for _, op := range d.use.Files {
		p := join(join(d.cwd, d.use.Cwd), op.Path)
		s := r.at(p)
		if err := r.tell(Change{Path: p, Op: op, Before: s, After: s}, d); err != nil {
			return err
		}
	}
	return nil
}

// file takes in an operation on a file.
func (r *Replay) file(d *deed, op objects.FileOp) error {
	dir := join(d.cwd, d.use.Cwd)
	p := join(dir, op.Path)
	r.folders[dir] = true
	before := r.at(p)
	c := Change{Path: p, Op: op, Before: before, After: before, prior: before}
	switch {
	case op.Path == "" || d.use.Failed && d.use.Command == "":
		return r.tell(c, d)
	case d.use.Failed || d.result < 0 || d.holes:
		if op.Kind == objects.FileRead {
			return r.tell(c, d)
		}
		return r.uncertain(d, c, dir)
	}
	r.seq++
	if op.HasBefore {
		c.Before = anchored(before, op, d.entry)
	} else if op.Created && !before.Sure() {
		c.Before = State{Path: p, Grade: Exact, By: before.By}
	}
	c.After = after(c.Before, op)
	if c.After.By = d.entry; op.Kind == objects.FileRead && c.After.Grade == before.Grade && c.After.Text == before.Text && before.Sure() {
		c.After.By = before.By
	}
	c.After.Known = c.Before.Known || c.Before.Sure()
	if op.Kind != objects.FileMove {
		r.set(p, c.After)
		return r.tell(c, d)
	}
	to := join(dir, op.To)
	r.set(p, State{Grade: Exact, By: d.entry, Known: true})
	r.set(to, c.After)
	c.After.Path = to
	return r.tell(c, d)
}

// uncertain says that an operation may have been done, and may not.
func (r *Replay) uncertain(d *deed, c Change, dir string) error {
	why := "a call without a result"
	if d.result >= 0 {
		why = "what was written cannot be read"
	}
	paths := []string{c.Path}
	if c.Op.To != "" {
		paths = append(paths, join(dir, c.Op.To))
	}
	r.seq++
	for _, p := range paths {
		r.set(p, unknown(r.at(p), why, d.entry))
	}
	c.After = r.at(c.Path)
	return r.tell(c, d)
}

// tell counts the lines of a change and hands it on.
func (r *Replay) tell(c Change, d *deed) error {
	if r.opt.Each == nil {
		return nil
	}
	c.Entry, c.Result, c.Tool, c.Failed, c.Command = d.entry, d.result, d.tool, d.use.Failed, d.use.Command
	switch {
	case c.Failed && c.Command == "", c.Op.Kind == objects.FileRead:
	case c.Before.Sure() && c.After.Sure():
		c.Added, c.Removed = countLines(c.Before.Text, c.After.Text)
		c.Counted = true
	case c.Op.Counted:
		c.Added, c.Removed, c.Counted = c.Op.Added, c.Op.Removed, true
	}
	return r.opt.Each(c)
}

// command takes in a command.
func (r *Replay) command(d *deed) error {
	use := &d.use
	dir := absolute(join(d.cwd, use.Cwd))
	r.folders[dir] = true
	v := judge(use.Command, dir, use.HasExit && use.Exit == 0 && !use.Failed)
	if v.all {
		r.obscure(d, v.why)
		return nil
	}
	if v.doubt {
		r.seq++
		r.doubt = r.seq
	}
	for _, e := range v.effects {
		if err := r.effect(d, e); err != nil {
			return err
		}
	}
	return nil
}

func absolute(dir string) string {
	if path.IsAbs(dir) {
		return dir
	}
	return ""
}

// effect takes in what a command did to a file, or to what is in a folder.
func (r *Replay) effect(d *deed, e effect) error {
	switch e.kind {
	case moved, copied:
		return r.transfer(d, e)
	case rewritten, appended:
		return r.heredoc(d, e)
	}
	for _, p := range r.matching(e) {
		before := r.at(p)
		after := unknown(before, brief(d.use.Command), d.entry)
		op := objects.FileOp{Kind: objects.FileEdit, Path: p}
		if e.kind == removed {
			op.Kind = objects.FileDelete
			after = State{Grade: Derived, By: d.entry, Known: before.Known}
		}
		if err := r.became(d, op, before, after); err != nil {
			return err
		}
	}
	return nil
}

// became sets the state of a file after a command.
func (r *Replay) became(d *deed, op objects.FileOp, before, after State) error {
	r.seq++
	r.set(op.Path, after)
	return r.tell(Change{Path: op.Path, Op: op, Before: before, After: r.at(op.Path)}, d)
}

// matching are the files that an effect is on: those of which something is known, and the one that it names.
func (r *Replay) matching(e effect) (files []string) {
	if home, found := strings.CutPrefix(e.path, "~"); found { // whatever folder that is
		for p := range r.states {
			if strings.HasSuffix(p, home) || strings.Contains(p, home+"/") {
				files = append(files, p)
			}
		}
		slices.Sort(files)
		return files
	}
	if !e.pattern {
		files = r.below(e.path)
		if len(files) == 0 && path.Base(e.path) != "." && !r.folders[e.path] {
			files = []string{e.path}
		}
		return files
	}
	for p := range r.states {
		for part := p; part != "/" && part != "."; part = path.Dir(part) {
			if ok, err := path.Match(e.path, part); ok || err != nil {
				files = append(files, p)
				break
			}
		}
	}
	slices.Sort(files)
	return files
}

// heredoc takes in a text that a command wrote.
func (r *Replay) heredoc(d *deed, e effect) error {
	before := r.at(e.path)
	after := State{Exists: true, Grade: Derived, Text: e.text, By: d.entry, Known: true}
	op := objects.FileOp{Kind: objects.FileWrite, Path: e.path, Text: e.text, Whole: true}
	if e.kind == appended {
		op.Kind, op.Whole = objects.FileEdit, false
		op.Added, op.Counted = strings.Count(e.text, "\n"), true
		if !before.Sure() {
			after = unknown(before, brief(d.use.Command), d.entry)
		} else {
			after.Text = before.Text + e.text
		}
	}
	return r.became(d, op, before, after)
}

// transfer takes in a move or a copy. Where the second name may be that of a folder nothing is sure but what was moved away.
func (r *Replay) transfer(d *deed, e effect) error {
	to, folder := strings.CutSuffix(e.to, "/")
	folder = folder || slices.ContainsFunc(r.below(to), func(p string) bool { return p != to && r.isFile(p) })
	if folder {
		to = join(to, path.Base(e.path))
	}
	from := r.at(e.path)
	single := r.isFile(e.path)
	sure := single && (folder || r.isFile(to) || path.Ext(to) != "" && path.Ext(to) == path.Ext(e.path))
	if !sure {
		targets := []string{to}
		if inside := join(to, path.Base(e.path)); r.states[inside] != nil {
			targets = append(targets, inside)
		}
		for _, p := range targets {
			if err := r.effect(d, effect{kind: touched, path: p}); err != nil {
				return err
			}
		}
	} else {
		target, before := from, r.at(to)
		target.By = d.entry
		if target.Grade == Exact {
			target.Grade = Derived
		}
		if !target.Sure() {
			target = unknown(from, from.Why, d.entry)
		}
		op := objects.FileOp{Kind: objects.FileWrite, Path: to}
		if e.kind == moved {
			op = objects.FileOp{Kind: objects.FileMove, Path: e.path, To: to}
			before = from
		}
		r.seq++
		r.set(to, target)
		if err := r.tell(Change{Path: op.Path, Op: op, Before: before, After: r.at(to)}, d); err != nil {
			return err
		}
	}
	if e.kind == copied {
		return nil
	}
	if sure {
		r.set(e.path, State{Grade: Derived, By: d.entry, Known: true})
		return nil
	}
	return r.effect(d, effect{kind: removed, path: e.path})
}

// isFile reports whether a path is known to be a file.
func (r *Replay) isFile(p string) bool {
	k, ok := r.states[p]
	return ok && k.Exists
}

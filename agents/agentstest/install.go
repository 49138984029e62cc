package agentstest

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tlog/agents"
	"tlog/objects"
)

// cwds are working folders whose names make trouble in the name of another folder.
var cwds = []string{
	"/home/ada/shop", "/home/ada/shop.v2/a_b", "/", "/home/ada/Käse 棚/x", "/home/ada/🍏", "/" + strings.Repeat("long-folder/", 40) + "end",
}

// install: a transcript that lies where the agent looks for it is found there, and known by its id and folder.
func (s Suite) install(t *testing.T) {
	if len(s.Samples) == 0 {
		t.Skip("no samples")
	}
	sample := s.Samples[0]
	r := read(t, s.Agent, sample.orSession(), sample.Data)
	home := t.TempDir()
	env := s.Env(home)
	if found, err := s.Agent.Locate(env); err != nil || len(found) != 0 {
		t.Errorf("in an empty home: %v, %v", found, err)
	}
	if s.NoExport != "" {
		t.Skip("nothing is written: ", s.NoExport)
	}
	var files []string
	for i, cwd := range cwds {
		session := objects.ID(fmt.Sprintf("0e000000-0000-4000-8000-1000000000%02d", i))
		data, _ := s.write(t, r, sample.orSession(), session, sample.Cwd, cwd)
		file := s.target(t).InstallPath(env, cwd, session)
		if rel, err := filepath.Rel(home, file); err != nil || !filepath.IsLocal(rel) {
			t.Fatalf("%d: '%s' is not below the agent's folder", i, file)
		}
		if slices.Contains(files, file) {
			t.Errorf("two folders have the place '%s'", file)
		}
		files = append(files, file)
		install(t, file, data)
		id, err := s.Agent.Identify(file, head(data))
		if err != nil || id.ID != session || id.Cwd != cwd {
			t.Errorf("'%s' is session '%s' of '%s' (%v), expected '%s' of '%s'", file, id.ID, id.Cwd, err, session, cwd)
		}
	}
	found, err := s.Agent.Locate(env)
	if err != nil || len(found) != len(files) {
		t.Errorf("%d transcripts are found (%v), expected %d", len(found), err, len(files))
	}
	for _, f := range found {
		if !slices.Contains(files, f.Path) || f.Subagent {
			t.Errorf("found %+v", f)
		}
	}
}

// resume: the command names the session and runs in its folder.
func (s Suite) resume(t *testing.T) {
	if s.NoExport != "" {
		t.Skip("nothing is written: ", s.NoExport)
	}
	c := s.target(t).Resume(exportCwd, firstExport)
	if c.Dir != exportCwd {
		t.Errorf("the command runs in '%s', expected '%s'", c.Dir, exportCwd)
	}
	if len(c.Args) < 2 || !slices.ContainsFunc(c.Args[1:], func(arg string) bool { return strings.Contains(arg, string(firstExport)) }) {
		t.Errorf("the command %q does not name the session", c.Args)
	}
}

// target is the agent as one that transcripts are written for.
func (s Suite) target(t testing.TB) agents.Target {
	t.Helper()
	target, ok := s.Agent.(agents.Target)
	if !ok {
		t.Fatalf("nothing can be written for %s", s.Agent.Name())
	}
	return target
}

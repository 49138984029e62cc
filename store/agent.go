package store

import (
	"fmt"
	"strings"

	"tlog/agents"
	"tlog/objects"
)

// AgentName takes a name of the form `<agent>:<id>` apart. ok is false if it has not that form or no agent has the name.
func AgentName(name string) (agent agents.Agent, id string, ok bool) {
	first, id, found := strings.Cut(name, ":")
	if !found {
		return nil, "", false
	}
	agent, ok = agents.Lookup(first)
	return agent, id, ok
}

// FindAgent looks a session up by id or id prefix in an agent's own folder. env looks up the environment. The
// errors are those of [Store.Find]. Nothing may be written to the session's file.
func FindAgent(agent agents.Agent, env func(string) string, prefix string) (Info, error) {
	fail := func(err error) (Info, error) { return Info{}, fmt.Errorf("%s: %w", agent.Name(), err) }
	if prefix == "" {
		return fail(fmt.Errorf("session %q: %w: expected an id or the beginning of one", prefix, objects.ErrInvalid))
	}
	found, err := agent.Locate(env)
	if err != nil {
		return fail(err)
	}
	files := make([]string, 0, len(found))
	for _, f := range found {
		files = append(files, f.Path)
	}
	outside := Open("")
	all := outside.headers(files)
	for _, match := range []func(Info) bool{
		func(info Info) bool { return string(info.ID) == prefix },
		func(info Info) bool { return info.ID.HasPrefix(prefix) },
	} {
		info, hit, err := outside.only(prefix, all, match)
		if err != nil {
			return fail(err)
		}
		if hit {
			return info, nil
		}
	}
	return fail(fmt.Errorf("session %q: %w", prefix, objects.ErrNotFound))
}

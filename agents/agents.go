// Package agents is the table of the coding agents that tlog knows, one package each below this one.
package agents

import "tlog/agents/pi"

// An Agent is a program whose sessions can be read where it keeps them.
type Agent struct {
	Name string // as in `pi:<id>`
	// Locate gives the files that may be its sessions, by the environment that env looks up. tlog never writes to them.
	Locate func(env func(string) string) ([]string, error)
}

// All are the agents, by name.
func All() []Agent {
	return []Agent{
		{Name: "pi", Locate: pi.Locate},
	}
}

// Lookup finds an agent by its name.
func Lookup(name string) (Agent, bool) {
	for _, agent := range All() {
		if agent.Name == name {
			return agent, true
		}
	}
	return Agent{}, false
}

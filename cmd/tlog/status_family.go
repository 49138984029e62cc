package main

import (
	"cmp"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tlog/checkout"
	"tlog/objects"
	"tlog/store"
)

// subagentsOf are the ids of the sessions in the store that subagents of a session made, oldest first; nil if that is not known, as of a
// file that lies somewhere else.
func subagentsOf(a *App, s *checkout.Session) ([]string, error) {
	st, err := a.store()
	if err != nil || !st.Contains(s.Log.Path()) {
		return nil, err
	}
	ids := []string{}
	if s.Log.Header().Agent == "" {
		return ids, nil // no agent made it, and none of its subagents came in
	}
	project := filepath.Base(filepath.Dir(s.Log.Path()))
	list, err := st.SessionsIn([]string{project}, func(string, error) {})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(list, func(x, y store.Info) int {
		return cmp.Or(x.Created.Compare(y.Created), strings.Compare(string(x.ID), string(y.ID)))
	})
	for _, info := range list {
		if info.Subagent && info.ParentSession == s.Log.Header().ID {
			ids = append(ids, string(info.ID))
		}
	}
	return ids, nil
}

// maxSubagents is how many subagents a status names for people.
const maxSubagents = 4

// subagentsText is how many subagents there are and what the first ones are called.
func subagentsText(ids []string) string {
	text := strconv.Itoa(len(ids)) + ": " + strings.Join(ids[:min(len(ids), maxSubagents)], " ")
	if more := len(ids) - maxSubagents; more > 0 {
		text += " and " + strconv.Itoa(more) + " more"
	}
	return text
}

// originWords are what a session is to the one that it was made of, and that one with the entry, if the entry is known.
func originWords(h objects.Header) (relation, parent string) {
	relation = "fork of"
	if source, err := objects.ParseEntry(h.Source); err == nil {
		if id, _ := source.Text("subagent"); id != "" || string(source.Get("subagent")) == "true" {
			relation = "subagent of"
		}
	}
	parent = h.ParentSession
	if h.ParentEntry != "" {
		parent += " at " + string(h.ParentEntry)
	}
	return relation, parent
}

package main

import (
	"fmt"

	"tlog/checkout"
	"tlog/cmd/tlog/internal/jsonout"
	"tlog/store"
)

// putBack writes an imported session to where it was imported from.
func (a *App) putBack(s *checkout.Session) error {
	st, err := a.store()
	if err != nil {
		return err
	}
	done, err := st.PutBack(s)
	written, left := 0, 0
	for _, file := range done.Files {
		if file.Written {
			written++
		} else {
			left++
		}
	}
	if err != nil {
		if written > 0 {
			a.note("%d %s put back before that", written, plural(written, "file was", "files were"))
		}
		return err
	}
	if a.JSON {
		return a.printJSON(putBackObject(done))
	}
	if done.Written {
		a.note("'%s' is there again, as it was imported", done.Path)
	} else {
		a.note("'%s' is there, as it was imported", done.Path)
	}
	if len(done.Files) > 0 {
		text := fmt.Sprintf("%d %s of its own and of its subagents put back", written, plural(written, "further file", "further files"))
		if left > 0 {
			text += fmt.Sprintf(", %d that %s there left as %s", left, plural(left, "was", "were"), plural(left, "it is", "they are"))
		}
		a.note("%s", text)
	}
	return a.IO.Out.Printf("%s\n", done.Session)
}

// putBackObject is what --json prints of it.
func putBackObject(done store.PutBack) *jsonout.Object {
	var files jsonout.Array
	for _, file := range done.Files {
		files.Object(new(jsonout.Object).String("file", file.Path).Bool("written", file.Written))
	}
	return new(jsonout.Object).ID("session", done.Session).String("file", done.Path).Bool("written", done.Written).Array("files", files)
}

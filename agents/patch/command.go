package patch

import "strings"

// InCommand finds the patch that a shell command gives to apply_patch in a here document or as an argument, and the folder that it changes to
// before, if any: `cd dir && apply_patch <<'EOF'`. ok is false for a command that does more than that, as far as it can be told.
func InCommand(command string) (text, dir string, ok bool) {
	rest := strings.TrimSpace(command)
	if after, found := strings.CutPrefix(rest, "cd "); found {
		dir, rest, found = strings.Cut(after, "&&")
		dir = strings.Trim(strings.TrimSpace(dir), `'"`)
		if !found || dir == "" || strings.ContainsAny(dir, " \n;|&$`<>()") {
			return "", "", false
		}
		rest = strings.TrimSpace(rest)
	}
	tool, rest, found := strings.Cut(rest, " ")
	if !found || tool != "apply_patch" && tool != "applypatch" {
		return "", "", false
	}
	rest = strings.TrimSpace(rest)
	if word, found := strings.CutPrefix(rest, "<<"); found {
		text, ok = hereDocument(word)
		return text, dir, ok
	}
	for _, quote := range []string{"'", `"`} {
		if inner, found := strings.CutPrefix(rest, quote); found {
			inner, found = strings.CutSuffix(inner, quote)
			return inner, dir, found && !strings.Contains(inner, quote) && (quote == "'" || !strings.ContainsAny(inner, "$`\\"))
		}
	}
	return "", "", false
}

// hereDocument is the text of a here document that begins with its word, if nothing stands behind it. Where the word is not quoted the shell would
// replace variables, so such a text may not have any.
func hereDocument(rest string) (text string, ok bool) {
	rest, tabs := strings.CutPrefix(rest, "-")
	head, body, found := strings.Cut(rest, "\n")
	word := strings.TrimSpace(head)
	plain := strings.Trim(word, `'"\`)
	if !found || tabs || plain == "" || strings.ContainsAny(plain, " \t;|&<>'\"") {
		return "", false
	}
	body = strings.TrimRight(body, " \t\r\n")
	text, found = strings.CutSuffix(body, "\n"+plain)
	if !found || strings.Contains("\n"+text+"\n", "\n"+plain+"\n") {
		return "", false
	}
	return text, word != plain || !strings.ContainsAny(text, "$`\\")
}

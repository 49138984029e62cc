package view

import (
	"fmt"
	"strings"

	"tlog/objects"
)

// listWords is an argument that is a list, where more can be told of it than its length: a command with its arguments, a plan with its steps.
func listWords(m objects.Member) string {
	switch {
	case m.Is("command"), m.Is("cmd"):
		if words, ok := stringsIn(m.Value); ok {
			command := commandLine(words)
			if files := patchedFiles(command); files != "" {
				return files
			}
			return command
		}
	case m.Is("plan"):
		return planWords(m.Value)
	}
	return ""
}

// stringsIn are the elements of a list of nothing but strings; ok is false for anything else, and for an empty one.
func stringsIn(value []byte) (list []string, ok bool) {
	ok = true
	isList := objects.Elements(value, func(element []byte) {
		s, isString := objects.Unquote(element)
		list, ok = append(list, s), ok && isString
	})
	return list, isList && ok && len(list) > 0
}

// commandLine is a command as one would type it. What a shell is given to run stands for the call of the shell.
func commandLine(words []string) string {
	if len(words) == 3 && (words[1] == "-c" || words[1] == "-lc") {
		switch words[0][strings.LastIndexByte(words[0], '/')+1:] {
		case "bash", "sh", "zsh":
			return words[2]
		}
	}
	typed := make([]string, 0, len(words))
	for _, word := range words {
		if word == "" || strings.ContainsAny(word, " \t\n'\"\\$`|&;<>()*?#~") {
			word = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
		typed = append(typed, word)
	}
	return strings.Join(typed, " ")
}

// planWords is how far a plan has come and the step that is next: "2/5 done: write the tests".
func planWords(plan []byte) string {
	steps, done, next := 0, 0, ""
	isList := objects.Elements(plan, func(step []byte) {
		text, ok := objects.Entry{Raw: step}.Text("step")
		if !ok {
			return
		}
		steps++
		status, _ := objects.Entry{Raw: step}.Text("status")
		switch {
		case status == "completed":
			done++
		case next == "":
			next = text
		}
	})
	switch {
	case !isList || steps == 0:
		return ""
	case next == "":
		return fmt.Sprintf("%d/%d done", done, steps)
	}
	return fmt.Sprintf("%d/%d done: %s", done, steps, next)
}

// patchedFiles names the files that a patch in the form of apply_patch changes: "M a.txt, A b.txt". Empty for another text.
func patchedFiles(text string) string {
	_, text, found := strings.Cut(text, "*** Begin Patch")
	if !found {
		return ""
	}
	var files []string
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimRight(line, "\r")
		for _, kind := range [...]struct{ mark, words string }{{"A ", "*** Add File: "}, {"M ", "*** Update File: "}, {"D ", "*** Delete File: "}} {
			if file, ok := strings.CutPrefix(line, kind.words); ok {
				files = append(files, kind.mark+file)
			}
		}
		if to, ok := strings.CutPrefix(line, "*** Move to: "); ok && len(files) > 0 {
			files[len(files)-1] += " -> " + to
		}
	}
	return strings.Join(files, ", ")
}

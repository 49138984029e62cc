package agents

import "strings"

// toolKind is what a tool does, as far as its name tells.
type toolKind uint8

const (
	toolUnknown toolKind = iota
	toolShell
	toolRead
	toolWrite
	toolEdit
	toolEditor // one tool that views, creates and edits
	toolPatch
	toolDelete
	toolMove
	toolHarmless // changes no file
)

// kindOfTool knows a tool by its name, without case, underscores and hyphens. Of a tool of an MCP server it is the last part.
func kindOfTool(name string) toolKind {
	if at := strings.LastIndex(name, "__"); at >= 0 {
		name = name[at+2:]
	}
	name = strings.TrimPrefix(name, "functions.")
	name = strings.ToLower(strings.NewReplacer("_", "", "-", "", ".", "").Replace(name))
	switch name {
	case "bash", "shell", "runshellcommand", "shellexec", "runterminal", "runterminalcommand", "runterminalcmd", "runinterminal", "terminal", "executecommand",
		"runcommand", "exec", "localshell", "powershell", "execcommand", "shellcommand":
		return toolShell
	case "read", "readfile", "view", "viewfile", "openfile", "cat":
		return toolRead
	case "write", "writefile", "create", "createfile", "writetofile", "savefile":
		return toolWrite
	case "edit", "editfile", "replace", "replacestringinfile", "multireplacestringinfile", "multiedit", "strreplace", "replaceinfile", "searchreplace", "updatefile":
		return toolEdit
	case "strreplaceeditor", "strreplacebasededittool", "texteditor":
		return toolEditor
	case "applypatch", "patch", "applydiff":
		return toolPatch
	case "delete", "deletefile", "remove", "removefile":
		return toolDelete
	case "move", "movefile", "rename", "renamefile":
		return toolMove
	}
	if harmless(name) {
		return toolHarmless
	}
	return toolUnknown
}

// harmless reports whether a tool's name says that it looks, asks, or keeps notes.
func harmless(name string) bool {
	switch name {
	case "ls", "taskcomplete", "skill", "question", "askuser", "reportintent", "updatetopic", "updateplan", "savememory", "sleep", "sendmessage",
		"requestcontact", "registeragent", "createissue", "updateissue", "createcomment", "readmanyfiles", "codesearch", "semanticsearch", "filesearch":
		return true
	}
	for _, verb := range []string{"get", "list", "search", "read", "fetch", "find", "query", "view", "show", "describe", "web", "todo", "think", "resolve", "grep",
		"glob", "ask"} {
		if strings.HasPrefix(name, verb) {
			return true
		}
	}
	return false
}

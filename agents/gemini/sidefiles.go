package gemini

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"tlog/agents/transcript"
	"tlog/objects"
)

// retention is after how many days the client deletes sessions, unless it is told otherwise (formats/others.md "Resume").
const retention = 30

// SideFiles implements agents.Foreign: the outputs of tools that were too long for a line, in tool-outputs/session-<id> of the project's folder.
func (Agent) SideFiles(path string, id transcript.Identity) ([]transcript.SideFile, error) {
	if id.Subagent != "" {
		return nil, nil
	}
	session, err := sessionIn(path)
	if err != nil || session == "" || session != string(id.ID) {
		return nil, err
	}
	folder := filepath.Join(filepath.Dir(filepath.Dir(path)), outputsFolder, sessionPrefix+session)
	info, err := os.Lstat(folder)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return []transcript.SideFile{{Name: outputsFolder, Skipped: fmt.Errorf("%w: expected a folder, got a link", objects.ErrInvalid)}}, nil
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		if transcript.NotThere(err) {
			err = nil
		}
		return nil, err
	}
	var files []transcript.SideFile
	for _, entry := range entries {
		name := outputsFolder + "/" + entry.Name()
		switch {
		case entry.Type().IsRegular():
			files = append(files, transcript.SideFile{Name: name, Path: filepath.Join(folder, entry.Name())})
		case !entry.IsDir(): // a link may lead to anything that was never part of the session
			files = append(files, transcript.SideFile{Name: name, Skipped: fmt.Errorf("%w: expected a regular file, got %s", objects.ErrInvalid, entry.Type())})
		}
	}
	return files, nil
}

// SideFileReader implements agents.Foreign. No two sessions share a file.
func (a Agent) SideFileReader() func(path string, id transcript.Identity) ([]transcript.SideFile, error) {
	return a.SideFiles
}

// CleanUp implements agents.Foreign. What the user's settings say of it is not looked at: their form is not known for certain.
func (a Agent) CleanUp(env func(string) string) (transcript.CleanUp, error) {
	return transcript.CleanUp{Days: retention, By: "the default of Gemini CLI"}, nil
}

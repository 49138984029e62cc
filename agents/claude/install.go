package claude

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf16"

	"tlog/agents/transcript"
	"tlog/objects"
)

// maxEncoded is how many characters of an encoded path the client takes as they are.
const maxEncoded = 200

// EncodePath is the name of the folder in which the client keeps the sessions of a working folder, an absolute path
// without symlinks (formats/claude.md section 1, ENC). Different paths may have the same name.
func EncodePath(path string) string {
	units := utf16.Encode([]rune(path))
	encoded := make([]byte, len(units))
	var hash int32
	for i, unit := range units {
		hash = hash*31 + int32(unit)
		encoded[i] = '-'
		if isAlphanumeric(unit) {
			encoded[i] = byte(unit)
		}
	}
	if len(encoded) <= maxEncoded {
		return string(encoded)
	}
	magnitude := max(int64(hash), -int64(hash))
	return string(encoded[:maxEncoded]) + "-" + strconv.FormatInt(magnitude, 36)
}

func isAlphanumeric(unit uint16) bool {
	return '0' <= unit && unit <= '9' || 'A' <= unit && unit <= 'Z' || 'a' <= unit && unit <= 'z'
}

// InstallPath implements agents.Foreign. A working folder that does not exist is resolved as far as it does.
func (a Agent) InstallPath(env func(string) string, cwd string, session objects.ID) string {
	return filepath.Join(a.Folder(env), projectsFolder, EncodePath(realPath(cwd)), string(session)+transcriptSuffix)
}

// realPath resolves the symlinks of a path, as far as it exists.
func realPath(path string) string {
	path = filepath.Clean(path)
	rest := ""
	for at := path; ; at = filepath.Dir(at) {
		if real, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(real, rest)
		}
		if at == filepath.Dir(at) {
			return path
		}
		rest = filepath.Join(filepath.Base(at), rest)
	}
}

// Resume implements agents.Foreign. The session is looked for in the folder of the working folder first.
func (Agent) Resume(cwd string, session objects.ID) transcript.Command {
	return transcript.Command{Dir: cwd, Args: []string{"claude", "--resume", string(session)}}
}

// The client's settings: a transcript whose file was not changed for so many days is deleted when the client starts.
const (
	settingsFile     = "settings.json"
	cleanUpSetting   = "cleanupPeriodDays"
	defaultCleanUp   = 30
	maxSettings      = 16 << 20 // bytes that are read of the settings
	maxCleanUpDays   = 1e6      // more is as good as never
	defaultCleanUpBy = "the default of Claude Code"
)

// CleanUp implements agents.Foreign. It knows the user's own settings only, not those that an organisation or a project
// sets besides. The client refuses 0 since it says so (2.1.332); earlier ones delete everything at their next start.
func (a Agent) CleanUp(env func(string) string) (transcript.CleanUp, error) {
	file := filepath.Join(a.Folder(env), settingsFile)
	byDefault := transcript.CleanUp{Days: defaultCleanUp, By: defaultCleanUpBy}
	settings, err := readSmall(file, maxSettings)
	switch {
	case err != nil && transcript.NotThere(err):
		return byDefault, nil
	case err != nil:
		return transcript.CleanUp{}, fmt.Errorf("settings of Claude Code: %w", err)
	case len(settings) == 0:
		return byDefault, nil
	}
	var value []byte
	err = objects.Scan(objects.TrimLine(settings), func(m objects.Member) {
		if m.Is(cleanUpSetting) {
			value = m.Value
		}
	})
	if err != nil {
		return transcript.CleanUp{}, fmt.Errorf("settings of Claude Code: %s: %w", file, err)
	}
	if value == nil {
		return byDefault, nil
	}
	days, err := strconv.ParseFloat(string(value), 64)
	if err != nil || days < 0 || days != float64(int64(days)) {
		return transcript.CleanUp{}, fmt.Errorf("settings of Claude Code: %s: %s: %w: expected a number of days, got %.40s",
			file, cleanUpSetting, objects.ErrInvalid, value)
	}
	set := transcript.CleanUp{Days: int(days), By: cleanUpSetting + " in " + file}
	switch {
	case days == 0:
		set.AtStart = true
	case days > maxCleanUpDays:
		set.Days = 0
	}
	return set, nil
}

// readSmall reads a regular file that has at most limit bytes.
func readSmall(path string, limit int64) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: %w: expected a regular file", path, objects.ErrInvalid)
	case info.Size() > limit:
		return nil, fmt.Errorf("%s: %w: expected at most %d bytes, got %d", path, objects.ErrInvalid, limit, info.Size())
	}
	return os.ReadFile(path)
}

// isUUID reports whether a name has the form of a UUID of any version.
func isUUID(name string) bool {
	if len(name) != 36 {
		return false
	}
	for i := range len(name) {
		switch i {
		case 8, 13, 18, 23:
			if name[i] != '-' {
				return false
			}
		default:
			if !strings.ContainsRune("0123456789abcdefABCDEF", rune(name[i])) {
				return false
			}
		}
	}
	return true
}

package terminal

import "fmt"

// ColorMode is what the user asked for with --color. It implements the interface
// of a command line flag.
type ColorMode int

// The three modes. The zero value leaves it to the environment.
const (
	ColorAuto ColorMode = iota
	ColorAlways
	ColorNever
)

var colorModes = [...]string{ColorAuto: "auto", ColorAlways: "always", ColorNever: "never"}

// String returns the spelling that Set accepts.
func (m ColorMode) String() string { return colorModes[m] }

// Set parses "auto", "always" or "never".
func (m *ColorMode) Set(s string) error {
	for i, name := range colorModes {
		if s == name {
			*m = ColorMode(i)
			return nil
		}
	}
	return fmt.Errorf("colour mode '%s': expected 'auto', 'always' or 'never'", s)
}

// Type names the flag's value in a usage line.
func (*ColorMode) Type() string { return "when" }

// wantColor decides for one stream. The order is that of no-color.org and
// bixense.com/clicolors: the flag, NO_COLOR, CLICOLOR_FORCE (and its common
// alias FORCE_COLOR), CLICOLOR, the terminal.
func wantColor(mode ColorMode, env func(string) string, tty bool) bool {
	switch mode {
	case ColorAlways:
		return true
	case ColorNever:
		return false
	}
	switch {
	case env("NO_COLOR") != "":
		return false
	case isOn(env("CLICOLOR_FORCE")), isOn(env("FORCE_COLOR")):
		return true
	case env("CLICOLOR") == "0":
		return false
	}
	return tty && env("TERM") != "dumb"
}

func isOn(value string) bool { return value != "" && value != "0" }

package refs

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxName is the greatest length of a name, in bytes.
const maxName = 255

// CheckName tells whether name may name a branch or label. The rules are git's for
// the names of refs and branches: no component begins with "." or ends with ".lock";
// no "..", "@{", control character, space or any of ~^:?*[\; no "-" at the
// start, no "." at the end, no slash at either end or doubled; not "@" and not "HEAD".
// A name is valid UTF-8 of at most 255 bytes. The error wraps objects.ErrInvalid.
func CheckName(name string) error {
	if reason := nameFault(name); reason != "" {
		return invalid("invalid name '%s': %s", shorten(name), reason)
	}
	return nil
}

// nameFault is what is wrong with a name; empty if nothing is.
func nameFault(name string) string {
	switch {
	case name == "":
		return "it is empty"
	case len(name) > maxName:
		return "it is longer than 255 bytes"
	case !utf8.ValidString(name):
		return "it is not UTF-8"
	case name == "@", name == headName:
		return "it stands for HEAD"
	case name[0] == '-':
		return "it begins with '-'"
	case name[len(name)-1] == '.':
		return "it ends with '.'"
	case strings.Contains(name, ".."):
		return "it contains '..'"
	case strings.Contains(name, "@{"):
		return "it contains '@{'"
	}
	for _, r := range name {
		if unicode.IsControl(r) {
			return "it contains a control character"
		}
		if strings.ContainsRune(` ~^:?*[\`, r) {
			return "it contains '" + string(r) + "'"
		}
	}
	for component := range strings.SplitSeq(name, "/") {
		switch {
		case component == "":
			return "it has an empty component"
		case component[0] == '.':
			return "a component begins with '.'"
		case strings.HasSuffix(component, ".lock"):
			return "a component ends with '.lock'"
		}
	}
	return ""
}

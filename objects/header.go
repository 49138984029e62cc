package objects

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Version is the format version that tlog writes.
const Version = 4

// Header is the first line of a log.
type Header struct {
	Raw           []byte // the object; nil for a version 0 file
	Version       int    // 1 if the line names none
	ID            ID
	Timestamp     string
	Cwd           string
	Name          string
	ParentSession string // a session id; in files of pi the path of a file
	ParentEntry   ID
	Agent         string
	Source        []byte // the JSON object source; nil if there is none
	Chain         string
}

// ParseHeader makes a Header of raw, an object whose type is "session". A missing or
// unreadable version is 1, a numeric string counts as its number.
// The error wraps [ErrInvalid] if raw is no header (a header needs a string id).
func ParseHeader(raw []byte) (Header, error) {
	e, err := ParseEntry(raw)
	if err != nil {
		return Header{}, fmt.Errorf("%w header: %w", ErrInvalid, err)
	}
	if e.Type != TypeSession {
		return Header{}, fmt.Errorf("%w header: expected type %q, got %q", ErrInvalid, TypeSession, e.Type)
	}
	h := Header{Raw: e.Raw, Version: 1, ID: e.ID, Timestamp: e.Timestamp, Chain: e.Chain}
	hasID := false
	// ParseEntry has scanned the same bytes, so there is no error to look at.
	_ = Scan(e.Raw, func(m Member) {
		if string(m.name()) == "id" {
			hasID = isString(m.Value)
		}
		h.setMember(m)
	})
	if !hasID {
		return Header{}, fmt.Errorf("%w header: expected a string id, got none", ErrInvalid)
	}
	return h, nil
}

// setMember sets the field of a member that only headers have.
func (h *Header) setMember(m Member) {
	switch string(m.name()) {
	case "version":
		h.Version = parseVersion(m.Value)
	case "cwd":
		h.Cwd = tokenText(m.Value)
	case "name":
		h.Name = tokenText(m.Value)
	case "parentSession":
		h.ParentSession = tokenText(m.Value)
	case "parentEntry":
		h.ParentEntry = ID(tokenText(m.Value))
	case "agent":
		h.Agent = tokenText(m.Value)
	case "source":
		h.Source = nil
		if m.Value[0] == '{' {
			h.Source = m.Value
		}
	}
}

// parseVersion reads a version, a number or a string that holds one. Fractions are cut off.
func parseVersion(value []byte) int {
	text := string(value)
	if isString(value) {
		text = strings.TrimSpace(tokenText(value))
	}
	if strings.Trim(text, "0123456789+-.eE") != "" {
		return 1 // keeps out what Go takes for a number and JSON does not
	}
	f, err := strconv.ParseFloat(text, 64)
	switch {
	case f >= math.MaxInt32: // that of 1e400 too, which is an error by its range
		return math.MaxInt32
	case err != nil || f < 1:
		return 1
	}
	return int(f)
}

// Line is the header's line of a new log, without chain and "\n", in the order of
// docs/format.md; empty fields are left out, a version of 0 is [Version]. Raw is ignored.
func (h Header) Line() []byte {
	version := h.Version
	if version == 0 {
		version = Version
	}
	fields := []Field{
		StringField("type", string(TypeSession)),
		{Key: "version", Value: strconv.AppendInt(nil, int64(version), 10)},
	}
	for _, f := range []struct{ key, value string }{
		{"id", string(h.ID)},
		{"timestamp", h.Timestamp},
		{"cwd", h.Cwd},
		{"name", h.Name},
		{"parentSession", h.ParentSession},
		{"parentEntry", string(h.ParentEntry)},
		{"agent", h.Agent},
	} {
		if f.value != "" {
			fields = append(fields, StringField(f.key, f.value))
		}
	}
	if len(h.Source) > 0 {
		fields = append(fields, Field{Key: "source", Value: h.Source})
	}
	return appendObject(nil, fields)
}

// LastWins reports which of two different lines with one id counts: the last in
// foreign and older files and in imports, the first in tlog's own logs.
func (h Header) LastWins() bool { return h.Version < Version || h.Source != nil }

// Package dates reads the dates that people type and writes ages as they say
// them.
package dates

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// ErrSyntax is wrapped by every error of Parse.
var ErrSyntax = errors.New("not a date")

// forms is what the error of an unreadable date offers instead.
const forms = "RFC 3339, 'YYYY-MM-DD[ HH:MM[:SS]]', '@<unix seconds>', '<n> <unit> ago' (s m h d w mo y), " +
	"'now', 'today', 'yesterday', 'noon' or 'midnight'"

// Parse reads a point in time:
//
//	2026-11-30T10:00:00.5Z     RFC 3339, also with a blank for the T
//	2026-11-30 10:00[:00]      in now's time zone, also with a T for the blank
//	2026-11-30                 its first instant
//	@1796032800                seconds since 1970
//	2.weeks.ago, 3 days ago    before now; "ago" may be left out
//	90m, 1h 30m                s m h d w mo y
//	now, today, yesterday      the days from their first instant
//	noon, midnight             the last one before now
//	yesterday 10:00            a day and a time of day
//
// Days, weeks, months and years go by the calendar of now's time zone, so that
// "1 day ago" is the same time of day; the shorter units are exact. Words may be
// in capitals, single letters may not. The result is in the years 1 to 9999. All
// else is an error that says what is accepted and wraps [ErrSyntax].
func Parse(s string, now time.Time) (time.Time, error) {
	text := strings.TrimSpace(s)
	for _, read := range []func(string, time.Time) (time.Time, bool){
		parseUnix, parseAbsolute, parseNamed, parseAge,
	} {
		if t, ok := read(text, now); ok {
			if y := t.UTC().Year(); y < 1 || y > 9999 {
				return time.Time{}, fmt.Errorf("%w: '%s' is in the year %d: expected 1 to 9999", ErrSyntax, s, y)
			}
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%w: '%s': expected %s", ErrSyntax, s, forms)
}

// ParseEnd reads a point in time as [Parse] does, but a whole day ("2026-11-30", "today", "yesterday") is its
// last instant, so that "until" a day includes it.
func ParseEnd(s string, now time.Time) (time.Time, error) {
	t, err := Parse(s, now)
	text := strings.ToLower(strings.TrimSpace(s))
	_, notDay := time.Parse(time.DateOnly, text)
	if err != nil || notDay != nil && text != "today" && text != "yesterday" {
		return t, err
	}
	return t.AddDate(0, 0, 1).Add(-time.Nanosecond), nil
}

func parseUnix(s string, now time.Time) (time.Time, bool) {
	digits, ok := strings.CutPrefix(s, "@")
	if !ok || strings.HasPrefix(digits, "+") {
		return time.Time{}, false
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return time.Time{}, false
	}
	const limit = 1 << 40 // beyond the year 9999, within what time.Time can count
	return time.Unix(max(-limit, min(n, limit)), 0).In(now.Location()), true
}

// parseAbsolute reads a full date with a time or without one.
func parseAbsolute(s string, now time.Time) (time.Time, bool) {
	s = strings.ToUpper(s) // RFC 3339 allows small t and z
	for _, layout := range []string{
		time.RFC3339, "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05 -07:00",
		"2006-01-02T15:04Z07:00", "2006-01-02 15:04Z07:00",
	} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, true
		}
	}
	for _, layout := range []string{
		time.DateOnly, time.DateTime, "2006-01-02T15:04:05", "2006-01-02 15:04", "2006-01-02T15:04",
	} {
		if t, err := time.ParseInLocation(layout, s, now.Location()); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// parseNamed reads a word for a point in time, or a day and a time of day.
func parseNamed(s string, now time.Time) (time.Time, bool) {
	words := strings.Fields(strings.ToLower(s))
	if len(words) == 0 || len(words) > 2 {
		return time.Time{}, false
	}
	y, m, d := now.Date()
	var hour, minute, second int
	switch {
	case words[0] == "now" && len(words) == 1:
		return now, true
	case words[0] == "noon" && len(words) == 1:
		hour = 12
		if now.Hour() < 12 {
			d--
		}
	case words[0] == "midnight" && len(words) == 1, words[0] == "today":
	case words[0] == "yesterday":
		d--
	default:
		return time.Time{}, false
	}
	if len(words) == 2 {
		switch words[1] {
		case "noon":
			hour = 12
		case "midnight":
		default:
			clock, ok := parseClock(words[1])
			if !ok {
				return time.Time{}, false
			}
			hour, minute, second = clock.Clock()
		}
	}
	return time.Date(y, m, d, hour, minute, second, 0, now.Location()), true
}

func parseClock(s string) (time.Time, bool) {
	for _, layout := range []string{"15:04", time.TimeOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

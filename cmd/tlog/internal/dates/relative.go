package dates

import (
	"strconv"
	"time"
)

// Relative says how long before now t was, as git does: "3 minutes ago", "2 weeks
// ago", "1 year, 4 months ago", and "in the future".
func Relative(t, now time.Time) string {
	n, u := distance(t, now)
	if n < 0 {
		return "in the future"
	}
	if u == year {
		months := monthsBetween(t, now)
		if years, rest := months/12, months%12; years < 5 && rest > 0 {
			return count(years, year) + ", " + count(rest, month) + " ago"
		}
	}
	return count(n, u) + " ago"
}

// Short is [Relative] in at most 4 characters in a lifetime: "45s", "3m", "7h",
// "13d", "2w", "5mo", "2y". The future is "+".
func Short(t, now time.Time) string {
	n, u := distance(t, now)
	if n < 0 {
		return "+"
	}
	return strconv.FormatInt(n, 10) + units[u].short
}

type unit int

const (
	second unit = iota
	minute
	hour
	day
	week
	month
	year
)

var units = [...]struct{ name, short string }{
	second: {"second", "s"},
	minute: {"minute", "m"},
	hour:   {"hour", "h"},
	day:    {"day", "d"},
	week:   {"week", "w"},
	month:  {"month", "mo"},
	year:   {"year", "y"},
}

// distance rounds the time from t to now to a number of one unit. It stays with a
// unit until the next gives a number that says as much: 89 minutes, 35 hours, 13
// days, 9 weeks. The number is negative for the future.
func distance(t, now time.Time) (int64, unit) {
	n := now.Unix() - t.Unix() // not Sub, which ends at 292 years
	if n < 0 {
		return -1, second
	}
	if n < 90 {
		return n, second
	}
	if n = (n + 30) / 60; n < 90 {
		return n, minute
	}
	if n = (n + 30) / 60; n < 36 {
		return n, hour
	}
	days := (n + 12) / 24
	switch {
	case days < 14:
		return days, day
	case days < 70:
		return (days + 3) / 7, week
	case days < 365:
		return (days + 15) / 30, month
	case days < 5*365:
		return max(1, monthsBetween(t, now)/12), year
	}
	return (days + 183) / 365, year
}

// monthsBetween counts months of a twelfth of 365 days, rounded.
func monthsBetween(t, now time.Time) int64 {
	days := (now.Unix() - t.Unix() + 43200) / 86400
	return (days*24 + 365) / 730
}

func count(n int64, u unit) string {
	s := strconv.FormatInt(n, 10) + " " + units[u].name
	if n != 1 {
		s += "s"
	}
	return s
}

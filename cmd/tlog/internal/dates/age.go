package dates

import (
	"strconv"
	"strings"
	"time"
)

// age is a distance into the past, in the three measures that cannot be converted
// into one another.
type age struct {
	months, days int
	seconds      int64
}

// The limits keep an age from overflowing: the digits of a number, the units in a
// row, and what years to days count for at most, which is over 9999 years of each.
const (
	maxUnits    = 12
	maxDigits   = 12
	maxCalendar = 4_000_000
)

// parseAge reads numbers with units, divided by blanks or dots or not at all.
func parseAge(s string, now time.Time) (time.Time, bool) {
	words := strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '\t' || r == '.' })
	n := len(words)
	if n > 1 && strings.EqualFold(words[n-1], "ago") {
		words = words[:n-1]
	}
	var a age
	for range maxUnits {
		if len(words) == 0 {
			break
		}
		count, unit, rest := nextCount(words)
		if !a.add(count, unit) {
			return time.Time{}, false
		}
		words = rest
	}
	return a.before(now), n > 0 && len(words) == 0
}

// nextCount takes a number and its unit from the front of words, which may be one
// word or two. A count of -1 says that there is none.
func nextCount(words []string) (count int64, unit string, rest []string) {
	number := words[0]
	i := 0
	for i < len(number) && number[i] >= '0' && number[i] <= '9' {
		i++
	}
	number, unit, rest = number[:i], number[i:], words[1:]
	if i == 0 && (strings.EqualFold(unit, "a") || strings.EqualFold(unit, "an")) {
		number, unit = "1", ""
	}
	if unit == "" {
		if len(rest) == 0 {
			return -1, "", rest
		}
		unit, rest = rest[0], rest[1:]
	} else if j := strings.IndexAny(unit, "0123456789"); j > 0 { // 1h30m
		rest = append([]string{unit[j:]}, rest...)
		unit = unit[:j]
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || len(number) > maxDigits {
		return -1, "", rest
	}
	return n, unit, rest
}

// add adds n units to the age. It fails if there is no such unit or no number.
func (a *age) add(n int64, unit string) bool {
	if n < 0 {
		return false
	}
	if len(unit) > 1 {
		unit = strings.ToLower(unit)
	}
	calendar := int(min(n, maxCalendar))
	switch unit {
	case "s", "sec", "secs", "second", "seconds":
		a.seconds += n
	case "m", "min", "mins", "minute", "minutes":
		a.seconds += n * 60
	case "h", "hr", "hrs", "hour", "hours":
		a.seconds += n * 3600
	case "d", "day", "days":
		a.days += calendar
	case "w", "week", "weeks":
		a.days += 7 * calendar
	case "mo", "month", "months":
		a.months += calendar
	case "y", "yr", "yrs", "year", "years":
		a.months += 12 * calendar
	default:
		return false
	}
	return true
}

// before returns the time that lies the age before t. A month before March 31st
// is the last of February.
func (a age) before(t time.Time) time.Time {
	if a.months > 0 || a.days > 0 {
		day := t.Day()
		first := t.AddDate(0, -a.months, 1-day)
		lastDay := first.AddDate(0, 1, -1).Day()
		t = first.AddDate(0, 0, min(day, lastDay)-1-a.days)
	}
	if a.seconds == 0 {
		return t
	}
	return time.Unix(t.Unix()-a.seconds, int64(t.Nanosecond())).In(t.Location())
}

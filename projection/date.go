package projection

import (
	"math"
	"strconv"
	"strings"
	"time"

	"tlog/objects"
)

// maxTime is the last millisecond that a date of JavaScript can hold.
const maxTime = 8.64e15

// milliseconds is an entry's timestamp as the number of milliseconds since
// 1970 that pi puts into the messages it builds, in JSON; null if it is none.
// A time without a zone is taken for UTC, so that a log reads alike everywhere.
func milliseconds(value []byte) []byte {
	var ms float64
	ok := true
	switch {
	case value == nil:
		ok = false
	case value[0] == '"':
		s, _ := objects.Unquote(value)
		ms, ok = parseDate(s)
	case value[0] == '{', value[0] == '[':
		ok = false
	case value[0] == 't':
		ms = 1
	case value[0] == '-' || '0' <= value[0] && value[0] <= '9':
		f, err := strconv.ParseFloat(string(value), 64)
		ms, ok = math.Trunc(f), err == nil || f == 0
	}
	if !ok || math.Abs(ms) > maxTime {
		return []byte("null")
	}
	return strconv.AppendInt(nil, int64(ms), 10)
}

// parseDate reads a date as JavaScript does: the ISO forms, then some older ones.
func parseDate(s string) (ms float64, ok bool) {
	if ms, ok = parseISO(s); ok {
		return ms, true
	}
	s, _, _ = strings.Cut(strings.Trim(s, " "), " (") // the name of the zone in a date that JavaScript wrote
	for _, layout := range []string{
		"2006-1-2", "2006-1-2 15:04:05", "2006-1-2 15:04:05Z07:00", "2006-1-2 15:04:05Z0700", "2006-1-2 15:04:05 -0700", "2006-1-2 15:04:05 MST",
		"2006-1-2 15:04", "2006/1/2", "2006/1/2 15:04", "2006/1/2 15:04:05", "1/2/2006", "1/2/2006 15:04:05",
		time.RFC1123, time.RFC1123Z, "Mon, _2 Jan 2006 15:04:05 MST", time.ANSIC, time.UnixDate,
		"Mon Jan 02 2006 15:04:05 MST-0700", "Mon Jan 02 2006", "Jan 2, 2006", "Jan 2 2006", "Jan 2, 2006 15:04:05", "Jan 2 2006 15:04:05", "2 Jan 2006", "2 Jan 2006 15:04:05 MST",
	} {
		if t, err := time.Parse(layout, s); err == nil {
			return float64(t.UnixMilli()), true
		}
	}
	return 0, false
}

// parseISO reads YYYY[-MM[-DD]][THH:MM[:SS[.fraction]]][zone], with a year of
// six digits behind a sign too. A day that the month does not have runs over.
func parseISO(s string) (ms float64, ok bool) {
	p := dateParser{rest: s, ok: true}
	year, month, day := p.year(), 1, 1
	if p.take('-') {
		month = p.digits(2, 1, 12)
		if p.take('-') {
			day = p.digits(2, 1, 31)
		}
	}
	var hour, minute, second, milli, zone int
	if p.take('T') || p.take('t') {
		hour = p.digits(2, 0, 24)
		p.need(':')
		minute = p.digits(2, 0, 59)
		if p.take(':') {
			second = p.digits(2, 0, 59)
			if p.take('.') {
				milli = p.fraction()
			}
		}
		if hour == 24 && minute+second+milli > 0 {
			return 0, false
		}
		zone = p.zone()
	} else if p.take('Z') || p.take('z') {
		zone = 0
	}
	if !p.ok || p.rest != "" {
		return 0, false
	}
	t := time.Date(year, time.Month(month), day, hour, minute-zone, second, 0, time.UTC)
	return float64(t.Unix())*1000 + float64(milli), true
}

// dateParser takes a date apart from its start. ok turns false at the first fault.
type dateParser struct {
	rest string
	ok   bool
}

func (p *dateParser) take(c byte) bool {
	if p.rest == "" || p.rest[0] != c {
		return false
	}
	p.rest = p.rest[1:]
	return true
}

func (p *dateParser) need(c byte) { p.ok = p.take(c) && p.ok }

// digits takes n digits whose value lies between low and high.
func (p *dateParser) digits(n, low, high int) int {
	if len(p.rest) < n {
		p.ok = false
		return 0
	}
	value := 0
	for _, c := range []byte(p.rest[:n]) {
		if c < '0' || '9' < c {
			p.ok = false
			return 0
		}
		value = value*10 + int(c-'0')
	}
	p.rest = p.rest[n:]
	if value < low || high < value {
		p.ok = false
	}
	return value
}

func (p *dateParser) year() int {
	switch {
	case p.take('+'):
		return p.digits(6, 0, 999999)
	case p.take('-'):
		return -p.digits(6, 1, 999999) // there is no year -0
	}
	return p.digits(4, 0, 9999)
}

// fraction takes one or more digits; milliseconds count, the others do not.
func (p *dateParser) fraction() int {
	milli, n := 0, 0
	for p.rest != "" && '0' <= p.rest[0] && p.rest[0] <= '9' {
		if n < 3 {
			milli = milli*10 + int(p.rest[0]-'0')
		}
		n++
		p.rest = p.rest[1:]
	}
	p.ok = p.ok && n > 0
	for ; n < 3; n++ {
		milli *= 10
	}
	return milli
}

// zone takes Z, +hh:mm, +hhmm or nothing and gives the minutes east of UTC.
func (p *dateParser) zone() int {
	sign := 0
	switch {
	case p.rest == "", p.take('Z'), p.take('z'):
		return 0
	case p.take('+'):
		sign = 1
	case p.take('-'):
		sign = -1
	}
	hours := p.digits(2, 0, 23)
	p.take(':')
	p.ok = p.ok && sign != 0
	return sign * (hours*60 + p.digits(2, 0, 59))
}

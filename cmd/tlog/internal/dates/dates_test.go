package dates

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func berlin(t testing.TB) *time.Location {
	loc, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skipf("the time zones are missing: %v", err)
	}
	return loc
}

func TestParse(t *testing.T) {
	loc := berlin(t)
	now := time.Date(2026, 3, 31, 9, 30, 15, 500, loc) // two days into summer time
	at := func(y int, m time.Month, d, hour, minute, sec int) time.Time {
		return time.Date(y, m, d, hour, minute, sec, 0, loc)
	}
	for _, test := range []struct {
		in   string
		want time.Time
	}{
		{"2026-11-30T10:00:00Z", time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)},
		{"2026-11-30T10:00:00.123Z", time.Date(2026, 11, 30, 10, 0, 0, 123e6, time.UTC)},
		{"2026-11-30t10:00:00z", time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)},
		{"2026-11-30T10:00:00+02:00", time.Date(2026, 11, 30, 8, 0, 0, 0, time.UTC)},
		{"2026-11-30 10:00:00 -0130", time.Date(2026, 11, 30, 11, 30, 0, 0, time.UTC)},
		{"2026-11-30 10:00Z", time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)},
		{"2026-11-30 10:00", at(2026, 11, 30, 10, 0, 0)},
		{"2026-11-30T10:00:07", at(2026, 11, 30, 10, 0, 7)},
		{"2026-11-30 10:00:07.5", at(2026, 11, 30, 10, 0, 7).Add(500 * time.Millisecond)},
		{" 2026-11-30 ", at(2026, 11, 30, 0, 0, 0)},
		{"2024-02-29", at(2024, 2, 29, 0, 0, 0)},
		{"@0", time.Unix(0, 0)},
		{"@1796032800", time.Unix(1796032800, 0)},
		{"@-5", time.Unix(-5, 0)},
		{"now", now},
		{"Today", at(2026, 3, 31, 0, 0, 0)},
		{"YESTERDAY", at(2026, 3, 30, 0, 0, 0)},
		{"midnight", at(2026, 3, 31, 0, 0, 0)},
		{"noon", at(2026, 3, 30, 12, 0, 0)},
		{"today noon", at(2026, 3, 31, 12, 0, 0)},
		{"yesterday  10:20", at(2026, 3, 30, 10, 20, 0)},
		{"yesterday 10:20:30", at(2026, 3, 30, 10, 20, 30)},
		{"0s", now},
		{"1 second ago", now.Add(-time.Second)},
		{"90m", now.Add(-90 * time.Minute)},
		{"1h30m", now.Add(-90 * time.Minute)},
		{"1h 30m ago", now.Add(-90 * time.Minute)},
		{"an hour ago", now.Add(-time.Hour)},
		{"72 hours", now.Add(-72 * time.Hour)}, // an hour earlier by the clock: summer time began
		{"3 days ago", at(2026, 3, 28, 9, 30, 15).Add(500)},
		{"3.days.ago", at(2026, 3, 28, 9, 30, 15).Add(500)},
		{"2.weeks", at(2026, 3, 17, 9, 30, 15).Add(500)},
		{"2 Weeks Ago", at(2026, 3, 17, 9, 30, 15).Add(500)},
		{"2w", at(2026, 3, 17, 9, 30, 15).Add(500)},
		{"1 month ago", at(2026, 2, 28, 9, 30, 15).Add(500)},
		{"1mo", at(2026, 2, 28, 9, 30, 15).Add(500)},
		{"a year ago", at(2025, 3, 31, 9, 30, 15).Add(500)},
		{"1 year 1 month 1 day", at(2025, 2, 27, 9, 30, 15).Add(500)},
		{"2y", at(2024, 3, 31, 9, 30, 15).Add(500)},
	} {
		got, err := Parse(test.in, now)
		if err != nil || !got.Equal(test.want) {
			t.Errorf("Parse(%q) = %v, %v, want %v", test.in, got, err, test.want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	now := time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)
	for _, in := range []string{
		"", " ", "ago", "5", "5 ago", "days ago", "-5 days ago", "1.5h", "1,5 h", "90M", "5 fortnights",
		"tomorrow", "last tuesday", "never", "0 0", "tea", "2026", "2026-13-01", "2026-02-30", "2026-11-30 25:00",
		"30.11.2026", "11/30/2026", "10:00", "@", "@x", "@1.5", "@+5", "@99999999999999999999", "@1796032800123",
		"yesterday 25:00", "yesterday now", "noon noon", "now now", "9999999999999999 days ago", "999999999999 weeks",
		"5000 years ago", "3 days hence", "1h30", "1h30m10", "٣ days", "3\x00days", strings.Repeat("1d", 50),
	} {
		got, err := Parse(in, now)
		if err == nil {
			t.Errorf("Parse(%q) = %v, want an error", in, got)
			continue
		}
		if !errors.Is(err, ErrSyntax) {
			t.Errorf("Parse(%q): %v does not wrap ErrSyntax", in, err)
		}
		if !strings.Contains(err.Error(), "expected") {
			t.Errorf("Parse(%q): %v does not say what it expects", in, err)
		}
	}
}

func TestNoon(t *testing.T) {
	for hour, want := range map[int]int{0: 29, 11: 29, 12: 30, 23: 30} {
		got, err := Parse("noon", time.Date(2026, 11, 30, hour, 0, 0, 0, time.UTC))
		if err != nil || got.Day() != want || got.Hour() != 12 {
			t.Errorf("noon at %d o'clock is %v, %v, want day %d", hour, got, err, want)
		}
	}
}

func TestRelative(t *testing.T) {
	const day = 24 * time.Hour
	now := time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		ago         time.Duration
		long, short string
	}{
		{-time.Second, "in the future", "+"},
		{-300 * day, "in the future", "+"},
		{0, "0 seconds ago", "0s"},
		{time.Second, "1 second ago", "1s"},
		{89 * time.Second, "89 seconds ago", "89s"},
		{90 * time.Second, "2 minutes ago", "2m"},
		{89 * time.Minute, "89 minutes ago", "89m"},
		{90 * time.Minute, "2 hours ago", "2h"},
		{35 * time.Hour, "35 hours ago", "35h"},
		{36 * time.Hour, "2 days ago", "2d"},
		{13 * day, "13 days ago", "13d"},
		{14 * day, "2 weeks ago", "2w"},
		{69 * day, "10 weeks ago", "10w"},
		{70 * day, "2 months ago", "2mo"},
		{364 * day, "12 months ago", "12mo"},
		{365 * day, "1 year ago", "1y"},
		{400 * day, "1 year, 1 month ago", "1y"},
		{500 * day, "1 year, 4 months ago", "1y"},
		{730 * day, "2 years ago", "2y"},
		{1824 * day, "5 years ago", "5y"},
		{1825 * day, "5 years ago", "5y"},
		{20 * 365 * day, "20 years ago", "20y"},
	} {
		at := now.Add(-test.ago)
		if got := Relative(at, now); got != test.long {
			t.Errorf("Relative of %v = %q, want %q", test.ago, got, test.long)
		}
		if got := Short(at, now); got != test.short {
			t.Errorf("Short of %v = %q, want %q", test.ago, got, test.short)
		}
	}
	if got := Relative(time.Time{}, now); got != "2027 years ago" {
		t.Errorf("Relative of year 1 = %q", got)
	}
}

func FuzzParse(f *testing.F) {
	for _, in := range []string{"2026-11-30T10:00:00Z", "2.weeks.ago", "1h30m", "yesterday 10:00", "@17", "a year ago", "999999999999y"} {
		f.Add(in, int64(1796032800))
	}
	f.Fuzz(func(t *testing.T, in string, unix int64) {
		now := time.Unix(unix%(1<<37), 0).UTC()
		got, err := Parse(in, now)
		if err != nil {
			if !errors.Is(err, ErrSyntax) {
				t.Errorf("Parse(%q): %v does not wrap ErrSyntax", in, err)
			}
			return
		}
		text := got.UTC().Format(time.RFC3339Nano)
		again, err := Parse(text, now)
		if err != nil || !again.Equal(got) {
			t.Errorf("Parse(%q) = %s, which is read as %v, %v", in, text, again, err)
		}
		Relative(got, now)
		Short(got, now)
	})
}

func TestParseEnd(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for in, want := range map[string]string{
		"2026-11-28":       "2026-11-28T23:59:59.999999999Z",
		"yesterday":        "2026-11-29T23:59:59.999999999Z",
		"today":            "2026-11-30T23:59:59.999999999Z",
		"2026-11-28 10:00": "2026-11-28T10:00:00Z",
		"now":              "2026-11-30T12:00:00Z",
	} {
		got, err := ParseEnd(in, now)
		if err != nil || got.Format(time.RFC3339Nano) != want {
			t.Errorf("ParseEnd(%q) = %v, %v; want %s", in, got.Format(time.RFC3339Nano), err, want)
		}
	}
	if _, err := ParseEnd("sometime", now); err == nil {
		t.Error("ParseEnd accepts nonsense")
	}
}

package terminal

import "testing"

func environment(pairs ...string) func(string) string {
	m := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = pairs[i+1]
	}
	return func(name string) string { return m[name] }
}

func TestWantColor(t *testing.T) {
	for _, test := range []struct {
		name string
		mode ColorMode
		env  []string
		tty  bool
		want bool
	}{
		{"pipe", ColorAuto, nil, false, false},
		{"terminal", ColorAuto, nil, true, true},
		{"dumb", ColorAuto, []string{"TERM", "dumb"}, true, false},
		{"never", ColorNever, []string{"CLICOLOR_FORCE", "1"}, true, false},
		{"always beats NO_COLOR", ColorAlways, []string{"NO_COLOR", "1", "TERM", "dumb"}, false, true},
		{"NO_COLOR", ColorAuto, []string{"NO_COLOR", "0"}, true, false},
		{"NO_COLOR empty", ColorAuto, []string{"NO_COLOR", ""}, true, true},
		{"NO_COLOR beats force", ColorAuto, []string{"NO_COLOR", "1", "CLICOLOR_FORCE", "1"}, true, false},
		{"force", ColorAuto, []string{"CLICOLOR_FORCE", "1"}, false, true},
		{"force 0", ColorAuto, []string{"CLICOLOR_FORCE", "0"}, false, false},
		{"FORCE_COLOR", ColorAuto, []string{"FORCE_COLOR", "3"}, false, true},
		{"FORCE_COLOR 0", ColorAuto, []string{"FORCE_COLOR", "0"}, false, false},
		{"force beats CLICOLOR and dumb", ColorAuto, []string{"CLICOLOR_FORCE", "1", "CLICOLOR", "0", "TERM", "dumb"}, false, true},
		{"CLICOLOR 0", ColorAuto, []string{"CLICOLOR", "0"}, true, false},
		{"CLICOLOR 1 in a pipe", ColorAuto, []string{"CLICOLOR", "1"}, false, false},
	} {
		if got := wantColor(test.mode, environment(test.env...), test.tty); got != test.want {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
}

func TestColorMode(t *testing.T) {
	for _, want := range []ColorMode{ColorAuto, ColorAlways, ColorNever} {
		got := ColorMode(-1)
		if err := got.Set(want.String()); err != nil || got != want {
			t.Errorf("Set(%q) = %v, %v", want, int(got), err)
		}
	}
	m := ColorAlways
	if err := m.Set("sometimes"); err == nil || m != ColorAlways {
		t.Errorf("Set of nonsense: %v, %v", m, err)
	}
}

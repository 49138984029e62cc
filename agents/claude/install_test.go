package claude

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tlog/agents/transcript"
	"tlog/objects/sharedtest"
)

func TestEncodePath(t *testing.T) {
	long := "/" + strings.Repeat("a", 199)
	for _, test := range []struct{ path, want string }{
		{"/", "-"},
		{"/srv/shop", "-srv-shop"},
		{"/srv/My_Shop.v2 +@x", "-srv-My-Shop-v2---x"},
		{"/a/b-c", "-a-b-c"},
		{"/a-b/c", "-a-b-c"}, // not injective
		{"/ä", "--"},         // composed: one unit
		{"/a\u0308", "-a-"},  // decomposed: the letter stays
		{"/\U0001F600", "---"},
		{"/日本", "---"},
		{long, "-" + strings.Repeat("a", 199)}, // 200 characters stay as they are
	} {
		if got := EncodePath(test.path); got != test.want {
			t.Errorf("%q: %q, want %q", test.path, got, test.want)
		}
	}
}

// The hash is the sum of c*31^(n-1-i), computed here in another way, in 64 bits and cut to 32 at the end of each step.
func TestEncodeLongPath(t *testing.T) {
	for _, path := range []string{"/" + strings.Repeat("b", 200), "/" + strings.Repeat("x/日\U0001F600", 80), "/" + strings.Repeat("a-", 150)} {
		sum, power := uint64(0), uint64(1)
		units := []uint64{}
		for _, r := range path {
			if r > 0xFFFF {
				units = append(units, uint64(0xD800+(r-0x10000)>>10), uint64(0xDC00+(r-0x10000)&0x3FF))
			} else {
				units = append(units, uint64(r))
			}
		}
		for _, unit := range slices.Backward(units) {
			sum, power = (sum+unit*power)&0xFFFFFFFF, power*31&0xFFFFFFFF
		}
		if sum >= 1<<31 {
			sum = 1<<32 - sum
		}
		digits := ""
		for rest := sum; rest > 0; rest /= 36 {
			digits = string("0123456789abcdefghijklmnopqrstuvwxyz"[rest%36]) + digits
		}
		got := EncodePath(path)
		if !strings.HasSuffix(got, "-"+digits) || len(got) != 200+1+len(digits) {
			t.Errorf("%.20q...: %q, want 200 characters and -%s", path, got, digits)
		}
	}
	// Paths that differ behind the 200th character only have different names.
	one, two := "/"+strings.Repeat("a", 250), "/"+strings.Repeat("a", 249)+"b"
	if EncodePath(one) == EncodePath(two) {
		t.Error("two long paths have the same name")
	}
}

func TestEncodePathShared(t *testing.T) {
	data, err := os.ReadFile(sharedtest.Dir(t, "samples", "claude", "path-encoding.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(data)) {
		path, want, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !ok {
			t.Errorf("%q: expected two columns", line)
			continue
		}
		if filepath.Base(path) == "link" {
			continue // of a link the client encodes where it leads
		}
		n++
		got := EncodePath(path)
		if len(got) > maxEncoded { // the folders above were renamed since, and the hash is one of the whole path
			got, want = got[:maxEncoded+1], want[:maxEncoded+1]
		}
		if got != want {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
	}
	if n == 0 {
		t.Error("no paths")
	}
}

func TestInstallPath(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	real := filepath.Join(root, "real")
	if err := os.Mkdir(real, 0o700); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(root, "link")
	if err := os.Symlink(real, link); err != nil {
		t.Skip(err)
	}
	env := environment("CLAUDE_CONFIG_DIR", "/c")
	for _, test := range []struct{ cwd, resolved string }{
		{real, real}, {link, real}, {link + "/", real}, {filepath.Join(link, "not", "there"), filepath.Join(real, "not", "there")},
	} {
		want := "/c/projects/" + EncodePath(test.resolved) + "/s1.jsonl"
		if got := (Agent{}).InstallPath(env, test.cwd, "s1"); got != want {
			t.Errorf("%s: %s, want %s", test.cwd, got, want)
		}
	}
}

func TestResume(t *testing.T) {
	got := Agent{}.Resume("/srv/shop", "s1")
	if got.Dir != "/srv/shop" || !slices.Equal(got.Args, []string{"claude", "--resume", "s1"}) || got.Env != nil {
		t.Errorf("got %+v", got)
	}
}

func TestCleanUp(t *testing.T) {
	root := t.TempDir()
	file := filepath.Join(root, "settings.json")
	for _, test := range []struct {
		settings string // "-" for no file
		want     transcript.CleanUp
		fails    bool
	}{
		{"-", transcript.CleanUp{Days: 30, By: defaultCleanUpBy}, false},
		{"", transcript.CleanUp{Days: 30, By: defaultCleanUpBy}, false},
		{`{"model":"opus"}`, transcript.CleanUp{Days: 30, By: defaultCleanUpBy}, false},
		{"{\n  \"cleanupPeriodDays\": 90\n}\n", transcript.CleanUp{Days: 90, By: "cleanupPeriodDays in " + file}, false},
		{`{"cleanupPeriodDays":0}`, transcript.CleanUp{AtStart: true, By: "cleanupPeriodDays in " + file}, false},
		{`{"cleanupPeriodDays":1e9}`, transcript.CleanUp{By: "cleanupPeriodDays in " + file}, false},
		{`{"cleanupPeriodDays":1e999}`, transcript.CleanUp{}, true},
		{`{"cleanupPeriodDays":-1}`, transcript.CleanUp{}, true},
		{`{"cleanupPeriodDays":1.5}`, transcript.CleanUp{}, true},
		{`{"cleanupPeriodDays":"30"}`, transcript.CleanUp{}, true},
		{`{"cleanupPeriodDays":30`, transcript.CleanUp{}, true},
	} {
		os.Remove(file)
		if test.settings != "-" {
			put(t, root, "settings.json", test.settings)
		}
		got, err := Agent{}.CleanUp(environment("CLAUDE_CONFIG_DIR", root))
		if got != test.want || (err != nil) != test.fails {
			t.Errorf("%s: %+v, %v, want %+v, fails %t", test.settings, got, err, test.want, test.fails)
		}
		if err != nil && !strings.Contains(err.Error(), file) {
			t.Errorf("%s: %v names no file", test.settings, err)
		}
	}
}

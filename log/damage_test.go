package log

import (
	"os"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCodesAreDocumented holds the codes, their order and severities against the table in docs/format.md "Damage", and that each says what to do.
func TestCodesAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../docs/format.md")
	if err != nil {
		t.Fatal(err)
	}
	var documented, known []string
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z0-9-]+)` \\| (error|warning|info) \\|").FindAllSubmatch(page, -1) {
		documented = append(documented, string(row[1])+" "+string(row[2]))
	}
	for _, c := range codes {
		known = append(known, string(c.code)+" "+string(c.code.Severity()))
		if c.code.Hint() == "" {
			t.Errorf("%s says nothing of what to do", c.code)
		}
	}
	if diff := cmp.Diff(documented, known); diff != "" {
		t.Errorf("documented and known codes differ (-documented +known):\n%s", diff)
	}
	if got := Code("of-another-version").Severity(); got != Error {
		t.Errorf("a code that is not known weighs as %s, want error", got)
	}
}

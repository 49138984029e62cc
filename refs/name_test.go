package refs

import (
	"errors"
	"strings"
	"testing"

	"tlog/objects"
)

func TestCheckName(t *testing.T) {
	tests := []struct {
		name string
		ok   bool
	}{
		{"main", true},
		{"x", true},
		{"feature/one", true},
		{"a/b/c.d", true},
		{"größe", true},
		{"枝/葉", true},
		{"🌱", true},
		{"a@b", true},
		{"a/@", true},
		{"@a", true},
		{"a{b}", true},
		{"v1.0", true},
		{"a-", true},
		{"head", true},
		{"x/HEAD", true},
		{"lock", true},
		{"a.locks", true},
		{strings.Repeat("a", 255), true},
		{strings.Repeat("é", 127), true},

		{"", false},
		{"@", false},
		{"HEAD", false},
		{"-x", false},
		{"-", false},
		{"a..b", false},
		{"a@{b", false},
		{".a", false},
		{"a/.b", false},
		{"a.", false},
		{"a/b.", false},
		{".", false},
		{"..", false},
		{"a.lock", false},
		{"a.lock/b", false},
		{".lock", false},
		{"/a", false},
		{"a/", false},
		{"a//b", false},
		{"/", false},
		{"a b", false},
		{"a~b", false},
		{"a^b", false},
		{"a:b", false},
		{"a?b", false},
		{"a*b", false},
		{"a[b", false},
		{`a\b`, false},
		{"a\x00b", false},
		{"a\tb", false},
		{"a\nb", false},
		{"a\x7fb", false},
		{"a\u009bb", false},
		{"a\x1b[31m", false},
		{"a\xffb", false},
		{"\xc3", false},
		{strings.Repeat("a", 256), false},
	}
	for _, tt := range tests {
		err := CheckName(tt.name)
		if (err == nil) != tt.ok {
			t.Errorf("CheckName(%q) = %v, want ok %v", tt.name, err, tt.ok)
		}
		if err != nil && !errors.Is(err, objects.ErrInvalid) {
			t.Errorf("CheckName(%q) = %v, want one that wraps ErrInvalid", tt.name, err)
		}
	}
}

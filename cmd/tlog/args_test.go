package main

import (
	"slices"
	"strings"
	"testing"
)

func TestCatFileSize(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"cat-file -s HEAD", "cat-file --size HEAD"},
		{"cat-file HEAD -s", "cat-file HEAD --size"},
		{"-s abc cat-file -s HEAD", "-s abc cat-file --size HEAD"},
		{"cat-file -s abc -s HEAD", "cat-file -s abc --size HEAD"},
		{"cat-file -s abc -p HEAD", "cat-file -s abc -p HEAD"},
		{"cat-file --batch -s abc", "cat-file --batch -s abc"},
		{"--store cat-file log -s abc", "--store cat-file log -s abc"},
		{"cat-file -p -- -s", "cat-file -p -- -s"},
		{"cat-file -- -s", "cat-file -- -s"},
		{"log -s abc", "log -s abc"},
		{"", ""},
	} {
		in := strings.Fields(test.in)
		if got := catFileSize(in); !slices.Equal(got, strings.Fields(test.want)) {
			t.Errorf("catFileSize(%q) = %q, want %q", test.in, got, test.want)
		}
	}
}

package files

import (
	"fmt"
	"strings"
	"testing"
)

// told is a verdict in a line: "all", or "doubt", and the effects.
func told(v verdict) string {
	if v.all {
		return "all"
	}
	var parts []string
	if v.doubt {
		parts = append(parts, "doubt")
	}
	for _, e := range v.effects {
		s := [...]string{"touch", "remove", "move", "copy", "write", "append"}[e.kind] + " " + e.path
		if e.to != "" {
			s += " to " + e.to
		}
		if e.text != "" {
			s += fmt.Sprintf(" %q", e.text)
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, ", ")
}

func TestJudge(t *testing.T) {
	for _, tt := range []struct{ command, want string }{
		// what changes nothing
		{"ls -la", ""},
		{"cat a b | grep x | head -3", ""},
		{"cd sub && ls", ""},
		{"rg -n 'a > b' src", ""},
		{`echo "a > b; rm c"`, ""},
		{"git status && git diff HEAD~1 -- a.go | head", ""},
		{"git log --oneline > /dev/null 2>&1", ""},
		{"find . -name '*.go' | xargs grep -n x", ""},
		{`find . -name x -exec grep y {} \;`, ""},
		{"for f in a b; do echo $f; cat $f; done", ""},
		{"if [ -f a ]; then cat a; else echo no; fi", ""},
		{"sed -n '1,20p' a.go", ""},
		{"awk '{print $1}' a | sort | uniq -c", ""},
		{"jq . a.json # > b", ""},
		{"FOO=1 env BAR=2 ls", ""},
		{"timeout 10 tail -f a", ""},
		{"git commit -m \"$(cat <<'EOF'\nIt's done > x\nEOF\n)\"", "doubt"},
		{"bash -c 'ls; cat a'", ""},
		{`python3 -c "import sys, json; print(json.load(sys.stdin))"`, ""},
		{"prettier --check a.ts", ""},
		{"some-tool --version", ""},
		{"git checkout -b new", ""},
		// what is assumed to change no source
		{"go test ./... 2>&1 | tail", "doubt"},
		{"npm test && npm run build", "doubt"},
		{"cd x && cargo build", "doubt"},
		{"npx tsc --noEmit", "doubt"},
		{"python -m pytest -q", "doubt"},
		// what changes files that it names
		{"echo x > a.txt", "touch /w/a.txt"},
		{"ls >> sub/../a.txt 2> err", "touch /w/a.txt, touch /w/err"},
		{"cd sub && echo x > a", "touch /w/sub/a"},
		{"(cd sub && echo x > a); echo y > b", "touch /w/sub/a, touch /w/b"},
		{"rm -f a b", "remove /w/a, remove /w/b"},
		{"rm *.go", "remove /w/*.go"},
		{"rm a; ls", "touch /w/a"},
		{"ls; rm a", "remove /w/a"},
		{"ls || rm a", "touch /w/a"},
		{"rm a &", "touch /w/a"},
		{"mv a b", "move /w/a to /w/b"},
		{"mv a b/", "move /w/a to /w/b/"},
		{"mv a b c", "touch /w/a, touch /w/c, touch /w/b, touch /w/c"},
		{"cp a /x/b && ls", "copy /w/a to /x/b"},
		{"sed -i 's/a/b/' a.go c.go", "touch /w/a.go, touch /w/c.go"},
		{"sed -i -e 's/a/b/' a.go", "touch /w/a.go"},
		{"sed -i '' 's/a/b/' a.go", "touch /w/a.go"},
		{"perl -pi -e 's/a/b/' a.go", "touch /w/a.go"},
		{"ls | tee a", "touch /w/a"},
		{"touch a", "touch /w/a"},
		{"gofmt -w a.go", "touch /w/a.go"},
		{"gofmt -l .", ""},
		{"git checkout -- a.go", "touch /w/a.go"},
		{"git restore a.go", "touch /w/a.go"},
		{"go mod tidy", "touch /w/go.mod, touch /w/go.sum, touch /w/go.work"},
		{"curl -s x | jq . && curl -o a x", "touch /w/a"},
		{"echo x > ~/a/b", "touch ~/a/b"},
		{"cat > a <<'EOF'\n$x\nEOF", `write /w/a "$x\n"`},
		{"cat <<EOF >> a\nx\nEOF\n", `append /w/a "x\n"`},
		{"cat > a <<EOF\n$x\nEOF", "touch /w/a"},
		{"cat > a <<'EOF'; ls\nx\nEOF", "touch /w/a"},
		{"if true; then rm a; fi", "touch /w/a"},
		// what may have changed anything
		{"make", "all"},
		{"./run.sh", "all"},
		{"npm install", "all"},
		{"prettier --write .", "touch /w"},
		{"gofmt -w .", "touch /w"},
		{"git stash", "all"},
		{"git checkout main", "all"},
		{"git reset --hard", "all"},
		{"git pull", "all"},
		{"python3 x.py", "all"},
		{`python3 -c "open('a','w')"`, "all"},
		{"echo $(make)", "all"},
		{"echo `make`", "all"},
		{"diff <(make) a", "all"},
		{"echo x > $f", "all"},
		{"rm -rf $D", "all"},
		{"cd $D && rm a", "all"},
		{"find . -name x -delete", "all"},
		{"find . -name '*.go' | xargs rm", "all"},
		{"find . -exec sed -i s/a/b/ {} +", "all"},
		{"eslint --fix src", "all"},
		{"bash -c 'make'", "all"},
		{"sudo make", "all"},
		{"case x in a) ls;; esac", "all"},
		{"f() { ls; }", "all"},
		{"echo 'open", "all"},
		{"cat <<EOF\nnever ended", "all"},
		{"eval ls", "all"},
		{"$CMD a", "all"},
		{"bash <<'EOF'\nls\nEOF", "all"},
		{"a='x' make", "all"},
		{"for f in a; do make; done", "all"},
		{"ls && make", "all"},
	} {
		if got := told(judge(tt.command, "/w", true)); got != tt.want {
			t.Errorf("%q: got %q, expected %q", tt.command, got, tt.want)
		}
	}
	if got := told(judge("rm a", "/w", false)); got != "touch /w/a" {
		t.Errorf("rm that failed: got %q", got)
	}
	if got := told(judge("rm a", "", true)); got != "all" {
		t.Errorf("rm in a folder that is not known: got %q", got)
	}
	if got := told(judge(strings.Repeat("bash -c ", 1)+"'"+strings.Repeat("$(", 30)+"ls"+strings.Repeat(")", 30)+"'", "/w", true)); got != "all" {
		t.Errorf("deep nesting: got %q", got)
	}
	for _, part := range []string{"sudo ", "find . -exec ", "xargs ", "{", "$(", "<<a\n", "(", "'", "\"$(", "bash -c "} { // none takes long, or too much of the stack
		judge(strings.Repeat(part, 200_000), "/w", true)
	}
	if commands, _, _ := lex("echo \"é\" é"); len(commands) != 1 || commands[0].words[1].text != "é" || commands[0].words[2].text != "é" {
		t.Errorf("got %v", commands)
	}
}

// FuzzJudge: no command makes the judgement fail, and one that has a redirection to a plain file is never said to change nothing.
func FuzzJudge(f *testing.F) {
	for _, seed := range []string{"ls", "cat > a <<'E'\nx\nE", "a && (b; c) | d", "echo \"$(x `y`)\" > z", "f=$((1+2)); for i in {1..3}; do x; done"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, command string) {
		judge(command, "/w", true)
		if commands, _, ok := lex(command); ok && len(commands) > 0 && !strings.ContainsAny(command, "#<\\") {
			if v := judge("ls > out; "+command, "/w", true); !v.all && len(v.effects) == 0 {
				t.Errorf("%q changes nothing", command)
			}
		}
	})
}

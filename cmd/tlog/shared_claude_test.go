package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tlog/objects/sharedtest"
)

// TestClaudeCases holds the commands to the known answers about transcripts of Claude Code.
func TestClaudeCases(t *testing.T) {
	for name, check := range claudeCases {
		t.Run(name, func(t *testing.T) {
			c := openCase(t, name)
			before := c.files()
			check(c)
			for file, data := range before {
				if now := readCase(t, file); !bytes.Equal(now, data) {
					t.Errorf("%s was changed", file)
				}
			}
		})
	}
}

// claudeCase is a case in a folder of its own, with what was imported of it.
type claudeCase struct {
	*testing.T
	dir, session string
	notes        string // what import said
}

func openCase(t *testing.T, name string) *claudeCase {
	t.Helper()
	c := &claudeCase{T: t, dir: t.TempDir()}
	if err := os.CopyFS(c.dir, os.DirFS(sharedtest.Dir(t, "cases", "bugs", name))); err != nil {
		t.Fatal(err)
	}
	return c
}

func readCase(t *testing.T, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// files are the transcripts of the case.
func (c *claudeCase) files() map[string][]byte {
	files := map[string][]byte{}
	names, err := filepath.Glob(filepath.Join(c.dir, "*.jsonl"))
	if err != nil {
		c.Fatal(err)
	}
	for _, name := range names {
		files[name] = readCase(c.T, name)
	}
	return files
}

// run runs a command on the imported session; it must end with the code.
func (c *claudeCase) run(code int, args ...string) (out, notes string) {
	c.Helper()
	if c.session != "" {
		args = append([]string{"-s", c.session}, args...)
	}
	got, out, notes := runApp(c.T, c.dir, args...)
	if got != code {
		c.Fatalf("tlog %s: exit code %d, expected %d: %s%s", strings.Join(args, " "), got, code, out, notes)
	}
	return out, notes
}

// take imports a file of the case.
func (c *claudeCase) take(file string) {
	c.Helper()
	c.session = ""
	out, notes := c.run(exitOK, "import", filepath.Join(c.dir, file))
	c.session, c.notes = strings.Fields(out)[0], notes
}

var markPattern = regexp.MustCompile(`mark-\d+[a-z]?`)

// shows: the marks in what a command prints are these, in this order.
func (c *claudeCase) shows(text string, want ...string) {
	c.Helper()
	if got := slices.Compact(markPattern.FindAllString(text, -1)); !slices.Equal(got, want) {
		c.Errorf("shown are %q, expected %q", got, want)
	}
}

func marks(numbers ...string) []string {
	for i, n := range numbers {
		numbers[i] = "mark-" + n
	}
	return numbers
}

// log is what log lists, oldest first.
func (c *claudeCase) log(args ...string) string {
	c.Helper()
	out, _ := c.run(exitOK, append([]string{"log", "--reverse", "--oneline"}, args...)...)
	return out
}

// holds: text has each of these.
func (c *claudeCase) holds(text string, parts ...string) {
	c.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			c.Errorf("expected %q in\n%s", part, text)
		}
	}
}

// export writes the path to HEAD, or to a revision, for Claude Code; its rows hang together.
func (c *claudeCase) export(args ...string) (rows []map[string]any, text, notes string) {
	c.Helper()
	file := filepath.Join(c.TempDir(), "out.jsonl")
	_, notes = c.run(exitOK, append([]string{"export", "--to", "claude", "-o", file}, args...)...)
	text = string(readCase(c.T, file))
	seen, sessions := map[any]bool{}, map[any]bool{}
	for line := range strings.Lines(text) {
		row := map[string]any{}
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			c.Fatalf("%v: %.300s", err, line)
		}
		rows = append(rows, row)
		if id := row["sessionId"]; id != nil {
			sessions[id] = true
		}
		if row["uuid"] == nil {
			continue
		}
		if parent := row["parentUuid"]; parent != nil && !seen[parent] || parent == nil && len(seen) > 0 {
			c.Errorf("a row has the parent %v, which is not above it: %.300s", parent, line)
		}
		seen[row["uuid"]] = true
	}
	if len(sessions) != 1 || sessions[c.session] {
		c.Errorf("the export is of the sessions %v, made of %s", sessions, c.session)
	}
	return rows, text, notes
}

const caseID = "a0000000-0000-4000-8000-000000000"

// rev is the id of the row that a case counts by n.
func rev(n string) string { return caseID + n }

var claudeCases = map[string]func(c *claudeCase){
	"B001": func(c *claudeCase) {
		c.take("in.jsonl")
		text := c.log()
		c.shows(text, marks("01", "02", "03", "04", "05", "06", "07", "08")...)
		for line := range strings.Lines(text) {
			if gap := strings.Contains(line, "mark-04") || strings.Contains(line, "mark-06"); gap != strings.Contains(line, " gap ") {
				c.Errorf("a gap or none is shown at %s", line)
			}
		}
		found, _ := c.run(exitNo, "fsck")
		if n := strings.Count(found, "missing-parent"); n != 2 {
			c.Errorf("%d missing parents: %s", n, found)
		}
		c.holds(found, "line 4 of the source", "000901", "line 6 of the source", "000902")
		_, out, _ := c.export()
		c.shows(out, marks("01", "02", "03", "04", "05", "06", "07", "08")...)
	},
	"B003": func(c *claudeCase) {
		c.take("in.jsonl")
		c.shows(c.log(), marks("01", "02", "03", "04")...)
		out, _ := c.run(exitOK, "show", rev("003"))
		c.holds(out, "mark-03")
		c.run(exitOK, "fsck")
		if n := strings.Count(c.log("--all"), "file-history-snapshot"); n != 2 {
			c.Errorf("%d snapshots are listed", n)
		}
		_, text, _ := c.export()
		for line := range strings.Lines(string(readCase(c.T, filepath.Join(c.dir, "in.jsonl")))) {
			if strings.Contains(line, "file-history-snapshot") {
				c.holds(text, line)
			}
		}
	},
	"B005": func(c *claudeCase) {
		c.take("in.jsonl")
		if n := strings.Count(c.log(), "\n"); n != 5 {
			c.Errorf("%d entries are shown", n)
		}
		c.shows(c.log(), marks("01", "05", "06", "07")...)
		c.run(exitOK, "fsck")
		rows, _, _ := c.export()
		for _, row := range rows {
			if row["uuid"] == rev("005") && row["parentUuid"] != rev("002") && row["parentUuid"] != rev("004") {
				c.Errorf("the result hangs at %v", row["parentUuid"])
			}
		}
	},
	"B006": func(c *claudeCase) {
		c.take("in.jsonl")
		text := c.log()
		c.shows(text, marks("01", "02", "03", "04", "07", "08")...)
		c.holds(text, "compaction", "4 entries before it")
		c.shows(c.log("--hidden"), marks("01", "02", "03", "04", "06", "07", "08")...)
		head, _ := c.run(exitOK, "show", "HEAD")
		c.holds(head, "mark-08")
		found, _ := c.run(exitNo, "fsck")
		c.holds(found, "000950", "000951")
	},
	"B008": func(c *claudeCase) {
		c.take("in.jsonl")
		c.holds(c.notes, "3 roots", rev("007")[:7], "checkout", "4 entries")
		branches, _ := c.run(exitOK, "branch")
		c.holds(branches, "4 entries", "2 entries", "1 entry", "mark-07")
		c.run(exitOK, "checkout", rev("004"))
		c.shows(c.log(), marks("01", "02", "03", "04")...)
	},
	"B013": func(c *claudeCase) {
		c.take("in.jsonl")
		found, _ := c.run(exitNo, "fsck")
		if !strings.Contains(found, "call_2") || strings.Contains(found, "call_1") || strings.Contains(found, "call_3") {
			c.Errorf("fsck says %s", found)
		}
		rows, text, notes := c.export()
		c.shows(text, marks("01", "03a", "03c", "04")...)
		c.holds(notes, "stand-in", rev("002"))
		var results []string
		for _, row := range rows {
			message, _ := row["message"].(map[string]any)
			blocks, _ := message["content"].([]any)
			for _, block := range blocks {
				b := block.(map[string]any)
				if b["type"] == "tool_result" {
					results = append(results, b["tool_use_id"].(string))
				}
				if b["tool_use_id"] == "call_2" && b["is_error"] != true {
					c.Errorf("the stand-in is no error: %v", b)
				}
			}
			if strings.Contains(string(mustJSON(c, row)), "mark-04") && len(results) != 3 {
				c.Errorf("before the answer stand the results %q", results)
			}
		}
	},
	"B014": func(c *claudeCase) {
		c.take("in.jsonl")
		found, _ := c.run(exitNo, "fsck")
		c.holds(found, "call_gone", "orphan-result", rev("002"))
		c.holds(c.log(), "mark-02")
		_, text, notes := c.export()
		c.shows(text, marks("01", "03", "04")...)
		c.holds(notes, "left out", rev("002"))
	},
	"B028": func(c *claudeCase) {
		c.take("in.jsonl")
		blobs, _ := c.run(exitOK, "blob", "ls", "--json")
		if hashes := regexp.MustCompile(`"hash":"\w+"`).FindAllString(blobs, -1); len(hashes) != 4 || len(slices.Compact(hashes)) != 1 {
			c.Errorf("the blobs are %s", blobs)
		}
		source := string(readCase(c.T, filepath.Join(c.dir, "in.jsonl")))
		_, image, _ := strings.Cut(source, `"data":"`)
		image = image[:8000]
		text := c.log("--all")
		if strings.Contains(text, image[:40]) {
			c.Error("log prints base64")
		}
		_, whole, _ := c.export()
		if n := strings.Count(whole, image); n != 4 {
			c.Errorf("the image is in the export %d times", n)
		}
		rows, small, _ := c.export("--no-images")
		if strings.Contains(small, image[:40]) || len(rows) != 8 {
			c.Errorf("%d rows without images: %.2000s", len(rows), small)
		}
	},
	"B042": func(c *claudeCase) {
		c.take("s2.jsonl")
		other := c.session
		c.take("s1.jsonl")
		status, _ := c.run(exitOK, "status", "--json")
		var where struct{ File string }
		if err := json.Unmarshal([]byte(status), &where); err != nil {
			c.Fatal(err)
		}
		before := readCase(c.T, where.File)
		session := c.session
		c.session = ""
		c.run(exitOK, "project", "alias", "/proj/barn", "/proj/orchard")
		all, _ := c.run(exitOK, "sessions", "--all")
		for line := range strings.Lines(all) {
			want := "/proj/barn\n" // as it was recorded
			if strings.Contains(line, other) {
				want = "/proj/barn-docker\n"
			}
			c.holds(line, want)
		}
		c.session = session
		rows, text, _ := c.export()
		c.holds(text, "see /proj/barn-docker/x and /proj/barn/y mark-02")
		if rows[0]["cwd"] != "/proj/orchard" || rows[1]["cwd"] != "/proj/orchard/src" {
			c.Errorf("the export is of the folders %v and %v", rows[0]["cwd"], rows[1]["cwd"])
		}
		if !bytes.Equal(readCase(c.T, where.File), before) {
			c.Error("the log was changed")
		}
	},
	"B045": func(c *claudeCase) {
		c.take("in.jsonl")
		c.shows(c.log(), marks("01", "02", "03")...)
		found, _ := c.run(exitNo, "fsck")
		c.holds(found, "line 2 of the source", "line 4 of the source", "nul-bytes")
		all, _ := c.run(exitOK, "log", "--all")
		if strings.Contains(all+found, "\x00") {
			c.Error("a NUL is printed")
		}
		c.session = ""
		listed, _ := c.run(exitOK, "sessions", "--all")
		c.holds(listed, "mark-01")
	},
	"B046": func(c *claudeCase) {
		c.take("in.jsonl")
		c.shows(c.log(), marks("01", "02", "03", "04")...)
		_, text, _ := c.export()
		c.shows(text, marks("01", "02", "03", "04")...)
		found, _ := c.run(exitNo, "fsck")
		c.holds(found, "line 3 of the source", "line 5 of the source")
		out, _ := c.run(exitOK, "export", "--original", "-o", "-")
		if out != string(readCase(c.T, filepath.Join(c.dir, "in.jsonl"))) {
			c.Error("the original is another one")
		}
	},
	"B132": func(c *claudeCase) {
		c.take("in.jsonl")
		for at, want := range map[string][]string{
			"002": marks("01", "02", "03", "04"), "003": marks("01", "02", "03", "04"), "005": marks("01", "02", "03", "04", "05"),
		} {
			_, text, notes := c.export(rev(at))
			c.shows(text, want...)
			if at != "005" && notes == "" {
				c.Errorf("the export at %s says nothing of the results that it takes along", at)
			}
		}
	},
	"B150": func(c *claudeCase) {
		c.take("before/s1.jsonl")
		c.take("after/s1.jsonl")
		c.holds(c.notes, "3 entries", "not in the file any more")
		out, _ := c.run(exitOK, "log", "--all", "--reverse", "--oneline")
		c.shows(out, marks("01", "02", "03", "09")...)
		branches, _ := c.run(exitOK, "branch")
		c.holds(branches, "mark-03", "mark-09", "3 entries", "1 entry")
	},
	"B152": func(c *claudeCase) {
		c.take("in.jsonl")
		text := c.log()
		c.shows(text, marks("01", "02", "03")...)
		if n := strings.Count(text, "\n"); n != 3 || strings.ContainsAny(text, "\u2028\u2029\u0085\v\f\x1c") {
			c.Errorf("%d lines are shown: %q", n, text)
		}
		rows, _, _ := c.export()
		var source map[string]any
		first, _, _ := bytes.Cut(readCase(c.T, filepath.Join(c.dir, "in.jsonl")), []byte("\n"))
		if err := json.Unmarshal(first, &source); err != nil {
			c.Fatal(err)
		}
		if got, want := mustJSON(c, rows[0]["message"]), mustJSON(c, source["message"]); !bytes.Equal(got, want) {
			c.Errorf("the text is %s, expected %s", got, want)
		}
	},
	"B185": func(c *claudeCase) {
		c.take("in.jsonl")
		_, text, notes := c.export()
		c.shows(text, marks("01", "02", "03", "05", "06", "07")...)
		c.holds(text, "th-02", "c2lnLTI=", "call_1")
		if strings.Count(text, `"thinking":"`) != 1 || strings.Contains(text, "th-07") {
			c.Errorf("the thinking in the export: %s", text)
		}
		c.holds(notes, "3 ")
		all, _ := c.run(exitOK, "show", rev("004"), rev("006"), rev("007"))
		c.holds(all, "th-07")
	},
	"B190": func(c *claudeCase) {
		var lines strings.Builder
		uuid := func(n int) string { return caseID[:24] + leftPad(n, 12) }
		for n := 1; n <= 5000; n++ {
			row := map[string]any{
				"parentUuid": nil, "type": "user", "uuid": uuid(n), "sessionId": "5e550000-0000-4000-8000-000000000001",
				"message": map[string]any{"role": "user", "content": "mark-" + leftPad(n, 4)}, "timestamp": "2026-03-01T09:00:00.000Z",
			}
			if n > 1 {
				row["parentUuid"] = uuid(n - 1)
			}
			line := string(mustJSON(c, row)) + "\n"
			lines.WriteString(line + line)
		}
		if err := os.WriteFile(filepath.Join(c.dir, "in.jsonl"), []byte(lines.String()), 0o600); err != nil {
			c.Fatal(err)
		}
		c.take("in.jsonl")
		c.holds(c.notes, "5000 identical repeats")
		text := c.log()
		if n := strings.Count(text, "\n"); n != 5000 {
			c.Errorf("%d entries are shown", n)
		}
		branches, _ := c.run(exitOK, "branch")
		if strings.Contains(branches, "(no branch)") {
			c.Error(branches)
		}
	},
	"B220": func(c *claudeCase) {
		c.take("in.jsonl")
		c.shows(c.log(), marks("01", "02")...)
		shown, _ := c.run(exitOK, "show", rev("002"))
		c.holds(shown, "hologram")
		_, text, _ := c.export()
		c.holds(text, `{"type":"hologram","payload":{"a":1}}`, `"type":"future-latch"`, `{"no_type":true}`)
		c.session = ""
		listed, _ := c.run(exitOK, "sessions", "--all")
		c.holds(listed, "Bed plan")
	},
}

func mustJSON(c *claudeCase, v any) []byte {
	c.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		c.Fatal(err)
	}
	return data
}

func leftPad(n, width int) string {
	digits := strings.Repeat("0", width) + strconv.Itoa(n)
	return digits[len(digits)-width:]
}

package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tlog/checkout"
	"tlog/projection"
)

// usageFamily is a session of an agent's, and what the agent makes of it.
type usageFamily struct {
	agent          string
	source, fork   string // transcripts; the fork has a reply of its own
	inSource, more [2]int64
	// reply is a line with which the agent goes on in a session, behind the last entry: in 7, out 3.
	reply func(session, last string) string
}

const (
	codexUsage  = `{"input_tokens":%d,"cached_input_tokens":0,"output_tokens":%d,"reasoning_output_tokens":0,"total_tokens":%d}`
	claudeReply = `{"parentUuid":%q,"type":"assistant","uuid":%q,"sessionId":%q,"timestamp":%q,"message":{"role":"assistant","id":%q,"model":"claude-x","content":[{"type":"text","text":"said"}],"usage":{"input_tokens":%d,"output_tokens":%d}}}` + "\n"
	piReply     = `{"type":"message",%s"timestamp":%q,"message":{"role":"assistant","content":[{"type":"text","text":"said"}],"api":"a","provider":"p","model":"m","usage":{"input":%d,"output":%d,"cacheRead":0,"cacheWrite":0},"stopReason":"stop"}}` + "\n"
)

func codexLine(stamp, kind, payload string) string {
	return fmt.Sprintf(`{"timestamp":%q,"type":%q,"payload":%s}`+"\n", stamp, kind, payload)
}

// codexRecord is the record of a reply's usage, as newer clients write it.
func codexRecord(stamp, thread, turn string, in, out, total int) string {
	return codexLine(stamp, "token_usage_record", fmt.Sprintf(`{"thread_id":%q,"turn_id":%q,"session_id":%q,"response_id":"resp_1","usage":`+codexUsage+`,"thread_token_usage":`+codexUsage+`}`,
		thread, turn, thread, in, out, in+out, total, out, total+out))
}

func codexCount(stamp string, in, out, total int) string {
	return codexLine(stamp, "event_msg", fmt.Sprintf(`{"type":"token_count","info":{"total_token_usage":`+codexUsage+`,"last_token_usage":`+codexUsage+`}}`,
		total, out, total+out, in, out, in+out))
}

func codexTalk(stamp, user, answer string) string {
	return codexLine(stamp, "response_item", `{"type":"message","role":"user","content":[{"type":"input_text","text":"`+user+`"}]}`) +
		codexLine(stamp, "response_item", `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"`+answer+`"}]}`)
}

func codexMeta(stamp, thread, more string) string {
	return codexLine(stamp, "session_meta", fmt.Sprintf(`{"id":%q,"timestamp":%q,"cwd":"/srv/garden","originator":"x","cli_version":"0"%s}`, thread, stamp, more))
}

// codexRecords is a session in which the client wrote records. Two replies of one size have the id that their server gave to each of its first ones.
func codexRecords(session string, stamp func(int) string, before, after string) string {
	return codexMeta(stamp(0), session, "") + before + codexTalk(stamp(1), "one", "two") + codexRecord(stamp(2), "019d4000-0000-7000-8000-0000000000a1", "turn-1", 100, 10, 100) +
		codexTalk(stamp(3), "three", "four") + codexRecord(stamp(4), "019d4000-0000-7000-8000-0000000000a1", "turn-2", 100, 10, 200) + after
}

func usageFamilies(t *testing.T) []usageFamily {
	t.Helper()
	read := func(parts ...string) string {
		data, err := os.ReadFile(filepath.Join(append([]string{projectRoot, "testdata"}, parts...)...))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	day := func(day int) func(int) string {
		return func(second int) string { return fmt.Sprintf("2026-04-%02dT10:00:%02d.000Z", day, second) }
	}
	const source, fork = "019d4000-0000-7000-8000-0000000000a1", "019d4000-0000-7000-8000-0000000000b1"
	claude := func(session string) string {
		return fmt.Sprintf(`{"parentUuid":null,"type":"user","uuid":"u1","sessionId":%q,"cwd":"/srv/garden","timestamp":"2026-04-01T10:00:00.000Z","message":{"role":"user","content":"one"}}`+"\n", session) +
			fmt.Sprintf(claudeReply, "u1", "u2", session, "2026-04-01T10:00:01.000Z", "msg_1", 100, 10) +
			fmt.Sprintf(claudeReply, "u2", "u3", session, "2026-04-01T10:00:01.000Z", "msg_2", 100, 10)
	}
	pi := func(session string, version int, ids ...string) string {
		header := fmt.Sprintf(`{"type":"session","version":%d,"id":%q,"timestamp":"2026-04-01T10:00:00.000Z","cwd":"/srv/garden"}`+"\n", version, session)
		return header + fmt.Sprintf(`{"type":"message",%s"timestamp":"2026-04-01T10:00:01.000Z","message":{"role":"user","content":"one"}}`+"\n", ids[0]) +
			fmt.Sprintf(piReply, ids[1], "2026-04-01T10:00:02.000Z", 100, 10) + fmt.Sprintf(piReply, ids[2], "2026-04-01T10:00:02.000Z", 100, 10)
	}
	piGoesOn := func(_, last string) string {
		return fmt.Sprintf(piReply, fmt.Sprintf(`"id":"ffff0001","parentId":%q,`, last), "2026-04-09T10:00:00.000Z", 7, 3)
	}
	linked := []string{`"id":"a0000001","parentId":null,`, `"id":"a0000002","parentId":"a0000001",`, `"id":"a0000003","parentId":"a0000002",`}
	return []usageFamily{
		{"codex", read("codex", "source.jsonl"), read("codex", "forked.jsonl"), [2]int64{210, 20}, [2]int64{120, 10},
			func(string, string) string {
				return codexTalk("2026-04-09T10:00:00.000Z", "more", "said") + codexCount("2026-04-09T10:00:01.000Z", 7, 3, 900)
			}},
		{"codex", codexRecords(source, day(1), "", ""),
			codexRecords(fork, day(2), codexMeta(day(2)(0), source, ""), codexTalk(day(2)(5), "in the fork", "said")+codexRecord(day(2)(6), fork, "turn-3", 30, 5, 300)),
			[2]int64{200, 20}, [2]int64{30, 5},
			func(session, _ string) string {
				return codexTalk("2026-04-09T10:00:00.000Z", "more", "said") + codexRecord("2026-04-09T10:00:01.000Z", session, "turn-9", 7, 3, 900)
			}},
		{"claude", claude("da83fbe6-f428-4d83-a2b5-0000000000a1"),
			claude("da83fbe6-f428-4d83-a2b5-0000000000b1") + fmt.Sprintf(claudeReply, "u3", "f1", "da83fbe6-f428-4d83-a2b5-0000000000b1", "2026-04-02T10:00:00.000Z", "msg_3", 30, 5),
			[2]int64{200, 20}, [2]int64{30, 5},
			func(session, last string) string {
				return fmt.Sprintf(claudeReply, last, "f9", session, "2026-04-09T10:00:00.000Z", "msg_9", 7, 3)
			}},
		{"pi", pi(source, 3, linked...), pi(fork, 3, linked...) + fmt.Sprintf(piReply, `"id":"b0000004","parentId":"a0000003",`, "2026-04-02T10:00:00.000Z", 30, 5),
			[2]int64{200, 20}, [2]int64{30, 5}, piGoesOn},
		{"pi", pi(source, 1, "", "", ""), pi(fork, 1, "", "", "") + fmt.Sprintf(piReply, "", "2026-04-02T10:00:00.000Z", 30, 5), // lines of version 1 have no ids
			[2]int64{200, 20}, [2]int64{30, 5}, piGoesOn},
	}
}

// TestUsageOfFamilies: whatever is made of a session, by its agent or by tlog, adds what was said in it since, and nothing else.
func TestUsageOfFamilies(t *testing.T) {
	for i, f := range usageFamilies(t) {
		t.Run(fmt.Sprint(f.agent, i), func(t *testing.T) {
			dir := t.TempDir()
			run := func(args ...string) string {
				t.Helper()
				code, out, errs := runApp(t, dir, args...)
				if code != exitOK {
					t.Fatalf("tlog %s: exit code %d: %s", strings.Join(args, " "), code, errs)
				}
				return strings.TrimSpace(out)
			}
			write := func(name, content string) string {
				t.Helper()
				file := filepath.Join(dir, name)
				if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
					t.Fatal(err)
				}
				return file
			}
			want := f.inSource
			expect := func(what string, replies int) {
				t.Helper()
				for turn := range 2 * len(storeLogs(t, dir)) {
					if u := usageInStore(t, dir, turn); u.Input != want[0] || u.Output != want[1] || u.Replies != replies {
						t.Errorf("%s, order %d: %+v, expected %d in and %d out in %d replies", what, turn, u, want[0], want[1], replies)
					}
				}
			}
			source := firstWordOf(run("import", write("source.jsonl", f.source)))
			expect("the source", 2)
			own := run("-s", source, "export")
			expect("and a fork by tlog", 2)
			exported := filepath.Join(dir, "exported.jsonl")
			run("-s", source, "export", "--to", f.agent, "-o", exported)
			session := firstWordOf(run("import", exported))
			expect("and an export", 2)
			if session == source || own == source {
				t.Fatal("an export has the id of its source")
			}
			tips := strings.Fields(run("-s", session, "rev-parse", "HEAD"))
			write("exported.jsonl", string(contentOf(t, exported))+f.reply(session, sourceID(t, exported, tips[0])))
			run("import", exported)
			want = [2]int64{want[0] + 7, want[1] + 3}
			expect("and the export went on", 3)
			run("import", write("fork.jsonl", f.fork))
			want = [2]int64{want[0] + f.more[0], want[1] + f.more[1]}
			expect("and a fork by the agent", 4)
		})
	}
}

// TestUsageOfLostParent: the fork of an export that is gone has other ids and times than what the export was made of. Its records are known by what they are of.
func TestUsageOfLostParent(t *testing.T) {
	const source, export, fork = "019d4000-0000-7000-8000-0000000000a1", "019d4000-0000-7000-8000-0000000000c1", "019d4000-0000-7000-8000-0000000000b1"
	dir := t.TempDir()
	stamp := func(day int) func(int) string {
		return func(second int) string { return fmt.Sprintf("2026-04-%02dT10:00:%02d.000Z", day, second) }
	}
	lost := strings.ReplaceAll(codexRecords(source, stamp(1), "", ""), source, export)
	_, lost, _ = strings.Cut(lost, "\n")
	lost = codexMeta(stamp(2)(0), fork, "") + codexMeta(stamp(2)(0), export, "") + strings.ReplaceAll(lost, "2026-04-01", "2026-04-02")
	for name, content := range map[string]string{"source.jsonl": codexRecords(source, stamp(1), "", ""), "fork.jsonl": lost} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if code, _, errs := runApp(t, dir, "import", file); code != exitOK {
			t.Fatal(errs)
		}
	}
	if u := usageInStore(t, dir, 0); u.Input != 200 || u.Output != 20 || u.Replies != 2 {
		t.Errorf("%+v", u)
	}
}

func firstWordOf(text string) string {
	word, _, _ := strings.Cut(text, " ")
	return word
}

func contentOf(t *testing.T, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// sourceID is the id by which the file calls its last entry: that of tlog, or the last one in the file.
func sourceID(t *testing.T, file, tip string) string {
	t.Helper()
	data := contentOf(t, file)
	at := bytes.LastIndex(data, []byte(`"uuid":"`))
	if at < 0 || bytes.Contains(data, []byte(tip)) {
		return tip
	}
	last, _, _ := strings.Cut(string(data[at+len(`"uuid":"`):]), `"`)
	return last
}

// storeLogs are the logs of all sessions.
func storeLogs(t *testing.T, home string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(home, func(path string, e fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".jsonl") && filepath.Base(filepath.Dir(filepath.Dir(path))) == "projects" {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// usageInStore adds up the usage of all sessions, in one of the orders: they turned round so often, and backwards.
func usageInStore(t *testing.T, home string, turn int) projection.Usage {
	t.Helper()
	files := storeLogs(t, home)
	var c projection.UsageCount
	for i := range files {
		at := (i + turn) % len(files)
		if turn >= len(files) {
			at = len(files) - 1 - at
		}
		s, err := checkout.Open(files[at], checkout.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for entry := range s.Log.Len() {
			if err := c.Add(s.Log, entry); err != nil {
				t.Error(err)
			}
		}
		s.Close()
	}
	return c.Total()
}

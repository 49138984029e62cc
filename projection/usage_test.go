package projection

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"tlog/objects"
)

func TestParseUsage(t *testing.T) {
	for raw, want := range map[string]Usage{
		``:                           {},
		`null`:                       {},
		`{}`:                         {},
		`7`:                          {},
		`{"input":null,"output":""}`: {},
		`{"input":-1,"output":1e99}`: {},
		`{"input_tokens":0}`:         {Recorded: true},
		`{"input":5,"output":2.0,"cacheRead":3,"cacheWrite":4,"reasoning":1,"totalTokens":14,"cost":{"input":1,"total":0.25}}`: {Input: 5, Output: 2, CacheRead: 3, CacheWrite: 4, Reasoning: 1, Recorded: true, Cost: 0.25, Priced: true},
		`{"input_tokens":1,"cache_creation_input_tokens":2,"cache_read_input_tokens":3,"output_tokens":4,"output_tokens_details":{"thinking_tokens":2},"cache_creation":{"ephemeral_5m_input_tokens":2}}`: {
			Input: 1, CacheWrite: 2, CacheRead: 3, Output: 4, Reasoning: 2, Recorded: true},
		`{"prompt_tokens":10,"completion_tokens":3,"prompt_tokens_details":{"cached_tokens":8},"completion_tokens_details":{"reasoning_tokens":1}}`: {
			Input: 2, CacheRead: 8, Output: 3, Reasoning: 1, Recorded: true},
		`{"input":10,"output":3,"cached":8,"thoughts":4,"tool":2,"total":19}`: {Input: 4, CacheRead: 8, Output: 7, Reasoning: 4, Recorded: true},
	} {
		if diff := cmp.Diff(want, ParseUsage([]byte(raw))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", raw, diff)
		}
	}
}

// usedRow is a row of a reply with its usage.
func usedRow(uuid, id, usage string) string {
	return `{"type":"assistant","uuid":"` + uuid + `","message":{"id":"` + id + `","content":[],"usage":` + usage + `}}`
}

func TestCountUsage(t *testing.T) {
	reply := func(id, usage string) row { return row{objects.TypeMessage, usedRow("", id, usage)} }
	l := openRows(t,
		reply("m1", `{"input_tokens":4,"cache_creation_input_tokens":100,"output_tokens":1}`),
		reply("m1", `{"input_tokens":4,"cache_creation_input_tokens":100,"output_tokens":40}`),
		userRow(`"usage"`),
		reply("m2", `{"input_tokens":7,"output_tokens":3}`),
		reply("m1", `{"input_tokens":0,"output_tokens":0}`), // a copy whose usage was cleared
		reply("m3", `{}`),
	)
	count := func(entries ...int) Usage {
		t.Helper()
		u, err := CountUsage(l, entries)
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	want := Usage{Input: 11, CacheWrite: 100, Output: 43, Replies: 2, Recorded: true}
	if diff := cmp.Diff(want, count(0, 1, 2, 3, 4, 5)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if u := count(2, 5); u.Recorded {
		t.Errorf("nothing is recorded, got %+v", u)
	}
}

func TestCountUsageOfNativeEntries(t *testing.T) {
	l := openLines(t, append([]string{header}, chain(
		`{"type":"message","message":{"role":"assistant","content":[],"usage":{"input":1,"output":2,"cost":{"total":0.5}}}}`,
		`{"type":"message","message":{"role":"assistant","content":[],"usage":{"input":1,"output":2,"cost":{"total":0.25}}}}`,
		`{"type":"usage","kind":"title","us\u0061ge":{"input":10,"output":20}}`,
		`{"type":"compaction","summary":"s","usage":{"input":100,"output":200}}`,
		`{"type":"custom","usage":{"input":1000}}`,
	)...)...)
	var all []int
	for at := range l.Len() {
		all = append(all, at)
	}
	got, err := CountUsage(l, all)
	want := Usage{Input: 112, Output: 224, Replies: 2, Recorded: true, Cost: 0.75, Priced: true}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

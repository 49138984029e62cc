package objects

import (
	"fmt"
	"strings"
	"testing"
)

// textLine is a line with one long text, as tool results are.
func textLine() []byte {
	text := strings.Repeat(`func main() {\n\tfmt.Println(\"hello, world, this is a line of code\")\n}\n`, 300)
	return Build(TypeMessage, "01890a5d-ac96-774b-bcce-b302099a8057", "01890a5d-ac96-774b-bcce-b302099a8056", "2026-11-30T10:00:00.000Z",
		Field{"message", []byte(`{"role":"user","content":[{"type":"text","text":"` + text + `"}]}`)})
}

// keysLine is a line with many short members, as those with usage and details are.
func keysLine() []byte {
	var b strings.Builder
	for i := range 200 {
		fmt.Fprintf(&b, `"key%d":{"input":%d,"cost":[0.25,1],"ok":true,"note":"short"},`, i, i*1000)
	}
	return Build(TypeMessage, "01890a5d-ac96-774b-bcce-b302099a8057", "01890a5d-ac96-774b-bcce-b302099a8056", "2026-11-30T10:00:00.000Z",
		Field{"message", []byte(`{` + b.String() + `"role":"user"}`)})
}

// smallLine is the commonest kind of line.
func smallLine() []byte {
	line := Build(TypeMessage, "01890a5d-ac96-774b-bcce-b302099a8057", "01890a5d-ac96-774b-bcce-b302099a8056", "2026-11-30T10:00:00.000Z",
		Field{"message", []byte(`{"role":"assistant","content":[{"type":"toolCall","id":"call_1","name":"bash","arguments":{"command":"go test ./..."}}],"usage":{"input":1,"output":2},"stopReason":"toolUse"}`)})
	return AppendMembers(line, []byte(`"ref":"pi"`), []byte(testChain))
}

func eachLine(b *testing.B, run func(line []byte)) {
	for name, line := range map[string][]byte{"text": textLine(), "keys": keysLine(), "small": smallLine()} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(line)))
			b.ReportAllocs()
			for b.Loop() {
				run(line)
			}
		})
	}
}

func BenchmarkScan(b *testing.B) {
	eachLine(b, func(line []byte) {
		if err := Scan(line, nil); err != nil {
			b.Fatal(err)
		}
	})
}

func BenchmarkParseEntry(b *testing.B) {
	eachLine(b, func(line []byte) {
		if _, err := ParseEntry(line); err != nil {
			b.Fatal(err)
		}
	})
}

func BenchmarkDecodeMessage(b *testing.B) {
	eachLine(b, func(line []byte) {
		e, _ := ParseEntry(line)
		if _, ok := DecodeMessage(e); !ok {
			b.Fatal("no message")
		}
	})
}

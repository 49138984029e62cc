package objects_test

import (
	"fmt"

	"tlog/objects"
)

// An entry is looked at and marked without its own bytes being touched.
func ExampleParseEntry() {
	line := []byte(`{"type":"label","id":"b2","parentId":"a1","targetId":"a1","label":"1.0 \/ good"}`)
	marked := objects.AppendMembers(line, []byte(`"ref":"pi"`))

	e, err := objects.ParseEntry(marked)
	if err != nil {
		fmt.Println(err)
		return
	}
	label, _ := e.Text("label")
	fmt.Println(e.Type, e.ID, "under", e.ParentID, "on", e.Ref)
	fmt.Println(label)
	fmt.Printf("%s\n", e.Body())
	// Output:
	// label b2 under a1 on pi
	// 1.0 / good
	// {"type":"label","id":"b2","parentId":"a1","targetId":"a1","label":"1.0 \/ good"}
}

// Messages of different programs are looked at in one way.
func ExampleDecodeMessage() {
	for _, line := range []string{
		`{"type":"message","message":{"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.go"}}]}}`,
		`{"type":"message","message":{"role":"tool","tool_call_id":"c1","content":"package a"}}`,
	} {
		e, err := objects.ParseEntry([]byte(line))
		if err != nil {
			fmt.Println(err)
			return
		}
		m, _ := objects.DecodeMessage(e)
		for _, call := range m.Calls() {
			fmt.Printf("%s calls %s with %s\n", m.Role, call.Name, call.Arguments)
		}
		for _, result := range m.Results() {
			fmt.Printf("result of %s: %s\n", result.CallID, result.Text)
		}
	}
	// Output:
	// assistant calls read with {"path":"a.go"}
	// result of c1: package a
}

func ExampleScan() {
	err := objects.Scan([]byte(`{"n":1e400,"n":2,"text":"\ud83d"}`), func(m objects.Member) {
		fmt.Printf("%s = %s\n", m.Key, m.Value)
	})
	fmt.Println(err)
	fmt.Println(objects.Scan([]byte(`{"a":1}{"b":2}`), nil))
	// Output:
	// n = 1e400
	// n = 2
	// text = "\ud83d"
	// <nil>
	// something behind the value at byte 7
}

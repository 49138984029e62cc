package claude

import (
	"fmt"
	"strings"
	"testing"

	"tlog/objects"
)

// rows makes a transcript of a readable list, a line each: what stands before "<-" is the row's uuid, behind it are its parent
// ("-" for null; without "<-" the key is missing), its kind, and what else there is to say:
//
//	u1<-- user            r1<-a1 result          a2<-a1 assistant re=m1      s1<-a1 synthetic
//	b1<-- boundary lp=a1  c1<-b1 summary         x1<-u1 user side agent=ag   n1<-u1 user meta
//	p1<-a1 progress       d1<-u1 system:turn_duration                        k1<-u1 user text=<command-name>
//	last-prompt u1 explicit                      title My_name
//
// n=... makes the bytes of a line other ones. A line that begins with "=" stands as it is, without that.
func rows(specs string) []byte {
	if specs == "" {
		return nil
	}
	var out []byte
	for spec := range strings.SplitSeq(strings.TrimSpace(specs), "\n") {
		spec = strings.TrimSpace(spec)
		if raw, ok := strings.CutPrefix(spec, "="); ok {
			out = append(append(out, raw...), '\n')
			continue
		}
		out = append(append(out, line(spec)...), '\n')
	}
	return out
}

// line is the line of one spec, without "\n".
func line(spec string) string {
	fields := strings.Fields(spec)
	switch fields[0] {
	case "last-prompt":
		return lastPrompt(fields[1:])
	case "title":
		return fmt.Sprintf(`{"type":"custom-title","customTitle":%q,"sessionId":"s"}`, fields[1])
	}
	uuid, parent, hasParent := strings.Cut(fields[0], "<-")
	var b strings.Builder
	b.WriteString("{")
	switch {
	case !hasParent:
	case parent == "-":
		b.WriteString(`"parentUuid":null,`)
	default:
		fmt.Fprintf(&b, `"parentUuid":%q,`, parent)
	}
	words := flagsOf(&b, fields[2:])
	fmt.Fprintf(&b, `%s,"uuid":%q,"sessionId":"s"}`, payload(fields[1], uuid, words), uuid)
	return b.String()
}

func lastPrompt(words []string) string {
	leaf, explicit := "", ""
	for _, w := range words {
		switch w {
		case "explicit":
			explicit = `,"explicit":true`
		case "null":
			leaf = `,"leafUuid":null`
		default:
			leaf = fmt.Sprintf(`,"leafUuid":%q`, w)
		}
	}
	return `{"type":"last-prompt","lastPrompt":"x"` + leaf + explicit + `,"sessionId":"s"}`
}

type rowWords struct{ reply, text string }

// flagsOf writes the members that flags stand for, and gives those that the message needs.
func flagsOf(b *strings.Builder, flags []string) rowWords {
	var s rowWords
	for _, flag := range flags {
		key, value, _ := strings.Cut(flag, "=")
		switch key {
		case "re":
			s.reply = value
		case "text":
			s.text = value
		case "meta":
			b.WriteString(`"isMeta":true,`)
		case "side":
			b.WriteString(`"isSidechain":true,`)
		case "agent":
			fmt.Fprintf(b, `"agentId":%q,`, value)
		case "lp":
			fmt.Fprintf(b, `"logicalParentUuid":%q,`, value)
		case "at":
			fmt.Fprintf(b, `"timestamp":%q,`, value)
		case "n", "requestId":
			fmt.Fprintf(b, `%q:%q,`, key, value)
		default:
			panic("unknown flag " + flag)
		}
	}
	return s
}

// payload is what makes a row of a kind.
func payload(kind, uuid string, s rowWords) string {
	if s.text == "" {
		s.text = "text of " + uuid
	}
	id := ""
	if s.reply != "" {
		id = fmt.Sprintf(`"id":%q,`, s.reply)
	}
	kind, subtype, _ := strings.Cut(kind, ":")
	switch kind {
	case "user":
		return fmt.Sprintf(`"type":"user","message":{"role":"user","content":%q}`, s.text)
	case "summary":
		return `"type":"user","isCompactSummary":true,"message":{"role":"user","content":"so far"}`
	case "result":
		return `"type":"user","message":{"role":"user","content":[{"tool_use_id":"t","type":"tool_result","content":"ok"}]}`
	case "assistant":
		return `"type":"assistant","message":{"role":"assistant",` + id + `"content":[{"type":"text","text":"answer"}]}`
	case "thinking":
		return `"type":"assistant","message":{"role":"assistant",` + id + `"content":[{"type":"thinking","thinking":"hm"}]}`
	case "synthetic":
		return `"type":"assistant","message":{"role":"assistant","id":"made-` + uuid + `","model":"<synthetic>","content":[{"type":"text","text":"No response requested."}]}`
	case "boundary":
		return `"type":"system","subtype":"compact_boundary"`
	case "queued":
		return `"type":"attachment","attachment":{"type":"queued_command","prompt":"wait","commandMode":"prompt"}`
	case "queued-other":
		return `"type":"attachment","attachment":{"type":"queued_command","prompt":"wait","commandMode":"task-notification"}`
	case "system":
		return fmt.Sprintf(`"type":"system","subtype":%q`, subtype)
	}
	return fmt.Sprintf(`"type":%q`, kind)
}

// treeOf says of each tree entry where it hangs, "a1<-u1", or "u1" for a root, in the order of the file; "?x" is a gap.
func treeOf(envelopes []objects.Envelope) string {
	var words []string
	for _, v := range envelopes {
		if v.Type.Journal() {
			continue
		}
		word := string(v.ID)
		if v.ParentID != "" {
			word += "<-" + string(v.ParentID)
		}
		if v.Gap != "" {
			word += "?" + v.Gap
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

func checkTree(t *testing.T, data []byte, tree, leaf string) {
	t.Helper()
	r := NewReader("s")
	envelopes := r.Read(data)
	if got := treeOf(envelopes); got != strings.Join(strings.Fields(tree), " ") {
		t.Errorf("tree:\n got %s\nwant %s", got, strings.Join(strings.Fields(tree), " "))
	}
	if got := string(r.Leaf()); got != leaf {
		t.Errorf("leaf: got %q, want %q", got, leaf)
	}
	checkGraph(t, "rows", envelopes)
}

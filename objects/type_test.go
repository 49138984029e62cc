package objects

import (
	"errors"
	"testing"
)

// knownTypes are all types of the format, with what they are besides tree
// entries that nobody sees by default.
func knownTypes() map[Type]string {
	return map[Type]string{
		TypeSession: "", TypeMessage: "visible", TypeModelChange: "", TypeThinkingLevel: "", TypeCompaction: "visible",
		TypeBranchSummary: "visible", TypeCustom: "", TypeCustomMessage: "visible", TypeContextEdit: "", TypeUsage: "", TypeQueue: "",
		TypeLabel: "", TypeSessionInfo: "", TypeSkip: "", TypeUnskip: "", TypeRef: "journal", TypeHead: "journal", TypeMeta: "journal",
	}
}

func TestTypes(t *testing.T) {
	types := knownTypes()
	types["odd"], types[""] = "", ""
	for typ, what := range types {
		if typ.Journal() != (what == "journal") || typ.Visible() != (what == "visible") {
			t.Errorf("%q: journal %v, visible %v, want %q", typ, typ.Journal(), typ.Visible(), what)
		}
	}
}

func TestKnownTypesNeedNoMemory(t *testing.T) {
	for known := range knownTypes() {
		value := []byte(`"` + string(known) + `"`)
		if n := testing.AllocsPerRun(10, func() { typeOf(value) }); n != 0 || typeOf(value) != known {
			t.Errorf("typeOf(%s) = %q with %v allocations", value, typeOf(value), n)
		}
	}
}

func TestCorruptError(t *testing.T) {
	err := error(&CorruptError{File: "a.jsonl", Line: 3, Offset: 120, Reason: "unexpected end"})
	if !errors.Is(err, ErrCorrupt) {
		t.Errorf("%v is no ErrCorrupt", err)
	}
	if got, want := err.Error(), "a.jsonl: line 3, offset 120: unexpected end"; got != want {
		t.Errorf("message %q, want %q", got, want)
	}
}

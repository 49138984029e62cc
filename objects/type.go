package objects

// Type is the type of an entry. Types that tlog does not know are kept as they are.
type Type string

// The entry types of format version 4; docs/format.md gives their payload.
const (
	TypeSession       Type = "session" // the header
	TypeMessage       Type = "message"
	TypeModelChange   Type = "model_change"
	TypeThinkingLevel Type = "thinking_level_change"
	TypeCompaction    Type = "compaction"
	TypeBranchSummary Type = "branch_summary"
	TypeCustom        Type = "custom"
	TypeCustomMessage Type = "custom_message"
	TypeContextEdit   Type = "context_edit"
	TypeUsage         Type = "usage"
	TypeQueue         Type = "queue"
	TypeLabel         Type = "label"
	TypeSessionInfo   Type = "session_info"
	TypeSkip          Type = "skip"
	TypeUnskip        Type = "unskip"
	TypeRef           Type = "ref"
	TypeHead          Type = "head"
	TypeMeta          Type = "meta"
)

// Journal reports whether entries of the type are about the session and no
// nodes of its history.
func (t Type) Journal() bool {
	return t == TypeRef || t == TypeHead || t == TypeMeta
}

// Visible reports whether a log shows entries of the type by default and
// `rev~n` counts them.
func (t Type) Visible() bool {
	switch t {
	case TypeMessage, TypeCustomMessage, TypeCompaction, TypeBranchSummary:
		return true
	}
	return false
}

// typeOf is the type in the value of a member; types that tlog knows need no memory.
func typeOf(value []byte) Type {
	if !isString(value) {
		return ""
	}
	switch inner := value[1 : len(value)-1]; Type(inner) {
	case TypeMessage:
		return TypeMessage
	case TypeSession:
		return TypeSession
	case TypeModelChange:
		return TypeModelChange
	case TypeThinkingLevel:
		return TypeThinkingLevel
	case TypeCompaction:
		return TypeCompaction
	case TypeBranchSummary:
		return TypeBranchSummary
	case TypeCustom:
		return TypeCustom
	case TypeCustomMessage:
		return TypeCustomMessage
	case TypeContextEdit:
		return TypeContextEdit
	case TypeUsage:
		return TypeUsage
	case TypeQueue:
		return TypeQueue
	case TypeLabel:
		return TypeLabel
	case TypeSessionInfo:
		return TypeSessionInfo
	case TypeSkip:
		return TypeSkip
	case TypeUnskip:
		return TypeUnskip
	case TypeRef:
		return TypeRef
	case TypeHead:
		return TypeHead
	case TypeMeta:
		return TypeMeta
	}
	return Type(tokenText(value))
}

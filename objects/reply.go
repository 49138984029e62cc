package objects

// A ReplyDecoder is a [UsageDecoder] whose entries say which reply they are of.
type ReplyDecoder interface {
	UsageDecoder
	// UsageReply tells the reply whose usage an entry records from all others, also in a copy of the transcript; empty if it does not say.
	UsageReply(e Entry) string
}

package projection

import (
	"slices"

	"tlog/objects"
)

// readQueue replays the queue entries of the path. A compaction does not touch
// the queue: what waits is no part of the conversation yet.
func (b *builder) readQueue() error {
	for pos := range b.path {
		if b.typeAt(pos) != objects.TypeQueue || b.undone(pos) {
			continue
		}
		e, err := b.read(pos)
		if err != nil {
			return err
		}
		operation, _ := e.Text("operation")
		content := e.Get("content")
		b.context.Queue = requeue(b.context.Queue, operation, contentText(content), !missing(content))
	}
	return nil
}

// requeue does one operation on a queue. dequeue takes the first message, or
// the first with the content if one is named; remove always goes by content.
func requeue(queue []string, operation, content string, named bool) []string {
	switch operation {
	case "enqueue":
		if named {
			return append(queue, content)
		}
	case "clear":
		return nil
	case "dequeue", "remove":
		at := -1
		if named {
			at = slices.Index(queue, content)
		} else if operation == "dequeue" && len(queue) > 0 {
			at = 0
		}
		switch {
		case at == 0:
			return queue[1:]
		case at > 0:
			return slices.Delete(queue, at, at+1)
		}
	}
	return queue
}

// contentText is the text of a content value.
func contentText(content []byte) string {
	return objects.Message{Blocks: decodeContent(content)}.Text()
}

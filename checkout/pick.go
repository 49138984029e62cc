package checkout

// pick says which entries of a path an undo asks for. It is asked for each
// entry in turn, newest first, as long as there is more to come.
type pick struct {
	ask  func(u *unit) bool
	more func() bool
}

// newest picks the n newest visible entries.
func newest(n int) pick {
	return pick{
		ask: func(u *unit) bool {
			// One that is chosen already counts too: with the n newest entries goes what belongs to them.
			if u.visible {
				n--
			}
			return u.visible
		},
		more: func() bool { return n > 0 },
	}
}

// newestTurns picks the visible entries of the n newest turns. A turn begins with a prompt; what stands
// before the first one counts as a turn.
func newestTurns(n int) pick {
	return pick{
		ask: func(u *unit) bool {
			if u.visible && u.message.Prompt() {
				n--
			}
			return u.visible
		},
		more: func() bool { return n > 0 },
	}
}

// listed picks the given entries of the log.
func listed(entries []int) pick {
	left := set(entries)
	return pick{
		ask: func(u *unit) bool {
			ok := left[u.at]
			delete(left, u.at)
			return ok
		},
		more: func() bool { return len(left) > 0 },
	}
}

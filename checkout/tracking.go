package checkout

import (
	"fmt"

	"tlog/objects"
)

// TrackingError refuses what only an import may do: to move the tracking branch, which stands where the source stands. It wraps objects.ErrRefused.
type TrackingError struct{ Branch string }

// Error names the branch.
func (e *TrackingError) Error() string {
	return fmt.Sprintf("%v: '%s' stands where its source stands, and only an import moves it", objects.ErrRefused, e.Branch)
}

// Unwrap makes the error an objects.ErrRefused.
func (e *TrackingError) Unwrap() error { return objects.ErrRefused }

// Tracks reports whether a branch is the tracking branch of a session that is an import (docs/format.md "Imports").
func (s *Session) Tracks(branch string) bool {
	header := s.Log.Header()
	return header.Source != nil && branch != "" && branch == header.Agent
}

// tracks reports whether a branch, by its key in tips, is the tracking branch.
func (b *batch) tracks(key string) bool {
	if key == "" {
		key = b.head.Branch
	}
	return b.s.Tracks(key)
}

// checkTracking refuses the batch if it added an entry to the tracking branch.
func (b *batch) checkTracking() error {
	if b.astray {
		return &TrackingError{Branch: b.s.Log.Header().Agent}
	}
	return nil
}

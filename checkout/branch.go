package checkout

import (
	"context"
	"fmt"

	"tlog/log"
	"tlog/objects"
	"tlog/refs"
)

// Switch attaches HEAD to a branch that is there. At the tip of the tracking branch of an import HEAD is detached instead: what is appended there
// must not move it.
func (s *Session) Switch(ctx context.Context, branch string) error {
	return s.update(ctx, func(b *batch) error {
		tip, err := b.existing(branch)
		if err != nil {
			return err
		}
		if at, ok := s.Log.Find(tip); ok && s.Tracks(branch) {
			if b.head.Detached() && b.head.At == at {
				return nil
			}
			return b.detach(tip, b.moving(branch))
		}
		if branch == b.head.Branch {
			return nil
		}
		return b.attach(branch, tip, b.moving(branch))
	})
}

// Detach detaches HEAD at an entry.
func (s *Session) Detach(ctx context.Context, at int) error {
	return s.update(ctx, func(b *batch) error {
		if err := s.checkEntry(at); err != nil {
			return err
		}
		if b.head.Detached() && b.head.At == at {
			return nil
		}
		return b.detach(s.idOf(at), b.moving(s.Log.Short(at)))
	})
}

// SwitchNew makes a branch at an entry and attaches HEAD to it, in one write. reset allows a branch of that name to be moved.
// With log.None, where HEAD stands before its first entry, it is SwitchOrphan.
func (s *Session) SwitchNew(ctx context.Context, branch string, at int, reset bool) error {
	if at == log.None {
		return s.SwitchOrphan(ctx, branch)
	}
	return s.update(ctx, func(b *batch) error {
		if err := s.checkEntry(at); err != nil {
			return err
		}
		reason, err := b.branchReason(branch, at, reset)
		if err != nil {
			return err
		}
		moving := b.moving(branch)
		// The ref line comes first: a reader of half the write then has a branch, not a HEAD
		// without one. Its parent is where HEAD will be.
		b.tips[""] = s.idOf(at)
		if err := b.setRef(branch, s.idOf(at), reason); err != nil {
			return err
		}
		return b.attach(branch, s.idOf(at), moving)
	})
}

// SwitchOrphan attaches HEAD to a branch that has no entry yet: what is appended next is a root.
func (s *Session) SwitchOrphan(ctx context.Context, branch string) error {
	return s.update(ctx, func(b *batch) error {
		if branch == b.head.Branch && b.head.At == log.None {
			return nil
		}
		if err := b.checkNew(branch, false); err != nil {
			return err
		}
		return b.attach(branch, "", b.moving(branch))
	})
}

// CreateBranch makes a branch at an entry. force moves one that is there, but not HEAD's (objects.ErrRefused).
// A name that would hide an entry's id is refused, other than short ones, which hide nothing that tlog prints.
func (s *Session) CreateBranch(ctx context.Context, branch string, at int, force bool) error {
	return s.update(ctx, func(b *batch) error {
		if at == log.None {
			return fmt.Errorf("branch '%s': %w: there is no entry to start it at yet", branch, objects.ErrNotFound)
		}
		if err := s.checkEntry(at); err != nil {
			return err
		}
		reason, err := b.branchReason(branch, at, force)
		if err != nil {
			return err
		}
		if branch == b.head.Branch {
			if b.head.At != log.None {
				return fmt.Errorf("%w: branch '%s' is checked out and cannot be moved by force", objects.ErrRefused, branch)
			}
			b.tips[""] = s.idOf(at) // HEAD's unborn branch is born
		}
		return b.setRef(branch, s.idOf(at), reason)
	})
}

// DeleteBranch removes a branch; its entries stay. The branch that HEAD is attached to is refused.
func (s *Session) DeleteBranch(ctx context.Context, branch string) error {
	return s.update(ctx, func(b *batch) error {
		if _, err := b.existing(branch); err != nil {
			return err
		}
		if branch == b.head.Branch {
			return fmt.Errorf("%w: branch '%s' is checked out and cannot be deleted", objects.ErrRefused, branch)
		}
		return b.setRef(branch, "", "branch: deleted")
	})
}

// RenameBranch renames a branch, HEAD with it. force takes the name from another branch, but not from HEAD's.
func (s *Session) RenameBranch(ctx context.Context, from, to string, force bool) error {
	return s.update(ctx, func(b *batch) error {
		tip, err := b.existing(from)
		if err != nil || from == to {
			return err
		}
		if err := b.checkNew(to, force); err != nil {
			return err
		}
		if to == b.head.Branch {
			return fmt.Errorf("%w: branch '%s' is checked out and cannot be replaced", objects.ErrRefused, to)
		}
		return b.rename(from, to, tip)
	})
}

// rename adds the lines for it. tip is empty for the unborn branch of HEAD.
func (b *batch) rename(from, to string, tip objects.ID) error {
	reason := fmt.Sprintf("branch: renamed %s to %s", from, to)
	if _, taken := b.s.Refs.Branch(to); taken || tip != "" {
		if err := b.setRef(to, tip, reason); err != nil {
			return err
		}
	}
	if from == b.head.Branch {
		// Before the old name goes, so that HEAD never stands on a branch that is gone.
		if err := b.attach(to, tip, reason); err != nil {
			return err
		}
	}
	if tip == "" {
		return nil
	}
	return b.setRef(from, "", reason)
}

// existing is the tip of a branch that is there, or is HEAD's.
func (b *batch) existing(branch string) (objects.ID, error) {
	if branch == "" { // b.tip would take it for HEAD
		return "", fmt.Errorf("branch '': %w", objects.ErrNotFound)
	}
	return b.tip(b.key(branch))
}

// branchReason checks that a branch may be set to an entry and says why it is.
func (b *batch) branchReason(branch string, at int, force bool) (string, error) {
	if err := b.checkNew(branch, force); err != nil {
		return "", err
	}
	if _, ok := b.s.Refs.Branch(branch); ok {
		return "branch: reset to " + b.s.Log.Short(at), nil
	}
	return "branch: created from " + b.s.Log.Short(at), nil
}

// checkNew checks a branch's name: it must be sound, new unless force is given, not that of the tracking branch, and hide no entry.
func (b *batch) checkNew(branch string, force bool) error {
	if err := refs.CheckName(branch); err != nil {
		return err
	}
	if _, ok := b.s.Refs.Branch(branch); ok && !force {
		return fmt.Errorf("%w: branch '%s' exists already", objects.ErrInvalid, branch)
	}
	if b.s.Tracks(branch) {
		return &TrackingError{Branch: branch}
	}
	return b.s.checkHides("branch", branch)
}

// checkHides refuses a name that would hide an entry, since names come before ids in a revision:
// a whole id, or what begins one and is as long as the ids that tlog prints.
func (s *Session) checkHides(kind, name string) error {
	if _, whole := s.Log.Find(objects.ID(name)); len(name) < objects.MinShort && !whole {
		return nil
	}
	if found := s.Log.FindPrefix(name, 1); len(found) > 0 {
		return fmt.Errorf("%w: a %s named '%s' would hide entry %s", objects.ErrRefused, kind, name, s.Log.Record(found[0]).ID)
	}
	return nil
}

// moving is git's reason for a checkout.
func (b *batch) moving(to string) string {
	from := b.head.Branch
	if b.head.Detached() {
		from = b.s.Log.Short(b.head.At)
	}
	return fmt.Sprintf("checkout: moving from %s to %s", from, to)
}

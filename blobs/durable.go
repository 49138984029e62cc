package blobs

import "os"

// maxDurable bounds what a Store remembers. Forgetting costs an fsync of a clean file.
const maxDurable = 1 << 14

// isDurable reports whether this very file has been brought to disk by this Store. The time of modification is compared
// too, because the number of a file that was collected is soon given to the next one.
func (s *Store) isDurable(h Hash, file os.FileInfo) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	known, ok := s.durable[h]
	return ok && os.SameFile(known, file) && known.ModTime().Equal(file.ModTime())
}

func (s *Store) setDurable(h Hash, file os.FileInfo) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.durable == nil || len(s.durable) >= maxDurable {
		s.durable = map[Hash]os.FileInfo{}
	}
	s.durable[h] = file
}

// isSynced reports whether the entry of this very folder has been brought to disk by this Store.
func (s *Store) isSynced(path string, folder os.FileInfo) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	known, ok := s.folders[path]
	return ok && os.SameFile(known, folder)
}

func (s *Store) setSynced(path string, folder os.FileInfo) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.folders == nil {
		s.folders = map[string]os.FileInfo{}
	}
	s.folders[path] = folder
}

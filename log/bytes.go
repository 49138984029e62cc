package log

// ReadAt reads bytes of the file as they stand on disk; it is an [io.ReaderAt].
func (l *Log) ReadAt(p []byte, offset int64) (int, error) { return l.file.ReadAt(p, offset) }

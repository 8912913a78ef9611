package auditlog

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/tidemark-metrics/tidemark"
)

// File appends entries to a file that others may rotate.
type File struct {
	path string

	mu  sync.Mutex
	f   file // guarded by mu
	cut bool // whether the last line has no end: the next entry begins another
}

// file is an os.File, or one in tests that has no room.
type file interface {
	io.WriteCloser
	Sync() error
}

// OpenFile opens the file at path, or makes it, for its owner alone to read.
func OpenFile(path string) (*File, error) {
	f := &File{path: path}
	if err := f.Reopen(); err != nil {
		return nil, err
	}
	return f, nil
}

// Reopen opens the file again, after somebody moved it away. If that fails,
// entries go where they went before.
func (f *File) Reopen() error {
	fresh, err := os.OpenFile(f.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("open the audit file: %w", err)
	}
	// Between two entries: one that is being written looks as if it had been cut.
	f.mu.Lock()
	defer f.mu.Unlock()
	old := f.f
	f.f, f.cut = fresh, endsInside(fresh)
	if old == nil {
		return nil
	}
	return old.Close()
}

// endsInside tells whether a file has a line without an end, which a crash or a
// full disk may leave. A file that cannot be read is taken for whole.
func endsInside(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return false
	}
	r, err := os.Open(f.Name())
	if err != nil {
		return false
	}
	defer r.Close()
	last := make([]byte, 1)
	_, err = r.ReadAt(last, info.Size()-1)
	return err == nil && last[0] != '\n'
}

// Add appends an entry, on a line of its own.
func (f *File) Add(e *tidemark.AuditEntry) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	text := encode(e)
	if f.cut {
		text = append([]byte{'\n'}, text...)
	}
	n, err := f.f.Write(text)
	if n > 0 {
		f.cut = text[n-1] != '\n'
	}
	if err != nil {
		return fmt.Errorf("write the audit file: %w", err)
	}
	return nil
}

// Close syncs and closes the file.
func (f *File) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return errors.Join(f.f.Sync(), f.f.Close())
}

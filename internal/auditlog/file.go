package auditlog

import (
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/tidemark-metrics/tidemark"
)

// File appends entries to a file that others may rotate.
type File struct {
	path string

	mu sync.Mutex
	f  *os.File // guarded by mu
}

// OpenFile opens the file at path, or makes it, for its owner alone to read.
func OpenFile(path string) (*File, error) {
	f := &File{path: path}
	return f, f.Reopen()
}

// Reopen opens the file again, after somebody moved it away. If that fails,
// entries go where they went before.
func (f *File) Reopen() error {
	fresh, err := os.OpenFile(f.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("open the audit file: %w", err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	old := f.f
	f.f = fresh
	if old == nil {
		return nil
	}
	return old.Close()
}

// Add appends an entry.
func (f *File) Add(e *tidemark.AuditEntry) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, err := f.f.Write(encode(e)); err != nil {
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

// Package durable writes files such that they survive a power failure.
package durable

import (
	"errors"
	"os"
	"path/filepath"
)

// WriteFile writes a file that only its owner may read, and returns when it is
// on the disk. Its name is there for good only after SyncDir.
func WriteFile(path string, content []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	return errors.Join(err, f.Sync(), f.Close())
}

// Replace moves a file that is on the disk to another name in its directory,
// over what has that name.
func Replace(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return err
	}
	return SyncDir(filepath.Dir(to))
}

package app

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/tidemark-metrics/tidemark/internal/system"
)

// ErrInUse says that another process works on the data directory.
var ErrInUse = errors.New("the data directory is in use")

// lockFile is what the process that works on a data directory holds.
const lockFile = "LOCK"

// Lock makes a data directory the caller's alone until the process ends or
// unlock is called. One that was not restored to the end is refused.
func Lock(dir string) (unlock func(), err error) {
	unlock, err = lock(dir)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(dir, restoringDir)); err == nil {
		unlock()
		return nil, fmt.Errorf("%s was not restored to the end: restore the backup again, into the same directory", dir)
	}
	return unlock, nil
}

// lock locks a directory, and makes it private.
func lock(dir string) (unlock func(), err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make data directory: %w", err)
	}
	f, err := os.OpenFile(filepath.Join(dir, lockFile), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock data directory: %w", err)
	}
	if err := system.Lock(f); err != nil {
		holder, _ := os.ReadFile(f.Name())
		f.Close()
		if !errors.Is(err, system.ErrLocked) {
			return nil, fmt.Errorf("lock data directory: %w", err)
		}
		return nil, fmt.Errorf("%w: process %s is running on %s; stop it first, or give this one another --data", ErrInUse,
			strings.TrimSpace(string(holder)), dir)
	}
	if err := f.Truncate(0); err == nil {
		_, _ = f.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0) // for the message above only
	}
	if err := makePrivate(dir); err != nil {
		f.Close()
		return nil, err
	}
	return func() { f.Close() }, nil
}

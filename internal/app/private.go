package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// makePrivate takes what a data directory holds away from everybody but its
// owner: directories get 0700, files 0600. What is made later is private by
// the process's umask; this is for what was there before, such as a directory
// that somebody made for the server, or data of a server that was started with
// a wider umask. Files that are not the server's own are left alone.
func makePrivate(data string) error {
	if err := privateDir(data); err != nil {
		return err
	}
	for _, name := range []string{lockFile, adminFile, databaseFile, databaseFile + "-wal", databaseFile + "-shm", keyFile, measurementsDir, restoringDir} {
		if err := privateTree(filepath.Join(data, name)); err != nil {
			return fmt.Errorf("make %s private: %w", name, err)
		}
	}
	return nil
}

// privateDir makes a directory private, unless it is one that everybody shares
// (/tmp), which must not be taken away from the others.
func privateDir(dir string) error {
	info, err := os.Stat(dir)
	if err != nil || info.Mode()&fs.ModeSticky != 0 {
		return err
	}
	return narrow(dir, info.Mode())
}

// privateTree makes path and all below it private, if it is there. Path may be
// a link, for data on another disk; links below are not followed.
func privateTree(path string) error {
	path, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return filepath.WalkDir(path, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Type()&fs.ModeSymlink != 0 {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		return narrow(path, info.Mode())
	})
}

// narrow leaves the owner what they may do, and everybody else nothing. What
// belongs to somebody else (a volume's root, in containers) is for them to say.
func narrow(path string, mode fs.FileMode) error {
	if mode.Perm()&0o077 == 0 {
		return nil
	}
	if err := os.Chmod(path, mode.Perm()&^0o077); !errors.Is(err, fs.ErrPermission) {
		return err
	}
	return nil
}

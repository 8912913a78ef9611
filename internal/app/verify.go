package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// maxProblems is how many are told of a damaged backup.
const maxProblems = 10

// VerifyBackup reads a whole backup and reports everything that is not as it
// was when the backup was made: files that are damaged, cut, missing, or
// foreign.
func VerifyBackup(ctx context.Context, dir string, progress Progress) (*Manifest, error) {
	m, err := ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	problems, err := m.strangers(dir)
	if err != nil {
		return nil, err
	}
	var done int64
	for _, f := range m.Files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := f.verify(ctx, dir); err != nil {
			problems = append(problems, err)
		}
		done += f.Size
		progress("verify", done, m.total())
	}
	if n := len(problems); n > maxProblems {
		problems = append(problems[:maxProblems], fmt.Errorf("and %d more", n-maxProblems))
	}
	if len(problems) > 0 {
		return nil, fmt.Errorf("the backup in %s cannot be used:\n%w", dir, errors.Join(problems...))
	}
	return m, nil
}

// verify compares a file with what the manifest says of it.
func (f manifestItem) verify(ctx context.Context, dir string) error {
	path := filepath.Join(dir, filepath.FromSlash(f.Path))
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("%s is missing", f.Path)
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a file", f.Path)
	case info.Size() != f.Size:
		return fmt.Errorf("%s has %d bytes instead of %d", f.Path, info.Size(), f.Size)
	}
	size, sum, err := checksum(ctx, path, io.Discard)
	if err != nil {
		return fmt.Errorf("%s cannot be read: %w", f.Path, err)
	}
	return f.compare(size, sum)
}

func (f manifestItem) compare(size int64, sum string) error {
	if size != f.Size || sum != f.SHA256 {
		return fmt.Errorf("%s is damaged: its checksum is wrong", f.Path)
	}
	return nil
}

// strangers reports what is in dir and not in the manifest.
func (m *Manifest) strangers(dir string) (problems []error, err error) {
	known := map[string]bool{manifestFile: true}
	for _, f := range m.Files {
		for p := f.Path; p != "."; p = path.Dir(p) {
			known[p] = true
		}
	}
	err = eachBelow(dir, func(path string, d fs.DirEntry) error {
		if known[path] {
			return nil
		}
		problems = append(problems, fmt.Errorf("%s is not part of the backup", path))
		if d.IsDir() {
			return fs.SkipDir
		}
		return nil
	})
	return problems, err
}

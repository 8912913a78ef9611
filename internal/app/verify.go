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

	"github.com/tidemark-metrics/tidemark/internal/config"
	"github.com/tidemark-metrics/tidemark/internal/objects"
)

// maxProblems is how many are listed of a damaged backup.
const maxProblems = 10

// VerifyBackup reads a whole backup: in a directory, or in a repository, where
// name is empty for the latest.
func VerifyBackup(ctx context.Context, cfg *config.Config, where, name string, progress Progress) (*Manifest, error) {
	if !objects.IsAddress(where) {
		return verifyDir(ctx, where, progress)
	}
	r, err := openRepository(cfg, where)
	if err != nil {
		return nil, err
	}
	m, err := r.manifest(ctx, name)
	if err != nil {
		return nil, err
	}
	return m, r.verify(ctx, m, progress)
}

// BackupManifest returns what a backup holds: one in a directory, or in a
// repository, where name is empty for the latest.
func BackupManifest(ctx context.Context, cfg *config.Config, where, name string) (*Manifest, error) {
	if !objects.IsAddress(where) {
		return ReadManifest(where)
	}
	r, err := openRepository(cfg, where)
	if err != nil {
		return nil, err
	}
	return r.manifest(ctx, name)
}

// Backups names the backups in a repository, the oldest first.
func Backups(ctx context.Context, cfg *config.Config, address string) ([]string, error) {
	r, err := openRepository(cfg, address)
	if err != nil {
		return nil, err
	}
	return r.names(ctx)
}

// verifyDir reads a whole backup and reports everything that is not as it
// was when the backup was made: files that are damaged, cut, missing, or
// foreign.
func verifyDir(ctx context.Context, dir string, progress Progress) (*Manifest, error) {
	m, err := ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	problems, err := m.unlisted(dir)
	if err != nil {
		return nil, err
	}
	var done int64
	for _, f := range m.Files {
		err := f.verify(ctx, dir)
		if ctx.Err() != nil {
			return nil, ctx.Err() // and no damage
		}
		if err != nil {
			problems = append(problems, err)
		}
		done += f.Size
		progress("verify", done, m.total())
	}
	if err := unusable(dir, problems); err != nil {
		return nil, err
	}
	return m, nil
}

// unusable reports the problems of a backup, if it has any.
func unusable(where string, problems []error) error {
	if len(problems) == 0 {
		return nil
	}
	if n := len(problems); n > maxProblems {
		problems = append(problems[:maxProblems], fmt.Errorf("and %d more", n-maxProblems))
	}
	return fmt.Errorf("the backup in %s cannot be used:\n%w", where, errors.Join(problems...))
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
	return f.copyTo(ctx, inDir(dir), io.Discard)
}

// unlisted reports what is in dir and not in the manifest.
func (m *Manifest) unlisted(dir string) (problems []error, err error) {
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

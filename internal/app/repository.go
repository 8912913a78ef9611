package app

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/config"
	"github.com/tidemark-metrics/tidemark/internal/objects"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

const (
	filesPrefix     = "files/"
	manifestsPrefix = "backups/"
	// stagingDir is where a backup for a repository is put together, by links.
	stagingDir = "backup-staging"
	// unusedFor is how long a file of a repository that no backup names stays:
	// it may be of one that is being made.
	unusedFor = 24 * time.Hour
)

// repository keeps backups in a Storage: every file once, under its checksum,
// and for each backup its manifest. A backup sends what no earlier one has.
type repository struct{ objects.Storage }

// openRepository opens the repository at an address.
func openRepository(cfg *config.Config, address string) (repository, error) {
	s := cfg.Backup.S3
	storage, err := objects.Open(address, objects.Options{Endpoint: s.Endpoint, Region: s.Region, AccessKey: s.AccessKey, SecretKey: s.SecretKey})
	return repository{storage}, err
}

// fileName is where a file with this checksum is.
func fileName(sum string) string { return filesPrefix + sum[:2] + "/" + sum }

// linking makes a checkpoint of links: it takes no room and no time.
type linking struct{ measurements }

// Checkpoint implements measurements.
func (l linking) Checkpoint(ctx context.Context, dir string, progress func(done, total int64)) error {
	err := l.LinkCheckpoint(ctx, dir)
	progress(1, 1)
	return err
}

// add makes a backup in the repository, and looks whether it has all of it.
func (r repository) add(ctx context.Context, from source, by tidemark.Actor, name string, progress Progress) (*Manifest, error) {
	if _, err := r.names(ctx); err != nil { // one that refuses does so before all is read for its checksum
		return nil, err
	}
	staging := filepath.Join(from.data, stagingDir)
	if err := os.RemoveAll(staging); err != nil { // what an interrupted one left
		return nil, err
	}
	defer os.RemoveAll(staging)
	if err := from.store.RecordBackup(ctx, by, r.String()); err != nil {
		return nil, err
	}
	if err := emptyDir(staging); err != nil {
		return nil, err
	}
	if err := fillBackup(ctx, linking{from.engine}, from.store, staging, progress); err != nil {
		return nil, err
	}
	m, err := ReadManifest(staging)
	if err != nil {
		return nil, err
	}
	if err := r.push(ctx, staging, m, name, progress); err != nil {
		return nil, err
	}
	return m, r.present(ctx, m)
}

// push sends the files of a backup that the repository does not have, and its
// manifest last: a backup without one does not exist.
func (r repository) push(ctx context.Context, dir string, m *Manifest, name string, progress Progress) error {
	has, err := r.sizes(ctx)
	if err != nil {
		return err
	}
	var done int64
	for _, f := range m.Files {
		if size, ok := has[fileName(f.SHA256)]; !ok || size != f.Size {
			open := func() (io.ReadCloser, error) { return os.Open(filepath.Join(dir, filepath.FromSlash(f.Path))) }
			if err := r.Put(ctx, fileName(f.SHA256), objects.Content{Size: f.Size, SHA256: f.SHA256, Open: open}); err != nil {
				return err
			}
			has[fileName(f.SHA256)] = f.Size
		}
		done += f.Size
		progress("send", done, m.total())
	}
	text, err := os.ReadFile(filepath.Join(dir, manifestFile))
	if err != nil {
		return err
	}
	sum := sha256.Sum256(text)
	return r.Put(ctx, manifestsPrefix+name+".json", objects.Content{
		Size: int64(len(text)), SHA256: hex.EncodeToString(sum[:]),
		Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil },
	})
}

// sizes are those of the files in the repository, by name.
func (r repository) sizes(ctx context.Context) (map[string]int64, error) {
	all, err := r.List(ctx, filesPrefix)
	sizes := make(map[string]int64, len(all))
	for _, o := range all {
		sizes[o.Name] = o.Size
	}
	return sizes, err
}

// present reports which files of a backup are missing or cut.
func (r repository) present(ctx context.Context, m *Manifest) error {
	has, err := r.sizes(ctx)
	if err != nil {
		return err
	}
	var problems []error
	for _, f := range m.Files {
		switch size, ok := has[fileName(f.SHA256)]; {
		case !ok:
			problems = append(problems, fmt.Errorf("%s is missing", r.called(f)))
		case size != f.Size:
			problems = append(problems, fmt.Errorf("%s has %d bytes instead of %d", r.called(f), size, f.Size))
		}
	}
	return unusable(r.String(), problems)
}

// names are those of the backups, the oldest first.
func (r repository) names(ctx context.Context) ([]string, error) {
	all, err := r.List(ctx, manifestsPrefix)
	var names []string
	for _, o := range all {
		name := strings.TrimSuffix(path.Base(o.Name), ".json")
		if _, err := time.Parse(backupName, name); err == nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, err
}

// manifest returns that of a backup, or of the latest.
func (r repository) manifest(ctx context.Context, name string) (*Manifest, error) {
	if name == "" {
		names, err := r.names(ctx)
		if err != nil {
			return nil, err
		}
		if len(names) == 0 {
			return nil, fmt.Errorf("there is no backup in %v", r)
		}
		name = names[len(names)-1]
	}
	file, err := r.Get(ctx, manifestsPrefix+name+".json")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no backup %s in %v", name, r)
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, 1<<30))
	if err != nil {
		return nil, err
	}
	m, err := parseManifest(text)
	if err != nil {
		return nil, fmt.Errorf("the manifest of backup %s in %v: %w", name, r, err)
	}
	return m, nil
}

// open implements opener.
func (r repository) open(ctx context.Context, f manifestItem) (io.ReadCloser, error) {
	file, err := r.Get(ctx, fileName(f.SHA256))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is missing", r.called(f))
	}
	return file, err
}

// called implements opener: whoever deletes a damaged file has it sent again.
func (repository) called(f manifestItem) string { return f.Path + " (" + fileName(f.SHA256) + ")" }

// verify reads every file of a backup.
func (r repository) verify(ctx context.Context, m *Manifest, progress Progress) error {
	if err := r.present(ctx, m); err != nil {
		return err
	}
	var problems []error
	var done int64
	for _, f := range m.Files {
		if err := f.copyTo(ctx, r, io.Discard); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			problems = append(problems, err)
		}
		done += f.Size
		progress("verify", done, m.total())
	}
	return unusable(r.String(), problems)
}

// trim deletes the oldest backups beyond keep, then the files that no other
// names.
func (r repository) trim(ctx context.Context, keep int, now time.Time) error {
	names, err := r.names(ctx)
	if err != nil {
		return err
	}
	for len(names) > keep {
		if err := r.Delete(ctx, manifestsPrefix+names[0]+".json"); err != nil {
			return err
		}
		names = names[1:]
	}
	used := make(map[string]bool)
	for _, name := range names {
		m, err := r.manifest(ctx, name)
		if err != nil {
			return err // what it needs is not known: nothing is deleted
		}
		for _, f := range m.Files {
			used[fileName(f.SHA256)] = true
		}
	}
	all, err := r.List(ctx, filesPrefix)
	if err != nil {
		return err
	}
	for _, o := range all {
		if used[o.Name] || now.Sub(o.Modified) < unusedFor {
			continue
		}
		if err := r.Delete(ctx, o.Name); err != nil {
			return err
		}
	}
	return nil
}

// source is what a backup is made of.
type source struct {
	engine measurements
	store  *store.Store
	data   string
}

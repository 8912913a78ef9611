package app

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
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

	"github.com/tidemark-metrics/tidemark/internal/durable"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

const (
	// manifestFile lists what a backup holds. It is written last: a backup
	// that has none is not complete.
	manifestFile = "backup.json"
	// unfinishedFile is in the directory of a backup while it is made.
	unfinishedFile = "UNFINISHED"
	// manifestFormat is raised when an older version could no longer restore
	// what a backup holds.
	manifestFormat = 1
)

// Manifest says what a backup holds.
type Manifest struct {
	Format  int       `json:"format"`
	Version string    `json:"version"` // of Tidemark
	Created time.Time `json:"created"`
	// ControlStore is "sqlite", of which the file is in the backup, or
	// "postgresql", of which a dump is, unless an older version made it.
	ControlStore string         `json:"control_store"`
	Files        []manifestItem `json:"files"`
}

const (
	controlSQLite   = "sqlite"
	controlPostgres = "postgresql"
)

// manifestItem is one file of a backup.
type manifestItem struct {
	Path   string `json:"path"` // below the backup's directory, with slashes
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// sealed is a manifest as it is on disk: with a checksum of its own.
type sealed struct {
	Manifest json.RawMessage `json:"manifest"`
	SHA256   string          `json:"sha256"`
}

// HasControlStore reports whether the control store is in the backup.
func (m *Manifest) HasControlStore() bool { return m.ControlStore == controlSQLite || m.hasDump() }

// hasDump reports whether a dump of PostgreSQL is in the backup.
func (m *Manifest) hasDump() bool {
	return slices.ContainsFunc(m.Files, func(f manifestItem) bool { return f.Path == dumpDir+"/"+store.DumpFile })
}

// total is the size of all files.
func (m *Manifest) total() int64 {
	var n int64
	for _, f := range m.Files {
		n += f.Size
	}
	return n
}

// collect lists the files below dir with their checksums.
func (m *Manifest) collect(ctx context.Context, dir string, progress Progress) error {
	err := eachBelow(dir, func(path string, d fs.DirEntry) error {
		if d.IsDir() || path == unfinishedFile {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err // gone meanwhile
		}
		m.Files = append(m.Files, manifestItem{Path: path, Size: info.Size()})
		return nil
	})
	if err != nil {
		return err
	}
	var done int64
	for i := range m.Files {
		f := &m.Files[i]
		file, err := inDir(dir).open(ctx, *f)
		if err != nil {
			return err
		}
		f.Size, f.SHA256, err = checksum(ctx, file, io.Discard)
		if err := errors.Join(err, file.Close()); err != nil {
			return err
		}
		done += f.Size
		progress("checksums", done, max(done, m.total()))
	}
	return nil
}

// opener is where the files of a backup are.
type opener interface {
	open(ctx context.Context, f manifestItem) (io.ReadCloser, error)
	// called is what a file is called there, for people.
	called(f manifestItem) string
}

// inDir is a backup in a directory.
type inDir string

// open implements opener.
func (dir inDir) open(_ context.Context, f manifestItem) (io.ReadCloser, error) {
	return os.Open(filepath.Join(string(dir), filepath.FromSlash(f.Path)))
}

// called implements opener.
func (inDir) called(f manifestItem) string { return f.Path }

// copyTo copies a file of a backup to w, and compares it with what the
// manifest says of it.
func (f manifestItem) copyTo(ctx context.Context, from opener, w io.Writer) error {
	file, err := from.open(ctx, f)
	if err != nil {
		return err
	}
	size, sum, err := checksum(ctx, file, w)
	if err := errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("%s cannot be copied: %w", from.called(f), err)
	}
	if size != f.Size || sum != f.SHA256 {
		return fmt.Errorf("%s is damaged: its checksum is wrong", from.called(f))
	}
	return nil
}

// eachBelow calls do for everything below dir, by its path from there.
func eachBelow(dir string, do func(path string, d fs.DirEntry) error) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		path, err = filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		return do(filepath.ToSlash(path), d)
	})
}

// checksum copies a file to w, and returns its size and SHA-256.
func checksum(ctx context.Context, f io.Reader, w io.Writer) (size int64, sum string, err error) {
	h := sha256.New()
	size, err = io.Copy(io.MultiWriter(h, w), readerFunc(func(p []byte) (int, error) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		return f.Read(p)
	}))
	return size, hex.EncodeToString(h.Sum(nil)), err
}

type readerFunc func([]byte) (int, error)

// Read reads.
func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// write writes the manifest such that it is there whole or not at all, and
// survives a power failure.
func (m *Manifest) write(dir string) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(text)
	text, err = json.MarshalIndent(sealed{Manifest: text, SHA256: hex.EncodeToString(sum[:])}, "", "  ")
	if err != nil {
		return err
	}
	path := filepath.Join(dir, manifestFile)
	if err := durable.WriteFile(path+".new", append(text, '\n')); err != nil {
		return err
	}
	return durable.Replace(path+".new", path)
}

// ReadManifest returns what a backup says that it holds.
func ReadManifest(dir string) (*Manifest, error) {
	if _, err := os.Stat(filepath.Join(dir, unfinishedFile)); err == nil {
		return nil, fmt.Errorf("the backup in %s is not complete: it is being made, or was interrupted", dir)
	}
	text, err := os.ReadFile(filepath.Join(dir, manifestFile))
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%s is no complete backup: there is no %s", dir, manifestFile)
	}
	if err != nil {
		return nil, err
	}
	m, err := parseManifest(text)
	if err != nil {
		return nil, fmt.Errorf("%s of the backup in %s: %w", manifestFile, dir, err)
	}
	return m, nil
}

func parseManifest(text []byte) (*Manifest, error) {
	var s sealed
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, fmt.Errorf("is damaged: %w", err)
	}
	var plain bytes.Buffer
	if err := json.Compact(&plain, s.Manifest); err != nil {
		return nil, fmt.Errorf("is damaged: %w", err)
	}
	if sum := sha256.Sum256(plain.Bytes()); hex.EncodeToString(sum[:]) != s.SHA256 {
		return nil, errors.New("is damaged: its checksum is wrong")
	}
	var m Manifest
	if err := json.Unmarshal(s.Manifest, &m); err != nil {
		return nil, fmt.Errorf("is damaged: %w", err)
	}
	return &m, m.check()
}

// below reports whether a path leads to something in a directory of a backup.
func below(p, dir string) bool {
	return strings.HasPrefix(p, dir+"/") && path.Clean(p) == p && filepath.IsLocal(p)
}

// check refuses what no backup of ours says.
func (m *Manifest) check() error {
	if m.Format != manifestFormat {
		return fmt.Errorf("has format %d, this version reads %d: use Tidemark %s", m.Format, manifestFormat, m.Version)
	}
	var database, dump, measurements bool
	for _, f := range m.Files {
		switch {
		case f.Path == databaseFile:
			database = true
		case below(f.Path, measurementsDir):
			measurements = true
		case below(f.Path, dumpDir):
			dump = true
		default:
			return fmt.Errorf("lists %q, which is no part of a backup", f.Path)
		}
		// Repositories have files under their checksums.
		if sum, err := hex.DecodeString(f.SHA256); err != nil || len(sum) != sha256.Size || f.SHA256 != strings.ToLower(f.SHA256) || f.Size < 0 {
			return fmt.Errorf("lists %q with a checksum or a size that is none", f.Path)
		}
	}
	switch {
	case !measurements:
		return errors.New("lists no measurements")
	case database != (m.ControlStore == controlSQLite), dump != m.hasDump(), dump && m.ControlStore != controlPostgres:
		return fmt.Errorf("has a control store %q, and the wrong files for it", m.ControlStore)
	}
	return nil
}

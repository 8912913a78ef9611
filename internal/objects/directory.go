package objects

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tidemark-metrics/tidemark/internal/durable"
)

// directory keeps objects as files.
type directory struct{ root string }

// partial is the end of the name of a file that is being written.
const partial = ".partial"

func (d *directory) String() string { return "file://" + d.root }

func (d *directory) path(name string) string { return filepath.Join(d.root, filepath.FromSlash(name)) }

// Put implements Storage: the file is written beside its place, made durable
// and moved there.
func (d *directory) Put(ctx context.Context, name string, c Content) error {
	path := d.path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	in, err := c.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(path+partial, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	n, err := io.Copy(out, stoppable{ctx, in})
	if err == nil && n != c.Size {
		err = fmt.Errorf("%s has %d bytes instead of %d", name, n, c.Size)
	}
	if err := errors.Join(err, out.Sync(), out.Close()); err != nil {
		return errors.Join(err, os.Remove(path+partial))
	}
	return durable.Replace(path+partial, path)
}

// Get implements Storage.
func (d *directory) Get(_ context.Context, name string) (io.ReadCloser, error) {
	return os.Open(d.path(name))
}

// List implements Storage.
func (d *directory) List(ctx context.Context, prefix string) ([]Object, error) {
	var all []Object
	err := filepath.WalkDir(d.path(prefix), func(path string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || e.IsDir() || strings.HasSuffix(path, partial) {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		name, err := filepath.Rel(d.root, path)
		all = append(all, Object{Name: filepath.ToSlash(name), Size: info.Size(), Modified: info.ModTime()})
		return errors.Join(err, ctx.Err())
	})
	// Folders come before files that begin with their name, though / is a letter like others.
	slices.SortFunc(all, func(a, b Object) int { return strings.Compare(a.Name, b.Name) })
	return all, err
}

// Delete implements Storage.
func (d *directory) Delete(_ context.Context, name string) error {
	err := os.Remove(d.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// stoppable reads until its context is done.
type stoppable struct {
	ctx context.Context
	r   io.Reader
}

// Read implements io.Reader.
func (s stoppable) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.r.Read(p)
}

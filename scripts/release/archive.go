package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// entry is a file or directory of an archive.
type entry struct {
	name    string
	mode    int64
	owner   int // user and group
	content []byte
	isDir   bool
}

// writeTar writes entries by name, all with one time.
func writeTar(entries []entry, at time.Time) ([]byte, error) {
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	var out bytes.Buffer
	tw := tar.NewWriter(&out)
	for _, e := range entries {
		h := &tar.Header{Name: e.name, Mode: e.mode, Uid: e.owner, Gid: e.owner, Size: int64(len(e.content)), ModTime: at, Typeflag: tar.TypeReg, Format: tar.FormatUSTAR}
		if e.isDir {
			h.Typeflag, h.Name = tar.TypeDir, e.name+"/"
		}
		if err := tw.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := tw.Write(e.content); err != nil {
			return nil, err
		}
	}
	err := tw.Close()
	return out.Bytes(), err
}

// compress makes gzip of b, without a time or a name inside.
func compress(b []byte) ([]byte, error) {
	var out bytes.Buffer
	gz := gzip.NewWriter(&out)
	if _, err := gz.Write(b); err != nil {
		return nil, err
	}
	err := gz.Close()
	return out.Bytes(), err
}

func writeTarball(entries []entry, at time.Time) ([]byte, error) {
	b, err := writeTar(entries, at)
	if err != nil {
		return nil, err
	}
	return compress(b)
}

// writeZip writes entries by name, all with one time.
func writeZip(entries []entry, at time.Time) ([]byte, error) {
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	var out bytes.Buffer
	zw := zip.NewWriter(&out)
	for _, e := range entries {
		w, err := zw.CreateHeader(&zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: at})
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(e.content); err != nil {
			return nil, err
		}
	}
	err := zw.Close()
	return out.Bytes(), err
}

// archives writes one for each platform: the program and the agent with manual,
// completions, documents and an example of the settings.
func (r *release) archives() error {
	for _, p := range r.platforms {
		root := filepath.Base(r.name(p, ""))
		entries, err := r.archiveEntries(p, root)
		if err != nil {
			return err
		}
		pack := writeTarball
		if isWindows(p) {
			pack = writeZip
		}
		b, err := pack(entries, r.date)
		if err != nil {
			return err
		}
		if err := os.WriteFile(r.archive(p), b, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func (r *release) archiveEntries(platform, root string) ([]entry, error) {
	var entries []entry
	for _, file := range []string{r.binary(platform), r.agent(platform)} {
		program, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry{name: path.Join(root, filepath.Base(file)), mode: 0o755, content: program})
	}
	for _, f := range []string{"README.md", "CHANGELOG.md", "LICENSE"} {
		b, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry{name: path.Join(root, f), mode: 0o644, content: b})
	}
	shared := os.DirFS(filepath.Join(r.build, "shared"))
	err := fs.WalkDir(shared, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(name, ".gz") {
			return err
		}
		b, err := fs.ReadFile(shared, name)
		entries = append(entries, entry{name: path.Join(root, name), mode: 0o644, content: b})
		return err
	})
	return entries, err
}

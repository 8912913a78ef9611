// Command unapk takes a package of Alpine apart as apk does: unapk FILE CONTROL
// DATA leaves the scripts and .PKGINFO in one directory and the files in
// another, and fails unless the files have the checksum that .PKGINFO names.
package main

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: unapk FILE CONTROL DATA")
		os.Exit(2)
	}
	if err := unpack(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, "unapk:", err)
		os.Exit(1)
	}
}

func unpack(file, control, data string) error {
	all, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	parts, err := split(all)
	if err != nil {
		return err
	}
	if len(parts) != 2 {
		return fmt.Errorf("%s has %d parts instead of control and data", file, len(parts))
	}
	if err := parts[0].extract(control); err != nil {
		return fmt.Errorf("control: %w", err)
	}
	info, err := os.ReadFile(filepath.Join(control, ".PKGINFO"))
	if err != nil {
		return err
	}
	want := regexp.MustCompile(`(?m)^datahash = ([0-9a-f]{64})$`).FindSubmatch(info)
	sum := sha256.Sum256(parts[1].packed)
	if want == nil || string(want[1]) != hex.EncodeToString(sum[:]) {
		return errors.New("the files do not have the checksum that .PKGINFO names")
	}
	return parts[1].extract(data)
}

// part is one of the archives that a package is made of.
type part struct{ packed, plain []byte }

// split finds the gzip streams, which follow one another.
func split(all []byte) ([]part, error) {
	var parts []part
	rest := bytes.NewReader(all)
	r := bufio.NewReader(rest)
	at := func() int { return len(all) - rest.Len() - r.Buffered() }
	for at() < len(all) {
		begin := at()
		gz, err := gzip.NewReader(r)
		if err != nil {
			return nil, err
		}
		gz.Multistream(false)
		plain, err := io.ReadAll(gz)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part{packed: all[begin:at()], plain: plain})
	}
	return parts, nil
}

// extract writes the files of an archive, with their modes.
func (p part) extract(dir string) error {
	for r := tar.NewReader(bytes.NewReader(p.plain)); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		path := filepath.Join(dir, filepath.FromSlash(h.Name))
		if !strings.HasPrefix(path, filepath.Clean(dir)+string(filepath.Separator)) {
			return fmt.Errorf("%s lies outside", h.Name)
		}
		if h.FileInfo().IsDir() {
			if err := os.MkdirAll(path, h.FileInfo().Mode().Perm()); err != nil {
				return err
			}
			continue
		}
		if !h.FileInfo().Mode().IsRegular() {
			return fmt.Errorf("%s is no file", h.Name)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, content, h.FileInfo().Mode().Perm()); err != nil {
			return err
		}
	}
}

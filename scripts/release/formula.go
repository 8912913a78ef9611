package main

import (
	"bytes"
	"os"
	"path/filepath"
	"text/template"
)

// formula writes the one that Homebrew installs by; it names the archives and
// their checksums, so those come first.
func (r *release) formula() error {
	tmpl, err := template.ParseFiles("packaging/homebrew/tidemark.rb.tmpl")
	if err != nil {
		return err
	}
	sums := make(map[string]string)
	for _, p := range r.platforms {
		if isWindows(p) {
			continue
		}
		if sums[p], err = checksum(r.name(p, ".tar.gz")); err != nil {
			return err
		}
	}
	var out bytes.Buffer
	if err := tmpl.Execute(&out, map[string]any{"Version": r.version, "Sums": sums}); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.out, "tidemark.rb"), out.Bytes(), 0o644)
}

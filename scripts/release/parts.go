package main

import (
	"debug/buildinfo"
	"encoding/json"
	"os"
	"slices"
	"strings"
)

// part is a module or package of others that is inside the program.
type part struct {
	name, version, purl, license string
	sum                          string // "h1:..." of a Go module
	dir                          string // where its files are, for those of the interface
}

// goParts lists the modules that are linked into a program, which says so
// itself.
func goParts(program string) ([]part, error) {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return nil, err
	}
	parts := []part{{name: "std", version: info.GoVersion, purl: "pkg:golang/std@" + strings.TrimPrefix(info.GoVersion, "go"), license: "BSD-3-Clause"}}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		parts = append(parts, part{name: m.Path, version: m.Version, purl: "pkg:golang/" + m.Path + "@" + m.Version, sum: m.Sum})
	}
	return parts, nil
}

// uiParts lists the packages that the interface is made of.
func uiParts() ([]part, error) {
	b, err := os.ReadFile("ui/package-lock.json")
	if err != nil {
		return nil, err
	}
	var lock struct {
		Packages map[string]struct {
			Version, License string
			Dev, Optional    bool
		}
	}
	if err := json.Unmarshal(b, &lock); err != nil {
		return nil, err
	}
	var parts []part
	for path, p := range lock.Packages {
		_, name, isPackage := cutLast(path, "node_modules/")
		if !isPackage || p.Dev || strings.HasPrefix(name, "@types/") {
			continue
		}
		parts = append(parts, part{name: name, version: p.Version, license: p.License, dir: "ui/" + path,
			purl: "pkg:npm/" + strings.ReplaceAll(name, "@", "%40") + "@" + p.Version})
	}
	slices.SortFunc(parts, func(a, b part) int { return strings.Compare(a.purl, b.purl) })
	return parts, nil
}

// cutLast cuts s around the last sep.
func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return "", s, false
	}
	return s[:i], s[i+len(sep):], true
}

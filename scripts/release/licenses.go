package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// licenses writes those of everything inside the program, which they ask for.
func (r *release) licenses() error {
	parts, err := goParts(r.binary(r.platforms[0]))
	if err != nil {
		return err
	}
	ui, err := uiParts()
	if err != nil {
		return err
	}
	dirs, err := moduleDirs()
	if err != nil {
		return err
	}
	var text strings.Builder
	text.WriteString("Tidemark contains the following software. Each part is under the license below its name.\n")
	for _, p := range append(parts, ui...) {
		if p.dir == "" {
			p.dir = dirs[p.name]
		}
		found, err := licenseTexts(p.dir)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		if len(found) == 0 && p.license == "" {
			return fmt.Errorf("%s has no license", p.name)
		}
		fmt.Fprintf(&text, "\n%s\n%s %s %s\n\n", strings.Repeat("=", 78), p.name, p.version, p.license)
		for _, f := range found {
			text.WriteString(strings.TrimSpace(f) + "\n\n")
		}
	}
	return os.WriteFile(filepath.Join(r.build, "shared", "THIRD-PARTY-LICENSES.txt"), []byte(text.String()), 0o644)
}

// moduleDirs says where the files of each Go module are.
func moduleDirs() (map[string]string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Path}} {{.Dir}}", "all").Output()
	if err != nil {
		return nil, err
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	dirs := map[string]string{"std": strings.TrimSpace(string(root))}
	for line := range strings.Lines(string(out)) {
		name, dir, _ := strings.Cut(strings.TrimSpace(line), " ")
		dirs[name] = dir
	}
	return dirs, nil
}

// licenseTexts returns the files of a directory that are about its license.
func licenseTexts(dir string) ([]string, error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var found []string
	for _, f := range files {
		stem, _, _ := strings.Cut(strings.ToUpper(f.Name()), ".")
		stem, _, _ = strings.Cut(stem, "-")
		if f.IsDir() || !slices.Contains([]string{"LICENSE", "LICENCE", "COPYING", "NOTICE", "PATENTS"}, stem) {
			continue
		}
		b, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			return nil, err
		}
		found = append(found, string(b))
	}
	return found, nil
}

package config

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the table of settings into docs/running.md")

// TestDocs compares the table of settings in the documents with the settings.
func TestDocs(t *testing.T) {
	t.Parallel()
	const path = "../../docs/running.md"
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	table := regexp.MustCompile(`(?s)\| Setting \|.*?\n\n`)
	want := settingsTable()
	got := table.FindString(string(b))
	if *update && got != "" {
		if err := os.WriteFile(path, []byte(strings.Replace(string(b), got, want, 1)), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("docs/running.md does not list the settings as they are; run go test -update ./internal/config\n%s", d)
	}
}

func settingsTable() string {
	var s strings.Builder
	s.WriteString("| Setting | Variable | Default | |\n|---|---|---|---|\n")
	for _, one := range new(Config).settings() {
		def := ""
		if one.def != "" {
			def = "`" + one.def + "`"
		}
		fmt.Fprintf(&s, "| `%s` | `%s` | %s | %s |\n", one.name, one.env(), def, one.help)
	}
	s.WriteString("\n")
	return s.String()
}

// TestExamples: every settings file that a document shows can be loaded. One
// stands between fences, or is indented.
func TestExamples(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, example := range examplesIn(string(text)) {
			found++
			loadExample(t, filepath.Base(page), example)
		}
	}
	if found < 6 {
		t.Errorf("only %d settings files were found in the documents", found)
	}
}

// examplesIn are the settings files in a document: what begins with a setting,
// or a group of them.
func examplesIn(text string) (examples []string) {
	block := regexp.MustCompile("(?m)(^```yaml\\n((?:.*\\n)+?)```$)|((?:^    .*\\n)+)")
	for _, m := range block.FindAllStringSubmatch(text, -1) {
		example := m[2] + regexp.MustCompile("(?m)^    ").ReplaceAllString(m[3], "")
		name, _, ok := strings.Cut(example, ":")
		table := new(Config).settings()
		if _, known := find(table, name); ok && (known || isGroup(table, name)) {
			examples = append(examples, example)
		}
	}
	return examples
}

func loadExample(t *testing.T, page, example string) {
	t.Helper()
	dir := t.TempDir()
	secret, file := filepath.Join(dir, "secret"), filepath.Join(dir, "tidemark.yaml")
	example = regexp.MustCompile(`(?m)(_file: ).*$`).ReplaceAllString(example, "${1}"+secret)
	if err := errors.Join(os.WriteFile(secret, []byte("secret"), 0o600), os.WriteFile(file, []byte(example), 0o600)); err != nil {
		t.Fatal(err)
	}
	_, _, err := Load(Sources{File: file, Env: func(string) string { return "" }, Flags: map[string]string{"data": dir}})
	if err != nil {
		t.Errorf("docs/%s: %v\n%s", page, err, example)
	}
}

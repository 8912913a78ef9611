package config

import (
	"flag"
	"fmt"
	"os"
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

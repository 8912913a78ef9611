package movein_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/movein"
)

// example returns the first block of a kind after a heading of docs/moving.md.
func example(t *testing.T, heading, kind string) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/moving.md")
	ok(t, err)
	_, after, found := strings.Cut(string(text), "\n"+heading+"\n")
	_, block, open := strings.Cut(after, "```"+kind+"\n")
	block, _, closed := strings.Cut(block, "```")
	if !found || !open || !closed {
		t.Fatalf("docs/moving.md has no %s under %s", kind, heading)
	}
	return block
}

// TestDocumentedLines: the lines that docs/moving.md shows are taken, and the
// server has afterwards what they say.
func TestDocumentedLines(t *testing.T) {
	s := start(t)
	lines := strings.ReplaceAll(example(t, "### Lines", "json"), "178999", fmt.Sprint(ago(86400)/10_000)) // of yesterday
	done, err := movein.Restore{Server: s.Client, In: strings.NewReader(lines), Progress: silent}.Run(t.Context())
	ok(t, err)
	if done.Definitions != 1 || done.Recorded != 3 || done.Refused != 0 || done.Annotations != 1 {
		t.Errorf("%+v", done)
	}
	if got := export(t, s); !strings.Contains(got, `"summaries":[[3,6,1,3,2,2]],"sketches":["`) || !strings.Contains(got, `"display_name":"Deploys"`) {
		t.Errorf("the server has\n%s", got)
	}
}

// TestDocumentedObjects: the examples of the old API's answers and of tokens
// are taken whole.
func TestDocumentedObjects(t *testing.T) {
	s, dir := start(t), t.TempDir()
	for name, kind := range map[string]string{"all.json": "json", "tokens.csv": "csv"} {
		ok(t, os.WriteFile(filepath.Join(dir, name), []byte(example(t, "## From Librato or AppOptics", kind)), 0o600))
	}
	objects, err := movein.ReadOldAPI(filepath.Join(dir, "all.json"))
	ok(t, err)
	objects.Tokens, err = movein.ReadTokens(filepath.Join(dir, "tokens.csv"))
	ok(t, err)
	report, err := objects.Make(t.Context(), s.Client, false)
	ok(t, err)
	if report.Count(movein.Made) != 6 || len(report.Outcomes) != 6 || len(report.Missing) > 0 {
		t.Errorf("%s", told(report))
	}
	alerts, err := s.Alerts().List(t.Context())
	ok(t, err)
	if len(alerts) != 1 || len(alerts[0].Services) != 1 || alerts[0].Services[0].Title != "Email ops" {
		t.Errorf("%+v", alerts)
	}
}

// TestDocumentedPromQL: the table of expressions says what they become.
func TestDocumentedPromQL(t *testing.T) {
	text, err := os.ReadFile("../../docs/moving.md")
	ok(t, err)
	_, after, _ := strings.Cut(string(text), "| PromQL | Composite |\n|---|---|\n")
	table, _, _ := strings.Cut(after, "\n\n")
	rows := strings.Split(table, "\n")
	for _, row := range rows {
		cells := strings.Split(strings.Trim(row, "|` "), "` | `")
		if len(cells) != 2 {
			t.Fatalf("the row %q has %d cells", row, len(cells))
		}
		got, err := movein.FromPromQL(strings.ReplaceAll(cells[0], `\|`, "|"))
		if err != nil || got != cells[1] {
			t.Errorf("%s becomes %s, %v; want %s", cells[0], got, err, cells[1])
		}
	}
	if len(rows) < 5 {
		t.Errorf("the table has %d rows", len(rows))
	}
}

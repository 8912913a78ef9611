package query_test

import (
	"os"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/query"
)

// TestDocs runs every example of docs/compose.md, and checks that the page has
// a section for each function that shows it at work, and marks those that are
// ours.
func TestDocs(t *testing.T) {
	t.Parallel()
	sections, evals := runDocs(t, "docs/compose.md")
	for _, f := range query.Functions() {
		section := sections[f.Name]
		if f.Name == "s" || f.Name == "series" {
			section = sections["series, s"]
		} else if !strings.Contains(section, "eval ") || !strings.Contains(section, f.Name+"(") {
			t.Errorf("no example of %s", f.Name)
		}
		if strings.HasPrefix(strings.TrimSpace(strings.TrimPrefix(section, "### "+f.Name)), "**Ours.**") != f.Ours {
			t.Errorf("whether %s is ours is not said, or wrongly", f.Name)
		}
		for _, o := range f.Options {
			if !strings.Contains(section, o) {
				t.Errorf("the option %s of %s is not explained", o, f.Name)
			}
		}
	}
	if query.DefaultPoints != 50_000_000 || query.DefaultHeld != 10_000_000 || query.DefaultSeries != 50_000 || query.DefaultBranches != 20_000 {
		t.Error("the section on limits is out of date")
	}
	if evals < 40 {
		t.Errorf("only %d examples", evals)
	}
}

// TestReadingDocs runs every example of docs/reading.md.
func TestReadingDocs(t *testing.T) {
	t.Parallel()
	sections, evals := runDocs(t, "docs/reading.md")
	if evals < 5 || !strings.Contains(sections["How much detail there is"], query.ErrResolution.Error()) {
		t.Errorf("%d examples, or another error", evals)
	}
}

// runDocs runs the examples of a page. It returns its sections by their
// titles, and the number of evaluations.
func runDocs(t *testing.T, file string) (map[string]string, int) {
	t.Helper()
	text, err := os.ReadFile("../../" + file)
	if err != nil {
		t.Fatal(err)
	}
	sections := make(map[string]string)
	s := newScript()
	title, block, kind := "", "", ""
	start := 0
	for i, line := range strings.Split(string(text), "\n") {
		fence, isFence := strings.CutPrefix(line, "```")
		switch {
		case isFence && kind == "":
			kind, start = "a block of "+fence, i+2
		case isFence:
			if kind == "a block of eval" {
				s.run(t, file, start, block)
			} else if strings.Contains(block, "s(\"") {
				t.Errorf("%s:%d: an example that is not run", file, start)
			}
			block, kind = "", ""
		case kind != "":
			block += line + "\n"
		case strings.HasPrefix(line, "#"):
			title = strings.TrimLeft(line, "# ")
		}
		sections[title] += line + "\n"
	}
	return sections, s.evals
}

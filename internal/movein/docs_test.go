package movein_test

import (
	"fmt"
	"os"
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

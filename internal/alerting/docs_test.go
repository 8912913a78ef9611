package alerting

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

// TestDocs runs the examples of docs/alerting.md: a condition, readings, and
// whether they violate it.
func TestDocs(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/alerting.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(text), "```judge\n")[1:]
	if len(blocks) < 5 {
		t.Fatalf("only %d examples", len(blocks))
	}
	for _, block := range blocks {
		lines := strings.Split(block, "\n")
		t.Run(lines[0], func(t *testing.T) {
			r := parseRule(t, lines[0])
			var s signal
			var got strings.Builder
			for i := range len(lines[1]) {
				now := base + 60*int64(i)
				if c := lines[1][i]; c != '_' {
					s.add(&r, now, now, float64(c-'0'))
				}
				s.advance(&r, now)
				got.WriteByte(mark(s.violating))
			}
			if got.String() != lines[2] {
				t.Errorf("%s\n%s\ngot  %s\nwant %s", lines[0], lines[1], got.String(), lines[2])
			}
		})
	}
}

// parseRule reads a condition such as "derivative above 1 for 5 min".
func parseRule(t *testing.T, text string) rule {
	t.Helper()
	r := rule{function: "average", reset: true}
	words := strings.Fields(text)
	for i, w := range words {
		switch w {
		case "derivative":
			r.function = w
		case tidemark.Above, tidemark.Below:
			r.kind, r.threshold = w, float64(words[i+1][0]-'0')
		case tidemark.Absent:
			r.kind = w
		case "for":
			d, err := time.ParseDuration(words[i+1] + "m")
			if err != nil {
				t.Fatal(err)
			}
			r.duration = int64(d.Seconds())
		}
	}
	return r
}

package agent

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"pgregory.net/rapid"
)

// TestSamples: a sample is read in every form that the format allows, and what
// is none costs only its line.
func TestSamples(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a 1":                             "a{} gauge 1;",
		"a\t2 1754300400000":              "a{} gauge 2;",
		`a{} 3`:                           "a{} gauge 3;",
		`a {x="1"} 4`:                     "a{x=1} gauge 4;",
		"a\t { x = \"1\" , y=\"2\", } 5":  "a{x=1,y=2} gauge 5;",
		`a{x="a\"b\\c\nd"} 6`:             `a{x=a_x22_b\c_xa_d} gauge 6;`,
		`a{x="}",y=" # "} 7 # {id="1"} 2`: `a{x=_x7d_,y= _x23_ } gauge 7;`,
		`a{x=""} 8`:                       "a{} gauge 8;",
		`a{x="1",x="2"} 9`:                "a{x=2} gauge 9;1 has a label twice: the last one counts;",
		"# TYPE a counter\na_total 1":     "a_total{} counter 1;",
		"# TYPE a counter\na_created 1":   "a_created{} gauge 1;",
		"# TYPE a summary\na{quantile=\"0.5\"} 1\na_sum 2\na_count 3": "a{quantile=0.5} gauge 1;a_sum{} counter 2;a_count{} counter 3;",
		"# TYPE a histogram\nab_bucket 1":                             "ab_bucket{} gauge 1;",
		"# TYPE a\n# HELP a counter of things\na 1":                   "a{} gauge 1;",
		"a +Inf\na -Inf\na NaN":                                       "3 the value is NaN or infinite;",
		"a 1e3\r\na -2.5\r\n":                                         "a{} gauge 1000;a{} gauge -2.5;",
		"alone":                                                       "1 is not understood;",
		"a x":                                                         "1 is not understood;",
		`a{x="1"}`:                                                    "1 is not understood;",
		`a{x=1} 1`:                                                    "1 is not understood;",
		`a{x} 1`:                                                      "1 is not understood;",
		`a{="1"} 1`:                                                   "1 is not understood;",
		`a{x="1} 1`:                                                   "1 is not understood;",
		`a{x="1\`:                                                     "1 is not understood;",
		`{x="1"} 1`:                                                   "1 is not understood;",
		" \n\n# a comment\n#\n":                                       "",
		"größe 1":                                                     "gr_xf6__xdf_e{} gauge 1;",
	} {
		b := protocol.NewBatch(protocol.Limits{Points: 100})
		if err := readExposition([]byte(text), b); err != nil {
			t.Errorf("%q: %v", text, err)
		}
		if got := exposed(b); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
	b := protocol.NewBatch(protocol.Limits{Points: 2})
	if err := readExposition([]byte("a 1\na 2\na 3\n"), b); err == nil || err.Error() != "more than 2 points in one request" {
		t.Errorf("too many: %v", err)
	}
}

// exposed is a batch in short.
func exposed(b *protocol.Batch) string {
	var out strings.Builder
	for _, p := range b.Points {
		fmt.Fprintf(&out, "%s{%s} %s %v;", p.Name, p.Labels, p.Kind, p.Value)
	}
	for _, s := range b.Skipped {
		fmt.Fprintf(&out, "%d %s;", s.Count, s.Reason)
	}
	return out.String()
}

// TestLabelsComeBack: whatever the value of a label, it arrives as it was
// written, and what follows it is read.
func TestLabelsComeBack(t *testing.T) {
	t.Parallel()
	escape := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.StringMatching(`[a-z"\\{}=,# \n]{1,12}`).Draw(t, "value")
		b := protocol.NewBatch(protocol.Limits{Points: 10})
		text := fmt.Sprintf("a{x=\"%s\",y=\"z\"} 5\n", escape.Replace(value))
		if err := readExposition([]byte(text), b); err != nil || len(b.Points) != 1 {
			t.Fatalf("%q: %d points, %v, %v", text, len(b.Points), b.Skipped, err)
		}
		p := b.Points[0]
		if got := protocol.Unescape(p.Labels[0].Value); got != value || p.Value != 5 || p.Labels[1].Value != "z" {
			t.Fatalf("%q became %q", value, got)
		}
	})
}

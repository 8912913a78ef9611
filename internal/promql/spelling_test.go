package promql

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/prometheus/model/labels"

	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/sketch"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
)

// TestSpelling: what came through another protocol is found under the names
// and values that were sent, and shown with them.
func TestSpelling(t *testing.T) {
	db := memory.New()
	long := strings.Repeat("/very-long{}", 40)
	for _, s := range []struct{ name, tag, value string }{
		{"lat_bucket", "le", "+Inf"}, {"lat_bucket", "le", "0.5"}, {"cpu/load 5m", "größe", "a*b"}, {"long", "route", long}, {"plain", "a_x2f_", "v_x2f_w"},
	} {
		put(t, db, lower(protocol.MetricName(s.name)), map[string]string{lower(protocol.LabelName(s.tag)): lower(protocol.LabelValue(s.value))}, 100, tsdb.Single(1))
	}
	e := New(Options{Storage: db})
	find := func(ms ...*labels.Matcher) (found []string) {
		set := e.Querier(org, 0, 1e9).Select(t.Context(), false, nil, ms...)
		for set.Next() {
			found = append(found, set.At().Labels().String())
		}
		if set.Err() != nil {
			t.Error(set.Err())
		}
		return found
	}
	is := func(name, value string) *labels.Matcher { return labels.MustNewMatcher(labels.MatchEqual, name, value) }
	like := func(name, value string) *labels.Matcher {
		return labels.MustNewMatcher(labels.MatchRegexp, name, value)
	}
	inf := `{__name__="lat_bucket", le="+inf"}`
	load := `{__name__="cpu/load 5m", "größe"="a*b"}`
	for name, c := range map[string]struct {
		ms   []*labels.Matcher
		want []string
	}{
		"a value":                {[]*labels.Matcher{is("le", "+Inf")}, []string{inf}},
		"a pattern":              {[]*labels.Matcher{like("__name__", "lat_.*"), like("le", `\+I.*`)}, []string{inf}},
		"a list":                 {[]*labels.Matcher{like("le", `\+Inf|2`)}, []string{inf}},
		"not a value":            {[]*labels.Matcher{is("__name__", "lat_bucket"), labels.MustNewMatcher(labels.MatchNotEqual, "le", "+Inf")}, []string{`{__name__="lat_bucket", le="0.5"}`}},
		"a name":                 {[]*labels.Matcher{is("__name__", "CPU/load 5m")}, []string{load}},
		"a name's beginning":     {[]*labels.Matcher{like("__name__", "cpu/.+")}, []string{load}},
		"a label, and its *":     {[]*labels.Matcher{is("größe", "a*b")}, []string{load}},
		"not what is over its *": {[]*labels.Matcher{is("größe", "axb")}, nil},
		"what looks escaped":     {[]*labels.Matcher{is("a_x2f_", "v_x2f_w")}, []string{`{__name__="plain", a_x2f_="v_x2f_w"}`}},
	} {
		if diff := cmp.Diff(c.want, find(c.ms...)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if got := find(is("route", long)); len(got) != 1 {
		t.Errorf("a value that is cut: %q", got)
	}
	q := e.Querier(org, 0, 1e9)
	values, _, err := q.LabelValues(t.Context(), "le", nil)
	if diff := cmp.Diff([]string{"+inf", "0.5"}, values); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	names, _, err := q.LabelNames(t.Context(), nil, is("__name__", "cpu/load 5m"))
	if diff := cmp.Diff([]string{"__name__", "größe"}, names); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// TestPercentileStat: __stat__ picks percentiles of distributions.
func TestPercentileStat(t *testing.T) {
	db := memory.New()
	var s sketch.Sketch
	sum := tsdb.Summary{}
	for v := 1; v <= 1000; v++ {
		one := tsdb.Single(float64(v))
		sum.Merge(&one)
		s.Add(float64(v), 1)
	}
	var b tsdb.Batch
	b.AddDistribution(tsdb.AppendKey(nil, "lat", nil), 100, sum, s.AppendBinary(nil))
	b.AddKey(tsdb.AppendKey(nil, "summary", nil), 100, sum)
	if err := db.Write(t.Context(), org, &b); err != nil {
		t.Fatal(err)
	}
	e := New(Options{Storage: db})
	for expr, want := range map[string]string{
		`round(lat{__stat__="p95"}, 50)`: `{} 950`, `round(lat{__stat__="P999"} - lat{__stat__="p50"}, 50)`: `{} 500`, `summary{__stat__="p50"}`: ``,
	} {
		q, err := e.Instant(t.Context(), org, expr, time.Unix(100, 0), QueryOptions{})
		if err != nil {
			t.Fatal(err)
		}
		check(t, expr, text(q.Exec(t.Context())), want)
	}
	if _, err := e.Instant(t.Context(), org, `lat{__stat__="p50",__stat__="p95"}`, time.Unix(100, 0), QueryOptions{}); err == nil {
		t.Error("two percentiles of one selector were taken")
	}
}

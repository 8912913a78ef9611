package promql

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/prometheus/model/labels"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/sketch"
	"github.com/tidemark-metrics/tidemark/internal/spelling"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
)

// recorded is storage as the recorder fills it, and what it keeps of how names
// and tags are spelled.
type recorded struct {
	tsdb.Engine
	book  *spelling.Book
	names map[string]string
}

func newRecorded() *recorded {
	return &recorded{memory.New(), spelling.New(&spelling.Memory{}, nil), make(map[string]string)}
}

// record records a value of a series as it was sent.
func (r *recorded) record(labels map[string]string) error {
	tags, list := make(map[string]string), []*tidemark.Spelling{}
	note := func(tag, text string) string {
		if tidemark.HasUpper(text) {
			list = append(list, &tidemark.Spelling{Tag: tag, Text: text})
		}
		return lower(text)
	}
	for name, value := range labels {
		if name != "__name__" {
			key := note("", protocol.LabelName(name))
			tags[key] = note(key, protocol.LabelValue(value))
		}
	}
	none := func(texts []spelling.Text) ([]bool, error) { return make([]bool, len(texts)), nil }
	if err := r.book.Note(context.Background(), org, list, none); err != nil {
		return err
	}
	name := protocol.MetricName(labels["__name__"])
	r.names[lower(name)] = name
	var b tsdb.Batch
	b.Add(lower(name), tidemark.MakeTags(tags), 100, 1)
	return r.Write(context.Background(), org, &b)
}

func (r *recorded) engine() *Engine {
	return New(Options{Storage: r, Spellings: r.book, Names: func(context.Context, tidemark.OrgID, []string) (map[string]string, error) {
		return r.names, nil
	}})
}

// TestWording: what came through another protocol is found under the names
// and values that were sent, in their case, and shown with them.
func TestWording(t *testing.T) {
	db := newRecorded()
	long := strings.Repeat("/Very-long{}", 40)
	for _, s := range []struct{ name, tag, value string }{
		{"lat_bucket", "le", "+Inf"}, {"lat_bucket", "le", "0.5"}, {"CPU/load 5m", "Größe", "a*B"}, {"long", "route", long}, {"plain", "a_x2f_", "v_x2f_w"},
	} {
		if err := db.record(map[string]string{"__name__": s.name, s.tag: s.value}); err != nil {
			t.Fatal(err)
		}
	}
	e := db.engine()
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
	inf := `{__name__="lat_bucket", le="+Inf"}`
	load := `{"Größe"="a*B", __name__="CPU/load 5m"}`
	for name, c := range map[string]struct {
		ms   []*labels.Matcher
		want []string
	}{
		"a value":                     {[]*labels.Matcher{is("le", "+Inf")}, []string{inf}},
		"a pattern":                   {[]*labels.Matcher{like("__name__", "lat_.*"), like("le", `\+I.*`)}, []string{inf}},
		"a list":                      {[]*labels.Matcher{like("le", `\+Inf|2`)}, []string{inf}},
		"not a value":                 {[]*labels.Matcher{is("__name__", "lat_bucket"), labels.MustNewMatcher(labels.MatchNotEqual, "le", "+Inf")}, []string{`{__name__="lat_bucket", le="0.5"}`}},
		"a name":                      {[]*labels.Matcher{is("__name__", "CPU/load 5m")}, []string{load}},
		"a name's beginning":          {[]*labels.Matcher{like("__name__", "CPU/.+")}, []string{load}},
		"a label, and its *":          {[]*labels.Matcher{is("Größe", "a*B")}, []string{load}},
		"not what is over its *":      {[]*labels.Matcher{is("Größe", "axB")}, nil},
		"a value in another case":     {[]*labels.Matcher{is("le", "+inf")}, nil},
		"a pattern in another case":   {[]*labels.Matcher{like("le", `\+i.*`)}, nil},
		"a list in another case":      {[]*labels.Matcher{like("le", `\+inf|2`)}, nil},
		"a pattern blind to case":     {[]*labels.Matcher{like("le", `(?i:\+inf)`)}, []string{inf}},
		"a name in another case":      {[]*labels.Matcher{is("__name__", "cpu/load 5m")}, nil},
		"a label in another case":     {[]*labels.Matcher{is("größe", "a*B")}, nil},
		"not one in another case":     {[]*labels.Matcher{like("le", ".*Inf"), labels.MustNewMatcher(labels.MatchNotEqual, "le", "+inf")}, []string{inf}},
		"none of those in other case": {[]*labels.Matcher{like("le", ".*Inf"), labels.MustNewMatcher(labels.MatchNotRegexp, "le", `\+inf|b`)}, []string{inf}},
		"without one in another case": {[]*labels.Matcher{like("__name__", "CPU.*"), is("größe", "")}, []string{load}},
		"what looks escaped":          {[]*labels.Matcher{is("a_x2f_", "v_x2f_w")}, []string{`{__name__="plain", a_x2f_="v_x2f_w"}`}},
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
	if diff := cmp.Diff([]string{"+Inf", "0.5"}, values); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if values, _, err = q.LabelValues(t.Context(), "Le", nil); len(values) != 0 || err != nil {
		t.Errorf("values of a label in another case: %q, %v", values, err)
	}
	names, _, err := q.LabelNames(t.Context(), nil, is("__name__", "CPU/load 5m"))
	if diff := cmp.Diff([]string{"Größe", "__name__"}, names); diff != "" || err != nil {
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

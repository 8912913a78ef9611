package query_test

import (
	"bufio"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/query"
)

// scriptArgs returns the arguments of a command in all scripts.
func scriptArgs(tb testing.TB, verbs ...string) []string {
	tb.Helper()
	files, _ := filepath.Glob("testdata/*.test")
	var args []string
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			tb.Fatal(err)
		}
		defer f.Close()
		for sc := bufio.NewScanner(f); sc.Scan(); {
			for _, verb := range verbs {
				if arg, ok := strings.CutPrefix(sc.Text(), verb+" "); ok {
					args = append(args, arg)
				}
			}
		}
	}
	return args
}

// FuzzEval checks that evaluation never panics, never goes over its limits,
// yields well-formed series, and gives the same for the canonical form.
func FuzzEval(f *testing.F) {
	for _, text := range scriptArgs(f, "eval", "fail") {
		f.Add(text, int64(0), int64(300), int64(60))
	}
	f.Add(`zero_fill(s("a", "*"))`, int64(-5), int64(1)<<62, int64(1))
	limits := query.Limits{Points: 2000, Held: 1000, Series: 100, Branches: 200}
	s := newScript()
	load := []string{
		"a host=1 dc=x 1 2 _ 4 5", "a host=2 dc=x 1 _ _ 40 -1", "a host=3 dc=y 7 0 0 0 1e300", "cpu host=a 3 3 3", "a.b source=web1 1 2 3",
	}
	q := query.New(query.Options{Engine: s.engine, Catalog: s.catalog, Limits: limits})
	period := int64(120)
	s.catalog["cpu"] = &tidemark.Metric{Name: "cpu", Type: tidemark.Gauge, Period: &period}
	s.catalog["c"] = &tidemark.Metric{Name: "c", Type: tidemark.Composite, Composite: `s("a")`}
	dynamic := []tidemark.TagFilter{{Name: "host", Values: []string{"1", "2"}}}
	f.Fuzz(func(t *testing.T, text string, start, end, step int64) {
		if load != nil { // once
			s.load(t, "", "", load)
			load = nil
		}
		e, err := query.Parse(text)
		if err != nil {
			if composeErrorOf(err) == nil || tidemark.KindOf(err) != tidemark.Invalid {
				t.Fatalf("%q: error %v has no place", text, err)
			}
			return
		}
		w := query.Window{Start: start, End: end, Step: step}
		r, err := q.Eval(t.Context(), 1, e, w, dynamic)
		again, err2 := q.Eval(t.Context(), 1, mustParse(t, e.String()), w, dynamic)
		if (err == nil) != (err2 == nil) {
			t.Fatalf("%q: %v, but %q: %v", text, err, e, err2)
		}
		if err != nil {
			if k := tidemark.KindOf(err); k != tidemark.Invalid && k != tidemark.TooLarge {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		if len(r.Series) != len(again.Series) || r.Points > limits.Points || len(r.Series) > limits.Series {
			t.Fatalf("%q: %d series of %d points, then %d series", text, len(r.Series), r.Points, len(again.Series))
		}
		for _, one := range r.Series {
			checkSeries(t, text, one)
		}
	})
}

// checkSeries checks what every series of every result must be.
func checkSeries(t *testing.T, text string, s *query.Series) {
	t.Helper()
	if len(s.Times) == 0 || len(s.Times) != len(s.Values) || s.Period < 1 {
		t.Fatalf("%q: %d times, %d values, period %d", text, len(s.Times), len(s.Values), s.Period)
	}
	for i := range s.Times {
		if i > 0 && s.Times[i] <= s.Times[i-1] || s.Values[i]-s.Values[i] != 0 {
			t.Fatalf("%q: times %v, values %v", text, s.Times, s.Values)
		}
	}
}

// FuzzTagsSearch checks that the parser never panics, points into the text,
// and makes filters that an engine takes.
func FuzzTagsSearch(f *testing.F) {
	for _, text := range scriptArgs(f, "search") {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		filter, err := query.ParseTagsSearch(text)
		if err != nil {
			e := composeErrorOf(err)
			if e == nil || e.Offset < 0 || e.Offset+e.Length > len(text) {
				t.Fatalf("%q: error %v is not in the text", text, err)
			}
			if te, ok := errors.AsType[*tidemark.Error](err); !ok || te.Fields["tags_search"] == nil {
				t.Fatalf("%q: error %v names no field", text, err)
			}
			return
		}
		if err := filter.Validate(); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		for _, tags := range streams {
			filter.Match(tags)
		}
	})
}

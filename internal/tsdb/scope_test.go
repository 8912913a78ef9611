package tsdb_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
)

// inScope is a context that may read edge.* of site ams and fra.
func inScope(t *testing.T) context.Context {
	return tsdb.WithScope(t.Context(), &tsdb.Scope{Token: "reader", TokenScope: tidemark.TokenScope{
		Metrics: []string{"Edge.*", "one"}, Tags: []tidemark.ScopeTag{{Name: "Site", Values: []string{"AMS", "fra"}}},
	}})
}

// scopedReader has streams within that scope and outside of it, by name and by
// tags; each has one record, of its number.
func scopedReader(t *testing.T) tsdb.Reader {
	t.Helper()
	e := memory.New()
	var b tsdb.Batch
	for i, s := range []struct {
		metric string
		tags   map[string]string
	}{
		{"edge.load", map[string]string{"site": "ams", "host": "a"}}, {"edge.load", map[string]string{"site": "fra", "host": "b"}},
		{"edge.load", map[string]string{"site": "lon", "host": "c"}}, {"edge.load", map[string]string{"host": "d"}},
		{"edge.far", map[string]string{"site": "lon"}}, {"sum", map[string]string{"site": "ams"}}, {"xedge.load", map[string]string{"site": "ams"}},
		{"one", map[string]string{"site": "ams"}},
	} {
		b.Add(s.metric, tidemark.MakeTags(s.tags), 60, float64(int(1)<<i))
	}
	if err := e.Write(t.Context(), 1, &b); err != nil {
		t.Fatal(err)
	}
	return tsdb.Scoped(e)
}

// TestScopedSelect: whatever is asked for, only streams within the scope are
// read; what is outside by its name is refused where it is asked for by it.
func TestScopedSelect(t *testing.T) {
	t.Parallel()
	r := scopedReader(t)
	for _, c := range []struct {
		metric string
		filter tsdb.Filter
		group  bool
		want   []string
	}{
		{metric: "edge.load", want: []string{"edge.load 1", "edge.load 2"}},
		{metric: "*", want: []string{"edge.load 1", "edge.load 2", "one 128"}},
		{metric: "*load", want: []string{"edge.load 1", "edge.load 2"}},
		{metric: "s*", want: nil},
		{metric: "sum", want: []string{"error: sum is outside the scope of token reader"}},
		{metric: "nowhere", want: []string{"error: nowhere is outside the scope of token reader"}},
		{metric: "edge.nowhere", want: nil},
		{metric: "*", group: true, want: []string{"edge.load 3", "one 128"}},
		{metric: "edge.*", filter: tsdb.TagIs("site", "*"), want: []string{"edge.load 1", "edge.load 2"}},
		{metric: "edge.*", filter: tsdb.TagIs("site", "lon"), want: nil},
		{metric: "edge.*", filter: tsdb.TagAbsent("site"), want: nil},
		{metric: "edge.*", filter: tsdb.AnyOf(tsdb.TagIs("site", "lon"), tsdb.TagIs("host", "b", "d")), want: []string{"edge.load 2"}},
		{metric: "edge.*", filter: tsdb.TagIsNot("site", "ams"), want: []string{"edge.load 2"}},
	} {
		var got []string
		q := tsdb.Query{Metric: c.metric, Filter: c.filter, End: 100, Step: 1, Group: c.group, GroupFunction: tsdb.GroupSum}
		for s, err := range r.Select(inScope(t), 1, &q) {
			if err != nil {
				got = append(got, "error: "+err.Error())
				continue
			}
			got = append(got, fmt.Sprint(s.Metric, " ", s.Values[0]))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s %+v (-want +got): %s", c.metric, c.filter, diff)
		}
	}
}

// TestScopedStreams: streams and what is counted of them are those within the
// scope; without one everything is there.
func TestScopedStreams(t *testing.T) {
	t.Parallel()
	r, ctx := scopedReader(t), inScope(t)
	streams := func(ctx context.Context, metric string) (found []string) {
		for s, err := range r.Streams(ctx, 1, metric, tsdb.Filter{}) {
			if err != nil {
				t.Fatal(err)
			}
			found = append(found, s.Metric+" "+s.Tags.String())
		}
		return found
	}
	if got := streams(ctx, "*"); len(got) != 3 || len(streams(ctx, "sum")) != 0 || len(streams(t.Context(), "*")) != 8 {
		t.Errorf("%q", got)
	}
	for _, c := range []struct {
		ctx         context.Context
		metric      string
		names, site []tsdb.TagCount
	}{
		{ctx, "edge.load", []tsdb.TagCount{{Name: "host", Streams: 2}, {Name: "site", Streams: 2}}, []tsdb.TagCount{{Name: "ams", Streams: 1}, {Name: "fra", Streams: 1}}},
		{ctx, "edge.far", nil, nil},
		{ctx, "sum", nil, nil},
		{t.Context(), "edge.far", []tsdb.TagCount{{Name: "site", Streams: 1}}, []tsdb.TagCount{{Name: "lon", Streams: 1}}},
	} {
		names, err := r.TagNames(c.ctx, 1, c.metric)
		values, err2 := r.TagValues(c.ctx, 1, c.metric, "site")
		if err != nil || err2 != nil || !slices.Equal(names, c.names) || !slices.Equal(values, c.site) {
			t.Errorf("%s: %v %v %v %v", c.metric, names, values, err, err2)
		}
	}
	if _, err := r.Stats(ctx); tidemark.KindOf(err) != tidemark.Forbidden {
		t.Errorf("the state of the engine: %v", err)
	}
	if st, err := r.Stats(t.Context()); err != nil || st.Streams != 8 {
		t.Errorf("%+v %v", st, err)
	}
	if tsdb.Scoped(nil) != nil {
		t.Error("no reader became one")
	}
}

// TestScopeChecksGlobs: a glob is within a scope if all that it can find is.
func TestScopeChecksGlobs(t *testing.T) {
	t.Parallel()
	s := &tsdb.Scope{Token: "reader", TokenScope: tidemark.TokenScope{Metrics: []string{"edge.*", "*.load", "a*c", "one"}}}
	for metric, within := range map[string]bool{
		"edge.load": true, "edge.*": true, "edge.*.x": true, "*.load": true, "x*.load": true, "a*b*c": true, "one": true, "a**c": true,
		"*": false, "edge*": false, "e*": false, "*load": false, "o*": false, "one*": false, "a*": false, "*c": false, "": false, "edge": false,
	} {
		if err := s.Check(metric); (err == nil) != within {
			t.Errorf("%q: %v", metric, err)
		}
	}
	if err := (*tsdb.Scope)(nil).Check("anything"); err != nil {
		t.Errorf("no scope: %v", err)
	}
}

package tsdbtest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

func filterQuestions() []question {
	return []question{
		{name: "filter/table", ask: filterTable},
		{name: "filter/globs of metrics", ask: filterMetrics},
		{name: "filter/streams that come later", ask: filterLater},
		{name: "filter/other organizations", ask: filterOrgs},
	}
}

// filterTable names streams by one letter, and checks Select and Streams.
func filterTable(t *testing.T, x *exam) {
	streams := map[string]string{
		"m": "-", "m host=web1": "a", "m dc=eu host=web2": "b", "m dc=eu host=db1": "c", "m dc=us host=db2": "d", "m dc=us": "e", "m host=web": "f", "m dc=eu-1 host=b/w.e": "g",
	}
	for s := range streams {
		x.write(t, v(s, 0, 1))
	}
	const order = "-cbgedfa" // of their tags
	not := func(f tsdb.Filter) tsdb.Filter { return tsdb.Filter{Op: tsdb.Not, Args: []tsdb.Filter{f}} }
	for _, tt := range []struct {
		f    tsdb.Filter
		want string // in any order
	}{
		{tsdb.Filter{}, "-ebcdgfa"},
		{tsdb.TagIs("host", "web1"), "a"},
		{tsdb.TagIs("host", "web1", "db1"), "ca"},
		{tsdb.TagIs("host", "web*"), "bfa"},
		{tsdb.TagIs("host", "*1"), "ca"},
		{tsdb.TagIs("host", "*b*"), "bcdgfa"},
		{tsdb.TagIs("host", "w*b*"), "bfa"},
		{tsdb.TagIs("host", "w*b"), "f"},
		{tsdb.TagIs("host", "*"), "bcdgfa"},
		{tsdb.TagIs("host", "**"), "bcdgfa"},
		{tsdb.TagIs("host", "web1*"), "a"},
		{tsdb.TagIs("host", ""), ""},
		{tsdb.TagIs("host"), ""},
		{tsdb.TagIs("host", "WEB1"), ""},
		{tsdb.TagIs("host", "b/w.e"), "g"},
		{tsdb.TagIs("host", "web?"), ""},
		{tsdb.TagIs("nothing", "*"), ""},
		{tsdb.TagIsNot("host", "web*"), "cdg"},
		{tsdb.TagIsNot("host", "web1", "*2"), "cgf"},
		{tsdb.TagIsNot("host", "*"), ""},
		{tsdb.TagIsNot("nothing", "x"), ""},
		{tsdb.TagPresent("dc"), "ebcdg"},
		{tsdb.TagPresent("nothing"), ""},
		{tsdb.TagAbsent("dc"), "-fa"},
		{tsdb.TagAbsent("nothing"), "-ebcdgfa"},
		{not(tsdb.TagIs("dc", "eu")), "-edgfa"},
		{not(not(tsdb.TagIs("dc", "eu"))), "bc"},
		{not(tsdb.Filter{}), ""},
		{tsdb.AllOf(), "-ebcdgfa"},
		{tsdb.AnyOf(), ""},
		{tsdb.AllOf(tsdb.TagIs("dc", "eu"), tsdb.TagIs("host", "web*")), "b"},
		{tsdb.AnyOf(tsdb.TagIs("dc", "us"), tsdb.TagIs("host", "web1")), "eda"},
		{tsdb.AllOf(tsdb.AnyOf(tsdb.TagIs("dc", "us"), tsdb.TagAbsent("dc")), tsdb.TagPresent("host")), "dfa"},
		{tsdb.AnyOf(tsdb.AllOf(tsdb.TagIs("dc", "eu"), tsdb.TagIs("host", "db*")), not(tsdb.TagPresent("host"))), "-ec"},
		{not(tsdb.AnyOf(tsdb.TagPresent("host"), tsdb.TagPresent("dc"))), "-"},
	} {
		var selected, listed strings.Builder
		for s, err := range x.Select(t.Context(), us, x.query(tsdb.Query{Metric: "m", Filter: tt.f, End: 60, Step: 60})) {
			if err != nil {
				t.Fatal(err)
			}
			selected.WriteString(streams[name(s.Metric, s.Tags)])
		}
		for s, err := range x.Streams(t.Context(), us, "m", tt.f) {
			if err != nil {
				t.Fatal(err)
			}
			listed.WriteString(streams[name(s.Metric, s.Tags)])
		}
		want := strings.Map(func(r rune) rune {
			if strings.ContainsRune(tt.want, r) {
				return r
			}
			return -1
		}, order)
		if selected.String() != want || listed.String() != want {
			t.Errorf("%+v: selects %q and lists %q, want %q", tt.f, selected.String(), listed.String(), want)
		}
	}
}

func filterMetrics(t *testing.T, x *exam) {
	names := []string{"a", "a.b", "a.b.c", "a.c", "ab", "b", "b.a", "c.b.a"}
	for _, n := range names {
		x.write(t, v(n, 0, 1))
	}
	for pattern, want := range map[string]string{
		"a":       "a",
		"*":       "a a.b a.b.c a.c ab b b.a c.b.a",
		"a*":      "a a.b a.b.c a.c ab",
		"a.*":     "a.b a.b.c a.c",
		"*.a":     "b.a c.b.a",
		"*b*":     "a.b a.b.c ab b b.a c.b.a",
		"a.*.c":   "a.b.c",
		"a*c":     "a.b.c a.c",
		"*.*.*":   "a.b.c c.b.a",
		"a.b*":    "a.b a.b.c",
		"x*":      "",
		"a?":      "",
		"a**":     "a a.b a.b.c a.c ab",
		"*a*b*c*": "a.b.c",
	} {
		var got []string
		for s, err := range x.Select(t.Context(), us, x.query(tsdb.Query{Metric: pattern, End: 60, Step: 1})) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, s.Metric)
		}
		if diff := cmp.Diff(want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", pattern, diff)
		}
	}
}

// filterLater asks the same question before and after a value appears, so
// that what an engine remembers of an answer cannot be stale.
func filterLater(t *testing.T, x *exam) {
	q := tsdb.Query{Metric: "cpu", Filter: tsdb.TagIs("host", "a*"), End: 60, Step: 60}
	x.check(t, q)
	x.write(t, v("cpu host=b", 0, 1))
	x.check(t, q)
	x.write(t, v("cpu host=a1", 0, 1))
	x.check(t, q, "cpu host=a1: 0=1")
	x.write(t, v("cpu host=a2 dc=eu", 0, 2), v("cpu dc=eu", 0, 3))
	x.check(t, q, "cpu dc=eu host=a2: 0=2", "cpu host=a1: 0=1")
}

// filterOrgs has two organizations with streams that the same filters pick:
// neither is shown what the other has.
func filterOrgs(t *testing.T, x *exam) {
	x.write(t, v("cpu host=a", 0, 1), v("mem host=a", 0, 1))
	if err := x.Write(t.Context(), them, x.batch(v("cpu host=a rack=1", 0, 2), v("cpu host=b", 0, 3))); err != nil {
		t.Fatal(err)
	}
	for _, f := range []tsdb.Filter{
		{}, tsdb.TagIs("host", "a", "b"), tsdb.TagIs("host", "*"), tsdb.TagPresent("host"), tsdb.AnyOf(tsdb.TagIs("host", "a"), tsdb.TagIs("host", "b")), tsdb.TagIsNot("host", "c"),
	} {
		if diff := cmp.Diff([]string{"cpu host=a@0"}, x.streams(t, us, "cpu", f)); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", f, diff)
		}
		if diff := cmp.Diff([]string{"cpu host=a rack=1@0", "cpu host=b@0"}, x.streams(t, them, "cpu", f)); diff != "" {
			t.Errorf("%+v of the other (-want +got):\n%s", f, diff)
		}
	}
}

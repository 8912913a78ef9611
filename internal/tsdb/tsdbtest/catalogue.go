package tsdbtest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

func catalogueQuestions() []question {
	return []question{
		{name: "catalogue/streams with the time last seen", ask: catalogueStreams},
		{name: "catalogue/last seen", ask: catalogueLastSeen},
		{name: "catalogue/tags", ask: catalogueTags},
		{name: "catalogue/stats", ask: catalogueStats},
		{name: "catalogue/tiers", ask: catalogueTiers},
	}
}

// name writes a stream as questions do.
func name(metric string, tags tidemark.Tags) string {
	for _, tag := range tags {
		metric += " " + tag.Name + "=" + tag.Value
	}
	return metric
}

func (x *exam) checkStreams(t *testing.T, metric string, f tsdb.Filter, want ...string) {
	t.Helper()
	if diff := cmp.Diff(append([]string{}, want...), x.streams(t, us, metric, f)); diff != "" {
		t.Errorf("Streams %q %+v (-want +got):\n%s", metric, f, diff)
	}
}

func catalogueStreams(t *testing.T, x *exam) {
	x.checkStreams(t, "*", tsdb.Filter{})
	x.write(t, v("cpu host=b", 10, 1), v("cpu host=a", 20, 1), v("mem host=a", 30, 1), v("cpu", 5, 1))
	x.checkStreams(t, "cpu", tsdb.Filter{}, "cpu@5", "cpu host=a@20", "cpu host=b@10")
	x.checkStreams(t, "*", tsdb.TagIs("host", "a"), "cpu host=a@20", "mem host=a@30")
	x.checkStreams(t, "*m", tsdb.Filter{}, "mem host=a@30")
	x.checkStreams(t, "disk", tsdb.Filter{})
}

func catalogueLastSeen(t *testing.T, x *exam) {
	x.write(t, v("cpu", 100, 1), v("cpu", 50, 1))
	x.checkStreams(t, "cpu", tsdb.Filter{}, "cpu@100")
	x.write(t, v("cpu", 10, 1)) // late
	x.checkStreams(t, "cpu", tsdb.Filter{}, "cpu@100")
	x.write(t, v("cpu", 2*day, 1))
	x.checkStreams(t, "cpu", tsdb.Filter{}, fmt.Sprintf("cpu@%d", 2*day))
	x.fold(t, "hits", 60)
	x.write(t, v("hits", 119, 1))
	x.checkStreams(t, "hits", tsdb.Filter{}, "hits@60")
}

func catalogueTags(t *testing.T, x *exam) {
	x.write(t, v("cpu host=a dc=eu", 0, 1), v("cpu host=b dc=eu", 0, 1), v("cpu host=b", 0, 1), v("cpu", 0, 1), v("mem host=z rack=9", 0, 1))
	x.write(t, v("cpu host=b", 60, 1))
	check := func(want string, got []tsdb.TagCount, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, c := range got {
			fmt.Fprintf(&b, "%s:%d ", c.Name, c.Streams)
		}
		if diff := cmp.Diff(want, strings.TrimSpace(b.String())); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	names := func(org tidemark.OrgID, metric, want string) {
		t.Helper()
		got, err := x.TagNames(t.Context(), org, metric)
		check(want, got, err)
	}
	values := func(org tidemark.OrgID, metric, tag, want string) {
		t.Helper()
		got, err := x.TagValues(t.Context(), org, metric, tag)
		check(want, got, err)
	}
	inUse := func(want string) {
		t.Helper()
		tags := []tidemark.Tag{{Name: "host"}, {Name: "host", Value: "b"}, {Name: "host", Value: "z"}, {Name: "rack", Value: "b"}, {Name: "ack"}, {Name: "b"}, {Name: "zone", Value: "x"}}
		for org, want := range map[tidemark.OrgID]string{us: want, them: strings.TrimSpace(strings.Repeat("false ", len(tags)))} {
			const times = 100 // more than some engine takes in one question
			got, err := x.TagsInUse(t.Context(), org, slices.Repeat(tags, times))
			if err != nil {
				t.Fatal(err)
			}
			if got, want := fmt.Sprint(got), "["+strings.TrimSpace(strings.Repeat(want+" ", times))+"]"; got != want {
				t.Errorf("in use by %d: %s", org, got)
			}
		}
	}
	inUse("true true true false false false false")
	names(us, "cpu", "dc:2 host:3")
	names(us, "mem", "host:1 rack:1")
	names(us, "disk", "")
	names(them, "cpu", "")
	values(us, "cpu", "host", "a:1 b:2")
	values(us, "cpu", "dc", "eu:2")
	values(us, "cpu", "rack", "")
	values(us, "disk", "host", "")
	values(them, "cpu", "host", "")
	x.forget(t, "cpu")
	names(us, "cpu", "")
	values(us, "cpu", "host", "")
	x.write(t, v("cpu zone=x", 0, 1))
	inUse("true false true false false false true")
	names(us, "cpu", "zone:1")
	values(us, "cpu", "host", "")
}

func (x *exam) stats(t *testing.T) tsdb.Stats {
	t.Helper()
	s, err := x.Stats(t.Context())
	if err != nil {
		t.Fatalf("Stats: %v", err)
	}
	return s
}

func catalogueStats(t *testing.T, x *exam) {
	if s := x.stats(t); s.Streams != 0 || s.Samples != 0 || s.Lost != 0 || s.Refusing != "" {
		t.Errorf("empty engine: %+v", s)
	}
	x.write(t, v("cpu host=a", 0, 1), v("cpu host=b", 0, 1), v("mem", 0, 1))
	x.write(t, v("cpu host=a", 0, 2))
	if err := x.Write(t.Context(), them, x.batch(v("cpu host=a", 0, 1))); err != nil {
		t.Fatal(err)
	}
	check := func(streams, samples, ours, ourSamples int64) {
		t.Helper()
		s := x.stats(t)
		if s.Streams != streams || s.Samples != samples || s.Orgs[us].Streams != ours || s.Orgs[us].Samples != ourSamples {
			t.Errorf("got %+v, want %d streams and %d samples, of them %d and %d ours", s, streams, samples, ours, ourSamples)
		}
		if s.Orgs[them].Streams != 1 || s.Orgs[them].Samples != 1 {
			t.Errorf("got %+v, want 1 stream and 1 sample of theirs", s)
		}
	}
	check(4, 5, 3, 4)
	x.forget(t, "cpu")
	check(2, 5, 1, 4)
	x.write(t, v("cpu host=a", 0, 2))
	check(3, 6, 2, 5)
}

func catalogueTiers(t *testing.T, x *exam) {
	tiers := x.Tiers()
	if len(tiers) == 0 || tiers[0].Window != 1 {
		t.Fatalf("got %+v, want records as written first", tiers)
	}
	for i, tier := range tiers {
		if tier.Retention <= 0 || i > 0 && (tier.Window <= tiers[i-1].Window || tier.Retention < tiers[i-1].Retention) {
			t.Errorf("got %+v, want windows and retentions that grow", tiers)
		}
	}
}

package ingest

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// dropping is a bench whose organization drops tags: "http.* session".
func dropping(limits map[tidemark.LimitName]int64, rules ...string) *bench {
	b := newBench(limits)
	for _, rule := range rules {
		metric, tag, _ := strings.Cut(rule, " ")
		b.metrics.drops = append(b.metrics.drops, &tidemark.TagDrop{Metric: metric, Tag: tag})
	}
	return b
}

// summaries are what there is: "http.hits{path=/} 60: 3 of 6, 1 to 3".
func (b *bench) summaries(t *testing.T) (list []string) {
	t.Helper()
	read := func(f tsdb.Function) (out []float64) {
		q := tsdb.Query{Metric: "*", Start: testNow - 500, End: testNow + 500, Step: 1, Function: f}
		for s, err := range b.engine.Select(t.Context(), us, &q) {
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, s.Values...)
			if f == tsdb.Count {
				for range s.Values {
					list = append(list, s.Metric+"{"+s.Tags.String()+"}")
				}
			}
		}
		return out
	}
	counts, sums, lows, highs := read(tsdb.Count), read(tsdb.Sum), read(tsdb.Min), read(tsdb.Max)
	for i := range list {
		list[i] += fmt.Sprintf(" %v of %v, %v to %v", counts[i], sums[i], lows[i], highs[i])
	}
	return list
}

// TestDroppedTags: a tag that is dropped is in no stream, on every way in; what
// one request has of a stream and second then becomes one record, and metrics
// that no rule is about are as they were.
func TestDroppedTags(t *testing.T) {
	t.Parallel()
	record := func(body string) func(*bench) error {
		return func(b *bench) error {
			_, _, err := b.Record(t.Context(), us, []byte(body), "agent")
			return err
		}
	}
	hits := func(tags ...string) string {
		var list []string
		for i, one := range tags {
			list = append(list, fmt.Sprintf(`{"name":"Http.hits","value":%d,"tags":{%s}}`, i+1, one))
		}
		return `{"measurements":[` + strings.Join(list, ",") + `]}`
	}
	for name, tt := range map[string]struct {
		do   func(*bench) error
		want []string
	}{
		"streams that become one": {
			record(hits(`"session":"a","path":"/"`, `"Session":"b","path":"/"`, `"path":"/"`)), []string{"http.hits{path=/} 3 of 6, 1 to 3"},
		},
		"no tag is left": {record(hits(`"session":"a"`, `"session":"b"`)), []string{"http.hits{} 2 of 3, 1 to 2"}},
		"tags of the request": {
			record(`{"tags":{"session":"a","zone":"z"},"measurements":[{"name":"http.hits","value":1},{"name":"queue","value":2}]}`),
			[]string{"http.hits{zone=z} 1 of 1, 1 to 1", "queue{session=a,zone=z} 1 of 2, 2 to 2"},
		},
		"other seconds": {
			record(fmt.Sprintf(`{"measurements":[{"name":"http.hits","value":1,"time":%d,"tags":{"session":"a"}},{"name":"http.hits","value":2,"time":%d,"tags":{"session":"b"}}]}`, testNow-1, testNow)),
			[]string{"http.hits{} 1 of 1, 1 to 1", "http.hits{} 1 of 2, 2 to 2"},
		},
		"without a rule the last remains": {
			record(`{"measurements":[{"name":"queue","value":1,"tags":{"session":"a"}},{"name":"queue","value":2,"tags":{"session":"a"}}]}`),
			[]string{"queue{session=a} 1 of 2, 2 to 2"},
		},
		"the old route": {func(b *bench) error {
			return b.RecordLegacy(t.Context(), us, map[string]any{"gauges": []any{
				map[string]any{"name": "web.load", "value": 1.0, "source": "a"}, map[string]any{"name": "web.load", "value": 2.0, "source": "b"},
			}}, "agent")
		}, []string{"web.load{} 2 of 3, 1 to 2"}},
		"other protocols": {func(b *bench) error {
			batch := protocol.Batch{Points: []protocol.Point{
				{Name: "http.hits", Labels: tidemark.Tags{{Name: "path", Value: "/"}, {Name: "session", Value: "a"}}, Value: 1},
				{Name: "http.hits", Labels: tidemark.Tags{{Name: "path", Value: "/"}, {Name: "session", Value: "b"}}, Value: 2},
			}}
			_, _, err := b.RecordPoints(t.Context(), us, &batch, Origin{})
			return err
		}, []string{"http.hits{path=/} 2 of 3, 1 to 2"}},
	} {
		b := dropping(nil, "http.* session", "web.load source")
		if err := tt.do(b); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(tt.want, b.summaries(t)); diff != "" {
			t.Errorf("%s (-want +got): %s", name, diff)
		}
	}
}

// TestDroppedTagsOfDistributions: distributions that become one have the values
// of all.
func TestDroppedTagsOfDistributions(t *testing.T) {
	t.Parallel()
	b := dropping(nil, "http.* session")
	body := `{"measurements":[` +
		`{"name":"http.time","distribution":[1,2,3],"tags":{"session":"a"}},{"name":"http.time","value":4,"tags":{"session":"b"}},{"name":"http.time","distribution":[5],"tags":{"session":"c"}}]}`
	if _, problems, err := b.Record(t.Context(), us, []byte(body), ""); err != nil || len(problems) > 0 {
		t.Fatal(problems, err)
	}
	if diff := cmp.Diff([]string{"http.time{} 5 of 15, 1 to 5"}, b.summaries(t)); diff != "" {
		t.Error(diff)
	}
	if got := b.percentile(t, "http.time", 0.5); len(got) != 1 || got[0] < 2.9 || got[0] > 3.1 {
		t.Errorf("the median is %v", got)
	}
}

// TestDroppedTagsAndLimits: streams that become one take the room of one, and
// what there is no room for is refused with all that became of it.
func TestDroppedTagsAndLimits(t *testing.T) {
	t.Parallel()
	b := dropping(map[tidemark.LimitName]int64{tidemark.LimitStreams: 2}, "http.* session")
	send := func(names ...string) (Summary, error) {
		var list []string
		for i, name := range names {
			list = append(list, fmt.Sprintf(`{"name":"http.hits","value":1,"tags":{"session":"s%d","path":%q}}`, i, name))
		}
		s, _, err := b.Record(t.Context(), us, []byte(`{"measurements":[`+strings.Join(list, ",")+`]}`), "")
		return s, err
	}
	if s, err := send("/", "/", "/a", "/a", "/a"); err != nil || s.Accepted != 5 {
		t.Fatalf("%+v %v", s, err)
	}
	if s, err := send("/", "/b", "/b", "/a", "/c"); err != nil || s.Accepted != 2 || s.Failed != 3 {
		t.Errorf("%+v %v", s, err)
	}
	if got := len(b.streamsOf(t)); got != 2 {
		t.Errorf("%d streams", got)
	}
}

// TestDropsAreLearned: a new rule counts once the recorder is told, and none is
// taken for known where the control store did not answer. The scope of a token
// is about what is sent.
func TestDropsAreLearned(t *testing.T) {
	t.Parallel()
	b := newBench(nil)
	send := func() {
		t.Helper()
		from := From(tidemark.Identity{Name: "edge", Scope: &tidemark.TokenScope{Tags: []tidemark.ScopeTag{{Name: "session", Values: []string{"a"}}}}}, "")
		if _, _, err := b.RecordFrom(t.Context(), us, []byte(`{"measurements":[{"name":"a","value":1,"tags":{"session":"a"}}]}`), from); err != nil {
			t.Fatal(err)
		}
	}
	send()
	b.metrics.drops = []*tidemark.TagDrop{{Metric: "*", Tag: "session"}}
	b.TagDropsChanged(us)
	send()
	if diff := cmp.Diff([]string{"a{}", "a{session=a}"}, b.streamsOf(t)); diff != "" {
		t.Error(diff)
	}
	b.metrics.drops = nil
	b.Invalidate()
	b.metrics.dropsErr = errors.New("away")
	if _, _, err := b.Record(t.Context(), us, []byte(`{"measurements":[{"name":"a","value":1,"tags":{"session":"b"}}]}`), ""); err == nil {
		t.Error("recorded without knowing what is dropped")
	}
	b.metrics.dropsErr = nil
	send()
	if got := len(b.streamsOf(t)); got != 2 {
		t.Errorf("%d streams", got)
	}
}

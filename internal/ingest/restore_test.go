package ingest

import (
	"errors"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/sketch"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// restored is a series of single values, one a second from testNow-100 on.
func restored(metric string, tags tidemark.Tags, values ...float64) *tsdb.Series {
	s := &tsdb.Series{Metric: metric, Tags: tags}
	for i, v := range values {
		s.Times, s.Summaries = append(s.Times, testNow-100+int64(i)), append(s.Summaries, tsdb.Single(v))
	}
	return s
}

// TestRestore: what is restored is as it was, summaries and sketches too, names
// in lower case; metrics are made, pages that watch are told, alerts are not,
// and the rate is not limited.
func TestRestore(t *testing.T) {
	t.Parallel()
	b := newBench(map[tidemark.LimitName]int64{tidemark.LimitRate: 1})
	var k sketch.Sketch
	k.Add(1, 2)
	k.Add(4, 1)
	dist := &tsdb.Series{Metric: "Shop.MS", Tags: labels("Host", "Web-1"), Times: []int64{testNow - 50}, Sketches: []*sketch.Sketch{&k},
		Summaries: []tsdb.Summary{{Count: 3, Sum: 6, Min: 1, Max: 4, Last: 4, M2: 6}}}
	many := restored("cpu", nil, make([]float64, 500)...)
	many.Times, many.Summaries = many.Times[:100], many.Summaries[:100]
	res, err := b.Restore(t.Context(), us, []*tsdb.Series{dist, many, restored("cpu", nil, 7)})
	if err != nil {
		t.Fatal(err)
	}
	diff(t, "counts", res, Restored{Recorded: 102, Problems: []string{}})
	lines := b.contents(t)
	diff(t, "the last of those of one second", lines[0], "cpu{} -100 {Count:1 Sum:7 Min:7 Max:7 Last:7 M2:0}")
	diff(t, "the distribution", lines[len(lines)-1], "shop.ms{host=web-1} -50 {Count:3 Sum:6 Min:1 Max:4 Last:4 M2:6}")
	if p := b.percentile(t, "shop.ms", 1); len(p) != 1 || p[0] != 4 {
		t.Errorf("its largest value is %v", p)
	}
	diff(t, "touched", b.touched, []string{"cpu", "shop.ms"})
	if b.records != 0 {
		t.Errorf("alerts heard of %d records", b.records)
	}
	if m := b.metrics.stored["shop.ms"]; m == nil || m.Type != tidemark.Gauge {
		t.Errorf("made %+v", m)
	}
}

// TestRestoreRefuses: what cannot be recorded costs only itself, is counted by
// points, and each reason is said once.
func TestRestoreRefuses(t *testing.T) {
	t.Parallel()
	var k sketch.Sketch
	k.Add(1, 5)
	tags := make(tidemark.Tags, tidemark.MaxTags+1)
	for i := range tags {
		tags[i] = tidemark.Tag{Name: "t" + strings.Repeat("x", i), Value: "v"}
	}
	with := func(change func(s *tsdb.Series)) *tsdb.Series {
		s := restored("cpu", nil, 1)
		change(s)
		return s
	}
	for want, s := range map[string]*tsdb.Series{
		`"a b" is no name of a metric`:          restored("a b", nil, 1),
		`"" is no name of a metric`:             restored("", nil, 1),
		"cpu has more than 50 tags":             restored("cpu", tags, 1),
		"ho st=a of cpu cannot be a tag":        restored("cpu", tidemark.Tags{{Name: "ho st", Value: "a"}}, 1),
		"host=größe of cpu cannot be a tag":     restored("cpu", tidemark.Tags{{Name: "host", Value: "größe"}}, 1),
		"cpu: older than anything that is kept": with(func(s *tsdb.Series) { s.Times[0] = testNow - 1001 }),
		"cpu: in the future":                    with(func(s *tsdb.Series) { s.Times[0] = testNow + tidemark.MaxTimeAhead + 1 }),
		"sum: is a composite":                   restored("SUM", nil, 1),
	} {
		b := newBench(nil)
		b.metrics.stored["sum"] = &tidemark.Metric{Name: "sum", Type: tidemark.Composite}
		res, err := b.Restore(t.Context(), us, []*tsdb.Series{s, s, restored("kept", nil, 1, 2)})
		if err != nil {
			t.Fatal(err)
		}
		diff(t, want, res, Restored{Recorded: 2, Refused: 2, Problems: []string{want}})
	}
	const senseless = "cpu: a summary or its sketch is invalid"
	for name, change := range map[string]func(s *tsdb.Series){
		"count":        func(s *tsdb.Series) { s.Summaries[0].Count = 0.5 },
		"min and max":  func(s *tsdb.Series) { s.Summaries[0].Min = 2 },
		"deviation":    func(s *tsdb.Series) { s.Summaries[0].M2 = -1 },
		"other sketch": func(s *tsdb.Series) { s.Sketches = []*sketch.Sketch{&k} },
	} {
		b := newBench(nil)
		res, err := b.Restore(t.Context(), us, []*tsdb.Series{with(change)})
		if err != nil {
			t.Fatal(err)
		}
		diff(t, name, res, Restored{Refused: 1, Problems: []string{senseless}})
		if len(b.metrics.stored) > 0 {
			t.Errorf("%s: what is refused makes the metric %v", name, b.metrics.stored)
		}
	}
	edges := with(func(s *tsdb.Series) {
		s.Times, s.Summaries = []int64{testNow - 1000, testNow + tidemark.MaxTimeAhead}, []tsdb.Summary{tsdb.Single(1), tsdb.Single(2)}
	})
	if res, err := newBench(nil).Restore(t.Context(), us, []*tsdb.Series{edges}); err != nil || res.Recorded != 2 {
		t.Errorf("the edges of time: %+v, %v", res, err)
	}
}

// TestRestoreRoom: the limits on streams hold for what is restored, and what
// does not fit makes no metric.
func TestRestoreRoom(t *testing.T) {
	t.Parallel()
	b := newBench(map[tidemark.LimitName]int64{tidemark.LimitStreams: 2, tidemark.LimitStreamBytes: 20})
	res, err := b.Restore(t.Context(), us, []*tsdb.Series{
		restored("a", nil, 1, 2), restored("b", nil, 1), restored("c", nil, 1, 2, 3), restored("d", labels("host", strings.Repeat("x", 20)), 1),
	})
	if err != nil {
		t.Fatal(err)
	}
	if res.Recorded != 3 || res.Refused != 4 || len(res.Problems) != 2 || !strings.Contains(strings.Join(res.Problems, "\n"), "the limit streams is reached: 2 ") {
		t.Errorf("got %+v", res)
	}
	if b.metrics.stored["c"] != nil || b.metrics.stored["a"] == nil {
		t.Errorf("metrics %v", b.metrics.stored)
	}
}

// TestRestoreFolds: in a metric that folds, what is there and what is restored
// add up.
func TestRestoreFolds(t *testing.T) {
	t.Parallel()
	b := newBench(nil)
	period := int64(60)
	b.metrics.stored["hits"] = &tidemark.Metric{Name: "hits", Type: tidemark.Gauge, Period: &period, Attributes: map[string]any{"aggregate": true}}
	for range 2 {
		if _, err := b.Restore(t.Context(), us, []*tsdb.Series{restored("hits", nil, 3)}); err != nil {
			t.Fatal(err)
		}
	}
	diff(t, "records", b.contents(t), []string{"hits{} -120 {Count:2 Sum:6 Min:3 Max:3 Last:3 M2:0}"})
}

// TestRestoreFails: where nothing can be recorded nothing is, and the error
// says what failed.
func TestRestoreFails(t *testing.T) {
	t.Parallel()
	b := newBench(nil)
	b.metrics.err = errors.New("away")
	series := []*tsdb.Series{restored("a", nil, 1)}
	if res, err := b.Restore(t.Context(), us, series); err == nil || err.Error() != "create metrics: away" || res.Recorded != 0 {
		t.Errorf("%+v, %v", res, err)
	}
	b.metrics.err = nil
	b.Refusing = func() error { return tidemark.Errorf(tidemark.Unavailable, "a backup is restored") }
	if _, err := b.Restore(t.Context(), us, series); err == nil || err.Error() != "a backup is restored" {
		t.Errorf("got %v", err)
	}
	b.Refusing = nil
	if err := b.engine.Close(); err != nil {
		t.Fatal(err)
	}
	if res, err := b.Restore(t.Context(), us, series); tidemark.KindOf(err) != tidemark.Unavailable || !strings.HasPrefix(err.Error(), "write measurements: ") || res.Recorded != 0 {
		t.Errorf("%+v, %v", res, err)
	}
	if res, err := b.Restore(t.Context(), us, nil); err != nil || res.Recorded != 0 {
		t.Errorf("nothing at all: %+v, %v", res, err)
	}
}

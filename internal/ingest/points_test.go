package ingest

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/sketch"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

func labels(pairs ...string) (tags tidemark.Tags) {
	for i := 0; i < len(pairs); i += 2 {
		tags = append(tags, tidemark.Tag{Name: pairs[i], Value: pairs[i+1]})
	}
	return tags
}

const testMillis = int64(testNow) * 1000

func (b *bench) points(t *testing.T, points ...protocol.Point) (Summary, []Problem, error) {
	t.Helper()
	batch := protocol.NewBatch(protocol.DefaultLimits)
	batch.Points = points
	return b.RecordPoints(t.Context(), us, batch, Origin{UserAgent: "agent/1.0", Period: 10})
}

func TestRecordPoints(t *testing.T) {
	b := newBench(nil)
	batch := protocol.NewBatch(protocol.DefaultLimits)
	batch.Metadata = []protocol.Metadata{{Name: "Http_Total", Help: "Requests.", Unit: "req"}, {Name: "lat", Help: "Latency."}}
	web := labels("Host", "Web-07", "le", "_x2b_Inf")
	batch.Points = []protocol.Point{
		{Name: "Http_Total", Labels: web, Time: testMillis - 1500, Kind: protocol.Counter, Value: 100},
		{Name: "lat_bucket", Labels: web, Time: testMillis - 1500, Kind: protocol.Counter, Value: 7},
		{Name: "added", Kind: protocol.Delta, Value: 3},
		{Name: "temperature", Labels: labels("A", "1", "B", "2", "a", "3"), Time: testMillis, Value: -1e-200},
		{Name: "old", Time: 1000, Value: 1},
		{Name: "soon", Time: testMillis + 7_200_000, Value: 1},
		{Name: "huge", Value: 1e200},
		{Name: "", Value: 1},
	}
	s, problems, err := b.RecordPoints(t.Context(), us, batch, Origin{UserAgent: "agent/1.0", Period: 10})
	if err != nil {
		t.Fatal(err)
	}
	diff(t, "summary", s, Summary{Total: 8, Accepted: 4, Failed: 4})
	var why []string
	for _, p := range problems {
		why = append(why, fmt.Sprint(p.Index, p.Name, " ", p.Param, " ", p.Reason))
	}
	diff(t, "problems", why, []string{
		"4old time is too far in the past", "5soon time is too far in the future", "6huge value has an exponent over 126",
		"7 name " + flaws[badName].reason,
	})
	diff(t, "records", b.contents(t), []string{
		"added{} 0 {Count:1 Sum:3 Min:3 Max:3 Last:3 M2:0}",
		"http_total{host=web-07,le=_x2b_inf} -2 {Count:1 Sum:100 Min:100 Max:100 Last:100 M2:0}",
		"lat_bucket{host=web-07,le=_x2b_inf} -2 {Count:1 Sum:7 Min:7 Max:7 Last:7 M2:0}",
		"temperature{a=3,b=2} 0 {Count:1 Sum:0 Min:0 Max:0 Last:0 M2:0}",
	})
	diff(t, "touched", b.touched, []string{"added", "http_total", "lat_bucket", "temperature"})
	if b.records != 4 {
		t.Errorf("OnRecords heard of %d records", b.records)
	}
	ten, requests, latency := int64(10), "Requests.", "Latency."
	diff(t, "metrics", b.metrics.stored, map[string]*tidemark.Metric{
		"http_total": {Name: "Http_Total", Type: "counter", Period: &ten, Description: &requests,
			Attributes: map[string]any{"summarize_function": "last", "created_by_ua": "agent/1.0", "display_units_short": "req"}},
		"lat_bucket": {Name: "lat_bucket", Type: "counter", Period: &ten, Description: &latency,
			Attributes: map[string]any{"summarize_function": "last", "created_by_ua": "agent/1.0"}},
		"added":       {Name: "added", Type: "gauge", Period: &ten, Attributes: map[string]any{"summarize_function": "sum", "created_by_ua": "agent/1.0"}},
		"temperature": {Name: "temperature", Type: "gauge", Period: &ten, Attributes: map[string]any{"created_by_ua": "agent/1.0"}},
	})
}

// TestPointsAreLimited: the limits of an organization are those of all
// protocols alike, and what is refused makes no metric.
func TestPointsAreLimited(t *testing.T) {
	b := newBench(map[tidemark.LimitName]int64{tidemark.LimitStreams: 1})
	if _, _, err := b.points(t, protocol.Point{Name: "a", Value: 1}); err != nil {
		t.Fatal(err)
	}
	s, _, err := b.points(t, protocol.Point{Name: "a", Value: 2}, protocol.Point{Name: "b", Value: 1})
	if err != nil || s.Accepted != 1 || s.Failed != 1 {
		t.Errorf("%+v, %v", s, err)
	}
	_, _, err = b.points(t, protocol.Point{Name: "b", Value: 1})
	if limit, ok := errors.AsType[*Rejected](err); !ok || tidemark.KindOf(limit) != tidemark.TooMany {
		t.Errorf("%v", err)
	}
	if len(b.metrics.stored) != 1 {
		t.Errorf("%d metrics", len(b.metrics.stored))
	}
	b = newBench(map[tidemark.LimitName]int64{tidemark.LimitRate: 1})
	many := make([]protocol.Point, tidemark.MaxBatch)
	for i := range many {
		many[i] = protocol.Point{Name: "a", Value: 1}
	}
	if _, _, err := b.points(t, many...); err != nil {
		t.Error(err)
	}
	if _, _, err := b.points(t, many...); tidemark.KindOf(err) != tidemark.TooMany {
		t.Errorf("%v", err)
	}
}

func sketchOf(values ...float64) *protocol.Dist {
	var s sketch.Sketch
	d := &protocol.Dist{Min: math.Inf(1), Max: math.Inf(-1)}
	for _, v := range values {
		s.Add(v, 1)
		d.Count, d.Sum, d.Min, d.Max = d.Count+1, d.Sum+v, min(d.Min, v), max(d.Max, v)
	}
	d.Sketch = s.AppendBinary(nil)
	return d
}

// percentile asks the engine for one.
func (b *bench) percentile(t *testing.T, metric string, q float64) (out []float64) {
	t.Helper()
	ask := &tsdb.Query{Metric: metric, Start: 0, End: testNow + 4000, Step: 5000, Function: tsdb.Percentile, Quantile: q, Group: true, GroupFunction: tsdb.GroupMerge}
	for s, err := range b.engine.Select(t.Context(), us, ask) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, s.Values...)
	}
	return out
}

func TestDistributions(t *testing.T) {
	b := newBench(nil)
	broken := sketchOf(1, 2)
	broken.Sketch = []byte{9, 9, 9}
	few := sketchOf(1)
	few.Count = 0.25
	few.Sketch = nil
	s, problems, err := b.points(t,
		protocol.Point{Name: "ms", Labels: labels("h", "a"), Kind: protocol.Distribution, Dist: sketchOf(10, 20, 30)},
		protocol.Point{Name: "ms", Labels: labels("h", "b"), Kind: protocol.Distribution, Dist: sketchOf(100, 200, 300, 400, 500)},
		protocol.Point{Name: "broken", Kind: protocol.Distribution, Dist: broken},
		protocol.Point{Name: "few", Kind: protocol.Distribution, Dist: few})
	if err != nil || s.Accepted != 2 || s.Failed != 2 {
		t.Fatalf("%+v %v %v", s, problems, err)
	}
	if got := b.percentile(t, "ms", 0.5); len(got) != 1 || math.Abs(got[0]-100) > 1 {
		t.Errorf("the median is %v", got)
	}
	lines := b.contents(t)
	if len(lines) != 2 || !strings.HasPrefix(lines[0], "ms{h=a} 0 {Count:3 Sum:60 Min:10 Max:30 Last:20 M2:") {
		t.Errorf("%q", lines)
	}
	q := &tsdb.Query{Metric: "ms", Filter: tsdb.TagIs("h", "b"), Start: 0, End: testNow + 1, Step: 1, Function: tsdb.StdDev}
	for s, err := range b.engine.Select(t.Context(), us, q) {
		if want := math.Sqrt(20000); err != nil || math.Abs(s.Values[0]-want) > want/100 {
			t.Errorf("the deviation is %v, want about %v, %v", s.Values, want, err)
		}
	}
}

// TestCumulativeHistograms follows one stream: its first histogram, growth, a
// repetition, one that comes late, a restart, and a write that fails.
func TestCumulativeHistograms(t *testing.T) {
	b := newBench(nil)
	at := testMillis - 100_000
	send := func(low, high float64, later, start int64) (Summary, error) {
		d := protocol.Dist{Count: low + high, Sum: low + 10*high, Min: math.NaN(), Max: math.NaN(),
			Buckets: []protocol.Bucket{{Lower: 0, Upper: 2, Count: low}, {Lower: 8, Upper: 16, Count: high}}}
		s, _, err := b.points(t, protocol.Point{Name: "h", Time: at + later, Start: start, Kind: protocol.CumulativeDistribution, Dist: &d})
		return s, err
	}
	expect := func(what string, s Summary, err error, accepted int, lines ...string) {
		t.Helper()
		if err != nil || s.Accepted != accepted || s.Filtered != 1-accepted {
			t.Errorf("%s: %+v %v", what, s, err)
		}
		var got []string
		for _, line := range b.contents(t) {
			got = append(got, line[:strings.Index(line, " Min:")])
		}
		diff(t, what, got, lines)
	}
	s, err := send(1000, 1000, 0, 5000)
	expect("first", s, err, 0)
	s, err = send(1003, 1001, 1000, 5000)
	one := "h{} -99 {Count:4 Sum:13"
	expect("grown", s, err, 1, one)
	s, err = send(1003, 1001, 1000, 5000)
	expect("repeated", s, err, 0, one)
	s, err = send(1002, 1001, 500, 5000)
	expect("late", s, err, 0, one)

	b.metrics.err = errors.New("no database")
	b.Invalidate()
	if _, err := send(1005, 1001, 2000, 5000); err == nil {
		t.Error("it was stored without a store")
	}
	b.metrics.err = nil
	s, err = send(1005, 1001, 3000, 5000)
	two := "h{} -97 {Count:2 Sum:2"
	expect("after a failure", s, err, 1, one, two)
	s, err = send(5, 0, 4000, 0)
	three := "h{} -96 {Count:5 Sum:5"
	expect("started anew, as its counts say", s, err, 1, one, two, three)
	s, err = send(6, 7, 5000, at+4500)
	four := "h{} -95 {Count:13 Sum:76"
	expect("started anew, as it says itself", s, err, 1, one, two, three, four)
	s, err = send(7, 7, 6000, at+6000)
	five := "h{} -94 {Count:14 Sum:77"
	expect("started anew just now", s, err, 1, one, two, three, four, five)
	s, err = send(8, 7, 7000, at+6000)
	expect("goes on", s, err, 1, one, two, three, four, five, "h{} -93 {Count:1 Sum:1")
}

// TestNewHistograms: of a stream that began after the server did, the first
// histogram counts.
func TestNewHistograms(t *testing.T) {
	b := newBench(nil)
	d := protocol.Dist{Count: 2, Sum: 2, Min: math.NaN(), Max: math.NaN(), Buckets: []protocol.Bucket{{Lower: 0, Upper: 2, Count: 2}}}
	s, _, err := b.points(t, protocol.Point{Name: "h", Time: testMillis + 2000, Start: testMillis + 1000, Kind: protocol.CumulativeDistribution, Dist: &d})
	if err != nil || s.Accepted != 1 {
		t.Errorf("%+v %v", s, err)
	}
}

// TestTotalsAreBounded: however many streams there are, what is remembered of
// them stays bounded, and a stream that was forgotten starts over.
func TestTotalsAreBounded(t *testing.T) {
	b := newBench(nil)
	point := func(i int, later int64, n float64) protocol.Point {
		buckets := make([]protocol.Bucket, 1000)
		for j := range buckets {
			buckets[j] = protocol.Bucket{Lower: float64(j), Upper: float64(j) + 1, Count: n}
		}
		return protocol.Point{Name: "h", Labels: labels("i", fmt.Sprint(i)), Time: testMillis + later, Start: testMillis + 1, Kind: protocol.CumulativeDistribution,
			Dist: &protocol.Dist{Count: 1000 * n, Sum: 1, Min: math.NaN(), Max: math.NaN(), Buckets: buckets}}
	}
	for i := range 1000 {
		if _, _, err := b.points(t, point(i, 2000, 1)); err != nil {
			t.Fatal(err)
		}
	}
	totals := &b.cache.of(us).totals
	if n := len(totals.young) + len(totals.old); n > 800 || n < 400 {
		t.Errorf("%d streams are remembered", n)
	}
	if s, _, err := b.points(t, point(999, 3000, 2)); err != nil || s.Accepted != 1 {
		t.Errorf("one that is remembered: %+v %v", s, err)
	}
	totals.forgot += 10_000 // as if it were later
	if s, _, err := b.points(t, point(0, 3000, 2)); err != nil || s.Filtered != 1 {
		t.Errorf("one that was forgotten: %+v %v", s, err)
	}
}

// TestManyPoints: a batch of any size is recorded, in parts, within the limits
// of an organization; what is refused is told by its place in the whole.
func TestManyPoints(t *testing.T) {
	b := newBench(map[tidemark.LimitName]int64{tidemark.LimitRate: 1000}) // 60,000 at once
	many := make([]protocol.Point, 2*tidemark.MaxBatch+5)
	for i := range many {
		many[i] = protocol.Point{Name: "a", Labels: labels("i", fmt.Sprint(i%100)), Time: testMillis - 1000*int64(i/100), Value: float64(i)}
	}
	last := len(many) - 1
	many[last].Time = 1000
	batch := protocol.NewBatch(protocol.DefaultLimits)
	batch.Points = many
	var refused []int
	s, problems, err := b.RecordPoints(t.Context(), us, batch, Origin{Refused: func(i int) { refused = append(refused, i) }})
	diff(t, "summary", s, Summary{Total: len(many), Accepted: last, Failed: 1})
	if err != nil || len(problems) != 1 || problems[0].Index != last || len(refused) != 1 || refused[0] != last || b.records != last {
		t.Errorf("%v %v %v, %d records", problems, refused, err, b.records)
	}
	for i := range many {
		many[i].Time = 1000
	}
	_, _, err = b.RecordPoints(t.Context(), us, batch, Origin{})
	rejected, ok := errors.AsType[*Rejected](err)
	if !ok || rejected.Summary.Failed != len(many) || len(rejected.Problems) != MaxProblems || tidemark.KindOf(err) != tidemark.Invalid {
		t.Errorf("%v", err)
	}
	for range 3 { // 60,000 are 3 such batches
		_, _, err = b.RecordPoints(t.Context(), us, batch, Origin{})
	}
	if tidemark.KindOf(err) != tidemark.TooMany {
		t.Errorf("over the limit: %v", err)
	}
}

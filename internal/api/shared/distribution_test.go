package shared_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/apitest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/ingest"
)

// spread is what hosts measured: values by host, and by the minute since start.
type spread map[string][][]float64

const spreadStart = apitest.Now - 600

// record sends each minute of each host as one distribution.
func (s spread) record(t *testing.T, w *apitest.World, metric string) {
	t.Helper()
	var list []map[string]any
	for host, minutes := range s {
		for i, values := range minutes {
			list = append(list, map[string]any{"name": metric, "tags": map[string]string{"host": host}, "time": spreadStart + 60*i, "distribution": values})
		}
	}
	body, err := json.Marshal(map[string]any{"measurements": list})
	if err != nil {
		t.Fatal(err)
	}
	if _, problems, err := w.Recorder.RecordFrom(t.Context(), w.Org, body, ingest.Origin{}); err != nil || len(problems) > 0 {
		t.Fatal(problems, err)
	}
}

// steps are the values of some hosts, by the beginning of their step.
func (s spread) steps(step int64, hosts ...string) map[int64][]float64 {
	all := make(map[int64][]float64)
	for _, host := range hosts {
		for i, values := range s[host] {
			at := (spreadStart + 60*int64(i)) / step * step
			all[at] = append(all[at], values...)
		}
	}
	return all
}

// drawn makes values for three hosts and six minutes.
func drawn(draw func(r *rand.Rand, host int) float64, n int) spread {
	r, s := rand.New(rand.NewPCG(1, 2)), make(spread)
	for i, host := range []string{"a", "b", "c"} {
		for range 6 {
			values := make([]float64, n)
			for j := range values {
				values[j] = draw(r, i)
			}
			s[host] = append(s[host], values)
		}
	}
	return s
}

func askSpread(t *testing.T, w *apitest.World, step int64, q shared.OneQuery) shared.OneResult {
	t.Helper()
	hold, err := w.Querier.Hold(t.Context(), w.Org)
	if err != nil {
		t.Fatal(err)
	}
	defer hold.Release()
	q.Distribution = true
	res, err := w.AnswerQuery(t.Context(), w.Org, &shared.ManyQueries{Start: spreadStart, End: apitest.Now, Resolution: step}, &q, hold)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// checkSpread compares lines with the values of each step: a count is no less
// than what is in its range by more than off of itself, and no more than what
// is near it by that.
func checkSpread(t *testing.T, lines []shared.OneSeries, steps map[int64][]float64, off float64) {
	t.Helper()
	if len(lines) == 0 || len(lines) > 80 {
		t.Fatalf("%d lines", len(lines))
	}
	counted := make(map[int64]float64)
	for _, line := range lines {
		for i, at := range line.Times {
			counted[at] += line.Values[i]
			surely, perhaps := 0.0, 0.0
			for _, v := range steps[at] {
				by := off * math.Abs(v)
				if v-by >= *line.Low && v+by < *line.High {
					surely++
				}
				if v+by >= *line.Low && v-by < *line.High || v == 0 && *line.Low == 0 {
					perhaps++
				}
			}
			if line.Values[i] < surely || line.Values[i] > perhaps {
				t.Errorf("at %d %v values from %v to %v, there are %v to %v", at, line.Values[i], *line.Low, *line.High, surely, perhaps)
			}
		}
	}
	for at, values := range steps {
		if counted[at] != float64(len(values)) {
			t.Errorf("at %d %v of %d values are counted", at, counted[at], len(values))
		}
	}
	if len(counted) != len(steps) {
		t.Errorf("%d steps, want %d", len(counted), len(steps))
	}
}

// TestDistributions: the values of all streams are counted in each step, each
// once, in the range that it is in. Where a sketch has as many buckets as it
// may, and more are needed, a value may be beside its range by 2 %.
func TestDistributions(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		values spread
		off    float64
	}{
		"latencies":    {drawn(func(r *rand.Rand, host int) float64 { return 20 * float64(host+1) * math.Exp(r.NormFloat64()/2) }, 200), 0},
		"close by":     {drawn(func(r *rand.Rand, _ int) float64 { return 95 + 10*r.Float64() }, 200), 0},
		"many nothing": {drawn(func(r *rand.Rand, _ int) float64 { return math.Floor(4 * r.Float64()) }, 100), 0},
		"either side":  {drawn(func(r *rand.Rand, _ int) float64 { return 1000 * r.NormFloat64() }, 100), 0},
		"very far":     {drawn(func(r *rand.Rand, _ int) float64 { return math.Pow(10, 25*r.Float64()-10) }, 3000), 0.02},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := apitest.New(t)
			c.values.record(t, w, "latency")
			for _, step := range []int64{60, 120, 600} {
				res := askSpread(t, w, step, shared.OneQuery{ID: "1", Metric: "latency"})
				checkSpread(t, res.Series, c.values.steps(step, "a", "b", "c"), c.off)
				if res.Streams != 3 || res.Error != nil || res.ID != "1" {
					t.Errorf("%d streams, %v", res.Streams, res.Error)
				}
			}
		})
	}
}

// TestDistributionsOfSome: a filter picks the streams whose values count, and
// each group has lines of its own.
func TestDistributionsOfSome(t *testing.T) {
	t.Parallel()
	w := apitest.New(t)
	values := drawn(func(r *rand.Rand, host int) float64 { return float64(host+1) * (1 + r.Float64()) }, 50)
	values.record(t, w, "latency")
	res := askSpread(t, w, 120, shared.OneQuery{Metric: "latency", Tags: []tidemark.TagFilter{{Name: "host", Values: []string{"a", "c"}}}})
	checkSpread(t, res.Series, values.steps(120, "a", "c"), 0)
	byHost := make(map[string][]shared.OneSeries)
	for _, line := range askSpread(t, w, 120, shared.OneQuery{Metric: "latency", GroupBy: []string{"host"}}).Series {
		byHost[line.Tags["host"]] = append(byHost[line.Tags["host"]], line)
	}
	for host := range values {
		checkSpread(t, byHost[host], values.steps(120, host), 0)
	}
	if len(byHost) != len(values) {
		t.Errorf("%d groups", len(byHost))
	}
}

// TestPercentiles: percentiles are of all values of a step, whatever stream
// these came from, within 1 %; those of each group are its own.
func TestPercentiles(t *testing.T) {
	t.Parallel()
	w := apitest.New(t)
	values := drawn(func(r *rand.Rand, host int) float64 { return 20 * float64(host+1) * math.Exp(r.NormFloat64()/2) }, 200)
	values.record(t, w, "latency")
	asked := []float64{0, 50, 99.9, 100}
	all := percentilesIn(askSpread(t, w, 120, shared.OneQuery{Metric: "latency", Percentiles: asked}).Series)
	checkPercentiles(t, all[""], asked, values.steps(120, "a", "b", "c"))
	byHost := percentilesIn(askSpread(t, w, 120, shared.OneQuery{Metric: "latency", GroupBy: []string{"host"}, Percentiles: asked}).Series)
	for host := range values {
		checkPercentiles(t, byHost[host], asked, values.steps(120, host))
	}
}

// percentilesIn are the lines of percentiles, by host.
func percentilesIn(lines []shared.OneSeries) map[string][]shared.OneSeries {
	by := make(map[string][]shared.OneSeries)
	for _, line := range lines {
		if line.Percentile != nil {
			by[line.Tags["host"]] = append(by[line.Tags["host"]], line)
		}
	}
	return by
}

func checkPercentiles(t *testing.T, lines []shared.OneSeries, asked []float64, steps map[int64][]float64) {
	t.Helper()
	if len(lines) != len(asked) {
		t.Fatalf("%d lines for %d percentiles", len(lines), len(asked))
	}
	for i, line := range lines {
		if *line.Percentile != asked[i] || line.Low != nil || len(line.Times) != len(steps) {
			t.Errorf("p%v: %v with %d of %d steps", asked[i], *line.Percentile, len(line.Times), len(steps))
		}
		for j, at := range line.Times {
			values := slices.Sorted(slices.Values(steps[at]))
			rank := asked[i] / 100 * float64(len(values)-1)
			low, high := values[int(rank)], values[int(math.Ceil(rank))]
			if got := line.Values[j]; got < 0.99*low || got > 1.01*high {
				t.Errorf("p%v at %d is %v, want %v to %v", asked[i], at, got, low, high)
			}
		}
	}
}

// TestDistributionsOfOthers: single values count as themselves; what has no
// values is no failure, and a composite is told so.
func TestDistributionsOfOthers(t *testing.T) {
	t.Parallel()
	w := apitest.New(t)
	w.Record(t, "cpu", nil, spreadStart, 1, 5, 5)
	composite(t, w, "load", `sum(s("cpu", "*"))`)
	checkSpread(t, askSpread(t, w, 600, shared.OneQuery{Metric: "cpu"}).Series, map[int64][]float64{spreadStart: {1, 5, 5}}, 0)
	for _, c := range []struct {
		q    shared.OneQuery
		want string
	}{
		{shared.OneQuery{Metric: "mem"}, ""},
		{shared.OneQuery{Metric: "cpu", Tags: []tidemark.TagFilter{{Name: "host", Values: []string{"z"}}}}, ""},
		{shared.OneQuery{Metric: "load"}, "load is a composite, which has no distribution"},
		{shared.OneQuery{Composite: `s("cpu", "*")`}, "a composite has no distribution: choose a metric"},
		{shared.OneQuery{Metric: "cpu", Percentiles: []float64{50, 101}}, "percentiles must be up to 7 numbers between 0 and 100"},
		{shared.OneQuery{Metric: "cpu", Percentiles: make([]float64, 8)}, "percentiles must be up to 7 numbers between 0 and 100"},
		{shared.OneQuery{Metric: "cpu", GroupBy: []string{"no tag!"}}, `invalid parameters; group_by "no tag!" cannot be the name of a tag`},
	} {
		got := ""
		res := askSpread(t, w, 60, c.q)
		if res.Error != nil {
			got = res.Error.Message
		}
		if got != c.want || len(res.Series) != 0 || res.Series == nil {
			t.Errorf("%+v: %q, %v, want %q", c.q, got, res.Series, c.want)
		}
	}
	if l := w.Querier.Load(); l.Queries != 0 || l.Points != 0 {
		t.Errorf("after all answers %+v are held", l)
	}
}

// TestManyGroups: as many groups are answered as a browser takes lines, each
// whole; all streams are counted.
func TestManyGroups(t *testing.T) {
	t.Parallel()
	w := apitest.New(t)
	values := make(spread)
	for i := range 60 {
		values[string(rune('A'+i%26))+string(rune('a'+i/26))] = [][]float64{logSpaced(70)}
	}
	values.record(t, w, "latency")
	res := askSpread(t, w, 60, shared.OneQuery{Metric: "latency", GroupBy: []string{"host"}})
	counts := make(map[string]float64)
	for _, line := range res.Series {
		counts[line.Tags["host"]] += line.Values[0]
	}
	for host, n := range counts {
		if n != 70 {
			t.Errorf("%s has %v values", host, n)
		}
	}
	if len(res.Series) > 2000 || len(counts) < 20 || len(counts) == 60 || res.Streams != 60 {
		t.Errorf("%d lines of %d groups, %d streams", len(res.Series), len(counts), res.Streams)
	}
}

// logSpaced returns n values, each in a range of its own.
func logSpaced(n int) (values []float64) {
	for i := range n {
		values = append(values, math.Exp2((float64(i)+0.5)/35))
	}
	return values
}

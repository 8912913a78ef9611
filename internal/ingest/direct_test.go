package ingest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"pgregory.net/rapid"
)

// directIntake is one with points of which some metrics are known.
func directIntake(points []protocol.Point, longest int) *intake {
	d := newIntake()
	d.org = &orgMetrics{m: make(map[string]*known)}
	for _, m := range []*tidemark.Metric{{Name: "A"}, {Name: "b"}, {Name: tidemark.MetricCheckUp}, {Name: "c", Type: tidemark.Composite}} {
		k := newKnown(m)
		d.org.m[k.name] = k
	}
	d.now, d.oldest, d.newest = testNow, testNow-3600, testNow+60
	d.points, d.longest, d.sent = points, longest, true
	d.limits = tidemark.NewLimits(nil)
	return d
}

func drawPoint(t *rapid.T) protocol.Point {
	odd := func(what string, usual, others int) int {
		if rapid.IntRange(0, 15).Draw(t, "odd "+what) > 0 {
			return rapid.IntRange(0, usual-1).Draw(t, what)
		}
		return rapid.IntRange(usual, usual+others-1).Draw(t, what)
	}
	tags := []tidemark.Tags{nil, labels("h", "1"), labels("h", "2"), labels("Host", "A", "z", "b")}[rapid.IntRange(0, 3).Draw(t, "tags")]
	p := protocol.Point{
		Name:   []string{"a", "A", "b", "c", "new", "", "no name", tidemark.MetricCheckUp}[odd("name", 3, 5)],
		Labels: tags, Key: tagKey(tags),
		Time:  []int64{0, testMillis, testMillis - 1500, testMillis + 59_999, testMillis - 3600_000, testMillis - 3601_000, testMillis + 61_000}[odd("time", 5, 2)],
		Value: []float64{1, -2.5, 0, 1e-200, 1e125, 1e127, -1e300}[odd("value", 5, 2)],
		Kind:  []protocol.Kind{protocol.Gauge, protocol.Counter, protocol.Delta, protocol.Distribution}[odd("kind", 3, 1)],
	}
	if p.Kind == protocol.Distribution {
		p.Dist = sketchOf(1, 2)
	}
	if odd("key", 1, 1) == 1 {
		p.Key = ""
	}
	return p
}

// TestDirect: points that are taken as they are become what they become as
// items, and all are that have nothing special about them.
func TestDirect(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		points := rapid.SliceOfN(rapid.Custom(drawPoint), 1, 6).Draw(rt, "points")
		longest := rapid.SampledFrom([]int{0, 1000, 5}).Draw(rt, "longest")
		direct, model := directIntake(points, longest), directIntake(points, longest)
		model.readPoints(testNow)
		missing := model.classify()
		special := slices.ContainsFunc(points, func(p protocol.Point) bool {
			return p.Dist != nil || p.Key == "" && len(p.Labels) > 0
		})
		want := !missing && model.summary.Accepted == len(points) && !special
		if got := direct.direct(); got != want {
			rt.Fatalf("taken as they are: %v, want %v", got, want)
		}
		if !want {
			return
		}
		diff(t, "records", batchRecords(&direct.batch), batchRecords(&model.batch))
		diff(t, "summary", direct.summary, model.summary)
		diff(t, "touched", slices.Sorted(direct.names()), slices.Sorted(model.names()))
		if t.Failed() {
			rt.FailNow()
		}
	})
}

// TestDirectIsNotForAll: where a token narrows what may be sent, or tags are
// dropped, every point is looked at.
func TestDirectIsNotForAll(t *testing.T) {
	t.Parallel()
	points := []protocol.Point{{Name: "a", Value: 1}}
	for name, change := range map[string]func(*intake){
		"scope": func(d *intake) { d.scope = &tidemark.TokenScope{} },
		"drops": func(d *intake) { d.dropped.drops = []*tidemark.TagDrop{{}} },
		"none":  func(d *intake) { d.points = nil },
	} {
		d := directIntake(points, 0)
		if change(d); d.direct() {
			t.Errorf("%s: taken as they are", name)
		}
	}
	if !directIntake(points, 0).direct() {
		t.Error("not taken as they are")
	}
}

// batchRecords is what is in a batch, one line a record.
func batchRecords(b *tsdb.Batch) (list []string) {
	for i := range b.Records {
		list = append(list, fmt.Sprintf("%q %d %+v", b.Key(i), b.Records[i].Time, b.Records[i].Summary))
	}
	return list
}

package ingest

import (
	"math"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

const (
	testNow    = 1_754_300_400
	testOldest = testNow - 1000
)

// decode runs the decoder alone, every metric being known.
func decode(body []byte) (*intake, error) { return testIntake().decode(body) }

func testIntake() *intake {
	d := newIntake()
	d.now, d.oldest, d.newest = testNow, testOldest, testNow+tidemark.MaxTimeAhead
	return d
}

func (d *intake) decode(body []byte) (*intake, error) {
	d.reset(body)
	if err := d.read(); err != nil {
		return d, err
	}
	d.know()
	return d, nil
}

// know classifies the items, every metric being a gauge.
func (d *intake) know() {
	d.org = &orgMetrics{m: make(map[string]*known)}
	for d.classify() {
		for name := range d.missing {
			d.org.add(newKnown(&tidemark.Metric{Name: name, Type: tidemark.Gauge}), 0)
		}
	}
}

// compare reports where decoder and model differ, also where the decoder has
// read the same before.
func compare(t *testing.T, body []byte) {
	t.Helper()
	want := model(body, testNow, testOldest)
	d := testIntake()
	for range 2 {
		_, err := d.decode(body)
		compareTo(t, want, body, d, err)
	}
}

func compareTo(t *testing.T, want modelResult, body []byte, d *intake, err error) {
	t.Helper()
	if (err != nil) != want.fails {
		t.Fatalf("error %v, model fails: %v\n%s", err, want.fails, body)
	}
	if err != nil {
		return
	}
	if d.summary.Accepted != len(want.records) || d.summary.Filtered != want.filtered || d.summary.Failed != len(want.failed) {
		t.Fatalf("got %+v, want %d accepted, %d filtered, failed %v\n%+v\n%s", d.summary, len(want.records), want.filtered, want.failed, d.problems, body)
	}
	for i, rec := range want.records {
		got := &d.batch.Records[i]
		if string(d.batch.Key(i)) != rec.key || got.Time != rec.time || !sameSummary(got.Summary, rec.summary) {
			t.Fatalf("record %d is %q %d %+v, want %q %d %+v\n%s", i, d.batch.Key(i), got.Time, got.Summary, rec.key, rec.time, rec.summary, body)
		}
		if err := got.Validate(); err != nil {
			t.Fatalf("record %d: %v\n%s", i, err, body)
		}
		if _, _, ok := tsdb.ParseKey(d.batch.Key(i)); !ok {
			t.Fatalf("record %d has no key: %q", i, d.batch.Key(i))
		}
	}
	for i, p := range d.problems {
		if want.failed[p.Index] != p.Param {
			t.Fatalf("problem %d is %+v, want %v (of %v)\n%s", i, p, want.failed[p.Index], sortedKeys(want.failed), body)
		}
	}
}

// sameSummary compares bit for bit.
func sameSummary(a, b tsdb.Summary) bool {
	bits := func(s tsdb.Summary) [6]uint64 {
		return [6]uint64{math.Float64bits(s.Count), math.Float64bits(s.Sum), math.Float64bits(s.Min),
			math.Float64bits(s.Max), math.Float64bits(s.Last), math.Float64bits(s.M2)}
	}
	return bits(a) == bits(b)
}

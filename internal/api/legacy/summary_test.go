package legacy

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

func pointsOf(pairs ...float64) *sourcePoints {
	p := &sourcePoints{}
	for i := 0; i < len(pairs); i += 2 {
		p.times, p.sums = append(p.times, int64(pairs[i])), append(p.sums, tsdb.Single(pairs[i+1]))
	}
	return p
}

// TestStreamsOfASource: the points of several streams become one list, in order
// and one a time, whatever times each has.
func TestStreamsOfASource(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		want := make(map[int64]tsdb.Summary)
		var p sourcePoints
		for range rapid.IntRange(1, 4).Draw(t, "streams") {
			stream := &sourcePoints{}
			for _, at := range slices.Sorted(slices.Values(rapid.SliceOfNDistinct(rapid.Int64Range(0, 20), 0, 10, rapid.ID[int64]).Draw(t, "times"))) {
				s := tsdb.Single(float64(rapid.IntRange(0, 9).Draw(t, "value")))
				stream.times, stream.sums = append(stream.times, at), append(stream.sums, s)
				w := want[at]
				w.Merge(&s)
				want[at] = w
			}
			before := slices.Clone(stream.sums)
			p.add(stream.times, stream.sums)
			if !slices.Equal(before, stream.sums) {
				t.Fatal("the points of the stream were changed")
			}
		}
		if len(p.times) != len(want) || !slices.IsSorted(p.times) || len(p.sums) != len(p.times) {
			t.Fatalf("times %v, want %v", p.times, want)
		}
		for i, at := range p.times {
			if w := want[at]; p.sums[i].Count != w.Count || p.sums[i].Sum != w.Sum {
				t.Fatalf("at %d: %+v, want %+v", at, p.sums[i], w)
			}
		}
	})
}

// TestDeltas: a counter shows how much it grew; one that was reset grew by what
// it shows; the first point has nothing before it.
func TestDeltas(t *testing.T) {
	t.Parallel()
	p := pointsOf(10, 5, 20, 8, 30, 8, 40, 3, 50, 4)
	p.deltas()
	var got []float64
	for _, s := range p.sums {
		got = append(got, s.Sum)
	}
	if !slices.Equal(p.times, []int64{20, 30, 40, 50}) || !slices.Equal(got, []float64{3, 0, 3, 1}) {
		t.Errorf("grew by %v at %v", got, p.times)
	}
	for _, p := range []*sourcePoints{pointsOf(), pointsOf(1, 1)} {
		if p.deltas(); len(p.times) != 0 || len(p.sums) != 0 {
			t.Errorf("one point or none grew at %v", p.times)
		}
	}
}

func TestKeep(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n     int
		first bool
		want  []int64
	}{{2, true, []int64{1, 2}}, {2, false, []int64{3, 4}}, {4, false, []int64{1, 2, 3, 4}}, {9, true, []int64{1, 2, 3, 4}}} {
		p := pointsOf(1, 1, 2, 2, 3, 3, 4, 4)
		if p.keep(c.n, c.first); !slices.Equal(p.times, c.want) || len(p.sums) != len(c.want) {
			t.Errorf("%d, the first %v: %v", c.n, c.first, p.times)
		}
	}
}

// TestAcrossSources: each number is that of the sources at its time, the count
// that of all measurements.
func TestAcrossSources(t *testing.T) {
	t.Parallel()
	for across, want := range map[string][2]float64{"min": {1, 5}, "max": {3, 5}, "mean": {2, 5}, "sum": {4, 5}, "count": {2, 1}} {
		ask := &legacyRequest{across: across}
		lists := ask.lists(map[string]*sourcePoints{"a": pointsOf(10, 1, 20, 5), "b": pointsOf(10, 3)})
		all := lists["all"]
		if len(lists) != 1 || len(all) != 2 || all[0].time != 10 || all[0].value != want[0] || all[1].value != want[1] {
			t.Errorf("%s: %+v, want values %v", across, lists, want)
			continue
		}
		if all[0].count != 2 || all[0].summarized != 2 || all[0].sumMeans != 4 || all[1].summarized != 1 {
			t.Errorf("%s: %+v", across, all)
		}
	}
	ask := &legacyRequest{across: "sum", breakout: true}
	if lists := ask.lists(map[string]*sourcePoints{"a": pointsOf(10, 1), "b": pointsOf(10, 3)}); len(lists) != 3 {
		t.Errorf("with each source: %v", lists)
	}
}

// TestSummarizeTime: one point of the whole time, at the first of it.
func TestSummarizeTime(t *testing.T) {
	t.Parallel()
	ask := &legacyRequest{summarizeTime: true}
	lists := ask.lists(map[string]*sourcePoints{"a": pointsOf(10, 1, 20, 5, 30, 6), "none": pointsOf()})
	if got := lists["a"]; len(got) != 1 || got[0].time != 10 || got[0].value != 4 || got[0].rollups != 3 || got[0].count != 3 || got[0].sumSquares != 62 {
		t.Errorf("%+v", got)
	}
	if len(lists["none"]) != 0 {
		t.Errorf("a source without points has %+v", lists["none"])
	}
	ask.across = "sum"
	lists = ask.lists(map[string]*sourcePoints{"a": pointsOf(10, 1, 20, 3), "b": pointsOf(5, 7)})
	if got := lists["all"]; len(got) != 1 || got[0].time != 5 || got[0].value != 9 || got[0].rollups != 3 || got[0].summarized != 2 {
		t.Errorf("across sources that begin at different times: %+v", got)
	}
}

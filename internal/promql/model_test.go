package promql

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/tsdb/chunkenc"
	"pgregory.net/rapid"

	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// TestMatchersAgainstAModel: whatever matchers ask for, exactly those series
// are found whose labels they match, in the case and under the names that were
// sent.
func TestMatchersAgainstAModel(t *testing.T) {
	t.Parallel()
	names := []string{"up", "Up_total", "node/CPU", "größe"}
	values := []string{"", "a", "ab", "B", "a*B", "+Inf", "/x/{id}", "_x2f_", strings.Repeat("Long{}", 60)}
	patterns := []string{".*", ".+", "a", "a|ab", "A.*", "[ab]+", `\+Inf|b`, "/x.*", "", "|a", "a?", `a\*B`, `_x2f_.*`, "(?i)b", "b", "Up.*", "up.*", "node/CPU|up", "A|B", "(?i)UP.*", `\S+`}
	rapid.Check(t, func(t *rapid.T) {
		db := newRecorded()
		var all []labels.Labels
		for range rapid.IntRange(1, 6).Draw(t, "streams") {
			pairs := map[string]string{"__name__": rapid.SampledFrom(names).Draw(t, "name")}
			for _, tag := range []string{"Host", "zone/a"} {
				if v := rapid.SampledFrom(values).Draw(t, "value"); v != "" {
					pairs[tag] = v
				}
			}
			if err := db.record(pairs); err != nil {
				t.Fatal(err)
			}
			all = append(all, labels.FromMap(cutAsStored(pairs)))
		}
		var matchers []*labels.Matcher
		for range rapid.IntRange(1, 3).Draw(t, "matchers") {
			kind := rapid.SampledFrom([]labels.MatchType{labels.MatchEqual, labels.MatchNotEqual, labels.MatchRegexp, labels.MatchNotRegexp}).Draw(t, "type")
			name := rapid.SampledFrom([]string{"__name__", "host", "Host", "zone/a", "Zone/A", "missing"}).Draw(t, "label")
			text := rapid.SampledFrom(slices.Concat(names, values[:7])).Draw(t, "text")
			if kind == labels.MatchRegexp || kind == labels.MatchNotRegexp {
				text = rapid.SampledFrom(patterns).Draw(t, "pattern")
			}
			matchers = append(matchers, labels.MustNewMatcher(kind, name, text))
		}
		found := make(map[string]bool)
		set := db.engine().Querier(org, 0, 1e9).Select(t.Context(), false, nil, matchers...)
		for set.Next() {
			found[set.At().Labels().String()] = true
		}
		if set.Err() != nil {
			t.Fatal(set.Err())
		}
		for _, ls := range all {
			if want := matchAll(matchers, ls); found[ls.String()] != want {
				t.Fatalf("%v of %s: found %v, want %v", matchers, ls, found[ls.String()], want)
			}
		}
	})
}

// cutAsStored returns labels as they are shown: what is too long is cut.
func cutAsStored(pairs map[string]string) map[string]string {
	shown := make(map[string]string, len(pairs))
	for name, value := range pairs {
		shown[name] = protocol.Unescape(protocol.LabelValue(value))
	}
	return shown
}

// matchAll is what matchers mean. That of a text which is cut is compared as a
// whole.
func matchAll(matchers []*labels.Matcher, ls labels.Labels) bool {
	return !slices.ContainsFunc(matchers, func(m *labels.Matcher) bool { return !m.Matches(ls.Get(m.Name)) })
}

// TestSeekAgainstAModel: an iterator of samples goes to the first sample at or
// after a time, never back, as one that looks at each does.
func TestSeekAgainstAModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		times := rapid.SliceOfNDistinct(rapid.Int64Range(0, 60), 0, 20, rapid.ID).Draw(t, "times")
		slices.Sort(times)
		s := &samples{}
		for _, at := range times {
			s.add(at, float64(at))
		}
		position := -1
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			var got chunkenc.ValueType
			if rapid.Bool().Draw(t, "next") {
				got = s.Next()
				position = min(position+1, len(times))
			} else {
				to := rapid.Int64Range(-5, 70).Draw(t, "to")
				got = s.Seek(to)
				for position = max(position, 0); position < len(times) && times[position] < to; position++ {
				}
			}
			if (got == chunkenc.ValFloat) != (position < len(times)) {
				t.Fatalf("%v: %v at position %d", times, got, position)
			}
			if got != chunkenc.ValFloat {
				continue
			}
			if at, v := s.At(); at != times[position] || v != float64(at) || s.AtT() != at {
				t.Fatalf("%v: %d=%v at position %d", times, at, v, position)
			}
		}
	})
}

// TestSeconds: milliseconds round to seconds in the same direction on both
// sides of 1970.
func TestSeconds(t *testing.T) {
	t.Parallel()
	for ms, want := range map[int64][2]int64{0: {0, 0}, 1: {0, 1}, 999: {0, 1}, 1000: {1, 1}, -1: {-1, 0}, -999: {-1, 0}, -1000: {-1, -1}, -1001: {-2, -1}} {
		if got := [2]int64{floorSecond(ms), ceilSecond(ms)}; got != want {
			t.Errorf("%d ms lies between %v, want %v", ms, got, want)
		}
	}
}

// tiered is storage that keeps records for an hour, minutes for a day, and
// hours beyond.
type tiered struct{ tsdb.Reader }

func (tiered) Tiers() []tsdb.Tier {
	return []tsdb.Tier{{Window: 1, Retention: 3600}, {Window: 60, Retention: 86400}, {Window: 3600, Retention: 1 << 40}}
}

// TestSegmentsCoverTheWindow: however a window lies, it is cut into parts
// without a gap or an overlap, the coarsest first, and each part is read from
// what is still kept of that time.
func TestSegmentsCoverTheWindow(t *testing.T) {
	t.Parallel()
	const now = 10_000_000
	e := New(Options{Storage: tiered{}, Now: func() time.Time { return time.Unix(now, 0) }})
	kept := map[int64]int64{1: 3600, 60: 86400, 3600: 1 << 40}
	rapid.Check(t, func(t *rapid.T) {
		start := now - rapid.Int64Range(-100, 300_000).Draw(t, "back")
		end := start + rapid.Int64Range(0, 200_000).Draw(t, "length")
		parts := e.segments(start, end)
		if start >= end {
			if len(parts) > 0 {
				t.Fatalf("nothing is %v", parts)
			}
			return
		}
		at, coarser := start, int64(1<<40)
		for _, p := range parts {
			if p.start != at || p.step > coarser || p.start >= p.end || p.start < now-kept[p.step] {
				t.Fatalf("%d to %d is %v", start, end, parts)
			}
			at, coarser = p.end, p.step
		}
		last := parts[len(parts)-1]
		if last.end < end || last.end >= end+last.step {
			t.Fatalf("%d to %d is %v", start, end, parts)
		}
	})
}

// TestGateGivesUp: a query that waits for a place is told when its time is
// over, and places are given back.
func TestGateGivesUp(t *testing.T) {
	t.Parallel()
	g := newGate(1)
	if _, err := g.Insert(t.Context(), "first"); err != nil || g.GetMaxConcurrent() != 1 {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := g.Insert(ctx, "second"); err == nil || err.Error() != "context canceled" {
		t.Errorf("while all places are taken: %v", err)
	}
	g.Delete(0)
	if _, err := g.Insert(t.Context(), "third"); err != nil {
		t.Errorf("after a place was given back: %v", err)
	}
}

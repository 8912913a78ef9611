package catalog

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// TestRoomAtItsEdge: the stream that just fits is taken, the next is refused
// with the limit that stands against it.
func TestRoomAtItsEdge(t *testing.T) {
	t.Parallel()
	c := New()
	defined(c, 1, key("cpu", "host", "a"))
	var has int64
	look(c, func(v *View) { has = v.BytesOf(1) })
	// A value of one letter, and its place in a column.
	const cost = 1 + 4
	for _, tc := range []struct {
		name string
		room tsdb.Room
		add  [][]byte
		want []tidemark.LimitName
	}{
		{"no limits", tsdb.Room{}, [][]byte{key("cpu", "host", "b"), key("mem", "x", "y")}, []tidemark.LimitName{"", ""}},
		{"streams", tsdb.Room{Streams: 2}, [][]byte{key("cpu", "host", "b"), key("cpu", "host", "c")}, []tidemark.LimitName{"", tidemark.LimitStreams}},
		{"known streams cost nothing", tsdb.Room{Streams: 1}, [][]byte{key("cpu", "host", "a"), key("cpu")}, []tidemark.LimitName{"", tidemark.LimitStreams}},
		{"twice the same", tsdb.Room{Streams: 2}, [][]byte{key("cpu", "host", "b"), key("cpu", "host", "b")}, []tidemark.LimitName{"", ""}},
		{"tag names", tsdb.Room{TagNames: 2}, [][]byte{key("cpu", "zone", "z"), key("cpu", "disk", "d"), key("cpu", "host", "b", "zone", "y")},
			[]tidemark.LimitName{"", tidemark.LimitTagNames, ""}},
		{"tag names of another metric", tsdb.Room{TagNames: 1}, [][]byte{key("mem", "zone", "z"), key("mem", "host", "a", "zone", "z")},
			[]tidemark.LimitName{"", tidemark.LimitTagNames}},
		{"bytes", tsdb.Room{Bytes: has + cost}, [][]byte{key("cpu", "host", "b"), key("cpu", "host", "c")}, []tidemark.LimitName{"", tidemark.LimitTagBytes}},
		{"one byte too few", tsdb.Room{Bytes: has + cost - 1}, [][]byte{key("cpu", "host", "b")}, []tidemark.LimitName{tidemark.LimitTagBytes}},
	} {
		look(c, func(v *View) {
			f := v.Fitting(1, tc.room)
			added := 0
			for i, k := range tc.add {
				got := f.Add(k)
				if got != tc.want[i] {
					t.Errorf("%s: %q is refused by %q, want %q", tc.name, k, got, tc.want[i])
				}
			}
			seen := map[string]bool{string(key("cpu", "host", "a")): true}
			for i, k := range tc.add {
				if tc.want[i] == "" && !seen[string(k)] {
					seen[string(k)] = true
					added++
				}
			}
			if f.Added() != added {
				t.Errorf("%s: %d streams were added, want %d", tc.name, f.Added(), added)
			}
		})
	}
}

// TestFittingIsExact: what fitting says that a batch takes is what defining its
// streams takes.
func TestFittingIsExact(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := New()
		for range rapid.IntRange(0, 10).Draw(t, "before") {
			defined(c, 1, tsdb.AppendKey(nil, "cpu", drawTags(t)))
		}
		var keys [][]byte
		for range rapid.IntRange(1, 10).Draw(t, "batch") {
			keys = append(keys, tsdb.AppendKey(nil, rapid.SampledFrom([]string{"cpu", "mem"}).Draw(t, "metric"), drawTags(t)))
		}
		var f *Fitting
		look(c, func(v *View) {
			f = v.Fitting(1, tsdb.Room{})
			for _, k := range keys {
				f.Add(k)
			}
		})
		for _, k := range keys {
			defined(c, 1, k)
		}
		look(c, func(v *View) {
			if v.BytesOf(1) != f.bytes || int64(v.CountOf(1)) != f.streams {
				t.Fatalf("%d streams of %d bytes, fitting said %d of %d", v.CountOf(1), v.BytesOf(1), f.streams, f.bytes)
			}
		})
	})
}

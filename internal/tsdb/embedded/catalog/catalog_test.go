package catalog

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

func drawTags(t *rapid.T) tidemark.Tags {
	m := make(map[string]string)
	for range rapid.IntRange(0, 4).Draw(t, "tags") {
		m[rapid.SampledFrom([]string{"a", "ab", "b", "host", "zone"}).Draw(t, "name")] = rapid.StringMatching(`[a-c]{1,3}`).Draw(t, "value")
	}
	return tidemark.MakeTags(m)
}

func drawFilter(t *rapid.T, depth int) tsdb.Filter {
	op := tsdb.FilterOp(rapid.IntRange(0, 5).Draw(t, "op"))
	f := tsdb.Filter{Op: op, Tag: rapid.SampledFrom([]string{"a", "ab", "b", "host", "none"}).Draw(t, "tag")}
	for range rapid.IntRange(0, 3).Draw(t, "patterns") {
		f.Patterns = append(f.Patterns, rapid.StringMatching(`[a-c*]{1,3}`).Draw(t, "pattern"))
	}
	if depth == 0 && op >= tsdb.And && op <= tsdb.Not {
		f.Op = tsdb.Has
		return f
	}
	switch f.Op {
	case tsdb.And, tsdb.Or:
		for range rapid.IntRange(0, 3).Draw(t, "args") {
			f.Args = append(f.Args, drawFilter(t, depth-1))
		}
	case tsdb.Not:
		f.Args = []tsdb.Filter{drawFilter(t, depth-1)}
	}
	return f
}

// TestCatalog defines streams, picks some by filters and compares with the
// filters' own meaning, in the order of tags.
func TestCatalog(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := New().Edit()
		known := make(map[string]tidemark.Tags)
		ids := make(map[string]uint32)
		for range rapid.IntRange(1, 4).Draw(t, "rounds") {
			for range rapid.IntRange(0, 40).Draw(t, "streams") {
				tags := drawTags(t)
				key := string(tsdb.AppendKey(nil, "cpu", tags))
				id := c.Define(1, []byte(key))
				if old, ok := ids[key]; ok && old != id {
					t.Fatalf("%q has ids %d and %d", key, old, id)
				}
				if other := c.Define(2, []byte(key)); other == id {
					t.Fatal("two organizations share a stream")
				}
				ids[key], known[key] = id, tags
				delete(c.unseen, id)
			}
			f := drawFilter(t, 2)
			comparePick(t, c.View, known, &f)
		}
	})
}

func comparePick(t *rapid.T, c *View, known map[string]tidemark.Tags, f *tsdb.Filter) {
	var want []tidemark.Tags
	for _, tags := range known {
		if f.Match(tags) {
			want = append(want, tags)
		}
	}
	slices.SortFunc(want, tidemark.Tags.Compare)
	m := c.Metric(1, "cpu")
	if m == nil {
		return
	}
	got := c.Pick(m, f, nil)
	if len(got) != len(want) {
		t.Fatalf("%+v picks %d streams, want %d", f, len(got), len(want))
	}
	for i, at := range got {
		if tags := m.AppendTags(c, at, nil); tags.Compare(want[i]) != 0 {
			t.Fatalf("stream %d is %v, want %v", i, tags, want[i])
		}
	}
}

// FuzzTags compares the two readers of keys.
func FuzzTags(f *testing.F) {
	f.Add([]byte("\x00a\x01b\x00c\x01d"))
	f.Add([]byte("\x00a\x01b\x00a\x01d"))
	f.Add([]byte("\x00"))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, tags []byte) {
		_, _, want := tsdb.ParseKey(append([]byte("m"), tags...))
		if len(tags) > 0 && tags[0] != 0 {
			want = false // these bytes would belong to the name
		}
		if got := validTags(tags); got != want {
			t.Fatalf("%q: got %v, want %v", tags, got, want)
		}
	})
}

// TestCatalogForgets deletes a metric: its streams are not found, and get new
// ids when they come again, also after the table was made again.
func TestCatalogForgets(t *testing.T) {
	t.Parallel()
	c := New().Edit()
	key := func(i int) []byte {
		return tsdb.AppendKey(nil, "cpu", tidemark.Tags{{Name: "host", Value: fmt.Sprint(i)}})
	}
	const n = 5000
	for i := range n {
		c.Define(1, key(i))
	}
	c.Drop(c.Metric(1, "cpu"))
	if c.streams != 0 || len(c.unseen) != 0 {
		t.Errorf("%d streams and %d unseen are left", c.streams, len(c.unseen))
	}
	if _, ok := c.Find(1, key(7)); ok {
		t.Error("a deleted stream is found")
	}
	for i := range 2 * n {
		if id := c.Define(1, key(i)); id < n {
			t.Fatalf("id %d is used again", id)
		}
	}
	for i := range 2 * n {
		if _, ok := c.Find(1, key(i)); !ok {
			t.Fatalf("stream %d is not found", i)
		}
	}
}

// million fills a catalogue with n streams, one metric of them with 40,000.
func million(n int) *View {
	c := New().Edit()
	var key []byte
	for i := range n {
		key = millionKey(key[:0], i)
		c.Define(1, key)
	}
	clear(c.unseen)
	c.defs = nil
	return c.View
}

func millionKey(dst []byte, i int) []byte {
	m := i / 200
	if i < 40_000 {
		m = 0
	}
	return fmt.Appendf(dst, "metric.%05d.requests\x00host\x01host-%05d.prod.example.com\x00region\x01eu-west-%d\x00svc\x01service-%d\x00version\x01v1.%d",
		m, i%40_000, i%4, i/10%10, i%7)
}

func BenchmarkCatalogFind(b *testing.B) {
	c := million(200_000)
	keys := make([][]byte, 10_000)
	for i := range keys {
		keys[i] = millionKey(nil, rand.IntN(200_000))
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if _, ok := c.Find(1, keys[i%len(keys)]); !ok {
			b.Fatal("not found")
		}
		i++
	}
}

func BenchmarkCatalogPick(b *testing.B) {
	c := million(50_000)
	m := c.Metric(1, "metric.00000.requests")
	for name, f := range map[string]tsdb.Filter{
		"equal":          tsdb.TagIs("svc", "service-3"),
		"two conditions": tsdb.AllOf(tsdb.TagIs("svc", "service-3"), tsdb.TagIsNot("region", "eu-west-1")),
		"glob":           tsdb.TagIs("host", "host-0012*"),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			var picked []uint32
			for b.Loop() {
				picked = c.Pick(m, &f, picked[:0])
			}
			b.ReportMetric(float64(len(picked)), "picked")
		})
	}
}

package embedded

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// held is what the catalogue keeps in memory.
func (b *bench) held() (streams, texts int, bytes int64) {
	c := b.catalog.View()
	defer c.Close()
	return c.Count(), c.Texts(), c.BytesOf(1)
}

// wide writes streams with tags of their own, as somebody does who puts
// numbers of requests into tags.
func (b *bench) wide(metric string, from, n int) {
	b.t.Helper()
	var batch tsdb.Batch
	for i := range n {
		batch.Add(metric, tidemark.Tags{
			{Name: "host", Value: "web-1"}, {Name: "request", Value: fmt.Sprintf("%s-%d", strings.Repeat("x", 200), from+i)},
		}, b.now, 1)
	}
	b.check(b.Write(b.t.Context(), 1, &batch))
}

// TestDeletedTextsAreGivenBack: what the tags of a deleted metric held is
// there for others, before and after a restart.
func TestDeletedTextsAreGivenBack(t *testing.T) {
	t.Parallel()
	fs := vfs.NewMem()
	b := newBench(t, Options{FS: fs})
	b.wide("keep", 0, 10)
	streams, texts, bytes := b.held()
	for round := range 3 {
		b.wide("gone", 1000*(round+1), 1000)
		if _, n, size := b.held(); n != texts+1000 || size < bytes+200_000 {
			t.Fatalf("%d texts and %d bytes with the metric, %d and %d without", n, size, texts, bytes)
		}
		b.check(b.Delete(t.Context(), 1, "gone"))
		b.check(b.Maintain(t.Context()))
		b.check(b.Maintain(t.Context())) // queries under way had their time
		if s, n, size := b.held(); s != streams || n != texts || size != bytes {
			t.Fatalf("round %d: %d streams, %d texts, %d bytes; before there were %d, %d, %d", round, s, n, size, streams, texts, bytes)
		}
	}
	b.check(b.Seal(t.Context()))
	b.check(b.Close())
	again := b.reopen(fs)
	if s, n, size := again.held(); s != streams || n != texts || size != bytes {
		t.Errorf("after a restart: %d streams, %d texts, %d bytes; before there were %d, %d, %d", s, n, size, streams, texts, bytes)
	}
}

// reopen opens the same data again.
func (b *bench) reopen(fs vfs.FS) *bench {
	b.t.Helper()
	c := &bench{t: b.t, now: b.now}
	e, err := Open(b.t.Context(), Options{Dir: "data", FS: fs, Now: func() time.Time { return time.Unix(c.now, 0) }})
	b.check(err)
	c.Engine = e
	b.t.Cleanup(func() { c.check(e.Close()) })
	return c
}

// TestQueryOfADeletedMetric: a query that found a metric before it was deleted
// never shows texts that took the place of its own.
func TestQueryOfADeletedMetric(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{})
	b.wide("gone", 0, 3)
	p := b.pickAll(1, "gone", &tsdb.Filter{})
	b.check(b.Delete(t.Context(), 1, "gone"))
	check := func(when string, want int) {
		t.Helper()
		for i := range p.targets {
			tags := p.tags(&p.targets[i], nil)
			if len(tags) != want {
				t.Errorf("%s: %v", when, tags)
			}
			for _, tag := range tags {
				if strings.Contains(tag.Value, "other") {
					t.Errorf("%s: shows %v", when, tags)
				}
			}
		}
	}
	check("at once", 2)
	for range 3 {
		b.check(b.Maintain(t.Context()))
	}
	var batch tsdb.Batch
	for i := range 10 {
		batch.Add("new", tidemark.Tags{{Name: "other", Value: fmt.Sprint("other", i)}}, b.now, 1)
	}
	b.check(b.Write(t.Context(), 2, &batch))
	check("much later", 0)
}

// TestExpiredStreamsLeave: a stream of which nothing is kept is not known any
// longer, in memory or on disk, and comes back as a new one.
func TestExpiredStreamsLeave(t *testing.T) {
	t.Parallel()
	fs := vfs.NewMem()
	o := Options{FS: fs, RawRetention: 48 * time.Hour, MinuteRetention: 72 * time.Hour, HourRetention: 96 * time.Hour}
	b := newBench(t, o)
	b.wide("m", 0, 100)
	b.check(b.Seal(t.Context()))
	for range 120 { // days
		b.now += 86400
		b.wide("m", 100, 10)
		b.check(b.Maintain(t.Context()))
	}
	b.check(b.Maintain(t.Context()))
	b.check(b.Maintain(t.Context()))
	if s, texts, _ := b.held(); s != 10 || texts != 13 {
		t.Errorf("%d streams and %d texts are kept, want the 10 that are written", s, texts)
	}
	if n := b.keys(keyStream); n > 10 {
		t.Errorf("%d streams on disk", n)
	}
	before := b.points("m", 1)
	b.wide("m", 0, 5)
	if got := b.points("m", 1); got != before+5 {
		t.Errorf("%d records, %d before five came back", got, before)
	}
	st, err := b.Stats(t.Context())
	b.check(err)
	if st.Streams != 15 {
		t.Errorf("%d streams after five came back", st.Streams)
	}
	b.check(b.Seal(t.Context()))
	b.check(b.Close())
	o.Now = func() time.Time { return time.Unix(b.now, 0) }
	o.Dir = "data"
	e, err := Open(t.Context(), o)
	b.check(err)
	b.Engine = e
	t.Cleanup(func() { e.Close() })
	if s, texts, _ := b.held(); s != 15 || texts != 18 {
		t.Errorf("after a restart: %d streams and %d texts", s, texts)
	}
	if got := b.points("m", 1); got != before+5 {
		t.Errorf("%d records after a restart, %d before", got, before+5)
	}
}

// TestTagNamesAreBounded: streams each with a tag of its own would make the
// table of tags grow with their square.
func TestTagNamesAreBounded(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{})
	var batch tsdb.Batch
	batch.Room = tsdb.Room{TagNames: 50, Bytes: 1 << 20, Streams: 1000}
	refused := 0
	for i := range 500 {
		batch.Reset()
		batch.Add("m", tidemark.Tags{{Name: fmt.Sprint("t", i), Value: "x"}}, b.now, 1)
		if err := b.Write(t.Context(), 1, &batch); tidemark.KindOf(err) == tidemark.TooLarge {
			refused++
		} else {
			b.check(err)
		}
	}
	if refused != 450 {
		t.Errorf("%d of 500 were refused, want 450", refused)
	}
}

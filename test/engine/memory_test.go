package engine_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded"
)

// TestSelectStreamsResults reads many streams and looks at the heap on the
// way: what was yielded must not pile up.
func TestSelectStreamsResults(t *testing.T) {
	const many, each = 20_000, 60
	o := workOptions("data")
	o.FS, o.GenerationRecords = newDisk(), many*each/2
	e, err := embedded.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	base := weekAgo()
	var b tsdb.Batch
	keys := make([][]byte, many)
	for i := range keys {
		keys[i] = tsdb.AppendKey(nil, "cpu", tidemark.Tags{{Name: "host", Value: fmt.Sprintf("h%05d", i)}})
	}
	for k := range int64(each) {
		b.Reset()
		for i := range keys {
			b.AddKey(keys[i], base+k, tsdb.Single(float64(i)+float64(k)/10))
		}
		if err := e.Write(t.Context(), tenant, &b); err != nil {
			t.Fatal(err)
		}
	}
	n, points, most := 0, 0, int64(0)
	before := heapInUse()
	for s, err := range e.Select(t.Context(), tenant, &tsdb.Query{Metric: "cpu", Start: base, End: base + hour, Step: 1, Function: tsdb.All}) {
		if err != nil {
			t.Fatal(err)
		}
		n, points = n+1, points+len(s.Times)
		if n%(many/4) == 0 {
			most = max(most, heapInUse()-before)
		}
	}
	if n != many || points != many*each {
		t.Errorf("got %d series with %d points, want %d with %d", n, points, many, many*each)
	}
	// All of them would be some 64 MiB; blocks that were read are kept up to
	// the size of the cache.
	if limit := int64(16 << 20); most > limit {
		t.Errorf("the heap grew by %d bytes while reading, want at most %d", most, limit)
	}
	t.Logf("the heap grew by %d KiB", most>>10)
}

// TestIdleStreams looks at the heap after many streams were written and
// sealed: what stays is the catalogue.
func TestIdleStreams(t *testing.T) {
	const many = 100_000
	o := workOptions(t.TempDir())
	o.FS, o.GenerationRecords = nil, 2*many // files in memory would count
	e, err := embedded.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	before := heapInUse()
	base := weekAgo()
	var b tsdb.Batch
	var key []byte
	for i := range many {
		key = tsdb.AppendKey(key[:0], fmt.Sprintf("m%d", i/1000), tidemark.Tags{{Name: "dc", Value: fmt.Sprint(i % 4)}, {Name: "host", Value: fmt.Sprintf("h%03d", i%1000)}})
		b.AddKey(key, base, tsdb.Single(float64(i)))
		if b.Len() == 1000 {
			if err := e.Write(t.Context(), tenant, &b); err != nil {
				t.Fatal(err)
			}
			b.Reset()
		}
	}
	active := heapInUse() - before
	if err := e.Seal(t.Context()); err != nil {
		t.Fatal(err)
	}
	idle := heapInUse() - before
	t.Logf("%d bytes a stream while it is written, %d when it was sealed", active/many, idle/many)
	if idle/many > 80 {
		t.Errorf("%d bytes a stream, want 80 or less", idle/many)
	}
}

func heapInUse() int64 {
	runtime.GC()
	runtime.GC() // pools keep what is in them for one
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

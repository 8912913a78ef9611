package ingest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/protocol"
)

// TestMetadataIsBounded: what is remembered of metrics that are not there has a
// limit, and what came last is among it.
func TestMetadataIsBounded(t *testing.T) {
	t.Parallel()
	b := newBench(nil)
	help := strings.Repeat("h", 1000)
	const many = 2 * maxAbout / 1000
	for i := range many {
		batch := protocol.Batch{Metadata: []protocol.Metadata{{Name: fmt.Sprint("m", i), Help: help, Type: "counter"}, {Name: "long", Help: strings.Repeat("h", maxHelp+1)}}}
		if _, _, err := b.RecordPoints(t.Context(), 1, &batch, Origin{}); err != nil {
			t.Fatal(err)
		}
	}
	a := &b.cache.of(1).about
	size := 0
	for _, m := range a.m {
		size += len(m.Help)
	}
	if size > maxAbout || len(a.m) < 100 || b.About(1, fmt.Sprint("m", many-1)).Help != help || b.About(1, "long").Name != "" {
		t.Errorf("%d metrics with %d bytes are remembered", len(a.m), size)
	}
}

// TestMetadataIsAppliedOnce: metadata that is sent again, and is about a metric
// that is there, asks the control store for nothing.
func TestMetadataIsAppliedOnce(t *testing.T) {
	t.Parallel()
	b := newBench(nil)
	batch := protocol.Batch{
		Points:   []protocol.Point{{Name: "up", Value: 1, Time: testNow * 1000}, {Name: "lat_count", Value: 1, Time: testNow * 1000}},
		Metadata: []protocol.Metadata{{Name: "lat", Help: "Latency.", Type: "summary"}},
	}
	for range 3 {
		if _, _, err := b.RecordPoints(t.Context(), 1, &batch, Origin{}); err != nil {
			t.Fatal(err)
		}
	}
	asked := b.metrics.asked
	if _, _, err := b.RecordPoints(t.Context(), 1, &protocol.Batch{Metadata: batch.Metadata}, Origin{}); err != nil || b.metrics.asked != asked {
		t.Errorf("%v, the store was asked %d times", err, b.metrics.asked-asked)
	}
}

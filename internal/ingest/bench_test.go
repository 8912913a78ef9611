package ingest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/spelling"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
)

// nowhere is an engine that takes everything and keeps nothing.
type nowhere struct{ *memory.Engine }

func (nowhere) Write(context.Context, tidemark.OrgID, *tsdb.Batch) error { return nil }

// request is what an agent with five tags sends: n measurements of as many
// streams.
func request(n int) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `{"time":%d,"measurements":[`, testNow)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"name":"shop.request.ms","value":%d.%d,"tags":{"dc":"ams%d","env":"prod","host":"web-%04d","role":"checkout","zone":"eu-west-1%c"}}`,
			i%900, i%97, i%3, i, 'a'+i%3)
	}
	b.WriteString("]}")
	return b.Bytes()
}

func benchRecorder() *Recorder {
	metrics := &fakeMetrics{stored: make(map[string]*tidemark.Metric)}
	return New(Options{Engine: nowhere{memory.New()}, Metrics: metrics, Now: func() time.Time { return time.Unix(testNow, 0) }})
}

func BenchmarkRecord(b *testing.B) { benchmarkRecord(b, request(1000)) }

// BenchmarkRecordUpper records streams whose hosts are in upper case.
func BenchmarkRecordUpper(b *testing.B) {
	benchmarkRecord(b, bytes.ReplaceAll(request(1000), []byte("web-"), []byte("WEB-")))
}

func benchmarkRecord(b *testing.B, body []byte) {
	const n = 1000
	r := benchRecorder()
	r.Spellings = spelling.New(&spelling.Memory{}, nil)
	if _, _, err := r.Record(b.Context(), 1, body, "agent"); err != nil { // of streams that are known
		b.Fatal(err)
	}
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := r.Record(b.Context(), 1, body, "agent"); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)*n/b.Elapsed().Seconds()/1e6, "M/s")
}

// BenchmarkStandardLibrary only reads the same request into structs.
func BenchmarkStandardLibrary(b *testing.B) {
	const n = 1000
	body := request(n)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		var req struct {
			Time         float64
			Tags         map[string]string
			Measurements []struct {
				Name  string
				Value *float64
				Time  *float64
				Tags  map[string]string
			}
		}
		if err := json.Unmarshal(body, &req); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)*n/b.Elapsed().Seconds()/1e6, "M/s")
}

// TestAllocations holds the recorder to its promise: once it knows the
// metrics and has grown, recording allocates nothing for a measurement. It
// leaves out the pool, which may lose what it keeps.
func TestAllocations(t *testing.T) {
	r, body := benchRecorder(), request(5000)
	d := r.intake(body, Origin{UserAgent: "agent"})
	allocs := testing.AllocsPerRun(10, func() {
		d.reset(body)
		if err := d.read(); err != nil {
			t.Fatal(err)
		}
		if err := r.write(t.Context(), 1, d); err != nil {
			t.Fatal(err)
		}
	})
	if allocs > 10 {
		t.Errorf("%v allocations for 5000 measurements", allocs)
	}
}

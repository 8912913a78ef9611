package ingest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/protocol/graphite"
	"github.com/tidemark-metrics/tidemark/internal/protocol/influx"
	"github.com/tidemark-metrics/tidemark/internal/protocol/otlp"
	. "github.com/tidemark-metrics/tidemark/internal/protocol/protocoltest"
	"github.com/tidemark-metrics/tidemark/internal/protocol/remotewrite"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded"
)

// Streams of the benchmark, and how many of them one request is about.
const (
	benchStreams = 5000
	benchBatch   = 1000
)

// benchTags are those of stream i.
func benchTags(i int) [][2]string {
	return [][2]string{{"dc", fmt.Sprint("ams", i%3)}, {"env", "prod"}, {"host", fmt.Sprintf("web-%04d", i)}, {"role", "checkout"}, {"zone", "eu-west-1" + string(rune('a'+i%3))}}
}

// These write one sample at a time in seconds of each of the streams from one to
// another.

func remoteWrite(from, to int, at int64) (body []byte) {
	for i := from; i < to; i++ {
		series := []any{1, Message(1, "__name__", 2, "load.1")}
		for _, t := range benchTags(i) {
			series = append(series, 1, Message(1, t[0], 2, t[1]))
		}
		body = append(body, Message(1, Message(append(series, 2, Message(1, float64(i)/8, 2, int(at)*1000))...))...)
	}
	return body
}

func otlpGauge(from, to int, at int64) []byte {
	var points []any
	for i := from; i < to; i++ {
		point := []any{3, uint64(at) * 1e9, 4, float64(i) / 8}
		for _, t := range benchTags(i) {
			point = append(point, 7, Message(1, t[0], 2, Message(1, t[1])))
		}
		points = append(points, 1, Message(point...))
	}
	return Message(1, Message(2, Message(2, Message(1, "load.1", 5, Message(points...)))))
}

func influxLines(from, to int, at int64) (body []byte) {
	for i := from; i < to; i++ {
		body = fmt.Appendf(body, "load.1%s value=%v %d000000000\n", joinTags(i, ","), float64(i)/8, at)
	}
	return body
}

func graphiteLines(from, to int, at int64) (body []byte) {
	for i := from; i < to; i++ {
		body = fmt.Appendf(body, "load.1%s %v %d\n", joinTags(i, ";"), float64(i)/8, at)
	}
	return body
}

func joinTags(i int, before string) string {
	var b strings.Builder
	for _, t := range benchTags(i) {
		b.WriteString(before + t[0] + "=" + t[1])
	}
	return b.String()
}

// BenchmarkProtocols records samples of streams that are known, as they come
// by each protocol, up to and including the engine.
func BenchmarkProtocols(b *testing.B) {
	var remote remotewrite.Decoder
	var lines influx.Decoder
	otel := otlp.New(otlp.DefaultResource)
	for _, p := range []struct {
		name   string
		write  func(from, to int, at int64) []byte
		decode func(body []byte, batch *protocol.Batch) error
	}{
		{"remote write", remoteWrite, func(body []byte, batch *protocol.Batch) error {
			_, err := remote.Decode(remotewrite.V1, body, batch)
			return err
		}},
		{"OTLP", otlpGauge, otel.Decode},
		{"Influx", influxLines, func(body []byte, batch *protocol.Batch) error { return lines.Decode("ns", body, batch) }},
		{"Graphite", graphiteLines, graphite.Decode},
	} {
		b.Run(p.name, func(b *testing.B) {
			now := time.Unix(testNow, 0)
			e, err := embedded.Open(b.Context(), embedded.Options{Dir: b.TempDir(), Now: func() time.Time { return now }})
			if err != nil {
				b.Fatal(err)
			}
			defer e.Close()
			r := New(Options{Engine: e, Metrics: &fakeMetrics{stored: make(map[string]*tidemark.Metric)}, Now: func() time.Time { return now }})
			const kept = 20 // minutes
			bodies := make([][]byte, 0, kept*benchStreams/benchBatch)
			for m := range kept {
				for from := 0; from < benchStreams; from += benchBatch {
					bodies = append(bodies, p.write(from, from+benchBatch, testNow-int64(kept-m)*60))
				}
			}
			batch := r.NewBatch(protocol.DefaultLimits)
			b.ReportAllocs()
			for n := 0; b.Loop(); n++ {
				batch.Reset()
				if err := p.decode(bodies[n%len(bodies)], batch); err != nil {
					b.Fatal(err)
				}
				if s, _, err := r.RecordPoints(b.Context(), us, batch, Origin{}); err != nil || s.Accepted != benchBatch {
					b.Fatal(s, err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchBatch, "ns/sample")
		})
	}
}

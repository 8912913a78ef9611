package api

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// BenchmarkRead asks for one stream of six hours, and for a hundred of thirty
// days, as dashboards do.
func BenchmarkRead(b *testing.B) {
	w := newWorld(b)
	now := time.Now().Unix() / 3600 * 3600
	var batch tsdb.Batch
	for i := range int64(360) {
		batch.Add("short", tidemark.Tags{{Name: "host", Value: "a"}}, now-i*60, 1.25*float64(i))
	}
	for stream := range 100 {
		tags := tidemark.Tags{{Name: "host", Value: fmt.Sprintf("web-%03d", stream)}}
		for i := range int64(720) {
			batch.Add("long", tags, now-i*3600, float64(i*int64(stream))/7)
		}
	}
	if err := w.engine.Write(b.Context(), w.ours, &batch); err != nil {
		b.Fatal(err)
	}
	for name, target := range map[string]string{
		"short": "/v1/measurements/short?resolution=60&duration=21600", "long": "/v1/measurements/long?resolution=3600&duration=2592000",
	} {
		if _, err := w.Store.EnsureMetrics(b.Context(), w.ours, []*tidemark.Metric{{Name: name, Type: tidemark.Gauge}}); err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if rec := w.ask("viewer", "GET", target, ""); rec.Code != http.StatusOK {
					b.Fatal(rec.Code, rec.Body)
				}
			}
		})
	}
}

package clickhouse_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/clickhouse"
	"golang.org/x/sys/unix"
)

// taking is the way to a ClickHouse that takes every insert, and says so after
// a while.
type taking struct{ http.RoundTripper }

func (to taking) RoundTrip(r *http.Request) (*http.Response, error) {
	if !strings.HasPrefix(r.URL.Query().Get("query"), "INSERT") {
		return to.RoundTripper.RoundTrip(r)
	}
	_, err := io.Copy(io.Discard, r.Body)
	time.Sleep(30 * time.Millisecond)
	return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, err
}

// thousand is a batch of as many streams with five tags.
func thousand(at int64) *tsdb.Batch {
	b := new(tsdb.Batch)
	for i := range 1000 {
		b.Add("shop.request.ms", tidemark.Tags{
			{Name: "dc", Value: fmt.Sprint("ams", i%3)}, {Name: "env", Value: "prod"}, {Name: "host", Value: fmt.Sprintf("web-%04d", i)},
			{Name: "role", Value: "checkout"}, {Name: "zone", Value: fmt.Sprintf("eu-west-1%c", 'a'+i%3)},
		}, at, float64(i))
	}
	return b
}

// BenchmarkWrite is 64 at once who write a thousand records again and again.
func BenchmarkWrite(b *testing.B) {
	const writers = 64
	f := newFake(b)
	o, _ := fakeOptions(f)
	o.CommitInterval, o.Transport = 100*time.Millisecond, taking{http.DefaultTransport}
	e, err := clickhouse.Open(b.Context(), o)
	if err != nil {
		b.Fatal(err)
	}
	defer e.Close()
	var batches [writers]*tsdb.Batch
	for i := range batches {
		batches[i] = thousand(time.Now().Unix() - int64(i))
	}
	b.ReportAllocs()
	b.ResetTimer()
	before := processor(b)
	var wg sync.WaitGroup
	for i, batch := range batches {
		wg.Go(func() {
			for n := i; n < b.N; n += writers {
				if err := e.Write(b.Context(), org, batch); err != nil {
					b.Error(err)
				}
			}
		})
	}
	wg.Wait()
	// It waits most of the time: what counts is what the processor takes.
	b.ReportMetric((processor(b)-before).Seconds()*1e6/float64(1000*b.N), "cpu-s/million")
}

// processor is how long this process has had one.
func processor(b *testing.B) time.Duration {
	b.Helper()
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

package ports

import (
	"context"
	"net"
	"time"

	"github.com/tidemark-metrics/tidemark/internal/clock"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/protocol/statsd"
)

// statsdPort sums up what StatsD clients send, and records it at intervals.
type statsdPort struct {
	*port
	sums  *statsd.Aggregator
	every time.Duration
	last  int64 // second of the last flush
}

func newStatsd(p *port, every time.Duration) *statsdPort {
	return &statsdPort{port: p, sums: statsd.New(statsd.DefaultLimits), every: every}
}

func (d *statsdPort) serveConn(ctx context.Context, c net.Conn) {
	d.eachChunk(ctx, c, nil, d.sums.Add)
}

func (d *statsdPort) packets(_ context.Context, packets [][]byte) {
	for _, p := range packets {
		d.sums.Add(p)
	}
}

// flushes records what was summed up at every multiple of the interval, so
// that servers that are started at different times agree, and once more when
// ctx is done.
func (d *statsdPort) flushes(ctx context.Context) error {
	for {
		now := d.Now()
		timer := time.NewTimer(now.Truncate(d.every).Add(d.every).Sub(now))
		select {
		case <-timer.C:
			d.flush(ctx)
		case <-ctx.Done():
			timer.Stop()
			d.flush(ctx)
			return nil
		}
	}
}

// flushTries is how often a flush is tried, at most.
const flushTries = 4

// flush records what was summed up. Where that fails it is tried again for as
// long as most of the interval; then it is lost, and counted. No two flushes
// have the same second: the later would replace the earlier.
func (d *statsdPort) flush(ctx context.Context) {
	d.last = max(d.Now().Unix(), d.last+1)
	b := d.sums.Flush(d.last * 1000)
	for try := 1; ; try++ {
		if d.record(ctx, b, "UDP", "") == nil {
			return
		}
		b.Skipped = nil // they were counted
		if try == flushTries || !clock.Sleep(ctx, d.every/(2*flushTries)) {
			break
		}
	}
	d.drop(b)
}

func (d *statsdPort) drop(b *protocol.Batch) { d.counters.lost.Add(int64(len(b.Points))) }

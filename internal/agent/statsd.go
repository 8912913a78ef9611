package agent

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/tidemark-metrics/tidemark/internal/protocol/statsd"
)

// statsdLimits keep the agent small: what is over them is dropped, and said.
var statsdLimits = statsd.Limits{Series: 10_000, Members: 50_000, Bytes: 2 << 20}

// statsdPort sums up what StatsD clients on this machine send.
type statsdPort struct {
	*Agent
	conn net.PacketConn
	sums *statsd.Aggregator
	last int64 // second of the last flush
}

// listenStatsd opens the port of the settings; nil where there is none.
func (a *Agent) listenStatsd() (*statsdPort, error) {
	if a.cfg.Statsd == "" {
		return nil, nil
	}
	conn, err := net.ListenPacket("udp", a.cfg.Statsd)
	if err != nil {
		return nil, fmt.Errorf("statsd: %w", err)
	}
	return &statsdPort{Agent: a, conn: conn, sums: statsd.New(statsdLimits)}, nil
}

func (p *statsdPort) read(ctx context.Context) {
	stop := context.AfterFunc(ctx, func() { _ = p.conn.Close() })
	defer stop()
	packet := make([]byte, 64<<10)
	for {
		n, _, err := p.conn.ReadFrom(packet)
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err == nil {
			p.sums.Add(packet[:n])
		}
	}
}

// flush adds what was summed up since the last one. No two have the same
// second: the later would replace the earlier.
func (p *statsdPort) flush(now time.Time, b *body) {
	p.last = max(now.Unix(), p.last+1)
	batch := p.sums.Flush(p.last * 1000)
	for i := range batch.Points {
		b.point(&batch.Points[i], nil)
	}
	for _, s := range batch.Skipped {
		p.warnLocked("statsd", "lines of StatsD were left out", fmt.Errorf("%d: %s %s", s.Count, s.Example, s.Reason))
		p.sent.dropped += int64(s.Count)
	}
}

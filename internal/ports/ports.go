// Package ports takes measurements that come without HTTP: lines and pickles
// of Graphite, and StatsD, by TCP and UDP. These carry no token: a setting has
// one, which says whose the data is. What is taken goes through the one
// recorder.
package ports

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/auth"
	"github.com/tidemark-metrics/tidemark/internal/ingest"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/usage"
)

// Options are what ports work with.
type Options struct {
	Recorder *ingest.Recorder
	Auth     *auth.Authenticator
	Usage    *usage.Tracker
	Logger   *slog.Logger
	Now      func() time.Time // time.Now where nil

	MaxConnections int           // of one port; 1000 where 0
	IdleTimeout    time.Duration // after which a silent connection is closed; 10 minutes where 0
	Grace          time.Duration // how long connections may go on when the server stops; a second where 0
}

func (o *Options) setDefaults() {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.MaxConnections == 0 {
		o.MaxConnections = 1000
	}
	if o.IdleTimeout == 0 {
		o.IdleTimeout = 10 * time.Minute
	}
	if o.Grace == 0 {
		o.Grace = time.Second
	}
}

// counters are what one port has done since the server started.
type counters struct {
	connections, refusedConnections atomic.Int64
	packets, droppedPackets         atomic.Int64
	recorded, refused, lost         atomic.Int64 // points
	unreadable                      atomic.Int64 // lines and the like
}

// port is what all of them have in common.
type port struct {
	Options
	name, title string
	token       tidemark.Secret
	origin      ingest.Origin
	counters    counters

	mu     sync.Mutex
	warned time.Time // guarded by mu
}

// warnEvery is how often the log repeats that something is refused.
const warnEvery = time.Minute

// recordTimeout bounds a write. It goes on when the server stops: what was
// taken is to be kept.
const recordTimeout = 30 * time.Second

// record records a batch, for anyone who has the token. It returns an error where
// nothing was recorded.
func (p *port) record(ctx context.Context, b *protocol.Batch, by, from string) error {
	for _, s := range b.Skipped {
		p.counters.unreadable.Add(int64(s.Count))
	}
	if len(b.Points) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTimeout)
	defer cancel()
	who, err := p.Auth.Identify(ctx, p.token, from)
	if err == nil && !who.Role.Allows(tidemark.Record) {
		err = tidemark.Errorf(tidemark.Forbidden, "the token of %s may not record", p.name)
	}
	var s ingest.Summary
	if err == nil {
		origin := p.origin
		origin.Scoped(who)
		s, _, err = p.Recorder.RecordPoints(store.ForOrg(ctx, who.Org), who.Org, b, origin)
	}
	p.counters.recorded.Add(int64(s.Accepted))
	p.counters.refused.Add(int64(s.Failed))
	q := usage.Request{Who: who, RemoteHost: from, Method: by, Path: p.name, Protocol: p.title, Status: 202, Measurements: int64(s.Accepted),
		Sample: usage.SampleOfPoints(b), Action: tidemark.Record, Noun: "measurements"}
	if err != nil {
		q.Status, q.Reason = 503, err.Error()
		p.warn(ctx, "measurements are refused", err)
	}
	p.Usage.Note(q)
	return err
}

// lose records a batch that cannot be sent again: what is refused is lost, and
// counted.
func (p *port) lose(ctx context.Context, b *protocol.Batch, by, from string) {
	if err := p.record(ctx, b, by, from); err != nil {
		p.counters.lost.Add(int64(len(b.Points)))
	}
}

// warn logs, but not again and again.
func (p *port) warn(ctx context.Context, text string, err error) {
	p.mu.Lock()
	now := p.Now()
	due := now.Sub(p.warned) >= warnEvery
	if due {
		p.warned = now
	}
	p.mu.Unlock()
	if due {
		p.Logger.LogAttrs(ctx, slog.LevelWarn, text, slog.String("port", p.name), slog.Any("err", err))
	}
}

// WriteMetrics writes what ports did as Prometheus text.
func (s *Set) WriteMetrics(w io.Writer) {
	for _, m := range []struct {
		name, kind, help string
		of               func(*counters) *atomic.Int64
	}{
		{"connections", "gauge", "Connections that are open.", func(c *counters) *atomic.Int64 { return &c.connections }},
		{"refused_connections_total", "counter", "Connections refused: there were as many as there may be.", func(c *counters) *atomic.Int64 { return &c.refusedConnections }},
		{"packets_total", "counter", "Packets that came by UDP.", func(c *counters) *atomic.Int64 { return &c.packets }},
		{"dropped_packets_total", "counter", "Packets that came faster than they could be read.", func(c *counters) *atomic.Int64 { return &c.droppedPackets }},
		{"points_total", "counter", "Points that were recorded.", func(c *counters) *atomic.Int64 { return &c.recorded }},
		{"refused_points_total", "counter", "Points that were refused for what they are.", func(c *counters) *atomic.Int64 { return &c.refused }},
		{"lost_points_total", "counter", "Points that could not be recorded.", func(c *counters) *atomic.Int64 { return &c.lost }},
		{"unreadable_total", "counter", "Lines and points that were not understood or cannot be kept.", func(c *counters) *atomic.Int64 { return &c.unreadable }},
	} {
		if len(s.ports) > 0 {
			fmt.Fprintf(w, "# HELP tidemark_port_%s %s\n# TYPE tidemark_port_%s %s\n", m.name, m.help, m.name, m.kind)
		}
		for _, p := range s.ports {
			fmt.Fprintf(w, "tidemark_port_%s{port=%q} %d\n", m.name, p.name, m.of(&p.counters).Load())
		}
	}
}

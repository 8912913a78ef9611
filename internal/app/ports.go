package app

import (
	"context"
	"log/slog"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/config"
	"github.com/tidemark-metrics/tidemark/internal/ports"
)

// openPorts makes what answers at the ports of other protocols.
func (rm *rooms) openPorts(cfg *config.Config, log *slog.Logger, d *doors) {
	rm.ports = ports.New(ports.Options{Recorder: rm.recorder, Auth: rm.auth, Usage: rm.usage, Logger: log})
	if d.graphite != nil {
		rm.ports.Graphite(d.graphite, tidemark.Secret(cfg.Protocols.GraphiteToken))
	}
	if d.statsd != nil {
		rm.ports.StatsD(d.statsd, tidemark.Secret(cfg.Protocols.StatsDToken), cfg.Protocols.StatsDFlush)
	}
}

// startPorts starts them.
func (rm *rooms) startPorts(s *starter, log *slog.Logger, d *doors) {
	s.start("ports", rm.ports.Run)
	if d.otlp != nil {
		s.start("otlp by gRPC", func(ctx context.Context) error { return serveGRPC(ctx, d.otlp, rm.api.OTLP(), d.cert, log) })
	}
}

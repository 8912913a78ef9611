package app

import (
	"context"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/config"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// beatEvery is how often a server says that it is there.
const beatEvery = 3 * time.Second

// nodeID names a server: by its machine and its data directory, which no two
// servers share, so that one that is started again after a crash is the same.
func nodeID(cfg *config.Config) string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	dir, err := filepath.Abs(cfg.Data)
	if err != nil {
		dir = cfg.Data
	}
	return host + ":" + dir
}

// join makes the server known to others on the same database, unless they
// cannot be together. SQLite is a file in the data directory, which is locked.
func join(ctx context.Context, cfg *config.Config, st *store.Store, node string) (leave func(), err error) {
	if cfg.Database == "" {
		return func() {}, nil
	}
	err = st.Join(ctx, &store.Node{ID: node, Address: ownAddress(cfg), Version: Version(), Engine: cfg.Engine})
	if err != nil {
		return nil, err
	}
	return func() {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		_ = st.Leave(ctx, node) // others notice soon enough
	}, nil
}

// ownAddress is where others reach this server.
func ownAddress(cfg *config.Config) string {
	if cfg.TLSCert != "" {
		return "https://" + cfg.Listen
	}
	return "http://" + cfg.Listen
}

// beat says that the server is there until ctx is done. One that was away for
// so long that others took it for dead joins again.
func (rm *rooms) beat(ctx context.Context, cfg *config.Config, log *slog.Logger) error {
	ticker := time.NewTicker(beatEvery)
	defer ticker.Stop()
	var rate measurementRate
	for {
		select {
		case <-ctx.Done():
			return rm.drain(cfg, ticker.C)
		case <-ticker.C:
		}
		now := time.Now()
		rm.rate.Store(math.Float64bits(rate.since(rm.recordedTotal.Load(), now)))
		rm.pulse.add(now, rm.behind(now), rm.api.Queries())
		if cfg.Database == "" {
			continue // nobody else is there to hear it
		}
		err := rm.store.Beat(ctx, rm.node, rm.load(now), rm.limits.TakeGranted(beatEvery))
		if tidemark.KindOf(err) == tidemark.NotFound && err != nil {
			err = rm.store.Join(ctx, &store.Node{ID: rm.node, Address: ownAddress(cfg), Version: Version(), Engine: cfg.Engine})
		}
		if err == nil {
			err = rm.shareLimits(ctx)
		}
		if err != nil && ctx.Err() == nil {
			log.Warn("heartbeat to the other servers failed", slog.Any("err", err))
		}
	}
}

// drain says that the server is about to stop for as long as requests are under
// way. That others do not hear of it is no error: they notice soon enough.
func (rm *rooms) drain(cfg *config.Config, tick <-chan time.Time) error {
	rm.draining.Store(true)
	for cfg.Database != "" {
		ctx, cancel := context.WithTimeout(context.Background(), beatEvery)
		_ = rm.store.Beat(ctx, rm.node, rm.load(time.Now()), rm.limits.TakeGranted(beatEvery))
		cancel()
		select {
		case <-rm.drained:
			return nil
		case <-tick:
		}
	}
	return nil
}

// shareLimits takes account of what other servers let organizations do.
func (rm *rooms) shareLimits(ctx context.Context) error {
	others, err := rm.store.GrantedElsewhere(ctx, rm.node)
	if err != nil {
		return err // what is known of them stays
	}
	rm.limits.SetOthers(others)
	return nil
}

// Package agent watches one machine: it collects what the machine does, what
// scripts, Prometheus endpoints and StatsD clients on it say, and sends it to
// a server. What is collected is on disk before it is sent, so that neither
// an end of the agent nor one of the server loses it.
package agent

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

// Agent watches one machine.
type Agent struct {
	cfg   Config
	log   *slog.Logger
	spool *spool
	base  tidemark.Tags // of every measurement

	mu      sync.Mutex
	pending *body // guarded by mu
	// findings are what checks found since the last round; guarded by mu.
	findings []tidemark.Finding
	warned   map[string]time.Time
	sent     counters

	ready sync.Once
}

// counters are what became of measurements since the last round.
type counters struct{ sent, refused, dropped int64 }

// New returns an agent with settings that were checked.
func New(cfg Config, log *slog.Logger) (*Agent, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	sp, err := openSpool(cfg.Spool.Dir, int64(cfg.Spool.Limit))
	if err != nil {
		return nil, err
	}
	a := &Agent{cfg: cfg, log: log, spool: sp, base: cfg.baseTags(), warned: make(map[string]time.Time)}
	a.pending = newBody(a.base, cfg.Every)
	return a, nil
}

// Run collects and sends until ctx is done; what was collected by then is on
// disk, and is sent where the server answers at once.
func (a *Agent) Run(ctx context.Context) error {
	defer a.spool.close()
	stats, err := a.listenStatsd()
	if err != nil {
		return err
	}
	var all sync.WaitGroup
	for _, c := range a.collectors() {
		all.Go(func() { a.every(ctx, c.every, c.collect) })
	}
	if stats != nil {
		all.Go(func() { stats.read(ctx) })
	}
	if !a.cfg.Checks.Off {
		all.Go(func() { newChecker(a).run(ctx) })
	}
	sending, stop := context.WithCancel(context.Background())
	var forwarder sync.WaitGroup
	forwarder.Go(func() { newForwarder(a).run(sending) })
	a.rounds(ctx, stats)
	all.Wait()
	a.finish(stats)
	a.drain()
	stop()
	forwarder.Wait()
	return nil
}

// drainFor is how long the agent goes on sending when it is stopped.
const drainFor = 2 * time.Second

// drain waits until everything is sent, for a while.
func (a *Agent) drain() {
	for end := time.Now().Add(drainFor); time.Now().Before(end) && a.spool.len() > 0; {
		time.Sleep(20 * time.Millisecond)
	}
}

// collector is something that is asked at an interval of its own.
type collector struct {
	every   time.Duration
	collect func(ctx context.Context, now time.Time)
}

func (a *Agent) collectors() (list []collector) {
	for _, s := range a.cfg.Scrape {
		list = append(list, collector{s.Every, a.scraper(s)})
	}
	for _, s := range a.cfg.Scripts {
		list = append(list, collector{s.Every, a.script(s)})
	}
	if len(a.cfg.Units) > 0 {
		list = append(list, collector{slow(a.cfg.Every), a.units})
	}
	if a.cfg.Containers != "" {
		list = append(list, collector{slow(a.cfg.Every), a.containers(a.cfg.Containers)})
	}
	return list
}

// slow is the interval of what costs more than reading a file: a minute, or
// the agent's own where that is longer.
func slow(every time.Duration) time.Duration { return max(every, time.Minute) }

// every calls collect at multiples of an interval.
func (a *Agent) every(ctx context.Context, every time.Duration, collect func(context.Context, time.Time)) {
	for {
		at, ok := next(ctx, every)
		if !ok {
			return
		}
		collect(ctx, at)
	}
}

// next waits for the next multiple of an interval, so that machines agree on
// the times of their measurements. It reports false where ctx is done.
func next(ctx context.Context, every time.Duration) (time.Time, bool) {
	now := time.Now()
	at := now.Truncate(every).Add(every)
	timer := time.NewTimer(at.Sub(now))
	defer timer.Stop()
	select {
	case <-timer.C:
		return at, true
	case <-ctx.Done():
		return time.Time{}, false
	}
}

// rounds collects what the machine does, and puts everything into the spool.
func (a *Agent) rounds(ctx context.Context, stats *statsdPort) {
	h := newHost(a.cfg)
	h.collect(time.Now(), newBody(nil, a.cfg.Every)) // rates need something to start from
	for {
		now, ok := next(ctx, a.cfg.Every)
		if !ok {
			return
		}
		a.with(func(b *body) {
			if err := h.collect(now, b); err != nil {
				a.warn("host", "some of this machine cannot be read", err)
			}
			if stats != nil {
				stats.flush(now, b)
			}
			a.own(now, b)
		})
		a.flush()
	}
}

// finish keeps what clients sent since the last round.
func (a *Agent) finish(stats *statsdPort) {
	if stats != nil {
		a.with(func(b *body) { stats.flush(time.Now(), b) })
	}
	a.flush()
}

// own adds what the agent knows of itself.
func (a *Agent) own(now time.Time, b *body) {
	c := a.sent
	a.sent = counters{}
	c.dropped += a.spool.takeDropped()
	b.at(now)
	b.value("agent.sent", unitNone, float64(c.sent))
	b.value("agent.refused", unitNone, float64(c.refused))
	b.value("agent.dropped", unitNone, float64(c.dropped))
	b.value("agent.waiting", unitNone, float64(a.spool.len()))
}

// with calls do with the measurements that are being collected.
func (a *Agent) with(do func(*body)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	do(a.pending)
}

// count notes what became of measurements.
func (a *Agent) count(c counters) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.sent.sent += c.sent
	a.sent.refused += c.refused
	a.sent.dropped += c.dropped
}

// answered makes the file that says so when the server took something for the
// first time.
func (a *Agent) answered() {
	a.ready.Do(func() {
		if a.cfg.ready == "" {
			return
		}
		if err := os.WriteFile(a.cfg.ready, nil, 0o600); err != nil {
			a.warn("ready", "cannot make the file that says that the server answered", err)
		}
	})
}

// flush moves what was collected into the spool.
func (a *Agent) flush() {
	a.mu.Lock()
	defer a.mu.Unlock()
	parts := a.pending.take()
	if found, ok := a.takeFindings(); ok {
		parts = append(parts, found)
	}
	for _, part := range parts {
		if err := a.spool.add(part); err != nil {
			a.warnLocked("spool", "cannot write to the spool; measurements are kept in memory", err)
		}
	}
}

// warnEvery is how often the log repeats that something does not work.
const warnEvery = 10 * time.Minute

func (a *Agent) warn(about, text string, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.warnLocked(about, text, err)
}

// warnLocked logs, but not again and again.
func (a *Agent) warnLocked(about, text string, err error) {
	if last, ok := a.warned[about]; ok && time.Since(last) < warnEvery || errors.Is(err, context.Canceled) {
		return
	}
	a.warned[about] = time.Now()
	a.log.Warn(text, slog.String("about", about), slog.Any("err", err))
}

// String says what the agent does.
func (a *Agent) String() string {
	return fmt.Sprintf("watching %s every %s, sending to %s, spool in %s", a.cfg.Host, a.cfg.Every, a.cfg.Server, a.cfg.Spool.Dir)
}

package cli

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"
)

const (
	// repeatEvery is how often the log repeats a warning or an error that
	// goes on.
	repeatEvery = 30 * time.Second
	// maxRepeats bounds what is remembered for that.
	maxRepeats = 1000
)

// throttle is a log handler that writes the same warning or error once in a
// while only, and then how often it was left out: with a database away many
// parts of the server fail several times a second in the same words.
type throttle struct {
	slog.Handler
	with string // attributes of all its records
	*repeats
}

// repeats is what a throttle and those derived from it share.
type repeats struct {
	mu   sync.Mutex
	seen map[string]*repeat
}

type repeat struct {
	at    time.Time // when it was written last
	times int       // how often not since
}

func newThrottle(h slog.Handler) *throttle {
	return &throttle{Handler: h, repeats: &repeats{seen: make(map[string]*repeat)}}
}

// Handle writes a record, unless the same was written a moment ago.
func (t *throttle) Handle(ctx context.Context, r slog.Record) error {
	if r.Level < slog.LevelWarn {
		return t.Handler.Handle(ctx, r)
	}
	var key strings.Builder
	fmt.Fprint(&key, t.with, r.Level, r.Message)
	r.Attrs(func(a slog.Attr) bool {
		fmt.Fprint(&key, " ", a)
		return true
	})
	times, write := t.take(key.String(), r.Time)
	if !write {
		return nil
	}
	if times > 0 {
		r = r.Clone()
		r.AddAttrs(slog.Int("repeated", times))
	}
	return t.Handler.Handle(ctx, r)
}

// take reports whether to write what key stands for, and how often it was not
// written before.
func (rs *repeats) take(key string, at time.Time) (times int, write bool) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	known := rs.seen[key]
	if known == nil {
		if len(rs.seen) >= maxRepeats {
			clear(rs.seen)
		}
		rs.seen[key] = &repeat{at: at}
		return 0, true
	}
	if at.Sub(known.at) < repeatEvery {
		known.times++
		return 0, false
	}
	times, known.at, known.times = known.times, at, 0
	return times, true
}

// WithAttrs derives a handler.
func (t *throttle) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &throttle{Handler: t.Handler.WithAttrs(attrs), with: fmt.Sprint(t.with, attrs), repeats: t.repeats}
}

// WithGroup derives a handler.
func (t *throttle) WithGroup(name string) slog.Handler {
	return &throttle{Handler: t.Handler.WithGroup(name), with: t.with + name + ".", repeats: t.repeats}
}

package cli

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"
)

func TestThrottle(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	h := newThrottle(slog.NewTextHandler(&out, nil))
	at := time.Now()
	say := func(level slog.Level, message, err string) {
		r := slog.NewRecord(at, level, message, 0)
		r.AddAttrs(slog.Any("err", errors.New(err)))
		if err := h.Handle(context.Background(), r); err != nil {
			t.Fatal(err)
		}
	}
	for range 50 {
		say(slog.LevelError, "load alerts", "no connection")
		at = at.Add(500 * time.Millisecond)
	}
	say(slog.LevelError, "load alerts", "too many clients")
	say(slog.LevelInfo, "stopping", "")
	say(slog.LevelInfo, "stopping", "")
	at = at.Add(repeatEvery)
	say(slog.LevelError, "load alerts", "no connection")
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 5 || !strings.Contains(lines[0], "no connection") || !strings.Contains(lines[1], "too many clients") ||
		!strings.Contains(lines[4], "repeated=49") {
		t.Errorf("the log has\n%s", out.String())
	}
}

// TestThrottleForgets: what is remembered has a bound.
func TestThrottleForgets(t *testing.T) {
	t.Parallel()
	rs := &repeats{seen: make(map[string]*repeat)}
	for i := range 10 * maxRepeats {
		rs.take(strings.Repeat("x", i%7)+string(rune(i)), time.Now())
	}
	if len(rs.seen) > maxRepeats {
		t.Errorf("%d are remembered", len(rs.seen))
	}
}

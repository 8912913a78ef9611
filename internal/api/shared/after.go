package shared

import (
	"context"
	"log/slog"
	"time"
)

const (
	// maxAfter is how much may be under way that answers did not wait for.
	maxAfter     = 64
	afterTimeout = time.Minute
)

// After has something done that the answer must not wait for. Where too much
// is under way it is left out, and logged: the client asks again.
func (s *Base) After(ctx context.Context, what string, do func(context.Context) error) {
	select {
	case s.Under <- struct{}{}:
	default:
		s.Logger.WarnContext(ctx, "too many background tasks: one was dropped", slog.String("left_out", what))
		return
	}
	ctx = context.WithoutCancel(ctx)
	go func() {
		defer func() { <-s.Under }()
		ctx, cancel := context.WithTimeout(ctx, afterTimeout)
		defer cancel()
		if err := do(ctx); err != nil {
			s.Logger.ErrorContext(ctx, "background task failed", slog.String("doing", what), slog.Any("err", err))
		}
	}()
}

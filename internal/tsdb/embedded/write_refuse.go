package embedded

import (
	"context"
	"errors"
	"syscall"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/wal"
)

// waitForMemory holds a write of org back while sealing is behind.
func (e *Engine) waitForMemory(ctx context.Context, org tidemark.OrgID) error {
	var timeout <-chan time.Time
	for {
		s := e.state.Load()
		if hasRoom(s.gens, org) {
			return nil
		}
		e.sealInline(ctx)
		if hasRoom(e.state.Load().gens, org) {
			return nil
		}
		if timeout == nil {
			t := time.NewTimer(e.o.WriteWait)
			defer t.Stop()
			timeout = t.C
		}
		select {
		case <-s.changed:
		case <-e.life.ending:
			return errClosed
		case <-ctx.Done():
			return ctx.Err()
		case <-timeout:
			return e.overloaded()
		}
	}
}

// hasRoom reports whether org may write while gens are in memory. The last
// generation for which there is memory is kept for organizations with less than
// an equal share of what waits to be sealed: those that write most wait first.
func hasRoom(gens []*generation, org tidemark.OrgID) bool {
	if len(gens) != maxGenerations {
		return len(gens) < maxGenerations
	}
	written := make(map[tidemark.OrgID]int64)
	var total int64
	for _, g := range gens {
		g.samplesMu.Lock()
		for org, n := range g.samples {
			written[org] += n
			total += n
		}
		g.samplesMu.Unlock()
	}
	return written[org]*int64(len(written)) < total
}

// overloaded is the refusal of a write for which there is no memory.
func (e *Engine) overloaded() error {
	if err := e.stats.sealFailure(); err != nil {
		return &tidemark.Error{Kind: tidemark.Unavailable, Msg: "measurements cannot be stored at present: " + reason(err), Err: err}
	}
	return tidemark.Errorf(tidemark.Unavailable, "measurements cannot be stored at present: more come in than can be stored")
}

// refusal returns the error that a refused write is answered with.
func refusal(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, wal.ErrClosed):
		return errClosed
	}
	return &tidemark.Error{Kind: tidemark.Unavailable, Msg: "measurements cannot be stored at present: " + reason(err), Err: err}
}

// reason says what is wrong with the disk, without names of files.
func reason(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return "the disk is full"
	case errors.Is(err, syscall.EROFS):
		return "the disk is read-only"
	}
	return "the disk reports an error"
}

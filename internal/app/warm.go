package app

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"sync"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

const (
	// warming is how long a server may keep its first requests waiting so that
	// they are as quick as later ones.
	warming = 250 * time.Millisecond
	// warmMetrics is how many metrics are looked at for one with measurements.
	warmMetrics = 16
	// followers is how many loops drop what is known, and do so when they begin.
	followers = 2
)

// warm learns the tokens that were used last and asks the server about a stream
// of the organization that used the very last, as a request would. Whatever
// goes wrong, the server starts.
func (rm *rooms) warm(ctx context.Context, log *slog.Logger) {
	ctx, cancel := context.WithTimeout(ctx, warming)
	defer cancel()
	org, err := rm.auth.Warm(ctx)
	if err == nil && org != 0 {
		err = rm.rehearse(ctx, org)
	}
	if err != nil {
		log.DebugContext(ctx, "first requests may be slow", slog.Any("err", err))
	}
}

// follows is drop that says when it was called for the first time.
func (rm *rooms) follows(drop func()) func() {
	begun := sync.OnceFunc(func() { rm.following <- struct{}{} })
	return func() {
		drop()
		begun()
	}
}

// rehearse asks when nothing that it makes known will be dropped any more.
func (rm *rooms) rehearse(ctx context.Context, org tidemark.OrgID) error {
	for range followers {
		select {
		case <-rm.following:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	s, err := rm.aliveStream(ctx, org)
	if s == nil {
		return err
	}
	return rm.api.Rehearse(ctx, org, rehearsals(s))
}

// aliveStream returns a stream that has measurements, nil if there is none
// among the first metrics.
func (rm *rooms) aliveStream(ctx context.Context, org tidemark.OrgID) (*tsdb.Stream, error) {
	looked := 0
	for name, err := range rm.store.MetricNames(ctx, org) {
		if err != nil || looked == warmMetrics {
			return nil, err
		}
		looked++
		for s, err := range rm.engine.Streams(ctx, org, name, tsdb.Filter{}) {
			if err != nil || s.LastSeen > 0 {
				return s, err
			}
			break
		}
	}
	return nil, nil
}

// rehearsals ask for the last hours and the last month of a stream, alone and
// as a group: that is from memory, and from each tier.
func rehearsals(s *tsdb.Stream) []string {
	filter := make(url.Values)
	for _, t := range s.Tags {
		filter.Set("tags["+t.Name+"]", t.Value)
	}
	var list []string
	for _, q := range []struct {
		resolution, span int64
		group            string
	}{
		{60, 6 * 3600, ""}, {60, 6 * 3600, "&group_by=*&group_by_function=sum"}, {3600, 30 * 86400, ""},
	} {
		list = append(list, fmt.Sprintf("/v1/measurements/%s?resolution=%d&start_time=%d&end_time=%d%s&%s",
			url.PathEscape(s.Metric), q.resolution, s.LastSeen-q.span, s.LastSeen, q.group, filter.Encode()))
	}
	return list
}

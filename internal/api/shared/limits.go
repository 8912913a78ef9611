package shared

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

// MaxEvents is how many annotations an answer holds.
const MaxEvents = 10_000

// DaySeconds is a day.
const DaySeconds = 24 * 3600

// Texts are in memory as they are, as a tree and as JSON.
const copiesOfTexts = 3

// HoldEvents counts events as memory of queries until the request that ctx is
// of is over.
func (s *Base) HoldEvents(ctx context.Context, org tidemark.OrgID, events []*tidemark.AnnotationEvent) error {
	if s.Querier == nil {
		return nil
	}
	hold, err := s.Querier.Hold(ctx, org)
	if err != nil {
		return err
	}
	context.AfterFunc(ctx, hold.Release)
	size := int64(0)
	for _, e := range events {
		size += e.Bytes()
	}
	return hold.Cover(size * copiesOfTexts / 16)
}

// LimitsOf lists the limits of org beside what it uses of them.
func (s *Base) LimitsOf(ctx context.Context, org tidemark.OrgID) ([]tidemark.LimitUse, error) {
	use, err := s.Store.LimitUse(ctx, org)
	if err != nil {
		return nil, err
	}
	if s.Engine != nil { // the operator's commands work without measurements
		st, err := s.Engine.Stats(ctx)
		if err != nil {
			return nil, err
		}
		use[tidemark.LimitStreams], use[tidemark.LimitTagBytes] = st.Orgs[org].Streams, st.Orgs[org].TagBytes
	}
	limits := s.Limits
	if limits == nil {
		limits = tidemark.NewLimits(nil)
	}
	orgs, err := s.Store.OrgLimits(ctx)
	if err != nil {
		return nil, err
	}
	return limits.With(orgs).Uses(org, use), nil
}

package shared

import (
	"context"
	"maps"
	"math"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/usage"
)

// MaxEvents is how many annotations an answer holds.
const MaxEvents = 10_000

const (
	// DaySeconds is a day, HourSeconds an hour.
	DaySeconds  = 24 * HourSeconds
	HourSeconds = 3600
	// CausedWithin is how long before errors began something may have happened
	// that has to do with them.
	CausedWithin = 900
)

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
	maps.Copy(use, s.Limits.FlowsOf(org))
	limits, err := s.currentLimits(ctx)
	if err != nil {
		return nil, err
	}
	return limits.Uses(org, use), nil
}

// currentLimits are the limits as they are stored.
func (s *Base) currentLimits(ctx context.Context) (*tidemark.Limits, error) {
	limits := s.Limits
	if limits == nil {
		limits = tidemark.NewLimits(nil)
	}
	orgs, err := s.Store.OrgLimits(ctx)
	if err != nil {
		return nil, err
	}
	return limits.With(orgs), nil
}

// ServerLimits lists the limits that organizations have without values of
// their own.
func (s *Base) ServerLimits() []tidemark.LimitUse { return s.Limits.Uses(0, nil) }

// EachLimits returns the limits of each of orgs beside what it uses of them.
func (s *Base) EachLimits(ctx context.Context, orgs []*tidemark.Org) (map[tidemark.OrgID][]tidemark.LimitUse, error) {
	uses, err := usage.LimitUses(ctx, s.Store, s.Engine, orgs)
	if err != nil {
		return nil, err
	}
	limits, err := s.currentLimits(ctx)
	if err != nil {
		return nil, err
	}
	all := make(map[tidemark.OrgID][]tidemark.LimitUse, len(orgs))
	for org, use := range uses {
		maps.Copy(use, s.Limits.FlowsOf(org))
		all[org] = limits.Uses(org, use)
	}
	return all, nil
}

// SetLimitsOf gives org limits of its own; a nil value is the server's again.
// They count at once in this process; the database notifies others.
func (s *Base) SetLimitsOf(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, values map[tidemark.LimitName]*int64) error {
	if err := s.Store.SetOrgLimits(ctx, org, by, values); err != nil {
		return err
	}
	return s.FollowLimits(ctx)
}

// FollowLimits makes the limits count that are stored.
func (s *Base) FollowLimits(ctx context.Context) error {
	orgs, err := s.Store.OrgLimits(ctx)
	if err == nil && s.Limits != nil {
		s.Limits.SetOrgs(orgs)
	}
	return err
}

// ReadLimits reads numbers by name of limit, of which null is the server's
// value again.
func ReadLimits(object map[string]any) (map[tidemark.LimitName]*int64, error) {
	var p tidemark.Problems
	values := make(map[tidemark.LimitName]*int64, len(object))
	for name, raw := range object {
		if raw == nil {
			values[tidemark.LimitName(name)] = nil
			continue
		}
		f, isNumber := rest.Number(raw)
		p.Check(isNumber && f == math.Trunc(f), name, "is not an integer")
		p.Check(f <= tidemark.MaxLimit, name, "is too large")
		n := int64(min(f, tidemark.MaxLimit))
		values[tidemark.LimitName(name)] = &n
	}
	return values, p.Err()
}

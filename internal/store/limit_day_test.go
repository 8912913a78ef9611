package store_test

import (
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// TestLimitDays: the most of a day is kept, of each organization its own, until
// it is old; organizations that are gone do no harm.
func TestLimitDays(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		const day = 24 * 3600
		ctx, other := t.Context(), addOrg(t, s, "other")
		add := func(org tidemark.OrgID, at int64, use map[tidemark.LimitName]int64) {
			ok(t, s.AddLimitUse(ctx, org, at, use))
		}
		add(org, day, map[tidemark.LimitName]int64{tidemark.LimitStreams: 5, tidemark.LimitAlerts: 0})
		add(org, day, map[tidemark.LimitName]int64{tidemark.LimitStreams: 9, tidemark.LimitAlerts: 1})
		add(org, day, map[tidemark.LimitName]int64{tidemark.LimitStreams: 7})
		add(org, 2*day, map[tidemark.LimitName]int64{tidemark.LimitStreams: 8})
		add(other, day, map[tidemark.LimitName]int64{tidemark.LimitStreams: 100})
		add(other+1000, day, map[tidemark.LimitName]int64{tidemark.LimitStreams: 100})
		add(org, day, nil)
		same(t, "days", map[tidemark.LimitName][]tidemark.LimitDay{
			tidemark.LimitStreams: {{Day: day, Use: 9}, {Day: 2 * day, Use: 8}}, tidemark.LimitAlerts: {{Day: day, Use: 1}},
		}, must(s.LimitDays(ctx, org, 0))(t))
		ok(t, s.DeleteLimitDays(ctx, 2*day))
		same(t, "days", map[tidemark.LimitName][]tidemark.LimitDay{tidemark.LimitStreams: {{Day: 2 * day, Use: 8}}}, must(s.LimitDays(ctx, org, 0))(t))
		same(t, "since", map[tidemark.LimitName][]tidemark.LimitDay{}, must(s.LimitDays(ctx, org, 3*day))(t))
	})
}

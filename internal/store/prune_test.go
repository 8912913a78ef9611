package store_test

import (
	"encoding/json"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

func TestPrune(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		now := int64(100)
		s.SetClock(func() int64 { return now })
		other := addOrg(t, s, "other")
		var snapshots []*tidemark.Snapshot
		for _, now = range []int64{100, 200, 300} {
			for _, org := range []tidemark.OrgID{org, other} {
				addToken(t, s, org, "x")
				addEvent(t, s, org, tidemark.AlertStream, "x", "", now)
				addEvent(t, s, org, "releases", "x", "", now)
			}
			v := &tidemark.Snapshot{Subject: json.RawMessage(`{}`)}
			ok(t, s.CreateSnapshot(ctx, org, operator, v))
			snapshots = append(snapshots, v)
		}
		ok(t, s.PruneAudit(ctx, 200))
		ok(t, s.PruneJobs(ctx, 200))
		ok(t, s.PruneEvents(ctx, tidemark.AlertStream, 201))

		n := func(one tidemark.OrgID) int {
			if one == org {
				return 4 // with two of snapshots
			}
			return 2
		}
		for _, org := range []tidemark.OrgID{org, other} {
			checkList(t, auditAction, 2, n(org), "token.create", "token.create")(s.Audit(ctx, org, tidemark.Page{Name: "token"}))
			for stream, want := range map[string]int{tidemark.AlertStream: 1, "releases": 3} {
				if events := must(s.Events(ctx, org, stream, tidemark.AnnotationEventQuery{}))(t); len(events) != want {
					t.Errorf("%d events in %s, want %d", len(events), stream, want)
				}
			}
		}
		checkKinds(t, []wrong{
			{"an old snapshot", func() error { return errOf(s.Snapshot(ctx, org, snapshots[0].ID)) }, tidemark.NotFound},
			{"an old job", func() error { return errOf(s.Job(ctx, org, snapshots[0].Job)) }, tidemark.NotFound},
		})
		for _, v := range snapshots[1:] {
			same(t, "a later snapshot", v, must(s.Snapshot(ctx, org, v.ID))(t))
		}
	})
}

// More than one statement deletes.
func TestPruneMany(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ok(t, store.FillAudit(t.Context(), s, org, 2500))
		ok(t, s.PruneAudit(t.Context(), 2499))
		if _, n, err := s.Audit(t.Context(), org, tidemark.Page{}); err != nil || n.Total != 2 {
			t.Errorf("%v, %v, want the last two", n, err)
		}
	})
}

package store_test

import (
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

func TestSpacesOpened(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		ann, bob := addUser(t, s, "ann@example.org"), addUser(t, s, "bob@example.org")
		shop, stock := "Shop", "Stock"
		first, second := &tidemark.Space{Name: &shop}, &tidemark.Space{Name: &stock}
		ok(t, s.CreateSpace(ctx, org, operator, first))
		ok(t, s.CreateSpace(ctx, org, operator, second))
		opened := func() map[int64]int64 { return must(s.SpacesOpened(ctx, org, ann.ID))(t) }
		same(t, "before", map[int64]int64{}, opened())
		ok(t, s.OpenSpace(ctx, org, ann.ID, first.ID, 1000))
		ok(t, s.OpenSpace(ctx, org, ann.ID, second.ID, 1010))
		ok(t, s.OpenSpace(ctx, org, bob.ID, first.ID, 5000))
		same(t, "each", map[int64]int64{first.ID: 1000, second.ID: 1010}, opened())
		ok(t, s.OpenSpace(ctx, org, ann.ID, second.ID, 1069))
		same(t, "again within a minute", map[int64]int64{first.ID: 1000, second.ID: 1010}, opened())
		ok(t, s.OpenSpace(ctx, org, ann.ID, second.ID, 1070))
		same(t, "again", map[int64]int64{first.ID: 1000, second.ID: 1070}, opened())
		ok(t, s.OpenSpace(ctx, org, ann.ID, first.ID, 1071))
		ok(t, s.OpenSpace(ctx, org, ann.ID, second.ID, 1072))
		same(t, "back and forth within a minute", map[int64]int64{first.ID: 1071, second.ID: 1072}, opened())
		ok(t, s.DeleteSpace(ctx, org, operator, second.ID))
		same(t, "without what was deleted", map[int64]int64{first.ID: 1071}, opened())
		checkKinds(t, []wrong{{"no such space", func() error { return s.OpenSpace(ctx, org, ann.ID, 99, 1) }, tidemark.NotFound}})
	})
}

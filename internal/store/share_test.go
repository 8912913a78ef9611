package store_test

import (
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// TestShares: a link works until it expires, is revoked, or its space is gone;
// it is found by its hash alone, and keeps the tags that viewers cannot change.
func TestShares(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx, other := t.Context(), addOrg(t, s, "other")
		space, second := addSpace(t, s, org, "wall"), addSpace(t, s, org, "second")
		locked := &tidemark.Share{Space: space.ID, Name: "Office", CreatedAt: 100, CreatedBy: "ann", ExpiresAt: 200, LockedTags: []tidemark.TagFilter{{Name: "dc", Values: []string{"eu"}}}}
		free := &tidemark.Share{Space: space.ID, Name: "Guests", CreatedAt: 100, CreatedBy: "bob", ExpiresAt: 300}
		gone := &tidemark.Share{Space: second.ID, Name: "Other space", CreatedAt: 100, ExpiresAt: 300}
		for hash, v := range map[string]*tidemark.Share{"locked": locked, "free": free, "gone": gone} {
			ok(t, s.CreateShare(ctx, org, operator, v, hash))
		}
		same(t, "by hash", locked, must(s.ShareByHash(ctx, "locked", 199))(t))
		if got := must(s.Shares(ctx, org, space.ID, 199))(t); len(got) != 2 {
			t.Errorf("%d links work", len(got))
		}
		same(t, "after the first expired", []*tidemark.Share{free}, must(s.Shares(ctx, org, space.ID, 200))(t))
		ok(t, s.TouchShare(ctx, free.ID, 150))
		free.LastOpenedAt = 150
		same(t, "opened", free, must(s.ShareByHash(ctx, "free", 150))(t))
		ok(t, s.DeleteSpace(ctx, org, operator, second.ID))
		checkKinds(t, []wrong{
			{"expired", func() error { return errOf(s.ShareByHash(ctx, "locked", 200)) }, tidemark.NotFound},
			{"another hash", func() error { return errOf(s.ShareByHash(ctx, "LOCKED", 150)) }, tidemark.NotFound},
			{"no hash", func() error { return errOf(s.ShareByHash(ctx, "", 150)) }, tidemark.NotFound},
			{"of a space that is gone", func() error { return errOf(s.ShareByHash(ctx, "gone", 150)) }, tidemark.NotFound},
			{"touch nothing", func() error { return s.TouchShare(ctx, 999, 150) }, tidemark.NotFound},
			{"revoke another's", func() error { return s.DeleteShare(ctx, other, operator, free.ID) }, tidemark.NotFound},
			{"a space of another", func() error {
				return s.CreateShare(ctx, other, operator, &tidemark.Share{Space: space.ID, Name: "x", ExpiresAt: 1}, "x")
			}, tidemark.NotFound},
			{"no time", func() error {
				return s.CreateShare(ctx, org, operator, &tidemark.Share{Space: space.ID, Name: "x"}, "x")
			}, tidemark.Invalid},
		})
		ok(t, s.DeleteShare(ctx, org, operator, free.ID))
		wantKind(t, "revoked", tidemark.NotFound, errOf(s.ShareByHash(ctx, "free", 150)))
	})
}

// TestLayouts: a space without a layout has an empty one; saving replaces all
// of it, and what is refused changes nothing.
func TestLayouts(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx, other, now := t.Context(), addOrg(t, s, "other"), int64(1_800_000_000)
		s.SetClock(func() int64 { return now })
		space := addSpace(t, s, org, "wall")
		empty := &tidemark.Layout{Places: []tidemark.GridPosition{}, DefaultTags: []tidemark.TagFilter{}, Annotations: []string{}, Version: 1}
		same(t, "of a new space", empty, must(s.Layout(ctx, org, space.ID))(t))
		v := &tidemark.Layout{
			Places:      []tidemark.GridPosition{{Chart: 1, Col: 0, Row: 0, Width: 12, Height: 4}, {Chart: 2, Col: 6, Row: 4, Width: 6, Height: 1}},
			DefaultTags: []tidemark.TagFilter{{Name: "host", Values: []string{"*"}}}, Annotations: []string{"deploys"}, UpdatedBy: "ann",
		}
		ok(t, s.SaveLayout(ctx, org, operator, space.ID, v))
		same(t, "saved", v, must(s.Layout(ctx, org, space.ID))(t))
		same(t, "time", now, v.UpdatedAt)
		now++
		less := &tidemark.Layout{Places: v.Places[:1], DefaultTags: []tidemark.TagFilter{}, Annotations: []string{}, UpdatedBy: "bob"}
		ok(t, s.SaveLayout(ctx, org, operator, space.ID, less))
		wide := &tidemark.Layout{Places: []tidemark.GridPosition{{Chart: 1, Col: 6, Width: 7, Height: 1}}}
		checkFields(t, s.SaveLayout(ctx, org, operator, space.ID, wide), "layout.width", "must fit into 12 columns")
		checkKinds(t, []wrong{
			{"of nothing", func() error { return errOf(s.Layout(ctx, org, 999)) }, tidemark.NotFound},
			{"of another's space", func() error { return errOf(s.Layout(ctx, other, space.ID)) }, tidemark.NotFound},
			{"save of another's space", func() error { return s.SaveLayout(ctx, other, operator, space.ID, &tidemark.Layout{}) }, tidemark.NotFound},
		})
		same(t, "replaced", less, must(s.Layout(ctx, org, space.ID))(t))
	})
}

// TestPins: each person has at most eight spaces at hand in each organization,
// in their order.
func TestPins(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx, other := t.Context(), addOrg(t, s, "other")
		ann, bob := addUser(t, s, "ann@example.org").ID, addUser(t, s, "bob@example.org").ID
		pins := func(org tidemark.OrgID, user int64, want ...int64) {
			t.Helper()
			same(t, "pins", append([]int64{}, want...), must(s.Pins(ctx, org, user))(t))
		}
		pins(org, ann)
		ok(t, s.SetPins(ctx, org, ann, []int64{8, 7, 6, 5, 4, 3, 2, 1}))
		ok(t, s.SetPins(ctx, org, bob, []int64{1}))
		checkFields(t, s.SetPins(ctx, org, ann, make([]int64, 9)), "spaces", "has more than 8 entries")
		checkFields(t, s.SetPins(ctx, org, ann, []int64{3, 1, 3}), "spaces", "holds one twice")
		pins(org, ann, 8, 7, 6, 5, 4, 3, 2, 1)
		pins(other, ann)
		ok(t, s.SetPins(ctx, org, ann, nil))
		pins(org, ann)
		pins(org, bob, 1)
	})
}

package store_test

import (
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// TestShortNames: a short name leads to one organization, and many may have
// none.
func TestShortNames(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		other := addOrg(t, s, "other")
		name := func(org tidemark.OrgID, name string) error {
			return errOf(s.UpdateOrg(ctx, org, operator, func(v *tidemark.Org) { v.ShortName = name }))
		}
		find := func(name string) error { return errOf(s.OrgIDByShortName(ctx, name)) }
		ok(t, name(org, "shop"))
		same(t, "found", org, must(s.OrgIDByShortName(ctx, "shop"))(t))
		checkKinds(t, []wrong{
			{"taken", func() error { return name(other, "shop") }, tidemark.Conflict},
			{"a number", func() error { return name(other, "7") }, tidemark.Invalid},
			{"capitals", func() error { return name(other, "Shop") }, tidemark.Invalid},
			{"one letter", func() error { return name(other, "s") }, tidemark.Invalid},
			{"of nobody", func() error { return find("other") }, tidemark.NotFound},
			{"none", func() error { return find("") }, tidemark.NotFound},
		})
		ok(t, name(other, ""))
		ok(t, name(org, ""))
		ok(t, name(other, "shop"))
		same(t, "found", other, must(s.OrgIDByShortName(ctx, "shop"))(t))
	})
}

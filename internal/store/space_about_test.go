package store_test

import (
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// TestSpaceAbout: tags and owner of a space are kept, audited and versions of
// it; an owner who is no member any more is none.
func TestSpaceAbout(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		bob := addUser(t, s, "bob@example.org")
		must(s.AddMember(ctx, org, operator, bob.ID, tidemark.ViewOnly))(t)
		name := "Shop"
		v := &tidemark.Space{Name: &name}
		by := tidemark.PersonActor("bob@example.org", "")
		ok(t, s.CreateSpace(ctx, org, by, v))
		about := func() tidemark.SpaceAbout { return *must(s.SpacesAbout(ctx, org))(t)[v.ID] }
		is := about()
		if is.Owner != bob.ID || is.OwnerName != "bob@example.org" || is.EditedBy != "user:bob@example.org" || is.EditedAt == 0 || len(is.Tags) != 0 {
			t.Errorf("new: %+v", is)
		}
		update := func(u tidemark.SpaceAboutUpdate) error { return s.UpdateSpaceAbout(ctx, org, ann, v.ID, u.Apply) }
		ok(t, update(tidemark.SpaceAboutUpdate{Tags: tidemark.Some([]string{" Shop", "db", "shop"}), Owner: tidemark.Some(int64(0))}))
		is = about()
		same(t, "tags", []string{"db", "shop"}, is.Tags)
		if is.Owner != 0 || is.EditedBy != "user:ann@example.org" {
			t.Errorf("changed: %+v", is)
		}
		entry := must(s.AuditLog(ctx, org, tidemark.AuditQuery{Action: "space.update"}))(t)[0]
		same(t, "audit log", "bob@example.org", entry.Before["owner"].(string))

		then := must(s.LatestVersion(ctx, org, spaceKey(v.ID)))(t)
		ok(t, s.DeleteSpace(ctx, org, ann, v.ID))
		must(s.RestoreSpace(ctx, org, by, v.ID, then))(t)
		same(t, "tags of what was deleted", []string{"db", "shop"}, about().Tags)
		same(t, "and its owner", bob.ID, about().Owner)
		ok(t, s.RemoveMember(ctx, org, operator, bob.ID))
		same(t, "an owner who left", int64(0), about().Owner)

		checkFields(t, update(tidemark.SpaceAboutUpdate{Owner: tidemark.Some(bob.ID)}), "owner", "is not a member")
		checkFields(t, update(tidemark.SpaceAboutUpdate{Tags: tidemark.Some([]string{""})}), "tags", "is not present")
		checkFields(t, update(tidemark.SpaceAboutUpdate{Tags: tidemark.Some([]string{"a,b"})}), "tags", "may not have a comma: a,b")
		checkFields(t, update(tidemark.SpaceAboutUpdate{Tags: tidemark.Some(strings.Split("abcdefghijklmnopqrstu", ""))}), "tags", "has more than 20 entries")
		checkKinds(t, []wrong{{"no such space", func() error { return s.UpdateSpaceAbout(ctx, org, ann, 99, func(*tidemark.SpaceAbout) {}) }, tidemark.NotFound}})
	})
}

// TestSearchCharts finds charts by what they show, in any case and with
// characters that JSON and LIKE write in another way.
func TestSearchCharts(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		must(s.EnsureMetrics(ctx, org, []*tidemark.Metric{{Name: "shop_latency.p95", Type: tidemark.Gauge}, {Name: "shopXlatency", Type: tidemark.Gauge}}))(t)
		b, a := addSpace(t, s, org, "b"), addSpace(t, s, org, "a")
		named := func(space int64, name string, streams ...tidemark.ChartStream) {
			t.Helper()
			ok(t, s.CreateChart(ctx, org, operator, space, &tidemark.Chart{Name: name, Type: "line", Streams: streams}))
		}
		named(b.ID, "Checkout <now> & \"then\"", tidemark.ChartStream{Metric: "shop_latency.p95"})
		named(a.ID, "Größe", tidemark.ChartStream{Metric: "shopXlatency"})
		named(a.ID, "Sum", tidemark.ChartStream{Composite: `sum(s("shop_latency.p95", "*"))`})
		found := func(q string) (names []string) {
			for _, c := range must(s.SearchCharts(ctx, org, q, 10))(t) {
				names = append(names, c.SpaceName+" "+c.Name)
			}
			return names
		}
		checkout := "b Checkout <now> & \"then\""
		for q, want := range map[string][]string{
			"shop_LATENCY": {"a Sum", checkout}, "checkout p95": {checkout}, "größe": {"a Größe"}, "<NOW> &": {checkout}, `"then"`: {checkout},
			"": nil, "body": nil, "type": nil, "100%": nil, "\x00": nil, "\xff": nil, "sum(s(": {"a Sum"},
		} {
			same(t, q, want, found(q))
		}
		if n := len(must(s.SearchCharts(ctx, org, "shop", 1))(t)); n != 1 {
			t.Errorf("%d of at most one", n)
		}
	})
}

package store_test

import (
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

func TestSources(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		other := addOrg(t, s, "other")
		called := func(name string) func(*tidemark.Source) {
			return tidemark.SourceUpdate{DisplayName: tidemark.Some(name)}.Apply
		}
		put := func(org tidemark.OrgID, name string, change func(*tidemark.Source), wantNew bool) *tidemark.Source {
			t.Helper()
			v, created, err := s.PutSource(ctx, org, operator, name, change)
			ok(t, err)
			if created != wantNew {
				t.Errorf("PutSource(%q) is new: %v, want %v", name, created, wantNew)
			}
			return v
		}
		web := &tidemark.Source{Name: "web-1", DisplayName: new("The first")}
		same(t, "PutSource", web, put(org, "Web-1", called("The first"), true))
		put(org, "db", func(v *tidemark.Source) { v.Name = "other" }, true)
		put(other, "web-1", called("Theirs"), true)
		same(t, "Source", web, must(s.Source(ctx, org, "WEB-1"))(t))
		put(org, "web-1", func(*tidemark.Source) {}, false) // keeps what is not said
		same(t, "Sources", []*tidemark.Source{{Name: "db"}, web}, must(s.Sources(ctx, org))(t))

		checkKinds(t, []wrong{
			{"no such source", func() error { return errOf(s.Source(ctx, org, "x")) }, tidemark.NotFound},
			{"of another org", func() error { return errOf(s.Source(ctx, other, "db")) }, tidemark.NotFound},
			{"delete of another org", func() error { return s.DeleteSource(ctx, other, operator, "db") }, tidemark.NotFound},
			{"reserved", func() error { _, _, err := s.PutSource(ctx, org, operator, "All", called("")); return err }, tidemark.Invalid},
			{"too long", func() error {
				_, _, err := s.PutSource(ctx, org, operator, "x", called(strings.Repeat("a", 300)))
				return err
			}, tidemark.Invalid},
			{"no name", func() error { _, _, err := s.PutSource(ctx, org, operator, "a*", called("")); return err }, tidemark.Invalid},
		})
		ok(t, s.DeleteSource(ctx, org, operator, "WEB-1"))
		same(t, "Sources", []*tidemark.Source{{Name: "db"}}, must(s.Sources(ctx, org))(t))
		same(t, "theirs", []*tidemark.Source{{Name: "web-1", DisplayName: new("Theirs")}}, must(s.Sources(ctx, other))(t))
	})
}

package store_test

import (
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// TestSpellings: the first spelling of a text stays, of each tag and of each
// organization its own; those who listen are told, and find what is new.
func TestSpellings(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx, other := t.Context(), addOrg(t, s, "other")
		heard := listen(t, s.ListenSpellings)
		heard("the start")
		add := func(org tidemark.OrgID, list ...*tidemark.Spelling) {
			t.Helper()
			ok(t, s.AddSpellings(ctx, org, list))
			heard("an addition")
		}
		texts := func(org tidemark.OrgID, after int64) (all []string, last int64) {
			t.Helper()
			for _, v := range must(s.Spellings(ctx, org, after))(t) {
				all, last = append(all, v.Tag+"="+v.Text), v.ID
			}
			return all, last
		}
		add(org, &tidemark.Spelling{Text: "Host"}, &tidemark.Spelling{Tag: "host", Text: "Web1"})
		first, last := texts(org, 0)
		same(t, "all", []string{"=Host", "host=Web1"}, first)
		add(org, &tidemark.Spelling{Tag: "host", Text: "WEB1"}, &tidemark.Spelling{Tag: "rack", Text: "WEB1"}, &tidemark.Spelling{Text: "HOST"})
		more, _ := texts(org, last)
		same(t, "those that are new", []string{"rack=WEB1"}, more)
		add(other, &tidemark.Spelling{Tag: "host", Text: "wEB1"})
		theirs, _ := texts(other, 0)
		same(t, "those of another", []string{"host=wEB1"}, theirs)
		ok(t, s.DeleteOrg(ctx, org, operator))
		gone, _ := texts(org, 0)
		same(t, "those of an organization that is gone", 0, len(gone))
	})
}

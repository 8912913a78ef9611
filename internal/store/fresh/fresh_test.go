package fresh_test

import (
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/store/fresh"
)

// No test finds what another has left.
func TestFresh(t *testing.T) {
	for kind, url := range map[string]func(testing.TB) string{"sqlite": fresh.SQLite, "postgres": fresh.Postgres} {
		for range 2 {
			t.Run(kind, func(t *testing.T) {
				s, err := store.Open(t.Context(), url(t))
				if err != nil {
					t.Fatal(err)
				}
				defer s.Close()
				org, err := s.CreateOrg(t.Context(), tidemark.ServerActor(), "ours")
				if err != nil || org.ID != 1 {
					t.Errorf("the first organization is %v, %v", org, err)
				}
			})
		}
	}
}

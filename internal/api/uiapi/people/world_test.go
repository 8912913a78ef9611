package people

import (
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/api/apitest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/api/v1"
)

// newClient is a world, and a client of these routes for an Admin who is signed
// in. Those of /v1 are there too: pages make much of what they show through them.
func newClient(t *testing.T, change ...func(*shared.Options)) (*apitest.World, *API, *apitest.Client) {
	t.Helper()
	w := apitest.New(t, change...)
	s := New(w.Base)
	return w, s, w.SignedIn(t, s.Routes(), v1.New(w.Base).Routes())
}

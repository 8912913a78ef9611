package objectives

import (
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/api/apitest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/api/v1"
)

// newClient is a client of these routes and of /v1.
func newClient(t *testing.T, change ...func(*shared.Options)) (*apitest.World, *API, *apitest.Client) {
	t.Helper()
	return apitest.Open(t, New, v1.New, change...)
}

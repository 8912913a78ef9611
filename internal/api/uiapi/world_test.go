package uiapi

import (
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/apitest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/api/v1"
)

const notFound = `404 {"errors":{"request":["Not Found"]}}`

// newClient is a world, and a client of /ui/api for an Admin who is signed in.
// Both tables are there: pages make much of what they show through /v1.
func newClient(t *testing.T, change ...func(*shared.Options)) (*apitest.World, *API, *apitest.Client) {
	t.Helper()
	w := apitest.New(t, change...)
	s := New(w.Base)
	c := w.Client(append(s.Routes(), v1.New(w.Base).Routes()...))
	c.Who, _ = w.Person(t, "ann@example.org", tidemark.FullAccess)
	return w, s, c
}

// alerted is a client of a world with a service, and an alert on cpu that
// notifies it.
func alerted(t *testing.T, change ...func(*shared.Options)) (*apitest.World, *API, *apitest.Client) {
	t.Helper()
	w, s, c := newClient(t, change...)
	w.Record(t, "cpu", nil, apitest.Now-60, 1)
	c.Check(t,
		apitest.Exchange{Request: "POST /v1/services", Body: `{"type":"webhook","title":"hook","settings":{"url":"https://example.org/s3cret"}}`, Want: `201 {"id":1,...`},
		apitest.Exchange{Request: "POST /v1/alerts", Body: `{"name":"high cpu","services":[1],"conditions":[{"type":"above","metric_name":"cpu","threshold":90}]}`, Want: `201 {"id":1,...`},
	)
	return w, s, c
}

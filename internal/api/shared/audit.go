package shared

import (
	"net/http"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
)

const (
	// AuditPageLength is how many entries a page has that does not say.
	AuditPageLength = 50
	maxAuditFilter  = 255 // characters
)

// ReadAuditQuery reads which entries of an audit log r asks for; length is how
// many there are where it does not say.
func ReadAuditQuery(r *http.Request, length int64) (tidemark.AuditQuery, error) {
	var p tidemark.Problems
	q := r.URL.Query()
	text := func(name string) string {
		p.Text(name, q.Get(name), 0, maxAuditFilter)
		return q.Get(name)
	}
	a := tidemark.AuditQuery{
		Actor: text("actor"), From: text("from"), Action: text("action"), Object: text("thing"), Text: text("q"),
		Since: rest.IntOf(&p, q, "since", 0), Until: rest.IntOf(&p, q, "until", 0),
		Before: rest.IntOf(&p, q, "before", 0), Length: int(rest.IntOf(&p, q, "length", length)),
	}
	p.Check(a.Length > 0 && a.Length <= tidemark.MaxPageLength, "length", "must be 1 to %d", tidemark.MaxPageLength)
	p.Check(a.Before >= 0, "before", "must be a number from 0")
	return a, p.Err()
}

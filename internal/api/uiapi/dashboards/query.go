package dashboards

import (
	"net/http"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/jsonout"
	"github.com/tidemark-metrics/tidemark/internal/query"
)

const (
	maxQueries      = 200
	parallelQueries = 4
)

// queryMany answers POST /ui/api/query.
func (s *API) queryMany(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	var q shared.ManyQueries
	if err := rest.ReadInto(r, &q); err != nil {
		return rest.Reply{}, err
	}
	return s.answerQueries(r, who.Org, &q)
}

func (s *API) answerQueries(r *http.Request, org tidemark.OrgID, q *shared.ManyQueries) (rest.Reply, error) {
	var p tidemark.Problems
	p.Check(q.Resolution >= 1 && q.Resolution <= tidemark.MaxResolution, "resolution", "must be 1 to %d seconds", tidemark.MaxResolution)
	p.Check(q.Start >= 0 && q.Start < q.End && q.End < rest.MaxSeconds, "start", "must be before end")
	p.TagFilters("dynamic", q.Dynamic)
	p.Check(len(q.Queries) <= maxQueries, "queries", "has more than %d entries", maxQueries)
	if err := p.Err(); err != nil {
		return rest.Reply{}, err
	}
	a := s.startAnswers(r.Context(), org, q)
	first, err := a.next(func() {}) // what goes wrong at once has a status of its own
	if err != nil {
		a.stop()
		return rest.Reply{}, err
	}
	return s.Streamed(func(out *jsonout.Writer) error {
		defer a.stop()
		return a.write(out, first)
	}), nil
}

// checkComposite answers POST /ui/api/compose/check.
func (s *API) checkComposite(r *http.Request, _ tidemark.Identity) (rest.Reply, error) {
	var body compositeBody
	if err := rest.ReadInto(r, &body); err != nil {
		return rest.Reply{}, err
	}
	e, err := query.Parse(body.Composite)
	if err != nil {
		return rest.OK(compositeCheck{Error: shared.FailedQuery(err)}), nil
	}
	return rest.OK(compositeCheck{Formatted: e.String(), OK: true}), nil
}

// composeFunctions answers GET /ui/api/compose/functions.
func (s *API) composeFunctions(*http.Request, tidemark.Identity) (rest.Reply, error) {
	return rest.OK(functionList{Functions: query.Functions()}), nil
}

package api

import (
	"context"
	"errors"
	"iter"
	"math"
	"net/http"
	"strconv"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/compose"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"golang.org/x/sync/errgroup"
)

// manyQueries is what a page of charts asks for at once. End is exclusive.
type manyQueries struct {
	Start      int64                `json:"start"`
	End        int64                `json:"end"`
	Resolution int64                `json:"resolution"`
	Queries    []oneQuery           `json:"queries"`
	Dynamic    []tidemark.TagFilter `json:"dynamic"`
}

// oneQuery asks for the streams of a metric or for a composite.
type oneQuery struct {
	ID            string               `json:"id"`
	Metric        string               `json:"metric"`
	Tags          []tidemark.TagFilter `json:"tags"`
	GroupFunction string               `json:"group_function"`
	GroupBy       []string             `json:"group_by"`
	Summary       string               `json:"summary_function"`
	Composite     string               `json:"composite"`
}

// oneResult is the answer to oneQuery. What is wrong with one query is its own
// affair: the others are answered.
type oneResult struct {
	ID      string       `json:"id"`
	Series  []oneSeries  `json:"series"`
	Streams int          `json:"streams"`
	Period  int64        `json:"period,omitempty"`
	Error   *queryFailed `json:"error,omitempty"`
}

type oneSeries struct {
	Metric string            `json:"metric,omitempty"`
	Tags   map[string]string `json:"tags"`
	Times  []int64           `json:"times"`
	Values []float64         `json:"values"`
}

// queryFailed says what is wrong with a query and, for a composite, where.
type queryFailed struct {
	Message    string `json:"message"`
	Offset     int    `json:"offset"`
	Length     int    `json:"length"`
	Suggestion string `json:"suggestion,omitempty"`
}

func failedQuery(err error) *queryFailed {
	if e, ok := errors.AsType[*compose.Error](err); ok {
		return &queryFailed{Message: e.Msg, Offset: e.Offset, Length: e.Length, Suggestion: e.Suggestion}
	}
	return &queryFailed{Message: err.Error()}
}

const (
	maxQueries      = 200
	parallelQueries = 4
	// maxLines bounds what one query may send to a browser.
	maxLines = 2000
)

// queryMany answers POST /ui/api/query.
func (s *Server) queryMany(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	var q manyQueries
	if err := rest.ReadInto(r, &q); err != nil {
		return rest.Reply{}, err
	}
	return s.answerQueries(r, who.Org, &q)
}

func (s *Server) answerQueries(r *http.Request, org tidemark.OrgID, q *manyQueries) (rest.Reply, error) {
	var p tidemark.Problems
	p.Check(q.Resolution >= 1 && q.Resolution <= tidemark.MaxResolution, "resolution", "must be 1 to %d seconds", tidemark.MaxResolution)
	p.Check(q.Start >= 0 && q.Start < q.End && q.End < rest.MaxSeconds, "start", "must be before end")
	p.TagFilters("dynamic", q.Dynamic)
	p.Check(len(q.Queries) <= maxQueries, "queries", "has more than %d entries", maxQueries)
	if err := p.Err(); err != nil {
		return rest.Reply{}, err
	}
	results := make([]oneResult, len(q.Queries))
	g, ctx := errgroup.WithContext(r.Context())
	g.SetLimit(parallelQueries)
	for i := range q.Queries {
		g.Go(func() error {
			var err error
			results[i], err = s.answerQuery(ctx, org, q, &q.Queries[i])
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return rest.Reply{}, err
	}
	return rest.OK(map[string]any{"resolution": q.Resolution, "results": results}), nil
}

func (s *Server) answerQuery(ctx context.Context, org tidemark.OrgID, q *manyQueries, one *oneQuery) (oneResult, error) {
	res := oneResult{ID: one.ID, Series: []oneSeries{}}
	var err error
	if one.Composite != "" {
		err = s.answerComposite(ctx, org, q, one, &res)
	} else {
		err = s.answerStreams(ctx, org, q, one, &res)
	}
	switch {
	case err == nil || tidemark.KindOf(err) == tidemark.NotFound: // a metric that does not exist yet has no data
		return res, nil
	case tidemark.KindOf(err) == tidemark.Internal:
		return res, err
	}
	res.Error = failedQuery(err)
	return res, nil
}

func (s *Server) answerComposite(ctx context.Context, org tidemark.OrgID, q *manyQueries, one *oneQuery, res *oneResult) error {
	e, err := query.Parse(one.Composite)
	if err != nil {
		return err
	}
	result, err := s.Querier.Eval(ctx, org, e, query.Window{Start: q.Start, End: q.End, Step: q.Resolution}, q.Dynamic)
	if err != nil {
		return err
	}
	res.Streams = result.Streams
	for _, sr := range result.Series[:min(len(result.Series), maxLines)] {
		res.Period = max(res.Period, sr.Period)
		res.Series = append(res.Series, oneSeries{Metric: sr.Name(), Tags: sr.Tags.Map(), Times: sr.Times, Values: sr.Values})
	}
	return nil
}

func (s *Server) answerStreams(ctx context.Context, org tidemark.OrgID, q *manyQueries, one *oneQuery, res *oneResult) error {
	req := query.Request{
		Metric: one.Metric, Start: q.Start, End: q.End - 1, Resolution: q.Resolution, Dynamic: q.Dynamic,
		Filter: query.FilterOf(one.Tags, q.Dynamic), Summary: mean(one.Summary),
	}
	if one.GroupFunction != "" {
		req.GroupFunction = mean(one.GroupFunction)
		if req.GroupBy = one.GroupBy; len(req.GroupBy) == 0 {
			req.GroupBy = []string{"*"}
		}
	}
	series, err := s.Querier.Select(ctx, org, req)
	if err != nil {
		return err
	}
	if err := collect(series, res); err != nil {
		return err
	}
	res.Streams = max(res.Streams, s.countStreams(ctx, org, one.Metric, req.Filter))
	return nil
}

// mean is the name that queries have for what charts call average.
func mean(function string) string {
	if function == "average" {
		return "mean"
	}
	return function
}

func collect(series iter.Seq2[*tsdb.Series, error], res *oneResult) error {
	for sr, err := range series {
		if err != nil {
			return err
		}
		res.Streams++
		if len(res.Series) == maxLines {
			continue // counted, not sent
		}
		line := oneSeries{Metric: sr.Metric, Tags: sr.Tags.Map(), Times: make([]int64, 0, len(sr.Times)), Values: make([]float64, 0, len(sr.Times))}
		for i, v := range sr.Values {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				continue // JSON has no such numbers
			}
			line.Times = append(line.Times, sr.Times[i])
			line.Values = append(line.Values, v)
		}
		res.Series = append(res.Series, line)
	}
	return nil
}

// maxCounted bounds how far streams are counted for people to read.
const maxCounted = 100_000

func (s *Server) countStreams(ctx context.Context, org tidemark.OrgID, metric string, filter tsdb.Filter) (n int) {
	for _, err := range s.Engine.Streams(ctx, org, tidemark.MetricKey(metric), filter) {
		if err != nil || n == maxCounted {
			break
		}
		n++
	}
	return n
}

// chartQueries is what has to be asked for the streams of a chart; the id of
// each is the stream's index. It is the twin of streamQueries in the
// interface, for those who have only a link.
func chartQueries(c *tidemark.Chart) (queries []oneQuery) {
	for i := range c.Streams {
		st := &c.Streams[i]
		q := oneQuery{ID: strconv.Itoa(i), Metric: st.Metric, Tags: st.Tags}
		switch {
		case st.Type == "annotation", st.Hidden != nil && *st.Hidden:
			continue
		case st.Metric == "":
			q.Composite = st.Composite
			queries = append(queries, q)
			continue
		}
		if st.SummaryFunction != nil {
			q.Summary = *st.SummaryFunction
		}
		q.GroupFunction = "mean"
		if st.GroupFunction != nil && *st.GroupFunction != "" {
			q.GroupFunction = *st.GroupFunction
		}
		if q.GroupFunction == "breakout" {
			q.GroupFunction = ""
		}
		for _, t := range st.Tags {
			if t.IsGrouped() {
				q.GroupBy = append(q.GroupBy, t.Name)
			}
		}
		queries = append(queries, q)
	}
	return queries
}

// checkComposite answers POST /ui/api/compose/check.
func (s *Server) checkComposite(r *http.Request, _ tidemark.Identity) (rest.Reply, error) {
	var body struct {
		Composite string `json:"composite"`
	}
	if err := rest.ReadInto(r, &body); err != nil {
		return rest.Reply{}, err
	}
	e, err := query.Parse(body.Composite)
	if err != nil {
		return rest.OK(map[string]any{"ok": false, "error": failedQuery(err)}), nil
	}
	return rest.OK(map[string]any{"ok": true, "formatted": e.String()}), nil
}

// composeFunctions answers GET /ui/api/compose/functions.
func (s *Server) composeFunctions(*http.Request, tidemark.Identity) (rest.Reply, error) {
	return rest.OK(map[string]any{"functions": query.Functions()}), nil
}

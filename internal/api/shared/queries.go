package shared

import (
	"context"
	"errors"
	"iter"
	"math"
	"strconv"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/compose"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// ManyQueries is what a page of charts asks for at once.
type ManyQueries struct {
	Start      int64                `json:"start"`
	End        int64                `json:"end"` // exclusive
	Resolution int64                `json:"resolution"`
	Queries    []OneQuery           `json:"queries"`
	Dynamic    []tidemark.TagFilter `json:"dynamic,omitempty"` // values for tag filters that are dynamic
}

// OneQuery asks for the streams of a metric or for a composite.
type OneQuery struct {
	ID            string               `json:"id"` // comes back with the result
	Metric        string               `json:"metric,omitempty"`
	Tags          []tidemark.TagFilter `json:"tags,omitempty"`
	GroupFunction string               `json:"group_function,omitempty"` // folds streams into one line per group_by; without, each is a line
	GroupBy       []string             `json:"group_by,omitempty"`       // names of tags
	Summary       string               `json:"summary_function,omitempty"`
	Composite     string               `json:"composite,omitempty"`    // instead of a metric
	Distribution  bool                 `json:"distribution,omitempty"` // how many values of all streams, or of each group_by, are in ranges of values: a line for each range
	Percentiles   []float64            `json:"percentiles,omitempty"`  // of a distribution, 0 to 100: a line for each, of all values
	Summarize     int                  `json:"summarize,omitempty"`    // more streams than these (1 to 2000), each of which would be a line, are answered with a band and at most 5 that are apart from it
}

// OneResult is the answer to OneQuery. What is wrong with one query is its own
// affair: the others are answered.
type OneResult struct {
	ID      string      `json:"id"`
	Series  []OneSeries `json:"series"`
	Streams int         `json:"streams"`          // how many it reads; lines beyond a limit are counted, not sent
	Period  int64       `json:"period,omitempty"` // seconds between points, of a composite
	Error   *QueryError `json:"error,omitempty"`
}

// OneSeries is one line of a chart.
type OneSeries struct {
	Metric string            `json:"metric,omitempty"`
	Tags   map[string]string `json:"tags"`
	Times  []int64           `json:"times,omitzero"` // seconds; without them, those of the line before
	Values []float64         `json:"values"`
	Low    *float64          `json:"low,omitempty"`  // of a distribution: where its range begins
	High   *float64          `json:"high,omitempty"` // and ends, which is no longer in it

	Percentile *float64 `json:"percentile,omitempty"` // of a distribution: which it is, 0 to 100
	Summary    string   `json:"summary,omitempty"`    // a line of a band, not a stream: p10, median or p90 of all streams at each step, low or high of those that are not apart
}

// QueryError says what is wrong with a query and, for a composite, where.
type QueryError struct {
	Message    string `json:"message"`
	Offset     int    `json:"offset"`               // where it is, in characters
	Length     int    `json:"length"`               // how many characters it has
	Suggestion string `json:"suggestion,omitempty"` // what to write there instead
}

// FailedQuery is the answer to a query that failed.
func FailedQuery(err error) *QueryError {
	if e, ok := errors.AsType[*compose.Error](err); ok {
		return &QueryError{Message: e.Msg, Offset: e.Offset, Length: e.Length, Suggestion: e.Suggestion}
	}
	return &QueryError{Message: err.Error()}
}

// AnswerQuery answers one of q. What it returns counts as memory of hold until
// that is released.
func (s *Base) AnswerQuery(ctx context.Context, org tidemark.OrgID, q *ManyQueries, one *OneQuery, hold *query.Holding) (OneResult, error) {
	res := OneResult{ID: one.ID, Series: []OneSeries{}}
	var err error
	switch {
	case one.Summarize < 0 || one.Summarize > maxLines:
		err = errSummarize
	case one.Distribution:
		err = s.answerDistribution(ctx, org, q, one, &res, hold)
	case one.Composite != "":
		err = s.answerComposite(ctx, org, q, one, &res, hold)
	default:
		err = s.answerStreams(ctx, org, q, one, &res, hold)
	}
	switch {
	case err == nil || tidemark.KindOf(err) == tidemark.NotFound: // a metric that does not exist yet has no data
		return res, nil
	case tidemark.KindOf(err) == tidemark.Internal:
		return res, err
	}
	res.Series, res.Error = []OneSeries{}, FailedQuery(err)
	return res, nil
}

func (s *Base) answerComposite(ctx context.Context, org tidemark.OrgID, q *ManyQueries, one *OneQuery, res *OneResult, hold *query.Holding) error {
	e, err := query.Parse(one.Composite)
	if err != nil {
		return err
	}
	result, err := s.Querier.Eval(ctx, org, e, query.Window{Start: q.Start, End: q.End, Step: q.Resolution}, q.Dynamic)
	if err != nil {
		return err
	}
	res.Streams = result.Streams
	if one.Summarize > 0 && len(result.Series) > one.Summarize {
		return sumUp(ctx, q, result, res, hold)
	}
	points := int64(0)
	for _, sr := range result.Series[:min(len(result.Series), maxLines)] {
		points += int64(len(sr.Times))
		if err := hold.Cover(points); err != nil {
			return err
		}
		res.Period = max(res.Period, sr.Period)
		res.Series = append(res.Series, OneSeries{Metric: sr.Name(), Tags: sr.Tags.Map(), Times: sr.Times, Values: sr.Values})
	}
	return nil
}

func (s *Base) answerStreams(ctx context.Context, org tidemark.OrgID, q *ManyQueries, one *OneQuery, res *OneResult, hold *query.Holding) error {
	req := query.Request{
		Metric: one.Metric, Start: q.Start, End: q.End - 1, Resolution: q.Resolution, Dynamic: q.Dynamic,
		Filter: query.FilterOf(one.Tags, q.Dynamic), Summary: mean(one.Summary),
	}
	if one.GroupFunction != "" {
		req.GroupFunction, req.GroupBy = mean(one.GroupFunction), one.groups()
	}
	read := func() (iter.Seq2[*tsdb.Series, error], error) { return s.Querier.Select(ctx, org, req) }
	series, err := read()
	if err != nil {
		return err
	}
	if one.Summarize > 0 && one.GroupFunction == "" {
		err = collectFew(ctx, q, one.Summarize, series, read, res, hold)
	} else {
		err = collect(series, res, hold)
	}
	if err != nil {
		return err
	}
	res.Streams = max(res.Streams, s.CountStreams(ctx, org, one.Metric, req.Filter))
	return nil
}

// groups are the tags that streams are folded by: without any, all into one.
func (q *OneQuery) groups() []string {
	if len(q.GroupBy) == 0 {
		return []string{"*"}
	}
	return q.GroupBy
}

// mean is the name that queries have for what charts call average.
func mean(function string) string {
	if function == "average" {
		return "mean"
	}
	return function
}

// collect puts lines into res.
func collect(series iter.Seq2[*tsdb.Series, error], res *OneResult, hold *query.Holding) error {
	points := int64(0)
	for sr, err := range series {
		if err != nil {
			return err
		}
		res.Streams++
		if len(res.Series) == maxLines {
			continue // counted, not sent
		}
		if err := addLine(sr, res, hold, &points); err != nil {
			return err
		}
	}
	return nil
}

// addLine adds a line to res; points is how many all have.
func addLine(sr *tsdb.Series, res *OneResult, hold *query.Holding, points *int64) error {
	*points += int64(len(sr.Times))
	if err := hold.Cover(*points); err != nil {
		return err
	}
	line := OneSeries{Metric: sr.Metric, Tags: sr.Tags.Map(), Times: make([]int64, 0, len(sr.Times)), Values: make([]float64, 0, len(sr.Times))}
	for i, v := range sr.Values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			continue // JSON has no such numbers
		}
		line.Times = append(line.Times, sr.Times[i])
		line.Values = append(line.Values, v)
	}
	res.Series = append(res.Series, line)
	return nil
}

// MaxCounted bounds how far streams are counted for people to read.
const MaxCounted = 100_000

// CountStreams counts the streams of a metric, up to MaxCounted.
func (s *Base) CountStreams(ctx context.Context, org tidemark.OrgID, metric string, filter tsdb.Filter) (n int) {
	for _, err := range s.Engine.Streams(ctx, org, tidemark.MetricKey(metric), filter) {
		if err != nil || n == MaxCounted {
			break
		}
		n++
	}
	return n
}

// ChartQueries is what has to be asked for the streams of a chart; the id of
// each is the stream's index. It is the twin of streamQueries in the
// interface, for those who have only a link.
func ChartQueries(c *tidemark.Chart) (queries []OneQuery) {
	for i := range c.Streams {
		st := &c.Streams[i]
		q := OneQuery{ID: strconv.Itoa(i), Metric: st.Metric, Tags: st.Tags}
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

// maxLines bounds what one query may send to a browser.
const maxLines = 2000

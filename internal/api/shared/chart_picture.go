package shared

import (
	"cmp"
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/draw"
	"github.com/tidemark-metrics/tidemark/internal/query"
)

// picturePoints is how many points of a series are read for a picture: about
// half as many as it is wide.
const picturePoints = 300

// Shown is what time a picture shows, and of what.
type Shown struct {
	Start, End int64
	Zone       *time.Location       // of the times; UTC if nil
	Dynamic    []tidemark.TagFilter // values for tag filters that are dynamic
}

// ChartPicture reads what a picture of c shows, as memory of hold. What is
// wrong with one of its queries is returned beside what the others have.
func (s *Base) ChartPicture(ctx context.Context, org tidemark.OrgID, c *tidemark.Chart, shown Shown, hold *query.Holding) (*draw.Chart, *QueryError, error) {
	q := &ManyQueries{
		Start: shown.Start, End: shown.End + 1, Resolution: s.resolutionFor(shown.Start, shown.End), Queries: pictureQueries(c), Dynamic: shown.Dynamic,
	}
	pic := &draw.Chart{
		Kind: c.Type, Title: c.Name, Start: shown.Start, End: shown.End, Zone: shown.Zone,
		Min: c.Min, Max: c.Max, Log: c.UseLogYAxis != nil && *c.UseLogYAxis, Thresholds: drawThresholds(c.Thresholds),
	}
	if c.Label != nil {
		pic.Subtitle = *c.Label
	}
	var failed *QueryError
	var list []answered
	for i := range q.Queries {
		res, err := s.AnswerQuery(ctx, org, q, &q.Queries[i], hold)
		if err != nil {
			return nil, nil, err
		}
		failed = cmp.Or(failed, res.Error)
		at, _ := strconv.Atoi(q.Queries[i].ID)
		list = append(list, answered{&c.Streams[at], at, res})
		pic.Series = append(pic.Series, drawSeries(&c.Streams[at], &res, q.Resolution)...)
	}
	switch c.Kind() {
	case "table":
		pic.Kind, pic.Rows, pic.Series = draw.Table, tableOf(c, list), nil
	case "heatmap":
		fillHeatmap(pic, c, list, q.Resolution)
	}
	return pic, failed, nil
}

// pictureQueries are those of a chart; a distribution is of all that would be
// repeated.
func pictureQueries(c *tidemark.Chart) []OneQuery {
	queries := ChartQueries(c)
	AskDistributions(c, queries)
	for i := range queries {
		if queries[i].Distribution {
			queries[i].GroupBy = nil
		}
	}
	return queries
}

func drawThresholds(all []tidemark.Threshold) (list []draw.Threshold) {
	for _, t := range all {
		list = append(list, draw.Threshold{Operator: t.Operator, Value: t.Value, Amber: t.Type == "yellow"})
	}
	return list
}

// resolutionFor is the finest that is kept of all of it, and no finer than
// the picture shows.
func (s *Base) resolutionFor(start, end int64) int64 {
	want := max(1, (end-start)/picturePoints)
	for _, step := range []int64{1, 10, 60, 300, 900, 3600, 6 * 3600, DaySeconds} {
		if step >= want && s.isKept(step, start) {
			return step
		}
	}
	return DaySeconds
}

func (s *Base) isKept(step, start int64) bool {
	for _, t := range s.Engine.Tiers() {
		if t.Window <= step && (start >= s.Now().Unix()-t.Retention || t.Retention <= 0) {
			return true
		}
	}
	return false
}

// drawSeries makes lines of a query's answer.
func drawSeries(st *tidemark.ChartStream, res *OneResult, step int64) (lines []draw.Series) {
	for _, one := range res.Series {
		line := draw.Series{Name: lineName(st, one), Mono: st.Name == nil, Times: one.Times, Values: one.Values, Family: one.Metric}
		if st.Color != nil && len(res.Series) == 1 {
			line.Color = *st.Color
		}
		if st.UnitsShort != nil {
			line.Unit = *st.UnitsShort
		}
		if st.GapDetection != nil && *st.GapDetection {
			line.Period = max(res.Period, step)
		}
		line.Right = st.SplitAxis != nil && *st.SplitAxis
		lines = append(lines, line)
	}
	return lines
}

func lineName(st *tidemark.ChartStream, one OneSeries) string {
	tags := tidemark.MakeTags(one.Tags).String()
	switch {
	case st.Name != nil && *st.Name != "" && tags != "":
		return *st.Name + " " + tags
	case st.Name != nil && *st.Name != "":
		return *st.Name
	case tags != "":
		return strings.ReplaceAll(tags, ",", ", ")
	}
	return one.Metric
}

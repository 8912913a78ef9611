package shared

import (
	"context"
	"slices"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"github.com/tidemark-metrics/tidemark/internal/sketch"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// maxRanges bounds how many ranges of values a distribution is told in: more
// cannot be told apart in a chart.
const maxRanges = 80

var (
	errCompositeSpread = tidemark.Errorf(tidemark.Invalid, "a composite has no distribution: choose a metric")
	errPercentiles     = tidemark.Errorf(tidemark.Invalid, "percentiles must be up to %d numbers between 0 and 100", tidemark.MaxPercentiles)
)

// AskDistributions makes the queries of a chart ask for distributions, if it
// shows them: one of all streams, or of each value of the tag that the chart is
// repeated by; and for the percentiles of the chart.
func AskDistributions(c *tidemark.Chart, queries []OneQuery) {
	if !c.ShowsDistribution() {
		return
	}
	for i := range queries {
		queries[i].Distribution, queries[i].GroupBy, queries[i].Percentiles = true, c.RepeatedBy(), c.Percentiles()
	}
}

// answerDistribution answers with how many of the values of each group are in
// ranges of values, a line for each range, and with the percentiles of the group.
func (s *Base) answerDistribution(ctx context.Context, org tidemark.OrgID, q *ManyQueries, one *OneQuery, res *OneResult, hold *query.Holding) error {
	if one.Composite != "" {
		return errCompositeSpread
	}
	if !arePercentiles(one.Percentiles) {
		return errPercentiles
	}
	req := query.Request{
		Metric: one.Metric, Start: q.Start, End: q.End - 1, Resolution: q.Resolution, Filter: query.FilterOf(one.Tags, q.Dynamic),
		GroupBy: one.groups(), GroupFunction: "mean", Summary: "mean", Distributions: true,
	}
	series, err := s.Querier.Select(ctx, org, req)
	if err != nil {
		return err
	}
	cells := int64(0)
	for sr, err := range series {
		if err != nil {
			return err
		}
		if len(res.Series)+maxRanges+len(one.Percentiles) > maxLines {
			break // no group is told in part
		}
		if err := addRanges(sr, res, hold, &cells); err != nil {
			return err
		}
		addPercentiles(sr, res, one.Percentiles)
		cells += int64(len(sr.Times) * len(one.Percentiles))
	}
	res.Streams = s.CountStreams(ctx, org, one.Metric, req.Filter)
	return hold.Cover(cells)
}

// arePercentiles reports whether all can be asked for at once.
func arePercentiles(all []float64) bool {
	return len(all) <= tidemark.MaxPercentiles && !slices.ContainsFunc(all, func(p float64) bool { return !(p >= 0 && p <= 100) })
}

// addRanges adds the lines of one distribution over time to res; cells is how
// many points all lines have.
func addRanges(sr *tsdb.Series, res *OneResult, hold *query.Holding, cells *int64) error {
	scale, tags := scaleOf(sr), sr.Tags.Map()
	lines := make(map[sketch.Bucket]int) // by their limits; where they are in res
	for i, at := range sr.Times {
		for _, r := range sr.Sketches[i].Ranges(scale) {
			if *cells++; *cells%maxRanges == 0 {
				if err := hold.Cover(*cells); err != nil {
					return err
				}
			}
			limits := sketch.Bucket{Lower: r.Lower, Upper: r.Upper}
			n, ok := lines[limits]
			if !ok {
				n, lines[limits] = len(res.Series), len(res.Series)
				res.Series = append(res.Series, OneSeries{Metric: sr.Metric, Tags: tags, Low: &limits.Lower, High: &limits.Upper})
			}
			line := &res.Series[n]
			line.Times, line.Values = append(line.Times, at), append(line.Values, r.Count)
		}
	}
	return hold.Cover(*cells)
}

// addPercentiles adds a line for each of some percentiles of one distribution
// over time to res: of all its values, not of the counts in ranges.
func addPercentiles(sr *tsdb.Series, res *OneResult, percentiles []float64) {
	tags := sr.Tags.Map()
	for i, p := range percentiles {
		line := OneSeries{Metric: sr.Metric, Tags: tags, Times: slices.Clone(sr.Times), Values: make([]float64, len(sr.Times)), Percentile: &percentiles[i]}
		for j := range sr.Times {
			d := tsdb.Distribution{Summary: sr.Summaries[j], Sketch: sr.Sketches[j]}
			line.Values[j] = d.Percentile(p / 100)
		}
		res.Series = append(res.Series, line)
	}
}

// scaleOf returns how finely all that sr has can be told.
func scaleOf(sr *tsdb.Series) sketch.Scale {
	var all sketch.Sketch
	for _, s := range sr.Sketches {
		all.Merge(s)
	}
	return all.ScaleFor(maxRanges)
}

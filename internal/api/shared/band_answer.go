package shared

import (
	"context"
	"iter"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// reading reads lines once more.
type reading func() (iter.Seq2[*tsdb.Series, error], error)

// collectFew puts lines into res or, where there are more than most, a band of
// them.
func collectFew(ctx context.Context, q *ManyQueries, most int, series iter.Seq2[*tsdb.Series, error], again reading, res *OneResult, hold *query.Holding) error {
	var b *band
	points := int64(0)
	for sr, err := range series {
		if err == nil && b == nil && len(res.Series) == most {
			b, err = bandInstead(ctx, q, res, hold)
		}
		switch {
		case err != nil:
		case b != nil:
			err = b.add(sr.Metric, sr.Tags, sr.Times, sr.Values)
		default:
			err = addLine(sr, res, hold, &points)
		}
		if err != nil {
			return err
		}
		res.Streams++
	}
	if b == nil {
		return nil
	}
	return b.answer(res, again)
}

// bandInstead makes a band of the lines that res has so far, and takes them out.
func bandInstead(ctx context.Context, q *ManyQueries, res *OneResult, hold *query.Holding) (*band, error) {
	b, err := newBand(ctx, q, hold)
	if err != nil {
		return nil, err
	}
	for _, l := range res.Series {
		if err := b.add(l.Metric, tidemark.MakeTags(l.Tags), l.Times, l.Values); err != nil {
			return nil, err
		}
	}
	res.Series = []OneSeries{}
	return b, nil
}

// sumUp answers with a band of the lines of a composite.
func sumUp(ctx context.Context, q *ManyQueries, result *query.Result, res *OneResult, hold *query.Holding) error {
	b, err := newBand(ctx, q, hold)
	if err != nil {
		return err
	}
	for _, sr := range result.Series {
		res.Period = max(res.Period, sr.Period)
		if err := b.add(sr.Name(), sr.Tags, sr.Times, sr.Values); err != nil {
			return err
		}
	}
	return b.answer(res, func() (iter.Seq2[*tsdb.Series, error], error) {
		return func(yield func(*tsdb.Series, error) bool) {
			for _, sr := range result.Series {
				if !yield(&tsdb.Series{Metric: sr.Name(), Tags: sr.Tags, Times: sr.Times, Values: sr.Values}, nil) {
					return
				}
			}
		}, nil
	})
}

package alerting

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

// bands says of the latest incidents what was measured when they were worst,
// and what is usual then, where the first condition is a band.
func (t *backtest) bands(ctx context.Context, c *backtestCondition, incidents []tidemark.BacktestIncident) error {
	if c.source.against == nil || c.source.against.Kind != tidemark.AgainstBand {
		return nil
	}
	for i := max(0, len(incidents)-tidemark.MaxBacktestBands); i < len(incidents); i++ {
		in := &incidents[i]
		end := t.end
		if in.ClearedAt != nil {
			end = *in.ClearedAt
		}
		stream, at, ok := c.worst(in.TriggeredAt, end)
		if !ok {
			continue
		}
		var err error
		if in.Band, err = t.bandAt(ctx, c, stream, at); err != nil {
			return err
		}
	}
	return nil
}

// worst returns the stream that was furthest from what is usual between two
// times, and when.
func (c *backtestCondition) worst(start, end int64) (stream string, at int64, ok bool) {
	var peak *float64
	for j, v := range c.verdicts.streams {
		p, when := c.peakAt(j, v.clip(start, end))
		if p != nil && (peak == nil || c.rule.worse(*p, *peak)) {
			peak, stream, at = p, c.streams[j].stream, when
		}
	}
	return stream, at, peak != nil
}

// bandAt reads the step of a time and what is usual then, as evaluating it
// does; nil where there is no such reading any more.
func (t *backtest) bandAt(ctx context.Context, c *backtestCondition, stream string, when int64) (*tidemark.BacktestBand, error) {
	step := c.source.step
	if when < c.coarse {
		step = max(step, c.summary)
	}
	cmp := &comparison{
		reader: t.reader, org: t.org, source: &c.source, plain: c.source.plain(), rule: &c.rule,
		start: when - when%step, end: when - when%step + step, step: step,
	}
	now, err := cmp.read(ctx, cmp.plain, cmp.start, cmp.end)
	if err != nil {
		return nil, err
	}
	measured, ok := at(now[stream], cmp.start)
	if !ok {
		return nil, nil
	}
	l, err := cmp.learner(ctx, streams{stream: now[stream]})
	if err != nil {
		return nil, err
	}
	b, ok := l.bandAt(stream, cmp.start)
	if !ok {
		return nil, nil
	}
	return &tidemark.BacktestBand{At: cmp.start, Stream: stream, Measured: measured, Usual: b.usual}, nil
}

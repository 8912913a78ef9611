package alerting

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

// maxExpected is how many points of what is expected are drawn.
const maxExpected = 1500

// expected says what a condition that compares with the past expects of one
// of its streams, in the unit of the metric: of the one that violates longest,
// or of the first. Nil where there is nothing to draw.
func (t *backtest) expected(ctx context.Context, c *backtestCondition) (*tidemark.BacktestExpected, error) {
	if c.source.against == nil || c.source.against.Kind == tidemark.AgainstBudget || len(c.streams) == 0 {
		return nil, nil
	}
	stream := c.streams[0].stream
	if longest := c.longest(); len(longest) > 0 {
		stream = c.streams[longest[0]].stream
	}
	step := c.source.step
	for (t.end-t.start)/step > maxExpected {
		step *= 2
	}
	cmp := &comparison{
		reader: t.reader, org: t.org, source: &c.source, plain: c.source.plain(), rule: &c.rule,
		start: t.start - t.start%step, end: t.end, step: step,
	}
	found := &tidemark.BacktestExpected{Stream: stream, Times: []int64{}, Usual: []float64{}, Low: []*float64{}, High: []*float64{}}
	if c.source.against.Kind == tidemark.AgainstBand {
		return found, cmp.expectBand(ctx, found)
	}
	return found, cmp.expectPast(ctx, found)
}

// expectBand draws the band of every hour.
func (c *comparison) expectBand(ctx context.Context, e *tidemark.BacktestExpected) error {
	l, err := c.learner(ctx, streams{e.Stream: nil})
	if err != nil {
		return err
	}
	for h := c.start - c.start%hour; h < c.end; h += hour {
		if b, ok := l.bandAt(e.Stream, h); ok {
			width := b.width(c.source.against, c.rule.threshold)
			add(e, max(h, c.start), b.usual, b.usual-width, b.usual+width, true, true)
			e.Spread = append(e.Spread, b.spread)
		}
	}
	return nil
}

// expectPast draws the readings that others are compared with, and how far
// from them the threshold is.
func (c *comparison) expectPast(ctx context.Context, e *tidemark.BacktestExpected) error {
	g := c.source.against
	back := int64(g.Period)
	then, err := c.readPast(ctx)
	if err != nil {
		return err
	}
	suspended, err := c.suspendedThen(ctx)
	if err != nil {
		return err
	}
	if s := then[e.Stream]; s != nil {
		for i, at := range s.Times {
			if suspended.meets(at, at+c.step) {
				continue
			}
			limit := limitOf(g, s.Values[i], c.rule.threshold, c.source.below)
			add(e, at+back, s.Values[i], limit, limit, !c.source.below, c.source.below)
		}
	}
	return nil
}

// limitOf is the reading from which on the threshold is exceeded.
func limitOf(g *tidemark.Against, before, threshold float64, below bool) float64 {
	far := threshold
	switch {
	case g.Absolute:
	case g.Kind == tidemark.AgainstPast:
		return before * threshold / 100
	default:
		far = threshold / 100 * max(before, -before)
	}
	if below {
		return before - far
	}
	return before + far
}

// add draws what is expected at a time, and the limits that count.
func add(e *tidemark.BacktestExpected, t int64, usual, low, high float64, upper, lower bool) {
	e.Times, e.Usual = append(e.Times, t), append(e.Usual, usual)
	var l, h *float64
	if lower {
		l = &low
	}
	if upper {
		h = &high
	}
	e.Low, e.High = append(e.Low, l), append(e.High, h)
}

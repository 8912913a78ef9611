package alerting

import (
	"context"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// compare makes s the source of a condition that compares readings with the
// past. All of them are looked at in steps of a minute at least: the steps of
// two times are compared, and single measurements of two times never meet.
func (r *Reader) compare(ctx context.Context, org tidemark.OrgID, a *tidemark.Alert, c *tidemark.Condition, s *source) error {
	s.against, s.below = c.Against, c.Type == tidemark.Below
	s.stepped, s.step = true, max(s.step, minute)
	if c.Against.Kind != tidemark.AgainstBudget {
		s.alert = a
		return nil
	}
	s.merged = len(s.groups) == 0
	if c.Against.WithoutMaintenance {
		s.alert, s.fixed = a, tidemark.FixedTags(c.Tags)
	}
	if c.Against.Below != nil {
		return nil
	}
	of := *c
	of.Against, of.MetricName = nil, c.Against.Good
	good, err := r.sourceOf(ctx, org, a, &of)
	if err != nil {
		return err
	}
	good.stepped, good.step, good.merged = true, s.step, s.merged
	s.good = &good
	return nil
}

// comparedReadings yields how the readings of [start, end) compare with what
// the condition names. Where there is nothing to compare with there is none.
func (r *Reader) comparedReadings(ctx context.Context, org tidemark.OrgID, s *source, f *rule, start, end, step int64) iter.Seq2[*tsdb.Series, error] {
	return func(yield func(*tsdb.Series, error) bool) {
		c := &comparison{reader: r, org: org, source: s, plain: s.plain(), rule: f, start: start - start%step, end: end, step: step}
		all, err := c.compare(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		for _, series := range all {
			if !yield(series, nil) {
				return
			}
		}
	}
}

// plain returns where the readings themselves come from.
func (s *source) plain() *source {
	p := *s
	p.against, p.good = nil, nil
	return &p
}

// comparison is the comparing of some steps.
type comparison struct {
	reader     *Reader
	org        tidemark.OrgID
	source     *source
	plain      *source
	rule       *rule
	start, end int64
	step       int64
}

func (c *comparison) compare(ctx context.Context) ([]*tsdb.Series, error) {
	switch c.source.against.Kind {
	case tidemark.AgainstBudget:
		return c.burnRates(ctx)
	case tidemark.AgainstBand:
		return c.scores(ctx)
	}
	now, then, err := c.nowAndThen(ctx)
	if err != nil {
		return nil, err
	}
	suspended, err := c.suspendedThen(ctx)
	if err != nil {
		return nil, err
	}
	return c.each(now, func(stream string, t int64, v float64) (float64, bool) {
		past := t - int64(c.source.against.Period)
		before, ok := at(then[stream], past)
		if !ok || suspended.meets(past, past+c.step) {
			return 0, false
		}
		return comparePair(c.source.against, v, before, c.source.below)
	}), nil
}

// comparePair is how a reading compares with one before.
func comparePair(g *tidemark.Against, v, before float64, below bool) (float64, bool) {
	compared := v - before
	switch {
	case g.Absolute:
	case before == 0:
		return 0, false // nothing is a percentage of nothing
	case g.Kind == tidemark.AgainstPast:
		return 100 * v / before, true
	default:
		compared *= 100 / math.Abs(before)
	}
	if below {
		return -compared, true
	}
	return compared, true
}

// nowAndThen reads the steps and those that they are compared with.
func (c *comparison) nowAndThen(ctx context.Context) (now, then streams, err error) {
	back := int64(c.source.against.Period)
	if back < c.end-c.start { // they overlap
		now, err = c.read(ctx, c.plain, c.start-back, c.end)
		return now, now, err
	}
	if now, err = c.read(ctx, c.plain, c.start, c.end); err != nil {
		return nil, nil, err
	}
	then, err = c.readPast(ctx)
	return now, then, err
}

// suspendedThen is when maintenance kept the alert from being evaluated in the
// time that is compared with: what was measured then says nothing of what is
// usual.
func (c *comparison) suspendedThen(ctx context.Context) (intervals, error) {
	back := int64(c.source.against.Period)
	return c.reader.suspended(ctx, c.org, c.source.alert, c.start-back, c.end-back+c.step)
}

// readPast reads the steps that others are compared with, the last one whole:
// a step that is not over yet is compared with all of the one before, as it
// will be when it is.
func (c *comparison) readPast(ctx context.Context) (streams, error) {
	whole := c.start + (c.end-c.start+c.step-1)/c.step*c.step
	back := int64(c.source.against.Period)
	return c.read(ctx, c.plain, c.start-back, whole-back)
}

// streams are series by name of stream.
type streams map[string]*tsdb.Series

// read reads steps of a source, in order.
func (c *comparison) read(ctx context.Context, s *source, start, end int64) (streams, error) {
	found := make(streams)
	if err := c.readInto(ctx, found, s, start, end); err != nil {
		return nil, err
	}
	return found, nil
}

// readInto appends what is of [start, end) to what was read of before.
func (c *comparison) readInto(ctx context.Context, found streams, s *source, start, end int64) error {
	read := *s
	read.step = c.step
	n := 0
	for series, err := range c.reader.readings(ctx, c.org, &read, c.rule, start, end, c.step) {
		if err != nil {
			return err
		}
		if n += len(series.Times); n > maxReadings {
			return errTooMany
		}
		name := tidemark.StreamName(series.Tags)
		if one := found[name]; one != nil {
			one.Times, one.Values = append(one.Times, series.Times...), append(one.Values, series.Values...)
			continue
		}
		found[name] = series.Clone()
	}
	return nil
}

// at returns the reading of a step.
func at(s *tsdb.Series, t int64) (float64, bool) {
	if s == nil {
		return 0, false
	}
	i, ok := slices.BinarySearch(s.Times, t)
	if !ok {
		return 0, false
	}
	return s.Values[i], true
}

// each makes of every reading since the start what how says, if anything.
func (c *comparison) each(now streams, how func(stream string, t int64, v float64) (float64, bool)) []*tsdb.Series {
	var all []*tsdb.Series
	for name, s := range now {
		out := &tsdb.Series{Metric: s.Metric, Tags: s.Tags}
		for i, t := range s.Times {
			if t < c.start {
				continue
			}
			if v, ok := how(name, t, s.Values[i]); ok {
				out.Times, out.Values = append(out.Times, t), append(out.Values, v)
			}
		}
		if len(out.Times) > 0 {
			all = append(all, out)
		}
	}
	slices.SortFunc(all, func(a, b *tsdb.Series) int {
		return strings.Compare(tidemark.StreamName(a.Tags), tidemark.StreamName(b.Tags))
	})
	return all
}

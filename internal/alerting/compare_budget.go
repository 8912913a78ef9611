package alerting

import (
	"context"
	"sort"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// burnRates are how many times as fast as the objective allows errors are
// made, over the longer window and the shorter one: the lower of the two.
// 1 spends the budget exactly.
func (c *comparison) burnRates(ctx context.Context) ([]*tsdb.Series, error) {
	long := int64(c.source.against.Period)
	all, good, err := c.counted(ctx, c.start-long)
	if err != nil {
		return nil, err
	}
	if err := c.leaveOut(ctx, all, good, c.start-long); err != nil {
		return nil, err
	}
	short := max(int64(c.source.against.Short()), c.step)
	allowed := 1 - *c.source.against.Objective/100
	var rates []*tsdb.Series
	for name, total := range all {
		out := &tsdb.Series{Metric: total.Metric, Tags: total.Tags}
		total, good := sumsOf(total), sumsOf(good[name])
		for t := c.start; t < c.end; t += c.step {
			slow, ok := errorRate(total, good, t+c.step-long, t+c.step)
			fast, _ := errorRate(total, good, t+c.step-short, t+c.step)
			if ok {
				out.Times, out.Values = append(out.Times, t), append(out.Values, min(slow, fast)/allowed)
			}
		}
		if len(out.Times) > 0 {
			rates = append(rates, out)
		}
	}
	return rates, nil
}

// counted reads what was counted since a time, and what of it was good.
func (c *comparison) counted(ctx context.Context, since int64) (all, good streams, err error) {
	if c.source.against.Below != nil {
		return c.countedUpTo(ctx, since, *c.source.against.Below)
	}
	if all, err = c.read(ctx, c.plain, since, c.end); err != nil {
		return nil, nil, err
	}
	good, err = c.read(ctx, c.source.good, since, c.end)
	return all, good, err
}

// countedUpTo counts the values of distributions, and those that are good.
func (c *comparison) countedUpTo(ctx context.Context, since int64, limit float64) (all, good streams, err error) {
	if c.source.composite != "" {
		return nil, nil, tidemark.Errorf(tidemark.Invalid, "a composite has no distribution")
	}
	all, good = make(streams), make(streams)
	n := 0
	for series, err := range c.reader.Engine.Select(ctx, c.org, &tsdb.Query{
		Metric: c.source.metric, Filter: c.source.filter, Start: since, End: c.end, Step: c.step, Function: tsdb.Distributions,
		Group: true, GroupBy: c.source.groups, GroupFunction: tsdb.GroupMerge,
	}) {
		if err != nil {
			return nil, nil, err
		}
		if n += len(series.Times); n > maxReadings {
			return nil, nil, errTooMany
		}
		name := tidemark.StreamName(series.Tags)
		all[name], good[name] = series.CountUpTo(limit)
	}
	return all, good, nil
}

// leaveOut takes out what was counted in maintenance, if that does not count.
func (c *comparison) leaveOut(ctx context.Context, all, good streams, since int64) error {
	if c.source.alert == nil {
		return nil
	}
	windows, err := c.reader.windowsOf(ctx, c.org, c.source.alert, since)
	if err != nil {
		return err
	}
	for name, s := range all {
		out := tidemark.LeftOut(windows, c.source.fixed.With(s.Tags), since, c.end)
		for _, one := range []*tsdb.Series{s, good[name]} {
			one.LeaveOut(out, c.step)
		}
	}
	return nil
}

// errorRate is the share of what was not good in [start, end). It is not known
// where there was nothing at all.
func errorRate(total, good *sums, start, end int64) (float64, bool) {
	all := total.between(start, end)
	if all <= 0 {
		return 0, false
	}
	return max(0, all-good.between(start, end)) / all, true
}

// sums are the sums of a series up to each of its times.
type sums struct {
	times []int64
	upTo  []float64
}

func sumsOf(s *tsdb.Series) *sums {
	if s == nil {
		return &sums{}
	}
	out := &sums{times: s.Times, upTo: make([]float64, 1, len(s.Times)+1)}
	sum := 0.0
	for _, v := range s.Values {
		sum += v
		out.upTo = append(out.upTo, sum)
	}
	return out
}

func (s *sums) between(start, end int64) float64 {
	if len(s.times) == 0 {
		return 0
	}
	from := sort.Search(len(s.times), func(i int) bool { return s.times[i] >= start })
	to := sort.Search(len(s.times), func(i int) bool { return s.times[i] >= end })
	return s.upTo[to] - s.upTo[from]
}

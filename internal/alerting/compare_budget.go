package alerting

import (
	"context"
	"sort"

	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// burnRates are how many times as fast as the objective allows errors are
// made, over the longer window and the shorter one: the lower of the two.
// 1 spends the budget exactly.
func (c *comparison) burnRates(ctx context.Context) ([]*tsdb.Series, error) {
	long := int64(c.source.against.Period)
	all, err := c.read(ctx, c.plain, c.start-long, c.end)
	if err != nil {
		return nil, err
	}
	good, err := c.read(ctx, c.source.good, c.start-long, c.end)
	if err != nil {
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

package main

import (
	"fmt"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

const (
	step      = 10    // seconds between samples
	perMetric = 1000  // streams
	batchSize = 1000  // samples a write
	writers   = 8     // that write side by side
	roundLen  = 20    // steps after which writers wait for each other
	day       = 86400 // seconds
	start     = 20_000 * day
)

// stream i has five tags. Metrics have 1000 streams each; every other metric
// is a walk with two decimals, the rest are counters.
func tagsOf(i int) map[string]string {
	h := i % perMetric
	return map[string]string{
		"host": fmt.Sprintf("host-%05d.prod.example.com", h),
		"dc":   fmt.Sprintf("eu-west-%d", h%4),
		"rack": fmt.Sprintf("rack-%02d", h%40),
		"env":  []string{"production", "staging"}[h%2],
		"role": fmt.Sprintf("service-%d", h/10%10),
	}
}

func metricOf(i int) string { return fmt.Sprintf("m%03d.requests", i/perMetric) }

func keyOf(i int) []byte {
	return tsdb.AppendKey(nil, metricOf(i), tidemark.MakeTags(tagsOf(i)))
}

func labelsOf(i int) labels.Labels {
	m := tagsOf(i)
	m["__name__"] = metricOf(i)
	return labels.FromMap(m)
}

// walk makes the values of some streams.
type walk struct {
	seeds  []uint64
	values []int64
}

func newWalk(n int) *walk {
	w := &walk{make([]uint64, n), make([]int64, n)}
	for i := range w.seeds {
		w.seeds[i] = uint64(i)*0x9E3779B97F4A7C15 + 88172645463325252
		w.values[i] = int64(5000 + i%5000)
	}
	return w
}

// next returns the next value of stream i.
func (w *walk) next(i int) float64 {
	x := w.seeds[i]
	x ^= x << 13
	x ^= x >> 7
	x ^= x << 17
	w.seeds[i] = x
	if i/perMetric%2 == 0 {
		w.values[i] += int64(x%401) - 200
		return float64(w.values[i]) / 100
	}
	w.values[i] += int64(x % 500)
	return float64(w.values[i])
}

// batch is what one write carries.
type batch struct {
	ids    []int
	times  []int64
	values []float64
}

// lateness returns how late the value is that was drawn last of stream i: not
// at all, or for one in ten up to three days. It is made of the same random
// number, so that it costs hardly more than being in time.
func (w *walk) lateness(i int) int64 {
	x := w.seeds[i] >> 32
	if x%10 != 0 {
		return 0
	}
	return step * int64(x/10%(3*day/step))
}

// fill makes b the samples of streams [low, high) at one time. With late, one
// in ten comes up to three days late.
func (b *batch) fill(w *walk, low, high int, at int64, late bool) {
	b.ids, b.times, b.values = b.ids[:0], b.times[:0], b.values[:0]
	for i := low; i < high; i++ {
		t, v := at, w.next(i)
		if late {
			t -= w.lateness(i)
		}
		b.ids, b.times, b.values = append(b.ids, i), append(b.times, t), append(b.values, v)
	}
}

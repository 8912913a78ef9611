package promql_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/storage"
)

// Random data lies between these, in seconds.
const (
	dataStart = 1_700_000_000
	dataEnd   = dataStart + 3*3600
)

// shape makes the values of one kind of metric.
type shape struct {
	name   string
	period int64
	next   func(r *rand.Rand, v float64) float64
}

var shapes = []shape{
	{"gauge", 15, func(r *rand.Rand, v float64) float64 { return v + r.NormFloat64() }},
	{"cpu.Load", 10, func(r *rand.Rand, _ float64) float64 { return r.Float64() }},
	{"counter_total", 15, func(r *rand.Rand, v float64) float64 {
		if r.IntN(60) == 0 {
			return 0 // it was restarted
		}
		return v + float64(r.IntN(20))
	}},
	{"sparse", 200, func(r *rand.Rand, _ float64) float64 { return float64(r.IntN(1000)) - 500 }},
	{"Steps", 30, func(r *rand.Rand, v float64) float64 {
		if r.IntN(10) == 0 {
			v++
		}
		return v
	}},
}

// fill appends the same random series to each storage.
func fill(t testing.TB, r *rand.Rand, to ...storage.AppendableV2) {
	var apps []storage.AppenderV2
	for _, s := range to {
		apps = append(apps, s.AppenderV2(context.Background()))
	}
	for _, sh := range shapes {
		for i := range 8 {
			ls := labels.FromStrings("__name__", sh.name, "host", fmt.Sprintf("h%d", i), "Zone", fmt.Sprintf("Z%d", i%3), "job", "app")
			if i == 7 {
				ls = labels.FromStrings("__name__", sh.name, "host", "h7", "host.kind", "Odd one")
			}
			fillSeries(t, r, sh, ls, apps)
		}
	}
	fillHistogram(t, r, apps)
	for _, a := range apps {
		if err := a.Commit(); err != nil {
			t.Fatal(err)
		}
	}
}

func fillSeries(t testing.TB, r *rand.Rand, sh shape, ls labels.Labels, apps []storage.AppenderV2) {
	v := 100 * r.Float64()
	from, to := dataStart+r.Int64N(sh.period), int64(dataEnd)
	if r.IntN(4) == 0 {
		to -= r.Int64N(7200) // it ends early
	}
	for at := from; at < to; at += sh.period {
		if r.IntN(120) == 0 {
			at += r.Int64N(1500) // a gap
		}
		jitter := int64(0)
		if r.IntN(5) == 0 {
			jitter = r.Int64N(sh.period / 2)
		}
		v = sh.next(r, v)
		put(t, apps, ls, at+jitter, v)
	}
}

// fillHistogram makes a classic histogram of latencies.
func fillHistogram(t testing.TB, r *rand.Rand, apps []storage.AppenderV2) {
	bounds := []string{"0.1", "0.5", "1", "5", "+Inf"}
	for host := range 3 {
		counts := make([]float64, len(bounds))
		for at := int64(dataStart + host); at < dataEnd; at += 15 {
			total := 0.0
			for i, le := range bounds {
				counts[i] += float64(r.IntN(5))
				total += counts[i]
				put(t, apps, labels.FromStrings("__name__", "latency_bucket", "host", fmt.Sprintf("h%d", host), "le", le), at, total)
			}
		}
	}
}

func put(t testing.TB, apps []storage.AppenderV2, ls labels.Labels, second int64, v float64) {
	for _, a := range apps {
		if _, err := a.Append(0, ls, 0, 1000*second, v, nil, nil, storage.AppendV2Options{}); err != nil {
			t.Fatal(err)
		}
	}
}

package main

import (
	"fmt"
	"math/rand/v2"
	"strconv"
)

// The data is the same for every server: metrics of 1000 streams each, with
// five tags, one value a minute, drifting and with two decimals, as gauges of
// machines do. Beside them one metric of few streams that goes back a month.
const (
	perMetric   = 1000 // streams of one metric, and samples of one request
	step        = 60   // seconds between the samples of a stream
	recent      = 6 * 3600
	longStreams = 100
	longSpan    = 30 * 86400
)

// stream is one stream: its name and tags, and where its value is now.
type stream struct {
	metric string
	tags   []tag // in order of names
	value  int   // hundredths
}

type tag struct{ name, value string }

// sample is one value of one stream.
type sample struct {
	stream *stream
	time   int64
	value  string
	number float64
}

// makeStreams returns n streams of metrics called prefix and a number.
func makeStreams(prefix string, n int) []*stream {
	all := make([]*stream, n)
	for i := range all {
		host := i % perMetric
		all[i] = &stream{
			metric: prefix + "." + strconv.Itoa(i/perMetric),
			tags: []tag{
				{"dc", fmt.Sprintf("dc%d", host%4)},
				{"env", []string{"prod", "stage"}[host/4%2]},
				{"host", fmt.Sprintf("web-%04d", host)},
				{"rack", fmt.Sprintf("r%02d", host/8%20)},
				{"role", fmt.Sprintf("role-%d", host%7)},
			},
			value: 5000 + 7*host,
		}
	}
	return all
}

// next moves a stream on and returns its sample at time t.
func (s *stream) next(rng *rand.Rand, t int64) sample {
	if rng.IntN(4) > 0 { // a quarter of the values stay as they are
		s.value = max(0, s.value+rng.IntN(201)-100)
	}
	text := strconv.Itoa(s.value/100) + "." + fmt.Sprintf("%02d", s.value%100)
	return sample{stream: s, time: t, value: text, number: float64(s.value) / 100}
}

// batches yields what is sent: for each time from start to end, all streams,
// perMetric samples to a request; few streams share one over several times.
// Times never go back, which one of the servers demands.
func batches(streams []*stream, start, end, every int64, yield func(group int, batch []sample) bool) {
	rng := rand.New(rand.NewPCG(1, 2))
	var batch []sample
	for t := start; t < end; t += every {
		for i, s := range streams {
			batch = append(batch, s.next(rng, t))
			last := t+every >= end && i == len(streams)-1
			if len(batch) < perMetric && !last {
				continue
			}
			if !yield(i/perMetric, batch) {
				return
			}
			batch = nil
		}
	}
}

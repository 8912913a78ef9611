package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
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
	value  int   // hundredths, or what a counter has counted
	next   next  // instead of the shape's, unless nil
}

// next moves a stream on to its next value.
type next func(s *stream, rng *rand.Rand) (text string, number float64)

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

// shape is how data looks: how often a stream has a value, and what values.
type shape struct {
	name    string
	every   int64 // seconds between the samples of a stream
	jitter  bool  // they are up to half of that late
	late    bool  // a tenth is sent up to an hour after its time
	streams int
	span    int64 // seconds; six hours where 0
	cores   int   // that the server may use; all where 0
	next    next
}

// plain is what the table of servers is made with.
var plain = shape{name: "every 60 s", every: step, next: gauge}

// gauge drifts, with two decimals.
func gauge(s *stream, rng *rand.Rand) (string, float64) {
	if rng.IntN(4) > 0 { // a quarter of the values stay as they are
		s.value = max(0, s.value+rng.IntN(201)-100)
	}
	return strconv.Itoa(s.value/100) + "." + fmt.Sprintf("%02d", s.value%100), float64(s.value) / 100
}

// batches yields what is sent: for each time from start to end, all streams,
// perMetric samples to a request; few streams share one over several times.
// Times never go back unless data is late: one of the servers demands it.
func batches(streams []*stream, sh shape, start, end int64, yield func(group int, batch []sample) bool) {
	rng := rand.New(rand.NewPCG(1, 2))
	var batch []sample
	held := delayed{}
	for t := start; t < end; t += sh.every {
		for late := range slices.Chunk(held.take(t), perMetric) {
			if !yield(0, late) {
				return
			}
		}
		for i, s := range streams {
			if one := sh.sample(s, rng, t); !sh.late || !held.hold(one, rng, sh.every, end) {
				batch = append(batch, one)
			}
			last := t+sh.every >= end && i == len(streams)-1
			full := len(batch) >= perMetric || len(streams) >= perMetric && (i+1)%perMetric == 0
			if !full && !last {
				continue
			}
			if len(batch) > 0 && !yield(i/perMetric, batch) {
				return
			}
			batch = nil
		}
	}
}

// delayed are samples by the time at which they are sent.
type delayed map[int64][]sample

const lateBy = 3600

// hold keeps one sample of ten back.
func (d delayed) hold(one sample, rng *rand.Rand, every, end int64) bool {
	if rng.IntN(10) > 0 {
		return false
	}
	at := one.time - one.time%every + (1+rng.Int64N(lateBy/every))*every
	if at >= end {
		return false
	}
	d[at] = append(d[at], one)
	return true
}

func (d delayed) take(t int64) []sample {
	due := d[t]
	delete(d, t)
	return due
}

func (sh *shape) sample(s *stream, rng *rand.Rand, t int64) sample {
	draw := sh.next
	if s.next != nil {
		draw = s.next
	}
	text, number := draw(s, rng)
	if sh.jitter {
		t += rng.Int64N(sh.every/2 + 1)
	}
	return sample{stream: s, time: t, value: text, number: number}
}

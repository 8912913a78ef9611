package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
)

// shapes are the rows of the matrix: how often there is a value, what values,
// and in which order they come. Six hours of four to twenty-two million samples
// each, except for the last.
var shapes = []shape{
	{name: "every 1 s", every: 1, streams: 1000, next: gauge},
	{name: "every 10 s", every: 10, streams: 5000, next: gauge},
	{name: "every 20 s", every: 20, streams: 10_000, next: gauge},
	{name: "every 60 s", every: 60, streams: 10_000, next: gauge},
	{name: "20 s with jitter", every: 20, jitter: true, streams: 10_000, next: gauge},
	{name: "20 s, a tenth late", every: 20, late: true, streams: 10_000, next: gauge},
	{name: "20 s, counters", every: 20, streams: 10_000, next: counter},
	{name: "20 s, random floats", every: 20, streams: 10_000, next: random},
	{name: "20 s, constants", every: 20, streams: 10_000, next: constant},
	{name: "20 s, one core", every: 20, streams: 10_000, next: gauge, cores: 1},
	{name: "100 million", every: 10, streams: 10_000, next: gauge, span: 28 * 3600},
}

func counter(s *stream, rng *rand.Rand) (string, float64) {
	s.value += rng.IntN(50)
	return strconv.Itoa(s.value), float64(s.value)
}

// random has as many digits as a float has, so no codec makes it small.
func random(_ *stream, rng *rand.Rand) (string, float64) {
	v := rng.Float64() * 1000
	return strconv.FormatFloat(v, 'g', -1, 64), v
}

func constant(s *stream, _ *rand.Rand) (string, float64) {
	return strconv.Itoa(s.value), float64(s.value)
}

// figure is one cell of the matrix.
type figure struct {
	shape, name string
	value       float64
}

// goal is what a figure may be at most: times the peer's, or, where against is
// set, times another figure of ours, or as it is where bound is.
type goal struct {
	figure  string
	times   float64
	against string // a figure of the same shape
	shape   string // or of this one
	bound   bool
}

var goals = []goal{
	{figure: "CPU s/M", times: 1.0 / 3},
	{figure: "B/sample, rested", times: 1},
	{figure: "B/sample, restarted", times: 1},
	{figure: "(a) ms, written", times: 1}, {figure: "(a) ms, merging", times: 1}, {figure: "(a) ms, rested", times: 1}, {figure: "(a) ms, restarted", times: 1},
	{figure: "(b) ms, written", times: 1.0 / 3}, {figure: "(b) ms, merging", times: 1.0 / 3}, {figure: "(b) ms, rested", times: 1.0 / 3}, {figure: "(b) ms, restarted", times: 1.0 / 3},
	{figure: "(c) ms, written", times: 0.1}, {figure: "(c) ms, merging", times: 0.1}, {figure: "(c) ms, rested", times: 0.1}, {figure: "(c) ms, restarted", times: 0.1},
	// The same of the processor's time, which other work on the machine hardly changes.
	{figure: "(b) CPU ms, written", times: 1.0 / 3}, {figure: "(b) CPU ms, merging", times: 1.0 / 3}, {figure: "(b) CPU ms, rested", times: 1.0 / 3}, {figure: "(b) CPU ms, restarted", times: 1.0 / 3},
	{figure: "(c) CPU ms, written", times: 0.1}, {figure: "(c) CPU ms, merging", times: 0.1}, {figure: "(c) CPU ms, rested", times: 0.1}, {figure: "(c) CPU ms, restarted", times: 0.1},
	{figure: "(a) ms, first after restart", times: 2, against: "(a) ms, rested"},
	{figure: "(b) ms, first after restart", times: 2, against: "(b) ms, rested"},
	{figure: "(c) ms, first after restart", times: 2, against: "(c) ms, rested"},
	{figure: "(a) ms, beside writers", times: 2, against: "(a) ms, restarted"},
	{figure: "(b) ms, beside writers", times: 2, against: "(b) ms, restarted"},
	{figure: "ack p99 ms", times: 10, bound: true},
	{figure: "ack p99 ms, beside readers", times: 10, bound: true},
}

// lateGoal compares what late data costs with what the same costs in order.
var lateGoal = goal{figure: "CPU s/M", times: 1.3, shape: "every 20 s"}

// verdict is a figure beside its goal.
type verdict struct {
	figure
	than  float64 // what it is compared with
	ratio float64
	goal  goal
}

// over is by which factor the goal is missed, or met if below 1.
func (v verdict) over() float64 { return v.ratio / v.goal.times }

func (v verdict) key() string { return v.shape + ": " + v.name + v.goal.words() }

func (g goal) words() string {
	switch {
	case g.bound:
		return ""
	case g.against != "":
		return " to " + g.against
	case g.shape != "":
		return " to " + g.shape
	}
	return " to the peer's"
}

// judge puts each of our figures beside its goal.
func judge(ours, theirs map[figure]float64) (list []verdict) {
	at := func(from map[figure]float64, shape, name string) float64 {
		if v, ok := from[figure{shape: shape, name: name}]; ok {
			return v
		}
		return math.NaN()
	}
	add := func(shape string, g goal, than float64) {
		v := at(ours, shape, g.figure)
		if math.IsNaN(v) || math.IsNaN(than) {
			return
		}
		list = append(list, verdict{figure{shape, g.figure, v}, than, v / than, g})
	}
	for _, sh := range shapes {
		for _, g := range goals {
			switch {
			case g.bound:
				add(sh.name, g, 1)
			case g.against != "":
				add(sh.name, g, at(ours, sh.name, g.against))
			default:
				add(sh.name, g, at(theirs, sh.name, g.figure))
			}
		}
		if sh.late {
			add(sh.name, lateGoal, at(ours, lateGoal.shape, lateGoal.figure))
		}
	}
	return list
}

func (v verdict) String() string {
	met := "met"
	if v.over() > 1 {
		met = fmt.Sprintf("missed by %.2f", v.over())
	}
	return fmt.Sprintf("%s\t%s%s\t%.2f\t%.2f\t%.2f\t%.2f\t%s\t", v.shape, v.name, v.goal.words(), v.value, v.than, v.ratio, v.goal.times, met)
}

package main

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// pace is how often a question is put, unless that takes longer than most for
// each server.
type pace struct {
	times int
	most  time.Duration
}

var (
	usual = pace{21, 10 * time.Second}
	brief = pace{21, time.Second}
	// besideWriters is long enough for a hundredth of their acknowledgements to
	// be more than a few.
	besideWriters = pace{101, 10 * time.Second}
)

// answered is how long an answer took: the median, and the server's CPU on
// average.
type answered struct {
	took, cpu time.Duration
	size      int64
	times     int // it was asked
}

// wanted is how many points the answers to (a), (b) and (c) have.
var wanted = []int{recent / step, 4 * recent / step, longStreams * longSpan / 3600}

// asking is a question to a server.
type asking struct {
	s *running
	q question
}

// ask puts a question to a server.
func ask(ctx context.Context, s *running, q question, at pace) (answered, error) {
	answers, err := askInTurns(ctx, []asking{{s, q}}, at)
	if err != nil {
		return answered{}, err
	}
	return answers[0], nil
}

// askInTurns puts questions in turns.
func askInTurns(ctx context.Context, list []asking, at pace) ([]answered, error) {
	answers, cpu, times := make([]answered, len(list)), make([]time.Duration, len(list)), make([][]time.Duration, len(list))
	for i, a := range list {
		size, err := a.check(ctx)
		if err != nil {
			return nil, err
		}
		answers[i].size, cpu[i] = size, a.s.cpu()
	}
	most := at.most * time.Duration(len(list))
	for n, first := 0, time.Now(); n < at.times && (n < 3 || time.Since(first) < most); n++ {
		for i, a := range list {
			began := time.Now()
			if _, _, err := a.s.get(ctx, a.q.path); err != nil {
				return nil, err
			}
			times[i] = append(times[i], time.Since(began))
		}
	}
	for i, a := range list {
		n := len(times[i])
		slices.Sort(times[i])
		answers[i].took, answers[i].cpu, answers[i].times = times[i][n/2], (a.s.cpu()-cpu[i])/time.Duration(n), n
	}
	return answers, nil
}

// check returns how long the answer is, or an error if it lacks points.
func (a asking) check(ctx context.Context) (int64, error) {
	body, err := a.s.read(ctx, a.q.path)
	if err != nil {
		return 0, err
	}
	p := a.s.peer
	if n := len(p.point.FindAll(body, -1)); n < a.q.points*99/100 || n > a.q.points*101/100 {
		return 0, fmt.Errorf("%s answers %d points, not %d: %s: %.300s", p.name, n, a.q.points, a.q.path, body)
	}
	return int64(len(body)), nil
}

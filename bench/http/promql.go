package main

import (
	"context"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"
)

// kind is a kind of query, and one of it.
type kind struct{ name, query string }

func (k kind) wanted() bool { return wantedServer(k.name) }

// kinds are the range queries that servers are asked, each of its kind.
var kinds = []kind{
	{"selector", `load_0{rack="r07"}`},
	{"rate", `rate(requests_0{role="role-3"}[5m])`},
	{"sum by", `sum by (dc) (load_0)`},
	{"avg_over_time", `avg_over_time(load_0{role="role-3"}[1h])`},
	{"histogram_quantile", `histogram_quantile(0.99, sum by (le) (rate(latency_bucket[5m])))`},
	{"topk", `topk(5, load_0)`},
	{"binary", `load_0{role="role-3"} / load_1{role="role-3"}`},
	{"subquery, offset", `max_over_time(rate(requests_0{rack="r07"}[5m])[30m:1m] offset 1h)`},
	{"regexp matcher", `sum(load_0{host=~"web-0[0-4].*"})`},
	{"count, absent", `count(load_0 > 60) * absent(load_9)`},
}

// Data goes further back than queries, so that nobody is asked at its edge.
const promSpan = recent + 2*3600

// promStreams are gauges, counters and the buckets of histograms, as PromQL is
// asked about them.
func promStreams() []*stream {
	list := makeStreams("load", 2*perMetric)
	for _, s := range makeStreams("requests", perMetric) {
		s.next = counter
		list = append(list, s)
	}
	return append(list, buckets(perMetric)...)
}

// buckets returns n streams of classic histograms with ten buckets each.
func buckets(n int) []*stream {
	list := makeStreams("latency", n)
	bounds := []string{"0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "0.5", "1", "2.5", "+Inf"}
	for i, s := range list {
		bucket := i % len(bounds)
		s.metric, s.value = "latency.bucket", 0
		s.tags = []tag{{"dc", "dc" + strconv.Itoa(i/len(bounds)%4)}, {"host", fmt.Sprintf("web-%04d", i/len(bounds))}, {"le", bounds[bucket]}}
		s.next = growing(10 * (bucket + 1))
	}
	return list
}

// growing grows by the same each time: a bucket never has less than a smaller
// one.
func growing(by int) next {
	return func(s *stream, _ *rand.Rand) (string, float64) {
		s.value += by
		return strconv.Itoa(s.value), float64(s.value)
	}
}

// measurePromQL gives all servers the same data by remote write, starts them
// anew and asks them by turns. All must answer with as many points.
func measurePromQL(ctx context.Context, dir string, servers []*peer, rounds int, into *figures) error {
	if !slices.ContainsFunc(kinds, kind.wanted) {
		return nil
	}
	end := time.Now().Unix()/3600*3600 - 3600
	var up []*running
	defer func() {
		for _, s := range up {
			s.stop()
		}
	}()
	for _, p := range servers {
		through := doors[0].of(p)
		through.point = promPoint
		s, err := through.loaded(ctx, filepath.Join(dir, "promql"+p.name), end)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		up = append(up, s)
	}
	time.Sleep(*rest / 3)
	for round := range rounds {
		for _, k := range kinds {
			if !k.wanted() {
				continue
			}
			path := rangeQuery(k.query, end-recent, end-step, step)
			points := 0
			for _, s := range up {
				a, err := s.askPromQL(ctx, path, &points)
				if err != nil {
					return fmt.Errorf("%s: %w", k.name, err)
				}
				into.note(k.name, s.peer.name, ms(a.cpu))
				log.Printf("round %d: %s, %s: %.1f ms, CPU %.1f ms, %d points", round+1, s.peer.name, k.name, ms(a.took), ms(a.cpu), points)
			}
		}
	}
	return nil
}

// askPromQL asks one query, whose answer has as many points as the one before,
// or any number where that is 0.
func (s *running) askPromQL(ctx context.Context, path string, points *int) (answered, error) {
	path = s.peer.promAPI + path
	if *points == 0 {
		body, err := s.read(ctx, path)
		if err != nil {
			return answered{}, err
		}
		if *points = len(s.peer.point.FindAll(body, -1)); *points == 0 {
			return answered{}, fmt.Errorf("%s answers nothing: %s", s.peer.name, path)
		}
	}
	return ask(ctx, s, question{path, *points}, brief)
}

// loaded returns a server that was given the data of promStreams and started
// again.
func (p *peer) loaded(ctx context.Context, dir string, end int64) (*running, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	s, err := p.run(ctx, dir, true)
	if err != nil {
		return nil, err
	}
	if _, err = load(ctx, s, promStreams(), plain, end-promSpan, end); err == nil && p.flush != "" {
		_, _, err = s.get(ctx, p.flush)
	}
	s.stop()
	if err != nil {
		return nil, err
	}
	return p.run(ctx, dir, false)
}

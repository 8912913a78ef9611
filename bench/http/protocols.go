package main

import (
	"cmp"
	"context"
	"fmt"
	"log"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

// By each protocol half of the streams send a value a minute for so long.
const doorSpan = 6 * 3600

// Goals: of what a peer uses, at most so much.
const (
	halfOfVM    = 0.5
	noMore      = 1.0
	twiceAtMost = 2.0 // of VictoriaMetrics' on any kind of query; less on most
)

// runProtocols measures every protocol with every server that speaks it, and
// then PromQL, in rounds in which servers take turns, and prints how we compare,
// worst first.
func runProtocols(ctx context.Context, dir, config string) error {
	rounds, count, span := 3, *streams/2, int64(doorSpan)
	if *short {
		rounds, count = 1, count/5
	}
	var servers []*peer
	for _, p := range contestants(config) {
		if p.binary != "" {
			servers = append(servers, p)
		}
	}
	f := &figures{}
	for round := range rounds {
		for _, d := range doors {
			for _, p := range servers {
				through := d.of(p)
				if through == nil || !wantedServer(d.name) {
					continue
				}
				cpu, err := d.measure(ctx, through, filepath.Join(dir, strings.Map(plainName, d.name+p.name)), count, span)
				if err != nil {
					return fmt.Errorf("%s, %s: %w", p.name, d.name, err)
				}
				f.note(d.name, p.name, cpu)
				log.Printf("round %d: %s, %s: CPU s/M %.2f", round+1, p.name, d.name, cpu)
			}
		}
	}
	answers := &figures{}
	if err := measurePromQL(ctx, dir, servers, rounds, answers); err != nil {
		return err
	}
	fmt.Printf("CPU seconds of the server for a million samples: %d streams with 5 tags, %d connections, %d samples a request, median of %d (least to most)\n\n",
		count, connections, perMetric, rounds)
	f.print(names(servers))
	fmt.Printf("\nPromQL, CPU milliseconds of the server for one answer: 6 h at 60 s, metrics of 1000 streams, median of %d (least to most)\n\n", rounds)
	answers.print(names(servers))
	matches := f.matches(map[string]float64{theVM: halfOfVM, thePrometheus: noMore})
	matches = append(matches, answers.matches(map[string]float64{theVM: twiceAtMost, thePrometheus: noMore})...)
	fmt.Println("\nWorst first: ours to theirs, of the same round")
	printMatches(matches)
	return nil
}

func names(servers []*peer) (list []string) {
	for _, p := range servers {
		list = append(list, p.name)
	}
	return list
}

// measure loads a new server by one protocol, and returns its CPU seconds for a
// million samples. It fails if the server does not have them all.
func (d *door) measure(ctx context.Context, p *peer, dir string, count int, span int64) (float64, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	s, err := p.run(ctx, dir, true)
	if err != nil {
		return 0, err
	}
	defer s.stop()
	s.settle()
	end := time.Now().Unix()/3600*3600 - 3600
	l, err := load(ctx, s, makeStreams("load", count), plain, end-span, end)
	if err != nil {
		return 0, err
	}
	if d.now {
		end = time.Now().Unix()
	}
	if err := s.hasStored(ctx, d, end, span, l.samples/d.share, count/perMetric); err != nil {
		return 0, err
	}
	return l.cpu.Seconds() / float64(l.samples) * 1e6, nil
}

// hasStored asks a server what it has of each metric, which must be as much as
// was sent. Not all of them show at once what they have acknowledged.
func (s *running) hasStored(ctx context.Context, d *door, at, span int64, want, metrics int) error {
	stored := 0
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(500 * time.Millisecond) {
		if s.peer.flush != "" {
			if _, _, err := s.get(ctx, s.peer.flush); err != nil {
				return err
			}
		}
		stored = 0
		for i := range metrics {
			n, err := s.number(ctx, fmt.Sprintf(d.stored, i, span+step/2), at)
			if err != nil {
				return err
			}
			stored += n
		}
		if stored == want {
			return nil
		}
	}
	return fmt.Errorf("%d samples are there, and %d were sent", stored, want)
}

// number asks for one whole number in PromQL.
func (s *running) number(ctx context.Context, q string, at int64) (int, error) {
	body, err := s.read(ctx, s.peer.promAPI+"/api/v1/query?"+url.Values{"query": {q}, "time": {strconv.FormatInt(at, 10)}}.Encode())
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(body), `"value":[`)
	_, rest, _ = strings.Cut(rest, `,"`)
	digits, _, _ := strings.Cut(rest, `"`)
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0, fmt.Errorf("%s answers %.300s", q, body)
	}
	return n, nil
}

// figures are what was measured, by what it is of and by server, one of each
// round.
type figures struct {
	order []string
	of    map[string]map[string][]float64
}

func (f *figures) note(what, server string, v float64) {
	if f.of == nil {
		f.of = map[string]map[string][]float64{}
	}
	if f.of[what] == nil {
		f.order, f.of[what] = append(f.order, what), map[string][]float64{}
	}
	f.of[what][server] = append(f.of[what][server], v)
}

func (f *figures) print(servers []string) {
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\t"+strings.Join(servers, "\t"))
	for _, what := range f.order {
		row := what
		for _, server := range servers {
			text := "no such door"
			if list := f.of[what][server]; len(list) > 0 {
				text = spread(list)
			}
			row += "\t" + text
		}
		fmt.Fprintln(table, row)
	}
	_ = table.Flush()
}

// spread is the median of a list, and how far it goes to either side.
func spread(list []float64) string {
	sorted := slices.Sorted(slices.Values(list))
	text := fmt.Sprintf("%.2f", median(list))
	if len(list) > 1 {
		text += fmt.Sprintf(" (%.2f to %.2f)", sorted[0], sorted[len(sorted)-1])
	}
	return text
}

// median is the worse one of two, where less is better.
func median(list []float64) float64 {
	return slices.Sorted(slices.Values(list))[len(list)/2]
}

// match is what we use beside what a peer uses for the same.
type match struct {
	what, peer   string
	ours, theirs float64 // medians
	ratios       []float64
	goal         float64
}

// over is by which factor the goal is missed, or met if below 1.
func (m match) over() float64 { return median(m.ratios) / m.goal }

// matches compares us with every peer that has a goal, in each round.
func (f *figures) matches(goals map[string]float64) (list []match) {
	for _, what := range f.order {
		mine := f.of[what][ours]
		for _, server := range []string{theVM, thePrometheus} {
			theirs := f.of[what][server]
			if len(theirs) == 0 || len(mine) == 0 {
				continue
			}
			m := match{what: what, peer: server, ours: median(mine), theirs: median(theirs), goal: goals[server]}
			for i := range theirs {
				m.ratios = append(m.ratios, mine[i]/theirs[i])
			}
			list = append(list, m)
		}
	}
	return list
}

func printMatches(list []match) {
	slices.SortStableFunc(list, func(a, b match) int { return cmp.Compare(b.over(), a.over()) })
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "what\tbeside\tours\ttheirs\tratio\tgoal\t")
	for _, m := range list {
		met := "met"
		if m.over() > 1 {
			met = fmt.Sprintf("missed by %.2f", m.over())
		}
		fmt.Fprintf(table, "%s\t%s\t%.2f\t%.2f\t%s\t%.1f\t%s\n", m.what, m.peer, m.ours, m.theirs, spread(m.ratios), m.goal, met)
	}
	_ = table.Flush()
}

package main

import (
	"cmp"
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// resting is how long after the last write data must have become small.
const resting = time.Minute

// settling is how long after it a server is in the middle of sealing and merging.
const settling = 5 * time.Second

// runMatrix takes Tidemark and VictoriaMetrics through every shape of data and
// every state of it, and prints the cells with their goals, worst first.
func runMatrix(ctx context.Context, dir string) error {
	for range *rounds {
		before, err := readRatios(kept)
		if err != nil {
			return err
		}
		list, err := measureShapes(ctx, dir, before)
		if err != nil {
			return err
		}
		slices.SortStableFunc(list, func(a, b verdict) int { return cmp.Compare(b.over(), a.over()) })
		printVerdicts(list)
		for _, line := range before.slower(list) {
			fmt.Println(line)
		}
	}
	return nil
}

// measureShapes measures each shape once.
func measureShapes(ctx context.Context, dir string, before ratios) ([]verdict, error) {
	ours, theirs := map[figure]float64{}, map[figure]float64{}
	for _, sh := range shapes {
		if !wantedServer(sh.name) {
			continue
		}
		for _, side := range []struct {
			peer *peer
			into map[figure]float64
		}{
			{tidemark(*tidemarkBin), ours},
			{victoria(*victoriaBin, "VictoriaMetrics, JSON", "/api/v1/import", encodeImport), theirs},
		} {
			c := &cell{shape: sh, peer: side.peer, into: side.into, dir: filepath.Join(dir, strings.Map(plainName, sh.name+side.peer.name))}
			if err := c.measure(ctx); err != nil {
				return nil, fmt.Errorf("%s, %s: %w", sh.name, side.peer.name, err)
			}
		}
		if *keep { // after each shape, so that a run that is stopped keeps what it has
			if err := before.with(judge(ours, theirs)).write(kept); err != nil {
				return nil, err
			}
		}
	}
	return judge(ours, theirs), nil
}

func printVerdicts(list []verdict) {
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "shape\tfigure\tours\tbeside\tratio\tgoal\t\t")
	for _, v := range list {
		fmt.Fprintln(table, v)
	}
	_ = table.Flush()
}

// cell is one server with one shape of data.
type cell struct {
	shape
	peer *peer
	dir  string
	into map[figure]float64
}

func (c *cell) note(name string, value float64) {
	f := figure{shape: c.name, name: name}
	c.into[f] = value
	log.Printf("%s, %s: %s %.2f", c.peer.name, c.name, name, value)
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// measure takes the server through the states: written, merging, rested,
// restarted, and beside writers; a month of few streams has an instance of its own.
func (c *cell) measure(ctx context.Context) error {
	c.peer.cores = c.cores
	end := time.Now().Unix()/3600*3600 - 3600
	w := window{recentStart: end - recent, recentEnd: end, longStart: end - longSpan, longEnd: end}
	span := max(c.span, recent)
	if err := c.states(ctx, c.dir, makeStreams("load", c.streams), end-span, end, c.peer.questions(w)[:2]); err != nil {
		return err
	}
	if c.span > 0 {
		return nil
	}
	month := *c
	month.every = max(c.every, 20) // a value a second would be 260 million
	return month.states(ctx, c.dir+"-long", makeStreams("long", longStreams), w.longStart, w.longEnd, c.peer.questions(w)[2:])
}

func (c *cell) states(ctx context.Context, dir string, streams []*stream, start, end int64, questions []question) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	s, err := c.peer.run(ctx, dir, true)
	if err != nil {
		return err
	}
	defer func() { s.stop() }()
	empty := s.empty()
	if err := c.write(ctx, s, streams, start, end, questions); err != nil {
		return err
	}
	time.Sleep(settling)
	if err := c.ask(ctx, s, questions, "merging"); err != nil {
		return err
	}
	time.Sleep(resting - settling)
	if err := c.ask(ctx, s, questions, "rested"); err != nil {
		return err
	}
	many := len(streams) > longStreams
	perSample := func() float64 { return float64(size(dir)-empty) / c.samples(streams, start, end) }
	if many {
		c.note("B/sample, rested", perSample())
	}
	s.stop()
	if s, err = c.peer.run(ctx, dir, false); err != nil {
		return err
	}
	if err := c.first(ctx, s, questions); err != nil {
		return err
	}
	if err := c.ask(ctx, s, questions, "restarted"); err != nil || !many {
		return err
	}
	c.note("B/sample, restarted", perSample())
	return c.beside(ctx, s, start, end, questions)
}

func (c *cell) samples(streams []*stream, start, end int64) float64 {
	return float64(len(streams)) * float64((end-start)/c.every)
}

// write loads the server and asks at once.
func (c *cell) write(ctx context.Context, s *running, streams []*stream, start, end int64, questions []question) error {
	l, err := load(ctx, s, streams, c.shape, start, end)
	if err != nil {
		return err
	}
	if len(streams) > longStreams {
		c.note("CPU s/M", l.cpu.Seconds()/float64(l.samples)*1e6)
		c.note("ack p99 ms", ms(l.percentile(99)))
	}
	if c.peer.flush != "" {
		if _, _, err := s.get(ctx, c.peer.flush); err != nil {
			return err
		}
	}
	return c.ask(ctx, s, questions, "written")
}

// letters name the questions by how many points their answers have.
var letters = map[int]string{wanted[0]: "(a)", wanted[1]: "(b)", wanted[2]: "(c)"}

func (c *cell) ask(ctx context.Context, s *running, questions []question, state string) error {
	for _, q := range questions {
		a, err := ask(ctx, s, q, asking)
		if err != nil {
			return err
		}
		c.note(letters[q.points]+" ms, "+state, ms(a.took))
		if q.points != wanted[0] { // of which one takes less than the kernel counts
			c.note(letters[q.points]+" CPU ms, "+state, ms(a.cpu))
		}
	}
	return nil
}

// first asks each question once.
func (c *cell) first(ctx context.Context, s *running, questions []question) error {
	for _, q := range questions {
		began := time.Now()
		if _, _, err := s.get(ctx, q.path); err != nil {
			return err
		}
		c.note(letters[q.points]+" ms, first after restart", ms(time.Since(began)))
	}
	return nil
}

// beside asks while two writers send other streams as fast as they can.
func (c *cell) beside(ctx context.Context, s *running, start, end int64, questions []question) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	acks := make(chan []time.Duration, 1)
	go func() {
		l, _ := loadUntil(ctx, s, makeStreams("more", c.streams), c.shape, start, end)
		acks <- l.acks
	}()
	time.Sleep(time.Second)
	err := c.ask(context.WithoutCancel(ctx), s, questions, "beside writers")
	cancel()
	l := loaded{acks: <-acks}
	slices.Sort(l.acks)
	c.note("ack p99 ms, beside readers", ms(l.percentile(99)))
	return err
}

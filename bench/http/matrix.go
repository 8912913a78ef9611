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
	"sync"
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
		for _, d := range datasets(sh, time.Now()) {
			// Ours last: the other has rested longer than a minute then.
			if err := states(ctx, []*cell{
				newCell(victoria(*victoriaBin, "VictoriaMetrics, JSON", "/api/v1/import", encodeImport), &d, theirs, dir),
				newCell(tidemark(*tidemarkBin), &d, ours, dir),
			}); err != nil {
				return nil, err
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

// dataset is what an instance of a server has.
type dataset struct {
	shape
	prefix     string // of names
	start, end int64
	questions  []int // about it
}

// datasets returns those of a shape: many streams, and a month of few, which
// have an instance of their own.
func datasets(sh shape, now time.Time) []dataset {
	end := now.Unix()/3600*3600 - 3600
	list := []dataset{{shape: sh, prefix: "load", start: end - max(sh.span, recent), end: end, questions: []int{0, 1}}}
	if sh.span > 0 {
		return list
	}
	sh.streams, sh.every = longStreams, max(sh.every, 20) // a value a second would be 260 million
	return append(list, dataset{shape: sh, prefix: "long", start: end - longSpan, end: end, questions: []int{2}})
}

func (d *dataset) samples() float64 { return float64(d.streams) * float64((d.end-d.start)/d.every) }

// isMany reports whether there are streams enough for figures of recording.
func (d *dataset) isMany() bool { return d.streams > longStreams }

// cell is one server with one set of data.
type cell struct {
	*dataset
	peer      *peer
	dir       string
	into      map[figure]float64
	questions []question
	s         *running
	empty     int64 // bytes on disk before there was anything in it
	wrote     time.Time
}

func newCell(p *peer, d *dataset, into map[figure]float64, dir string) *cell {
	p.cores = d.cores
	c := &cell{dataset: d, peer: p, into: into, dir: filepath.Join(dir, strings.Map(plainName, d.name+d.prefix+p.name))}
	all := p.questions(window{recentStart: d.end - recent, recentEnd: d.end, longStart: d.end - longSpan, longEnd: d.end})
	for _, i := range d.questions {
		c.questions = append(c.questions, all[i])
	}
	return c
}

func (c *cell) note(name string, value float64) {
	c.into[figure{shape: c.name, name: name}] = value
	log.Printf("%s, %s: %s %.2f", c.peer.name, c.name, name, value)
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// states takes servers through all of them: written, merging, rested,
// restarted, and beside writers. Where nothing is going on they are asked in
// turns, since machines become slower and faster within minutes.
func states(ctx context.Context, cells []*cell) error {
	defer func() {
		for _, c := range cells {
			c.remove()
		}
	}()
	if err := each(cells, func(c *cell) error { return c.fill(ctx) }); err != nil {
		return err
	}
	if err := each(cells, (*cell).rest); err != nil {
		return err
	}
	if err := askAll(ctx, cells, "rested", usual); err != nil {
		return err
	}
	if err := each(cells, func(c *cell) error { return c.restart(ctx) }); err != nil {
		return err
	}
	if err := askAll(ctx, cells, "restarted", usual); err != nil {
		return err
	}
	return each(cells, func(c *cell) error { return c.beside(ctx) })
}

func each(cells []*cell, do func(*cell) error) error {
	for _, c := range cells {
		if err := do(c); err != nil {
			return fmt.Errorf("%s, %s: %w", c.name, c.peer.name, err)
		}
	}
	return nil
}

// remove ends the server and deletes what it had.
func (c *cell) remove() {
	if c.s != nil {
		c.s.stop()
	}
	_ = os.RemoveAll(c.dir)
}

// fill starts the server and loads it, and asks at once and while it seals and
// merges.
func (c *cell) fill(ctx context.Context) (err error) {
	if err := os.MkdirAll(c.dir, 0o755); err != nil {
		return err
	}
	if c.s, err = c.peer.run(ctx, c.dir, true); err != nil {
		return err
	}
	c.empty = c.s.empty()
	if err := c.write(ctx); err != nil {
		return err
	}
	if err := askAll(ctx, []*cell{c}, "written", usual); err != nil {
		return err
	}
	time.Sleep(settling)
	if err := askAll(ctx, []*cell{c}, "merging", usual); err != nil {
		return err
	}
	return nil
}

// rest lets a minute go by since the last write. The first server's has passed
// by then, while the other was filled.
func (c *cell) rest() error {
	time.Sleep(time.Until(c.wrote.Add(resting)))
	c.noteSize("rested")
	return nil
}

// write loads the server.
func (c *cell) write(ctx context.Context) error {
	l, err := load(ctx, c.s, makeStreams(c.prefix, c.streams), c.shape, c.start, c.end)
	if err != nil {
		return err
	}
	c.wrote = time.Now()
	if c.isMany() {
		c.note("CPU s/M", l.cpu.Seconds()/float64(l.samples)*1e6)
		c.note("ack p99 ms", ms(l.percentile(99)))
	}
	if c.peer.flush != "" {
		_, _, err = c.s.get(ctx, c.peer.flush)
	}
	return err
}

func (c *cell) noteSize(state string) {
	if c.isMany() {
		c.note("B/sample, "+state, float64(size(c.dir)-c.empty)/c.samples())
	}
}

// restart starts the server again, and asks each question once.
func (c *cell) restart(ctx context.Context) (err error) {
	c.s.stop()
	if c.s, err = c.peer.run(ctx, c.dir, false); err != nil {
		return err
	}
	for _, q := range c.questions {
		began := time.Now()
		if _, _, err := c.s.get(ctx, q.path); err != nil {
			return err
		}
		c.note(letters[q.points]+" ms, first after restart", ms(time.Since(began)))
	}
	return nil
}

// letters name the questions by how many points their answers have.
var letters = map[int]string{wanted[0]: "(a)", wanted[1]: "(b)", wanted[2]: "(c)"}

// askAll asks the servers in turns.
func askAll(ctx context.Context, cells []*cell, state string, at pace) error {
	for i, q := range cells[0].questions {
		var list []asking
		for _, c := range cells {
			list = append(list, asking{c.s, c.questions[i]})
		}
		answers, err := askInTurns(ctx, list, at)
		if err != nil {
			return err
		}
		for k, a := range answers {
			cells[k].note(letters[q.points]+" ms, "+state, ms(a.took))
			if q.points != wanted[0] { // of which one takes less than the kernel counts
				cells[k].note(letters[q.points]+" CPU ms, "+state, ms(a.cpu))
			}
		}
	}
	return nil
}

// beside asks while two writers send other streams as fast as they can.
func (c *cell) beside(ctx context.Context) error {
	if !c.isMany() {
		return nil
	}
	c.noteSize("restarted")
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var l loaded
	var wg sync.WaitGroup
	wg.Go(func() { _ = l.send(ctx, c.s, makeStreams("more", c.streams), c.shape, c.start, c.end) })
	time.Sleep(time.Second) // the streams are known then
	l.forget()
	err := askAll(context.WithoutCancel(ctx), []*cell{c}, "beside writers", besideWriters)
	cancel()
	wg.Wait()
	slices.Sort(l.acks)
	c.note("ack p99 ms, beside readers", ms(l.percentile(99)))
	return err
}

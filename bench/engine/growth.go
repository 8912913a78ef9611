package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// growth is a size at which the engine is looked at: between two rows of a
// kind one thing grows.
type growth struct {
	streams, samples int // samples of each
	tags             string
}

var growths = []growth{
	{10_000, 100, usualTags}, {10_000, 1000, usualTags}, {10_000, 10_000, usualTags}, // samples
	{100_000, 10, usualTags}, {1_000_000, 1, usualTags}, // streams
	{10_000, 100, sharedTags}, {10_000, 100, ownTags}, // what is written of each
}

// Kinds of tags.
const (
	usualTags  = "5 short"
	sharedTags = "50 long, shared" // all but one have values that other streams have too
	ownTags    = "50 long, own"    // no two streams share a value
)

const (
	longTags   = 50
	longLength = 255 // of the value of a long tag: the longest there is
)

// growthTags returns the tags of stream i.
func growthTags(i int, kind string) map[string]string {
	tags := maps.Clone(tagsOf(i))
	if kind == usualTags {
		return tags
	}
	for n := len(tags); n < longTags; n++ {
		value := fmt.Sprintf("value-%d-%d-", n, i%4)
		if kind == ownTags {
			value = fmt.Sprintf("value-%d-%d-", n, i)
		}
		tags[fmt.Sprintf("tag-%02d", n)] = value + strings.Repeat("x", longLength-len(value))
	}
	return tags
}

// growth measures the engine at one size: what writing costs, what a stream
// takes in memory and on disk, a query, and opening again.
func (j *job) growth(t target, dir string) (result, error) {
	tide, ok := t.(*tidemarkTarget)
	if !ok {
		return nil, errors.New("only of Tidemark")
	}
	for i := range j.Streams {
		tide.keys = append(tide.keys, tsdb.AppendKey(nil, metricOf(i), tidemark.MakeTags(growthTags(i, j.Tags))))
	}
	if err := t.open(dir); err != nil {
		return nil, err
	}
	r, base := make(result), heap()
	l := newLoad(t, j.Streams)
	own := heap() - base // of the values that are drawn
	held := func() float64 { return (heap() - base - own) / float64(j.Streams) }
	if err := j.growthWrites(r, l); err != nil {
		return nil, err
	}
	clear(l.acks[:])
	clear(tide.batches[:]) // they hold the names of as many streams as were written at once
	heap()                 // what is kept for the next write goes with the second collection
	r["active"] = held()
	if err := t.settle(); err != nil {
		return nil, err
	}
	r["idle"] = held()
	bytes, err := t.bytes(dir)
	if err != nil {
		return nil, err
	}
	r["disk"] = bytes / float64(j.Streams) / float64(j.Samples)
	end := start + int64(j.Samples)*step
	windows := (j.Samples*step + 59) / 60
	if err := timeQuery(r, "query", 4*windows, func() (int, error) { return t.group(metricOf(0), start, end, 60) }); err != nil {
		return nil, err
	}
	if err := t.close(); err != nil {
		return nil, err
	}
	runtime.KeepAlive(l)
	before, begin := cpu(), time.Now()
	if err := t.open(dir); err != nil {
		return nil, err
	}
	r["open"], r["open cpu"] = time.Since(begin).Seconds(), cpu()-before
	return r, t.close()
}

// growthWrites writes everything, with all that follows from it.
func (j *job) growthWrites(r result, l *load) error {
	before, begin := cpu(), time.Now()
	stop := background(l.t)
	if err := errors.Join(l.run(0, j.Samples), stop()); err != nil {
		return err
	}
	r["seconds"] = time.Since(begin).Seconds()
	r["cpu"] = (cpu() - before) / float64(j.Streams) / float64(j.Samples) * 1e6
	return nil
}

// growth prints a table of sizes and what the engine takes at each.
func (p *parent) growth() error {
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "streams\tsamples\ttags\twritten s\tCPU s/M\tB/sample\tmemory B/stream, active\tidle\tquery ms (CPU)\topened s (CPU)\t")
	for _, g := range growths {
		one := *p
		one.Streams, one.Samples, one.Tags = g.streams, g.samples, g.tags
		r, err := one.child("growth", engines[0], false)
		if err != nil {
			return err
		}
		fmt.Fprintf(table, "%d\t%d\t%s\t%.1f\t%.2f\t%.2f\t%.0f\t%.0f\t%.1f (%.1f)\t%.2f (%.2f)\t\n", g.streams, g.streams*g.samples, g.tags,
			r["seconds"], r["cpu"], r["disk"], r["active"], r["idle"], r["query"], r["query cpu"], r["open"], r["open cpu"])
	}
	fmt.Println("query: 1000 streams at 60 s over all of their time, grouped by a tag")
	return table.Flush()
}

package main

import (
	"context"
	"fmt"
)

// target is an engine that is measured.
type target interface {
	// prepare makes the names of n streams, which no measurement counts.
	prepare(n int)
	// open opens the engine in dir.
	open(dir string) error
	// write stores a batch; writer says who writes it.
	write(writer int, b *batch) error
	// setNow moves the clock that retention and tiers go by.
	setNow(t int64)
	// work does what is done in the background, until ctx is done.
	work(ctx context.Context) error
	// settle does all that is due.
	settle() error
	// dayOver does what must be done once a day of data is complete, for
	// those whose own clock does not notice.
	dayOver() error
	// rest puts away what was written, as far as the engine does that while
	// streams go on.
	rest() error
	// bytes returns the size of the data on disk, without logs of what will
	// be put away.
	bytes(dir string) (float64, error)
	// group reads a metric by steps, grouped by dc, and returns the number
	// of points.
	group(metric string, from, to, step int64) (int, error)
	// one reads one stream by steps.
	one(stream int, from, to, step int64) (int, error)
	close() error
}

func newTarget(name string, late bool) (target, error) {
	switch name {
	case "tidemark":
		return &tidemarkTarget{}, nil
	case "prometheus":
		return &prometheusTarget{late: late}, nil
	}
	return nil, fmt.Errorf("there is no engine %q", name)
}

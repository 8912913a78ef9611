package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"
)

// measure does the job.
func (j *job) measure() (result, error) {
	t, err := newTarget(j.Engine, j.Late)
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(j.Dir, j.Name+"-"+j.Engine)
	do := map[string]func(target, string) (result, error){
		"ingest": j.ingest, "late": j.ingest, "speed": j.speed, "month": j.month, "week": j.week,
		"many": j.many, "fill": j.fill, "reopen": j.reopen, "acks": j.acks, "worst": j.worst,
		"growth": j.growth,
	}[j.Name]
	if do == nil {
		return nil, errors.New("there is no such measurement")
	}
	if j.Name != "fill" && j.Name != "reopen" {
		defer os.RemoveAll(dir)
	}
	return do(t, dir)
}

// load is some writers that send data to a target.
type load struct {
	t       target
	streams int
	late    bool
	every   int64         // seconds between samples
	pause   time.Duration // between rounds, for a given rate
	acks    [writers][]time.Duration
	walk    *walk
}

func newLoad(t target, streams int) *load {
	return &load{t: t, streams: streams, every: step, walk: newWalk(streams)}
}

// run writes samples [from, to) of every stream, batch by batch. Each writer
// has its own streams; they wait for each other now and then, so that time
// passes for all alike.
func (l *load) run(from, to int) error {
	for at := from; at < to; at += roundLen {
		begin := time.Now()
		errs := make([]error, writers)
		var wg sync.WaitGroup
		for w := range writers {
			wg.Go(func() { errs[w] = l.write(w, at, min(at+roundLen, to)) })
		}
		wg.Wait()
		if err := errors.Join(errs...); err != nil {
			return err
		}
		l.t.setNow(start + int64(min(at+roundLen, to))*l.every)
		if l.pause > 0 {
			time.Sleep(l.pause - time.Since(begin))
		}
	}
	return nil
}

// write sends a writer's share of some steps.
func (l *load) write(w, from, to int) error {
	low, high := l.streams*w/writers, l.streams*(w+1)/writers
	var b batch
	for k := from; k < to; k++ {
		for i := low; i < high; i += batchSize {
			b.fill(l.walk, i, min(i+batchSize, high), start+int64(k)*l.every, l.late)
			begin := time.Now()
			if err := l.t.write(w, &b); err != nil {
				return err
			}
			l.acks[w] = append(l.acks[w], time.Since(begin))
		}
	}
	return nil
}

// all returns the times of all acknowledgements.
func (l *load) all() []time.Duration {
	var all []time.Duration
	for w := range l.acks {
		all = append(all, l.acks[w]...)
	}
	return all
}

// background runs the target's own work until the returned function is called.
func background(t target) func() error {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- t.work(ctx) }()
	return func() error { cancel(); return <-done }
}

// ingest measures the cost of writing, of everything that follows from it,
// and of reading what was written, before and after that.
func (j *job) ingest(t target, dir string) (result, error) {
	r := make(result)
	t.prepare(j.Streams)
	if err := t.open(dir); err != nil {
		return nil, err
	}
	if err := t.settle(); err != nil { // as one that has been up for long: what comes late finds its tiers made
		return nil, err
	}
	l := newLoad(t, j.Streams)
	l.late = j.Late
	million := float64(j.Streams) * float64(j.Samples) / 1e6
	before, begin := cpu(), time.Now()
	stop := background(t)
	if err := l.run(0, j.Samples); err != nil {
		return nil, err
	}
	r["M/s"] = million / time.Since(begin).Seconds()
	r["write cpu"] = (cpu() - before) / million
	all := l.all()
	r["ack p50"], r["ack p99"], r["ack max"] = percentile(all, 50), percentile(all, 99), percentile(all, 100)
	idle()
	if err := stop(); err != nil { // a query shall not pay for a seal
		return nil, err
	}
	spent := cpu() - before
	if err := j.read(t, r, "hot "); err != nil {
		return nil, err
	}
	before = cpu()
	end := start + int64(j.Samples)*step
	t.setNow(end + day + 2*3600) // the day is over
	if err := t.settle(); err != nil {
		return nil, err
	}
	spent += cpu() - before
	r["raw cpu"] = spent / million
	if err := j.sizeAndRead(t, dir, r, "raw ", million); err != nil {
		return nil, err
	}
	before = cpu()
	t.setNow(end + 4*day) // old enough for all tiers
	if err := t.settle(); err != nil {
		return nil, err
	}
	spent += cpu() - before
	r["cpu"] = spent / million
	if err := j.sizeAndRead(t, dir, r, "tier ", million); err != nil {
		return nil, err
	}
	return r, t.close()
}

func (j *job) sizeAndRead(t target, dir string, r result, when string, million float64) error {
	n, err := t.bytes(dir)
	if err != nil {
		return err
	}
	r[when+"bytes"] = n / million / 1e6
	return j.read(t, r, when)
}

// read times the queries over the data of ingest.
func (j *job) read(t target, r result, when string) error {
	hours := min(6, j.Samples*step/3600)
	to := start + int64(j.Samples)*step/3600*3600
	from := to - int64(hours)*3600
	if err := timeQuery(r, when+"thousand", 4*hours*60, func() (int, error) { return t.group(metricOf(0), from, to, 60) }); err != nil {
		return err
	}
	stream := 0
	return timeQuery(r, when+"one", hours*60, func() (int, error) {
		stream = (stream + 37) % perMetric
		return t.one(stream, from, to, 60)
	})
}

// speed measures how much is written a second, with what is due meanwhile.
func (j *job) speed(t target, dir string) (result, error) {
	t.prepare(j.Streams)
	if err := t.open(dir); err != nil {
		return nil, err
	}
	l := newLoad(t, j.Streams)
	stop := background(t)
	begin := time.Now()
	if err := l.run(0, j.Samples); err != nil {
		return nil, err
	}
	million := float64(j.Streams) * float64(j.Samples) / 1e6
	r := result{"M/s": million / time.Since(begin).Seconds(), "procs": float64(runtime.GOMAXPROCS(0))}
	return r, errors.Join(stop(), t.close())
}

// acks measures how long writes take at a given rate, while all other work
// goes on.
func (j *job) acks(t target, dir string) (result, error) {
	t.prepare(j.Streams)
	if err := t.open(dir); err != nil {
		return nil, err
	}
	l := newLoad(t, j.Streams)
	steps := j.Rate * j.Seconds / j.Streams
	l.pause = time.Duration(float64(roundLen*j.Streams) / float64(j.Rate) * float64(time.Second))
	stop := background(t)
	if err := l.run(0, steps); err != nil {
		return nil, err
	}
	all := l.all()
	r := result{"p50": percentile(all, 50), "p99": percentile(all, 99), "max": percentile(all, 100), "writes": float64(len(all))}
	return r, errors.Join(stop(), t.close())
}

package main

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// month measures 100 streams over 30 days by the hour. The data is of 60 s.
func (j *job) month(t target, dir string) (result, error) {
	const streams, days = 100, 30
	t.prepare(streams)
	if err := t.open(dir); err != nil {
		return nil, err
	}
	l := newLoad(t, streams)
	l.every = 60
	for d := range days {
		if err := l.run(d*1440, (d+1)*1440); err != nil {
			return nil, err
		}
		if err := t.dayOver(); err != nil {
			return nil, err
		}
	}
	if err := t.settle(); err != nil {
		return nil, err
	}
	r := make(result)
	n, err := t.bytes(dir)
	if err != nil {
		return nil, err
	}
	r["bytes"] = n / streams / days / 1440
	err = timeQuery(r, "hundred", 4*days*24, func() (int, error) { return t.group(metricOf(0), start, start+days*day, 3600) })
	return r, errors.Join(err, t.close())
}

// week measures the bytes of eight days of data at 10 s with all tiers as
// they are kept: the clock stands at the end of the eighth day.
func (j *job) week(t target, dir string) (result, error) {
	t.prepare(j.Week)
	if err := t.open(dir); err != nil {
		return nil, err
	}
	const days, perDay = 8, day / step
	l := newLoad(t, j.Week)
	before := cpu()
	for d := range days {
		if err := l.run(d*perDay, (d+1)*perDay); err != nil {
			return nil, err
		}
		if err := t.dayOver(); err != nil {
			return nil, err
		}
	}
	if err := t.settle(); err != nil {
		return nil, err
	}
	million := float64(j.Week) * days * perDay / 1e6
	r := result{"cpu": (cpu() - before) / million}
	n, err := t.bytes(dir)
	r["bytes"] = n / million / 1e6
	return r, errors.Join(err, t.close())
}

// many measures a catalogue of very many streams: the memory of a stream that
// was sealed and of one that is being written, and the time to open it.
func (j *job) many(t target, dir string) (result, error) {
	t.prepare(j.Many)
	if err := t.open(dir); err != nil {
		return nil, err
	}
	r, n := make(result), float64(j.Many)
	base := heap()
	l := newLoad(t, j.Many)
	own := heap() - base // of the values that are drawn
	if err := l.run(0, 6); err != nil {
		return nil, err
	}
	clear(l.acks[:])
	r["active"] = (heap() - base - own) / n
	if err := t.rest(); err != nil {
		return nil, err
	}
	r["idle"] = (heap() - base - own) / n
	bytes, err := dirBytes(dir)
	if err != nil {
		return nil, err
	}
	r["disk"] = bytes / n
	if err := t.close(); err != nil {
		return nil, err
	}
	runtime.KeepAlive(l)
	begin := time.Now()
	if err := t.open(dir); err != nil {
		return nil, err
	}
	r["start"] = time.Since(begin).Seconds()
	return r, t.close()
}

// fill writes and waits to be killed.
func (j *job) fill(t target, _ string) (result, error) {
	dir := filepath.Join(j.Dir, "reopen-"+j.Engine)
	t.prepare(j.Streams)
	if err := t.open(dir); err != nil {
		return nil, err
	}
	stop := background(t)
	l := newLoad(t, j.Streams)
	if err := l.run(0, j.reopenSteps()); err != nil {
		return nil, err
	}
	fmt.Println("filled")
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	<-c
	return nil, errors.Join(stop(), t.close())
}

// reopenSteps returns how many samples each stream gets before the kill.
func (j *job) reopenSteps() int { return int(j.Reopen * 1e6 / float64(j.Streams)) }

// reopen measures the time to open what a killed process left, and checks
// that it is all there.
func (j *job) reopen(t target, dir string) (result, error) {
	end := start + int64(j.reopenSteps())*step
	t.setNow(end)
	t.prepare(j.Streams)
	begin := time.Now()
	if err := t.open(dir); err != nil {
		return nil, err
	}
	r := result{"seconds": time.Since(begin).Seconds()}
	for _, stream := range []int{0, j.Streams / 2, j.Streams - 1} {
		n, err := t.one(stream, start, end, step)
		if err != nil {
			return nil, err
		}
		if n != j.reopenSteps() {
			return nil, fmt.Errorf("stream %d has %d samples, want %d", stream, n, j.reopenSteps())
		}
	}
	return r, t.close()
}

// worst measures the time to open what a process leaves whose seals have all
// failed: as much in the log as there can be.
func (j *job) worst(t target, dir string) (result, error) {
	tide, ok := t.(*tidemarkTarget)
	if !ok {
		return nil, errors.New("only of Tidemark")
	}
	t.prepare(j.Streams)
	tide.options.FS, tide.options.WriteWait, tide.options.GenerationAge = noTables{vfs.Default}, time.Millisecond, day*time.Second
	if err := t.open(dir); err != nil {
		return nil, err
	}
	stop := background(t) // which leaves seals that fail alone for a while
	l, steps := newLoad(t, j.Streams), 0
	for l.run(steps, steps+roundLen) == nil { // until there is no memory for more
		steps += roundLen
	}
	clear(l.acks[:])
	if err := errors.Join(stop(), t.close()); err != nil {
		return nil, err
	}
	runtime.GC()
	tide.options.FS = nil
	before, begin := cpu(), time.Now()
	if err := t.open(dir); err != nil {
		return nil, err
	}
	r := result{"seconds": time.Since(begin).Seconds(), "cpu": cpu() - before, "millions": float64(steps) * float64(j.Streams) / 1e6}
	n, err := t.one(0, start, start+int64(steps)*step, step)
	if err == nil && n < steps {
		err = fmt.Errorf("stream 0 has %d samples, want %d", n, steps)
	}
	return r, errors.Join(err, t.close())
}

// noTables is a file system on which no table can be made.
type noTables struct{ vfs.FS }

func (f noTables) Create(name string, c vfs.DiskWriteCategory) (vfs.File, error) {
	if strings.HasSuffix(name, ".sst") {
		return nil, syscall.ENOSPC
	}
	return f.FS.Create(name, c)
}

// Package wal is a write-ahead log with group commit. Records are appended to
// a generation; a generation is one or more files, and is removed as a whole
// when what it holds is safe elsewhere. A record is durable when Wait returns
// nil for it; many writers share one fsync.
//
// A write or fsync that fails is never tried again on the same file, since
// what the disk holds then is unknown: everything not yet durable is
// refused, and the log goes on in a new file whose header says how much of the
// old one counts.
package wal

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// ErrClosed is what a closed log answers.
var ErrClosed = errors.New("log is closed")

const (
	minRetry = 10 * time.Millisecond
	maxRetry = 100 * time.Millisecond
)

// Options are the settings of a log. The hooks are called with the log locked
// and must not call it.
type Options struct {
	FS  vfs.FS
	Dir string // must exist

	// Cut is asked before each group is written whether its last record, seq,
	// is to be the last of the generation. Nil means never.
	Cut func(seq uint64) bool
	// Drop is called when the records after and up to the given ones were
	// refused. No later record is durable before Drop has returned.
	Drop func(after, upto uint64)
	// Failing is called with the reason when the log begins to refuse records,
	// and with nil when it accepts them again.
	Failing func(err error)
}

// Log is a write-ahead log. It is safe for concurrent use.
type Log struct {
	o Options

	mu       sync.Mutex
	cond     *sync.Cond
	buf      []byte // frames appended, not yet taken by a leader
	spare    []byte
	seq      uint64 // last record appended
	settled  uint64 // every record up to it is durable or refused
	writing  bool   // a leader is at work
	gen      uint64 // generation that appends go to
	closed   bool
	failure  error // why the log refuses records, or nil
	retryAt  time.Time
	retry    time.Duration
	failures []refusal

	// The file, touched by the leader only.
	file    vfs.File
	segment segment
	valid   int64 // bytes of it that are durable
	judged  bool  // whether it was read or written, so that valid is known

	sizes map[uint64]int64 // bytes written, by generation
}

// refusal is a range of records that were refused, and how many of their
// writers have not heard of it yet.
type refusal struct {
	after, upto uint64
	waiting     uint64
	err         error
}

// Open returns the log in o.Dir. Replay what it holds, then Start it.
func Open(o Options) (*Log, error) {
	if o.Cut == nil {
		o.Cut = func(uint64) bool { return false }
	}
	if o.Drop == nil {
		o.Drop = func(uint64, uint64) {}
	}
	if o.Failing == nil {
		o.Failing = func(error) {}
	}
	l := &Log{o: o, sizes: make(map[uint64]int64)}
	l.cond = sync.NewCond(&l.mu)
	segments, err := list(o.FS, o.Dir)
	if err != nil {
		return nil, err
	}
	for _, s := range segments {
		l.segment = s.segment // new files are numbered after it
		l.sizes[s.gen] += s.size
	}
	return l, nil
}

// Start makes generation gen the one that records are appended to.
func (l *Log) Start(gen uint64) error {
	l.mu.Lock()
	l.gen = gen
	l.mu.Unlock()
	return l.openSegment(gen)
}

// Append adds a frame, made by Frame, and returns its number for Wait. With
// the log locked it first calls under with that number, the generation and
// the buffer, to which under may append frames that belong before this one;
// what it returns is the buffer.
func (l *Log) Append(frame []byte, under func(seq, gen uint64, buf []byte) []byte) (uint64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return 0, ErrClosed
	}
	if l.failure != nil && time.Now().Before(l.retryAt) {
		return 0, l.failure
	}
	l.seq++
	if under != nil {
		l.buf = under(l.seq, l.gen, l.buf)
	}
	l.buf = append(l.buf, frame...)
	return l.seq, nil
}

// Wait returns nil when record seq is durable, or the reason why it never
// will be. It is called once for each record.
func (l *Log) Wait(seq uint64) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.settleLocked(seq)
	for i := range l.failures {
		f := &l.failures[i]
		if seq > f.after && seq <= f.upto {
			err := f.err
			if f.waiting--; f.waiting == 0 {
				l.failures = append(l.failures[:i], l.failures[i+1:]...)
			}
			return err
		}
	}
	return nil
}

// Settle returns when every record up to seq is durable or refused.
func (l *Log) Settle(seq uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.settleLocked(seq)
}

func (l *Log) settleLocked(seq uint64) {
	for l.settled < seq {
		if l.writing {
			l.cond.Wait()
			continue
		}
		l.lead()
	}
}

// Locked calls fn with the log locked.
func (l *Log) Locked(fn func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	fn()
}

// Flush makes everything appended so far durable or refused, and ends the
// generation if Cut says so. It returns the last record's number.
func (l *Log) Flush() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.writing {
		l.cond.Wait()
	}
	upto := l.seq
	if !l.closed {
		l.lead()
	}
	return upto
}

// Probe tries to take records again after a failure, if it is time to try.
func (l *Log) Probe() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failure == nil || l.writing || l.closed || time.Now().Before(l.retryAt) {
		return l.failure
	}
	l.lead()
	return l.failure
}

// Size returns the bytes of all files.
func (l *Log) Size() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := int64(0)
	for _, size := range l.sizes {
		n += size
	}
	return n
}

// Remove removes the files of generations up to gen.
func (l *Log) Remove(gen uint64) error {
	segments, err := list(l.o.FS, l.o.Dir)
	if err != nil {
		return err
	}
	for _, s := range segments {
		if s.gen > gen {
			continue
		}
		if err := l.o.FS.Remove(l.o.FS.PathJoin(l.o.Dir, s.name())); err != nil {
			return fmt.Errorf("remove log: %w", err)
		}
		l.mu.Lock()
		delete(l.sizes, s.gen)
		l.mu.Unlock()
	}
	return nil
}

// Close settles what was appended and closes the log.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil
	}
	l.settleLocked(l.seq)
	for l.writing {
		l.cond.Wait()
	}
	l.closed = true
	if l.file == nil {
		return nil
	}
	err := l.file.Close()
	l.file = nil
	return err
}

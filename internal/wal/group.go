package wal

import (
	"errors"
	"fmt"
	"time"
)

// maxSpare is how much memory of a group is kept for the next. Groups are a
// small part of it, but for one that names very many new streams.
const maxSpare = 4 << 20

// lead writes and syncs what was appended so far. It is called with the lock
// held, by one goroutine at a time, and gives the lock up while it writes:
// records appended meanwhile are the next group.
func (l *Log) lead() {
	l.writing = true
	group, upto, broken := l.buf, l.seq, l.failure != nil
	// Deciding now, rather than after the write, lets the next group gather in
	// the new generation at once: nothing is written under the lock.
	cut := !broken && l.o.Cut(upto)
	if cut {
		l.gen++
	}
	gen := l.gen
	l.buf, l.spare = l.spare[:0], nil
	l.mu.Unlock()

	var err, next error
	if broken {
		err = l.openSegment(gen)
	}
	if err == nil && len(group) > 0 {
		if err = l.write(group); err != nil {
			l.erase()
		}
	}
	if err == nil && cut {
		next = l.openSegment(gen)
	}

	l.mu.Lock()
	if cap(group) <= maxSpare {
		l.spare = group
	}
	l.writing = false
	if err != nil {
		l.refuse(err)
	} else {
		l.settled = upto
		l.setFailure(next)
	}
	l.cond.Broadcast()
}

// write makes group durable.
func (l *Log) write(group []byte) error {
	if l.file == nil {
		return errors.New("log has no file")
	}
	n, err := l.file.Write(group)
	l.grow(n)
	if err != nil {
		return fmt.Errorf("write log: %w", err)
	}
	if err := l.file.SyncData(); err != nil {
		return fmt.Errorf("sync log: %w", err)
	}
	l.valid += int64(len(group))
	return nil
}

// grow counts what was written to the file.
func (l *Log) grow(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sizes[l.segment.gen] += int64(n)
}

// erase makes what reached the file of a group that is refused unreadable. The
// next file says how much of this one counts, but there may be a crash before
// there is one: whoever was refused would find it written, and write it twice.
// If even this fails the disk is to blame for both.
func (l *Log) erase() {
	if l.file == nil {
		return
	}
	if _, err := l.file.WriteAt(make([]byte, FrameHeader), l.valid); err == nil {
		_ = l.file.SyncData()
	}
}

// refuse gives up on everything that is not durable: also on what was
// appended while the group was being written, since it may lean on it.
func (l *Log) refuse(err error) {
	if l.seq > l.settled {
		l.failures = append(l.failures, refusal{after: l.settled, upto: l.seq, waiting: l.seq - l.settled, err: err})
		l.o.Drop(l.settled, l.seq)
	}
	l.settled = l.seq
	l.buf = l.buf[:0]
	l.setFailure(err)
}

func (l *Log) setFailure(err error) {
	was := l.failure
	l.failure = err
	if err == nil {
		l.retry = 0
		if was != nil {
			l.o.Failing(nil)
		}
		return
	}
	l.retry = min(max(2*l.retry, minRetry), maxRetry)
	l.retryAt = time.Now().Add(l.retry)
	l.o.Failing(err)
}

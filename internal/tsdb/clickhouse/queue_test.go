package clickhouse

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

func waiting(rows int) *pending {
	return &pending{ctx: context.Background(), rows: rows, built: make(chan struct{}), done: make(chan error, 1)}
}

// TestQueueCommits: a commit takes batches in the order in which they came, as
// many as fit, but one at least.
func TestQueueCommits(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		rows []int
		want []int // batches a commit
	}{
		{nil, nil},
		{[]int{1}, []int{1}},
		{[]int{maxCommit, 1}, []int{1, 1}},
		{[]int{maxCommit - 1, 1}, []int{2}},
		{[]int{maxCommit - 1, 2, 3}, []int{1, 2}},
		{[]int{maxQueued}, []int{1}},
		{[]int{2 * maxQueued}, []int{1}}, // alone, however large
		{[]int{1, maxCommit, 1}, []int{1, 1, 1}},
	} {
		q := newQueue()
		var all []*pending
		for _, n := range tt.rows {
			p := waiting(n)
			all = append(all, p)
			if err := q.add(p); err != nil {
				t.Fatalf("%v: %v", tt.rows, err)
			}
		}
		for _, want := range tt.want {
			group := q.take()
			if len(group) != want {
				t.Fatalf("%v: a commit of %d batches, want %d", tt.rows, len(group), want)
			}
			for i, p := range group {
				if p != all[i] {
					t.Errorf("%v: out of order", tt.rows)
				}
			}
			all = all[want:]
		}
		if !q.empty() || q.rows != 0 || len(q.take()) != 0 {
			t.Errorf("%v: %d rows are left", tt.rows, q.rows)
		}
	}
}

// TestQueueLimit: what does not fit beside what waits is refused, and fits
// again once something was taken or given up.
func TestQueueLimit(t *testing.T) {
	t.Parallel()
	q := newQueue()
	first, rest := waiting(1), waiting(maxQueued-1)
	for _, p := range []*pending{first, rest} {
		if err := q.add(p); err != nil {
			t.Fatal(err)
		}
	}
	err := q.add(waiting(1))
	if tidemark.KindOf(err) != tidemark.Unavailable || err.Error() != "measurements cannot be stored at present: more come in than can be stored" {
		t.Errorf("got %v", err)
	}
	if !q.full() {
		t.Error("it is not full")
	}
	if !q.remove(first) || q.remove(first) {
		t.Error("a batch is given up once")
	}
	if err := q.add(waiting(1)); err != nil {
		t.Error(err)
	}
	if group := q.take(); len(group) != 1 || group[0] != rest {
		t.Errorf("took %v", group)
	}
	if q.full() {
		t.Error("it is full of one row")
	}
}

// TestQueueClose: those who wait are told, have their batches back, and nobody
// comes after them.
func TestQueueClose(t *testing.T) {
	t.Parallel()
	q := newQueue()
	p := waiting(1)
	if err := q.add(p); err != nil {
		t.Fatal(err)
	}
	q.close()
	<-p.built
	if err := <-p.done; !errors.Is(err, errClosed) {
		t.Errorf("got %v", err)
	}
	if err := q.add(waiting(1)); !errors.Is(err, errClosed) || err.Error() != "storage is shutting down" {
		t.Errorf("got %v", err)
	}
	if q.remove(p) || !q.empty() {
		t.Error("something is left")
	}
}

// TestPace: a burst of commits is made at once, then one an interval, which
// grows while ClickHouse cannot keep up and shrinks again.
func TestPace(t *testing.T) {
	t.Parallel()
	const slow = 30 * time.Millisecond
	now := time.Unix(1e9, 0)
	p := pace{longest: 100 * time.Millisecond, usual: slow}
	for i := range burst {
		if wait := p.wait(now); wait != 0 {
			t.Fatalf("commit %d waits %s", i, wait)
		}
		p.committed(slow, nil)
	}
	if wait := p.wait(now); wait != 100*time.Millisecond {
		t.Errorf("after a burst: %s", wait)
	}
	now = now.Add(50 * time.Millisecond)
	if wait := p.wait(now); wait != 50*time.Millisecond {
		t.Errorf("half an interval later: %s", wait)
	}
	now = now.Add(time.Hour)
	p.wait(now)
	if p.tokens != burst {
		t.Errorf("an hour is worth %v commits, want %d", p.tokens, burst)
	}
	tooMany := &exception{code: codeTooManyParts}
	for _, want := range []time.Duration{200, 400, 800, 1000, 1000} {
		if p.committed(slow, tooMany); p.interval != want*time.Millisecond {
			t.Errorf("the interval is %s, want %dms", p.interval, want)
		}
	}
	p.committed(slow, errors.New("away")) // says nothing about parts
	if p.interval != 900*time.Millisecond {
		t.Errorf("the interval is %s", p.interval)
	}
}

// TestPaceFollows: the interval is four times what commits take, between half of
// the longest and the longest.
func TestPaceFollows(t *testing.T) {
	t.Parallel()
	p := pace{longest: 100 * time.Millisecond}
	p.wait(time.Unix(1e9, 0))
	for _, tt := range []struct{ took, want time.Duration }{{1, 50}, {20, 80}, {500, 100}, {15, 60}, {0, 50}} {
		for range 100 {
			p.committed(tt.took*time.Millisecond, nil)
		}
		if got := p.interval.Round(time.Millisecond); got != tt.want*time.Millisecond {
			t.Errorf("commits of %dms: the interval is %s, want %dms", tt.took, got, tt.want)
		}
	}
}

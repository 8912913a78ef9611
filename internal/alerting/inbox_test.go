package alerting

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// TestInboxShares: an inbox takes what it has room for; while those of all
// organizations are full together, each still has a part of its own.
func TestInboxShares(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		own      int
		all      int64 // -1: there is one inbox
		wantFull bool
	}{
		{"one inbox, room", maxInbox - 1, -1, false},
		{"one inbox, full", maxInbox, -1, true},
		{"little, and others have little", 10, 100, false},
		{"much, while others have little", ownInbox + 1, ownInbox + 1, false},
		{"as much as one may have", maxInbox, maxInbox - 1, true},
		{"little, while others have much", ownInbox - 1, maxInbox, false},
		{"its part, while others have much", ownInbox, maxInbox, true},
		{"its part, before others have much", ownInbox, maxInbox - 1, false},
		{"little, while there is no room for anybody", 0, 2 * maxInbox, true},
		{"little, just before that", 0, 2*maxInbox - 1, false},
	}
	for _, tt := range tests {
		in := &inbox{now: queuedRecords{records: make([]queuedRecord, tt.own)}}
		if tt.all >= 0 {
			in.all = &atomic.Int64{}
			in.all.Store(tt.all)
		}
		if got := in.isFull(); got != tt.wantFull {
			t.Errorf("%s: full is %v", tt.name, got)
		}
	}
}

// TestInboxMisses: what did not fit is remembered from the earliest on, once
// for each topic, and asked for once.
func TestInboxMisses(t *testing.T) {
	t.Parallel()
	in := &inbox{all: &atomic.Int64{}}
	in.all.Store(2 * maxInbox)
	cpu, disk := &topic{}, &topic{}
	for _, at := range []int64{50, 30, 40} {
		in.put(cpu, []byte("cpu"), &tsdb.Record{Time: at})
	}
	in.put(disk, []byte("disk"), &tsdb.Record{Time: 70})
	gaps := in.missed()
	if len(gaps) != 2 || gaps[0] != (gap{cpu, 30}) || gaps[1] != (gap{disk, 70}) {
		t.Errorf("missed %v", gaps)
	}
	if again := in.missed(); len(again) != 0 || len(in.take().records) != 0 {
		t.Errorf("missed again: %v", again)
	}
	if in.all.Load() != 2*maxInbox {
		t.Errorf("%d are counted", in.all.Load())
	}
}

// TestInboxTake: what is taken is no longer counted, keys that follow each
// other are stored once.
func TestInboxTake(t *testing.T) {
	t.Parallel()
	in := &inbox{all: &atomic.Int64{}}
	cpu := &topic{}
	for at := range int64(3) {
		in.put(cpu, []byte("cpu"), &tsdb.Record{Time: at})
	}
	in.put(cpu, []byte("disk"), &tsdb.Record{Time: 9})
	if in.all.Load() != 4 {
		t.Errorf("%d are counted", in.all.Load())
	}
	got := in.take()
	if in.all.Load() != 0 || len(got.records) != 4 || string(got.keys) != "cpudisk" {
		t.Errorf("%d left, %d taken, keys %q", in.all.Load(), len(got.records), got.keys)
	}
	for i, want := range []string{"cpu", "cpu", "cpu", "disk"} {
		if string(got.key(i)) != want {
			t.Errorf("key %d is %q, want %q", i, got.key(i), want)
		}
	}
}

// TestLeavesLimit: as many metrics as are allowed wake a composite, each once.
func TestLeavesLimit(t *testing.T) {
	t.Parallel()
	series := func(n int) string {
		var all []string
		for i := range n {
			all = append(all, fmt.Sprintf(`s("m%d","*")`, i))
		}
		return "sum([" + strings.Join(append(all, `s("M0","*")`), ",") + "])"
	}
	for _, tt := range []struct{ n, want int }{{3, 3}, {maxLeaves, maxLeaves}, {maxLeaves + 1, maxLeaves}} {
		if got := leavesOf(series(tt.n)); len(got) != tt.want {
			t.Errorf("%d of %d metrics", len(got), tt.n)
		}
	}
}

// TestEvaluatedAtOf: of an organization with alerts, however few, it is when
// those were evaluated; of one without, when there was nothing to do.
func TestEvaluatedAtOf(t *testing.T) {
	t.Parallel()
	g := &Evaluators{}
	g.seen.Store(500)
	orgs := map[tidemark.OrgID]*orgEvaluator{}
	for org, alerts := range map[tidemark.OrgID]int64{1: 0, 2: 1, 3: 2} {
		o := &orgEvaluator{Evaluator: &Evaluator{}, org: org}
		o.alerts.Store(alerts)
		o.passed.Store(100)
		orgs[org] = o
	}
	g.orgs.Store(&orgs)
	for org, want := range map[tidemark.OrgID]int64{1: 500, 2: 100, 3: 100, 4: 500} {
		if got := g.EvaluatedAtOf(org); got != want {
			t.Errorf("organization %d: %d, want %d", org, got, want)
		}
	}
}

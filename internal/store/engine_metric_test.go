package store_test

import (
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// TestCommits counts commits from two processes at once.
func TestCommits(t *testing.T) {
	eachPair(t, func(t *testing.T, stores []*store.Store, org tidemark.OrgID) {
		const each = 20
		var mu sync.Mutex
		seen := make(map[int64]bool)
		var wg sync.WaitGroup
		for _, s := range stores {
			wg.Go(func() {
				last := int64(0)
				for range each {
					commit, _, err := s.BeginCommit(t.Context())
					if err != nil || commit <= last {
						t.Errorf("commit %d after %d: %v", commit, last, err)
					}
					last = commit
					mu.Lock()
					seen[commit] = true
					mu.Unlock()
				}
			})
		}
		wg.Wait()
		if len(seen) != each*len(stores) {
			t.Errorf("%d numbers for %d commits", len(seen), each*len(stores))
		}
	})
}

func TestEngineMetrics(t *testing.T) {
	eachPair(t, func(t *testing.T, stores []*store.Store, org tidemark.OrgID) {
		ctx, a, b := t.Context(), stores[0], stores[1]
		check := func(after int64, want ...store.EngineMetric) {
			t.Helper()
			got := []store.EngineMetric{}
			for _, m := range must(b.EngineMetrics(ctx, after))(t) {
				got = append(got, *m)
			}
			if d := cmp.Diff(append([]store.EngineMetric{}, want...), got); d != "" {
				t.Errorf("changes after %d (-want +got):\n%s", after, d)
			}
			_, change, err := b.BeginCommit(ctx)
			ok(t, err)
			if len(want) > 0 && change != want[len(want)-1].Change {
				t.Errorf("a commit is told of change %d, want that of %+v", change, want[len(want)-1])
			}
		}
		check(0)
		cpu := *must(a.SetEngineMode(ctx, org, "cpu", true, 60))(t)
		check(0, cpu)
		mem := *must(a.DeleteEngineMetric(ctx, org, "mem"))(t)
		check(cpu.Change, mem)
		if mem.Generation != 1 || !cpu.Folded || cpu.Period != 60 {
			t.Errorf("got %+v and %+v", mem, cpu)
		}
		cpu = *must(a.SetEngineMode(ctx, org, "cpu", false, 0))(t)
		if !cpu.Folded || cpu.Fold {
			t.Errorf("a metric that folded is %+v", cpu)
		}
		cpu = *must(a.DeleteEngineMetric(ctx, org, "cpu"))(t)
		if cpu.Folded || cpu.Generation != 1 {
			t.Errorf("a metric that was deleted is %+v", cpu)
		}
		check(0, mem, cpu)
		ok(t, a.RemovedGenerations(ctx, org, "cpu", 1))
		ok(t, a.RemovedGenerations(ctx, org+1, "mem", 1)) // somebody else's
		cpu.Removed = 1
		check(0, mem, cpu)
	})
}

// TestSwapEngineMark: of several who change a mark from one number, one does.
func TestSwapEngineMark(t *testing.T) {
	eachPair(t, func(t *testing.T, stores []*store.Store, _ tidemark.OrgID) {
		for from := range int64(3) { // 0 is none
			var mu sync.Mutex
			var swapped []int64
			var wg sync.WaitGroup
			for i, s := range stores {
				wg.Go(func() {
					to := from + 1 + int64(i)*100
					done, err := s.SwapEngineMark(t.Context(), "replica", from, to)
					if err != nil {
						t.Error(err)
					}
					if done {
						mu.Lock()
						defer mu.Unlock()
						swapped = append(swapped, to)
					}
				})
			}
			wg.Wait()
			now := must(stores[0].EngineMark(t.Context(), "replica"))(t)
			if len(swapped) != 1 || swapped[0] != now {
				t.Fatalf("changed to %v, and is %d", swapped, now)
			}
			if done := must(stores[1].SwapEngineMark(t.Context(), "replica", now, from+1))(t); !done && now != from+1 {
				t.Error("could not be changed by one alone")
			}
		}
	})
}

func TestSamples(t *testing.T) {
	eachPair(t, func(t *testing.T, stores []*store.Store, org tidemark.OrgID) {
		for _, s := range stores {
			ok(t, s.AddSamples(t.Context(), map[tidemark.OrgID]int64{org: 5, org + 1: 1}))
		}
		if d := cmp.Diff(map[tidemark.OrgID]int64{org: 10, org + 1: 2}, must(stores[0].Samples(t.Context()))(t)); d != "" {
			t.Error(d)
		}
	})
}

package query

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"pgregory.net/rapid"
)

// TestBudgetModel: whatever organizations take and give back, each gets its
// share at once, what one holds is what it took, and all of them together hold
// no more than there is, and the shares beside one that took everything while
// it was alone.
func TestBudgetModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		const size = 1000
		b := newBudget(size, 0, nil)
		held := make(map[tidemark.OrgID]int64)
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			org := tidemark.OrgID(rapid.IntRange(1, 4).Draw(t, "org"))
			if rapid.IntRange(0, 3).Draw(t, "give back") == 0 {
				b.release(b.of(org), held[org], 0)
				held[org] = 0
				continue
			}
			n := rapid.Int64Range(1, size).Draw(t, "points")
			o := b.of(org)
			o.queries = 1
			share := b.guaranteed()
			if !b.fits(o, n) {
				if held[org]+n <= share {
					t.Fatalf("%d points are refused to one that holds %d of its share of %d", n, held[org], share)
				}
				continue
			}
			o.points += n
			held[org] += n
			all := int64(0)
			for org, points := range held {
				all += points
				if b.of(org).points != points {
					t.Fatalf("organization %d holds %d, want %d", org, b.of(org).points, points)
				}
			}
			if all > size+size/2 {
				t.Fatalf("%d points are held of %d", all, size)
			}
		}
	})
}

// TestHolding: a holding counts beside queries until it is released, once
// however often that is called, and is refused when there is nothing left.
func TestHolding(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := New(Options{Limits: Limits{Held: 100_000, Together: 100_000, Wait: time.Second}})
		first, err := q.Hold(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		if err := first.Cover(60_000); err != nil {
			t.Fatal(err)
		}
		load := q.Load()
		if load.Queries != 1 || load.MaxPoints != 100_000 || load.Points < 60_000 || load.Points > 60_000+shareStep {
			t.Errorf("load %+v", load)
		}
		if err := first.Cover(1); err != nil || q.Load() != load {
			t.Errorf("less than it has takes something: %+v, %v", q.Load(), err)
		}
		second, err := q.Hold(t.Context(), 2)
		if err != nil {
			t.Fatal(err)
		}
		const refusal = "the queries under way hold as many points in memory as all may together, 100000: try again soon, or ask for less at once"
		if err := second.Cover(90_000); tidemark.KindOf(err) != tidemark.Unavailable || err.Error() != refusal {
			t.Errorf("got %v", err)
		}
		time.AfterFunc(500*time.Millisecond, first.Release)
		if err := second.Cover(90_000); err != nil {
			t.Errorf("after the other gave back: %v", err)
		}
		first.Release()
		second.Release()
		second.Release()
		if got := q.Load(); got.Queries != 0 || got.Points != 0 {
			t.Errorf("load %+v in the end", got)
		}
		ctx, cancel := context.WithCancel(t.Context())
		third, err := q.Hold(ctx, 3)
		if err != nil {
			t.Fatal(err)
		}
		defer third.Release()
		fourth, err := q.Hold(t.Context(), 4)
		if err != nil {
			t.Fatal(err)
		}
		defer fourth.Release()
		if err := fourth.Cover(60_000); err != nil {
			t.Fatal(err)
		}
		cancel()
		if err := third.Cover(90_000); !errors.Is(err, context.Canceled) {
			t.Errorf("given up: %v", err)
		}
	})
}

// slowDistance is what distance computes, by its definition.
func slowDistance(a, b string) int {
	switch {
	case a == "":
		return len(b)
	case b == "":
		return len(a)
	}
	cost := 1
	if a[0] == b[0] {
		cost = 0
	}
	best := min(slowDistance(a[1:], b)+1, slowDistance(a, b[1:])+1, slowDistance(a[1:], b[1:])+cost)
	if len(a) > 1 && len(b) > 1 && a[0] == b[1] && a[1] == b[0] {
		best = min(best, slowDistance(a[2:], b[2:])+1)
	}
	return best
}

// TestDistance: the quick count of typing errors is the slow one.
func TestDistance(t *testing.T) {
	t.Parallel()
	word := rapid.StringOfN(rapid.RuneFrom([]rune("abc")), 0, 5, -1)
	rapid.Check(t, func(t *rapid.T) {
		a, b := word.Draw(t, "a"), word.Draw(t, "b")
		if got, want := distance(a, b), slowDistance(a, b); got != want || distance(b, a) != want {
			t.Fatalf("%q and %q: %d and %d, want %d", a, b, got, distance(b, a), want)
		}
	})
}

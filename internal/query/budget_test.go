package query_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"github.com/tidemark-metrics/tidemark/internal/turns"
)

// crowded returns a Querier whose queries may hold 1000 points together, and
// a query that holds 600 of them.
func crowded(t *testing.T) (*query.Querier, *query.Expr, query.Window) {
	t.Helper()
	q := query.New(query.Options{Engine: fleet(t, 60, 10), Limits: query.Limits{Held: 1000, Together: 1000, Wait: 5 * time.Second}})
	return q, mustParse(t, `s("cpu", "*")`), query.Window{End: 600, Step: 60}
}

// TestTogether checks that queries wait for what others hold, and give up.
func TestTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, e, w := crowded(t)
		_, release, err := q.EvalHeld(t.Context(), 1, e, w, nil)
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		_, err = q.Eval(t.Context(), 1, e, w, nil)
		if tidemark.KindOf(err) != tidemark.Unavailable || !strings.Contains(fmt.Sprint(err), "1000") {
			t.Errorf("beside another: %v, want Unavailable and the limit", err)
		}
		if waited := time.Since(began); waited != 5*time.Second {
			t.Errorf("waited %v", waited)
		}
		for _, err := range must(q.Select(t.Context(), 1, query.Request{Metric: "cpu", End: 599, Resolution: 60})) {
			if tidemark.KindOf(err) != tidemark.Unavailable {
				t.Errorf("select beside another: %v", err)
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := q.Eval(ctx, 1, e, w, nil); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("with a time of its own: %v", err)
		}
		// Alerts do not wait.
		if series, err := q.Composite(t.Context(), 1, `s("cpu", "*")`, 0, 600, 60); err != nil || len(series) != 60 {
			t.Errorf("composite: %d series, %v", len(series), err)
		}
		time.AfterFunc(2*time.Second, release)
		began = time.Now()
		if r, err := q.Eval(t.Context(), 1, e, w, nil); err != nil || len(r.Series) != 60 {
			t.Errorf("after the other: %v", err)
		}
		if waited := time.Since(began); waited != 2*time.Second {
			t.Errorf("waited %v, the other took 2 s", waited)
		}
	})
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// TestGivenBack checks that whatever becomes of a query, what it took is there
// for the next.
func TestGivenBack(t *testing.T) {
	t.Parallel()
	q, e, w := crowded(t)
	tooMany := mustParse(t, `[s("cpu", "*"), timeshift("60s", s("cpu", "*"))]`)
	for range 5 {
		if _, err := q.Eval(t.Context(), 1, tooMany, w, nil); tidemark.KindOf(err) != tidemark.TooLarge {
			t.Fatalf("a query over its own limit: %v", err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := q.Eval(ctx, 1, e, w, nil); !errors.Is(err, context.Canceled) {
			t.Fatalf("cancelled: %v", err)
		}
		for range must(q.Select(t.Context(), 1, query.Request{Metric: "cpu", End: 599, Resolution: 60})) {
			break
		}
	}
	if r, err := q.Eval(t.Context(), 1, e, w, nil); err != nil || len(r.Series) != 60 {
		t.Fatalf("afterwards: %v", err)
	}
}

// TestFairShares: an organization that holds all it can get, through as many
// queries as it likes, leaves every other one its share.
func TestFairShares(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := query.New(query.Options{
			Engine: fleet(t, 1, 1), Limits: query.Limits{Held: 100, Together: 240_000, Wait: time.Second},
			Organizations: tidemark.NewLimits(map[tidemark.LimitName]int64{tidemark.LimitQueries: 100}),
		})
		for org := tidemark.OrgID(1); org <= 5; org++ { // the attackers
			for range 100 {
				h, err := q.Hold(t.Context(), org)
				if err != nil {
					t.Fatal(err)
				}
				if err := h.Cover(1000); err != nil {
					h.Release()
					break
				}
			}
		}
		h, err := q.Hold(t.Context(), 6)
		if err != nil {
			t.Fatal(err)
		}
		defer h.Release()
		if err := h.Cover(500); err != nil {
			t.Errorf("the sixth: %v", err)
		}
		if _, err := q.Hold(t.Context(), 1); err != nil {
			t.Logf("the first is at its limit of queries: %v", err)
		}
	})
}

// TestQueriesAtOnce: an organization runs so many queries at once; a further
// one waits for its turn, and is then told which limit it is.
func TestQueriesAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := query.New(query.Options{
			Engine: fleet(t, 1, 1), Limits: query.Limits{Wait: time.Second},
			Organizations: tidemark.NewLimits(map[tidemark.LimitName]int64{tidemark.LimitQueries: 2}),
		})
		first, err1 := q.Hold(t.Context(), 1)
		_, err2 := q.Hold(t.Context(), 1)
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		if _, err := q.Hold(t.Context(), 1); tidemark.KindOf(err) != tidemark.TooMany || !strings.Contains(fmt.Sprint(err), "the limit queries is reached: 2") {
			t.Errorf("the third: %v", err)
		}
		if _, err := q.Hold(t.Context(), 2); err != nil {
			t.Errorf("another organization: %v", err)
		}
		time.AfterFunc(time.Second/2, first.Release)
		if _, err := q.Hold(t.Context(), 1); err != nil {
			t.Errorf("after one ended: %v", err)
		}
	})
}

// TestQueriesWaitWithoutTurn: a query that waits until another of its
// organization has ended has no turn meanwhile: the other may need it.
func TestQueriesWaitWithoutTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := query.New(query.Options{
			Engine: fleet(t, 1, 1), Limits: query.Limits{Wait: time.Second},
			Organizations: tidemark.NewLimits(map[tidemark.LimitName]int64{tidemark.LimitQueries: 1}),
		})
		first := must(q.Hold(t.Context(), 1))
		var all turns.Turns
		work := all.Work(1)
		if err := work.Begin(t.Context()); err != nil {
			t.Fatal(err)
		}
		got := make(chan error)
		go func() {
			_, err := q.Hold(turns.With(t.Context(), work), 1)
			got <- err
		}()
		synctest.Wait()
		if n := all.Load().Running; n != 0 {
			t.Errorf("%d turns while it waits", n)
		}
		first.Release()
		if err := <-got; err != nil || all.Load().Running != 1 {
			t.Errorf("%v, %+v", err, all.Load())
		}
		work.Pause()
	})
}

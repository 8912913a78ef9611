package shared_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/apitest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
)

// TestReadLimits: limits are whole numbers by name, null for the server's; all
// that is wrong is said at once.
func TestReadLimits(t *testing.T) {
	t.Parallel()
	n := func(v int64) *int64 { return &v }
	got, err := shared.ReadLimits(map[string]any{"spaces": json.Number("5"), "alerts": nil, "streams": "7", "metrics": json.Number("1e3"), "tokens": json.Number("0")})
	want := map[tidemark.LimitName]*int64{"spaces": n(5), "alerts": nil, "streams": n(7), "metrics": n(1000), "tokens": n(0)}
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Errorf("%v %s", err, d)
	}
	for _, c := range []struct {
		raw  any
		want string
	}{
		{json.Number("1.5"), "is not an integer"}, {"many", "is not an integer"}, {true, "is not an integer"}, {[]any{}, "is not an integer"},
		{json.Number("1e300"), "is too large"}, {json.Number("9223372036854775807"), "is too large"},
	} {
		_, err := shared.ReadLimits(map[string]any{"spaces": c.raw, "alerts": c.raw})
		if got, want := apitest.Said(err), "400 invalid parameters; alerts "+c.want+"; spaces "+c.want; got != want {
			t.Errorf("%v: %s, want %s", c.raw, got, want)
		}
	}
}

// use is what an organization uses of a limit, and may.
func use(t *testing.T, list []tidemark.LimitUse, name tidemark.LimitName) tidemark.LimitUse {
	t.Helper()
	i := slices.IndexFunc(list, func(l tidemark.LimitUse) bool { return l.Name == name })
	if i < 0 {
		t.Fatalf("there is no %s in %v", name, list)
	}
	return list[i]
}

// TestLimitsOfOrganizations: what an organization uses is counted in the store
// and in the engine; limits of its own count at once, for it and nobody else,
// until they are cleared.
func TestLimitsOfOrganizations(t *testing.T) {
	t.Parallel()
	ctx, by := t.Context(), tidemark.ServerActor()
	w := apitest.New(t)
	other, err := w.Store.CreateOrg(ctx, by, "Other")
	if err != nil {
		t.Fatal(err)
	}
	w.Record(t, "cpu", map[string]string{"host": "a"}, apitest.Now, 1)
	w.Record(t, "cpu", map[string]string{"host": "b"}, apitest.Now, 1)
	five := int64(5)
	if err := w.SetLimitsOf(ctx, w.Org, by, map[tidemark.LimitName]*int64{tidemark.LimitStreams: &five}); err != nil {
		t.Fatal(err)
	}
	list, err := w.LimitsOf(ctx, w.Org)
	if err != nil {
		t.Fatal(err)
	}
	if l := use(t, list, tidemark.LimitStreams); *l.Use != 2 || l.Limit != 5 || !l.Own {
		t.Errorf("streams: %+v", l)
	}
	if l := use(t, list, tidemark.LimitMetrics); *l.Use != 1 || l.Own {
		t.Errorf("metrics: %+v", l)
	}
	if w.Limits.Check(w.Org, tidemark.LimitStreams, 6) == nil || w.Limits.Check(other.ID, tidemark.LimitStreams, 6) != nil {
		t.Error("the limit does not count at once, or for others")
	}
	each, err := w.EachLimits(ctx, []*tidemark.Org{{ID: w.Org}, {ID: other.ID}})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(list, each[w.Org]); d != "" {
		t.Errorf("the operator sees other numbers: %s", d)
	}
	if l := use(t, each[other.ID], tidemark.LimitStreams); *l.Use != 0 || l.Own || l.Limit != use(t, w.ServerLimits(), tidemark.LimitStreams).Limit {
		t.Errorf("of another: %+v", l)
	}
	if err := w.SetLimitsOf(ctx, w.Org, by, map[tidemark.LimitName]*int64{tidemark.LimitStreams: nil}); err != nil {
		t.Fatal(err)
	}
	if list, err = w.LimitsOf(ctx, w.Org); err != nil || use(t, list, tidemark.LimitStreams).Own || w.Limits.Check(w.Org, tidemark.LimitStreams, 6) != nil {
		t.Errorf("it is not the server's again: %v", err)
	}
	minus := int64(-1)
	if err := w.SetLimitsOf(ctx, w.Org, by, map[tidemark.LimitName]*int64{"nonsense": &five, tidemark.LimitSpaces: &minus}); tidemark.KindOf(err) != tidemark.Invalid {
		t.Errorf("limits that there cannot be: %v", err)
	}
}

// TestLimitsWithoutMeasurements: the operator's commands know the limits
// without an engine, and servers without limits of their own the defaults.
func TestLimitsWithoutMeasurements(t *testing.T) {
	t.Parallel()
	w := apitest.New(t, func(o *shared.Options) { o.Engine, o.Limits = nil, nil })
	list, err := w.LimitsOf(t.Context(), w.Org)
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range tidemark.LimitTable {
		if got := use(t, list, one.Name); got.Limit != one.Default {
			t.Errorf("%s: %d, want %d", one.Name, got.Limit, one.Default)
		}
	}
	if err := w.FollowLimits(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestEventsAreHeld: annotations count as memory of queries until their request
// is over; more than a query may hold are refused.
func TestEventsAreHeld(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := query.New(query.Options{Engine: memory.New(), Limits: query.Limits{Held: 1000, Together: 1000, Wait: time.Second}})
		s := &shared.Base{Options: shared.Options{Querier: q}}
		event := func(n int) []*tidemark.AnnotationEvent {
			text := strings.Repeat("x", n)
			return []*tidemark.AnnotationEvent{{Title: "t", Description: &text}}
		}
		ctx, end := context.WithCancel(t.Context())
		if err := s.HoldEvents(ctx, 1, event(2000)); err != nil || q.Load().Points < 2000/16 || q.Load().Queries != 1 {
			t.Errorf("%+v are held, %v", q.Load(), err)
		}
		if err := s.HoldEvents(ctx, 1, event(1_000_000)); tidemark.KindOf(err) != tidemark.TooLarge && tidemark.KindOf(err) != tidemark.Unavailable {
			t.Errorf("more than may be: %v", err)
		}
		end()
		synctest.Wait()
		if l := q.Load(); l.Points != 0 || l.Queries != 0 {
			t.Errorf("after the request %+v are held", l)
		}
		if err := s.HoldEvents(ctx, 1, nil); err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("of a request that is over: %v", err)
		}
		if err := (&shared.Base{}).HoldEvents(ctx, 1, event(1_000_000)); err != nil {
			t.Errorf("where there are no queries: %v", err)
		}
	})
}

package alerts

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
)

// TestUnjudged: gaps are looked for once in a while, and an alert is not
// judged before it is made.
func TestUnjudged(t *testing.T) {
	t.Parallel()
	const now = 10 * shared.DaySeconds
	looked := map[int64]int{}
	s := New(shared.New(shared.Options{Alerting: shared.Alerting{Gaps: func(_ context.Context, _ tidemark.OrgID, a *tidemark.Alert, start, end int64) ([]tidemark.Interval, error) {
		looked[a.ID]++
		if a.ID == 3 {
			return nil, errors.New("too many streams")
		}
		return []tidemark.Interval{{start, start + 60}, {end - 600, end}}, nil
	}}}))
	s.GapsTime = time.Hour // however slow the machine
	old := &tidemark.Alert{ID: 1, Active: true, CreatedAt: shared.DaySeconds}
	young := &tidemark.Alert{ID: 2, Active: true, CreatedAt: now - 7200}
	large := &tidemark.Alert{ID: 3, Active: true}
	off := &tidemark.Alert{ID: 4}
	ask := func(at int64) map[int64][]tidemark.Interval {
		return s.unjudged(t.Context(), 1, []*tidemark.Alert{old, young, large, off}, shared.DaySeconds, at)
	}

	want := map[int64][]tidemark.Interval{
		1: {{now - shared.DaySeconds, now - shared.DaySeconds + 60}, {now - 600, now}},
		2: {{now - shared.DaySeconds, now - 7200}, {now - 600, now}},
	}
	if diff := cmp.Diff(want, ask(now)); diff != "" {
		t.Error(diff)
	}
	// What was found is good for a while; a gap that went on goes on.
	want = map[int64][]tidemark.Interval{
		1: {{now - 600, now + 100}},
		2: {{now + 100 - shared.DaySeconds, now - 7200}, {now - 600, now + 100}},
	}
	if diff := cmp.Diff(want, ask(now+100)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[int64]int{1: 1, 2: 1, 3: 1}, looked); diff != "" {
		t.Error(diff)
	}
	// Later, and after a change, it is looked for again; what failed rests longer.
	old.UpdatedAt = now
	ask(now + 110)
	ask(now + gapsFor)
	if diff := cmp.Diff(map[int64]int{1: 2, 2: 2, 3: 1}, looked); diff != "" {
		t.Error(diff)
	}
	ask(now + gapsAgain)
	if looked[3] != 2 {
		t.Errorf("what failed was tried %d times", looked[3])
	}
	// While somebody looks, others take what is known.
	s.gaps.looking.Lock()
	if got := ask(now + shared.DaySeconds); len(got) != 2 || looked[1] != 3 {
		t.Errorf("got %v after %d looks", got, looked[1])
	}
}

// TestSilentSinceMade: what has had nothing to judge ever since is one gap.
func TestSilentSinceMade(t *testing.T) {
	t.Parallel()
	got := sinceMade(gapsFound{at: 1000, gaps: []tidemark.Interval{{0, 1000}}}, 700, 100, 1100)
	if diff := cmp.Diff([]tidemark.Interval{{100, 1100}}, got); diff != "" {
		t.Error(diff)
	}
}

// TestGapsAreBounded: the memory of gaps does not grow without end.
func TestGapsAreBounded(t *testing.T) {
	t.Parallel()
	g := new(gaps)
	for i := range int64(maxGaps + 10) {
		g.put(gapsKey{i, shared.DaySeconds}, gapsFound{at: 1, until: 3, ok: true})
	}
	if len(g.known) > maxGaps {
		t.Errorf("%d are known", len(g.known))
	}
	if _, isFresh := g.get(gapsKey{maxGaps + 5, shared.DaySeconds}, 0, 2); !isFresh {
		t.Error("the latest is forgotten")
	}
}

package checks

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/outbound"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// TestDue: checks that never ran are due at once, others within their interval
// after a start, none while it is still running, and what is deleted is
// forgotten.
func TestDue(t *testing.T) {
	t.Parallel()
	const now = 1_000_000
	check := func(id int64, ran int64) *store.OrgCheck {
		c := &store.OrgCheck{Check: *tidemark.NewCheck()}
		c.ID, c.Every, c.RanAt = id, 300, ran
		return c
	}
	all := []*store.OrgCheck{check(1, 0), check(2, now-1000), check(3, now-10), check(600, now-10), check(5, now+5000)}
	all[3].Kind = tidemark.CheckHeartbeat
	r := New(Options{})
	due := func(at int64) (ids []int64) {
		for _, c := range r.due(all, at) {
			ids = append(ids, c.ID)
		}
		return ids
	}
	for _, c := range []struct {
		at   int64
		want []int64
	}{
		{now, []int64{1, 2, 600}}, // 600 % 60 is 0: a heartbeat is looked at every minute
		{now + 2, nil},
		{now + 3, []int64{3}},
		{now + 5, []int64{5}}, // its last run is ahead: the clock was set back
		{now + 300, nil},      // all are still running
	} {
		if d := cmp.Diff(c.want, due(c.at)); d != "" {
			t.Errorf("at %d (-want +got):\n%s", c.at-now, d)
		}
	}
	r.done(1)
	if d := cmp.Diff([]int64{1}, due(now+301)); d != "" {
		t.Errorf("after its end (-want +got):\n%s", d)
	}
	all = all[1:2]
	due(now + 302)
	if len(r.next) != 1 {
		t.Errorf("%d are remembered", len(r.next))
	}
}

// TestHeartbeatOfASlowClock: a job that seems to end before it started took no
// time, and not less.
func TestHeartbeatOfASlowClock(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	c := tidemark.NewCheck()
	c.Name, c.Kind, c.Every = "backup", tidemark.CheckHeartbeat, 3600
	s.create(t, c, "secret")
	for _, call := range []struct {
		what string
		at   int64
	}{{"start", 100}, {"", 40}} {
		beat, err := s.Store.CheckByHash(t.Context(), "secret")
		if err == nil {
			err = Called(t.Context(), s.Store, s.Recorder, beat, call.what, s.at.Unix()+call.at)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	got, err := s.Store.Check(t.Context(), s.org, c.ID)
	if err != nil || got.Duration != 0 || got.StartedAt != 0 || !got.Up {
		t.Errorf("%+v %v", got, err)
	}
}

// TestHeartbeatNeverCalled: a job that was never heard of is down when its
// first call is late, and stays so in every round.
func TestHeartbeatNeverCalled(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	c := tidemark.NewCheck()
	c.Name, c.Kind, c.Every, c.Grace = "backup", tidemark.CheckHeartbeat, 60, 0
	s.create(t, c, "secret")
	s.round(t, 30*time.Second)
	s.round(t, 120*time.Second)
	s.round(t, 60*time.Second)
	if d := cmp.Diff([]float64{0, 0}, s.values(t, tidemark.MetricCheckUp)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	got, err := s.Store.Check(t.Context(), s.org, c.ID)
	if err != nil || got.Said != "no call in time" || got.RanAt != 0 {
		t.Errorf("%+v %v", got, err)
	}
}

// counting counts what is asked for, and fails with a long text.
type counting struct {
	*outbound.Client
	asked atomic.Int64
}

func (c *counting) DialContext(context.Context, string, string) (net.Conn, error) {
	c.asked.Add(1)
	return nil, errors.New(strings.Repeat("é", 500))
}

// TestStoppedRunner: a runner that is stopped ends without a word, and what a
// probe says is kept short; a check that is deleted while it runs is no error.
func TestStoppedRunner(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	var log bytes.Buffer
	way := &counting{}
	s.Logger, s.Way = slog.New(slog.NewTextHandler(&log, nil)), way
	c := tidemark.NewCheck()
	c.Name, c.Kind, c.Target = "port", tidemark.CheckTCP, "example.org:80"
	s.create(t, c, "")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Run(ctx); err != nil || way.asked.Load() != 0 {
		t.Errorf("stopped: %v after %d probes", err, way.asked.Load())
	}
	s.round(t, 0)
	got, err := s.Store.Check(t.Context(), s.org, c.ID)
	if err != nil || got.Said != strings.Repeat("é", 200)+"…" || way.asked.Load() != 1 {
		t.Errorf("%d probes said %q, %v", way.asked.Load(), got.Said, err)
	}
	gone := &store.OrgCheck{Check: *c, Org: s.org}
	gone.ID += 100
	if err := s.run(t.Context(), gone, s.at.Unix()); err != nil {
		t.Errorf("a check that is gone: %v", err)
	}
	if log.Len() > 0 {
		t.Errorf("the log says %s", log.String())
	}
}

// TestHeartbeatSaysWhy: a job that says that it failed is down with that
// reason, and one that succeeds later has none.
func TestHeartbeatSaysWhy(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	c := tidemark.NewCheck()
	c.Name, c.Kind, c.Every = "backup", tidemark.CheckHeartbeat, 3600
	s.create(t, c, "secret")
	for _, call := range []struct {
		what, said string
		up         bool
	}{{"fail", "the job said that it failed", false}, {"success", "", true}, {"start", "", true}, {"fail", "the job said that it failed", false}} {
		s.at = s.at.Add(time.Second)
		beat, err := s.Store.CheckByHash(t.Context(), "secret")
		if err == nil {
			err = Called(t.Context(), s.Store, s.Recorder, beat, call.what, s.at.Unix())
		}
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.Store.Check(t.Context(), s.org, c.ID)
		if err != nil || got.Up != call.up || got.Said != call.said || (got.StartedAt > 0) != (call.what == "start") {
			t.Errorf("%s: %+v, %v", call.what, got, err)
		}
	}
}

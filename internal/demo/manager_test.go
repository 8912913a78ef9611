package demo

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/store/fresh"
)

// managed is a Manager on a store with one person, whose demos talk to a
// recorder.
type managed struct {
	*Manager
	user      int64
	recorder  *recorder
	forgotten atomic.Int64 // how often measurements were deleted
	forget    error        // what deleting them says
}

func manage(t *testing.T) *managed {
	t.Helper()
	st, err := store.Open(t.Context(), fresh.SQLite(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	d, rec := onRecorder(t)
	u := &tidemark.User{Email: "ann@example.org"}
	if err := st.CreateUser(t.Context(), tidemark.ServerActor(), u); err != nil {
		t.Fatal(err)
	}
	m := &managed{user: u.ID, recorder: rec}
	m.Manager = NewManager(ManagerOptions{Store: st, Logger: slog.New(slog.DiscardHandler), History: time.Minute,
		Options: func(org tidemark.OrgID) Options { o := d.Options; o.Org = org; return o },
		ForgetAll: func(context.Context, tidemark.OrgID, tidemark.Actor) error {
			m.forgotten.Add(1)
			return m.forget
		}})
	return m
}

// orgs are the names of all organizations.
func (m *managed) orgs(t *testing.T) (names []string) {
	t.Helper()
	list, err := m.Store.Orgs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range list {
		names = append(names, o.Name)
	}
	return names
}

// TestRemovedBeforeItBegins: a demo that was asked for and never begun leaves
// nothing, and can be asked for again; removing what is not there does nothing.
func TestRemovedBeforeItBegins(t *testing.T) {
	t.Parallel()
	m := manage(t)
	ctx, by := t.Context(), tidemark.ServerActor()
	if err := m.Remove(ctx, by); err != nil || m.forgotten.Load() != 0 {
		t.Fatalf("without a demo: %v", err)
	}
	for range 2 {
		s, err := m.Start(ctx, by, m.user)
		if err != nil || s.Stage != Filling || s.Org == 0 || len(m.orgs(t)) != 1 {
			t.Fatalf("%+v, %v", s, err)
		}
		if err := m.Remove(ctx, by); err != nil || m.State() != (State{Stage: None}) || len(m.orgs(t)) != 0 {
			t.Fatalf("%v, %+v, %v", err, m.State(), m.orgs(t))
		}
		if _, err := m.Store.Setting(ctx, setting); tidemark.KindOf(err) != tidemark.NotFound {
			t.Fatalf("it is remembered: %v", err)
		}
	}
	if n := len(m.recorder.asked); n != 0 {
		t.Errorf("%d requests were sent for demos that never began", n)
	}
}

// TestRemovedWhileItBegins: a demo that was just taken up is stopped, and waited
// for, before what it made is deleted.
func TestRemovedWhileItBegins(t *testing.T) {
	t.Parallel()
	m := manage(t)
	ctx, by := t.Context(), tidemark.ServerActor()
	if _, err := m.Start(ctx, by, m.user); err != nil {
		t.Fatal(err)
	}
	w := <-m.begin // as Run does, which has not come further
	var lived atomic.Bool
	m.ForgetAll = func(context.Context, tidemark.OrgID, tidemark.Actor) error {
		if !lived.Load() {
			t.Error("measurements are deleted while the demo may still send some")
		}
		return nil
	}
	removed := make(chan error, 1)
	go func() { removed <- m.Remove(ctx, by) }()
	<-w.stop // so that it is removed at the worst moment
	o := m.Options
	m.Options = func(org tidemark.OrgID) Options { lived.Store(true); return o(org) }
	m.live(ctx, w)
	if err := <-removed; err != nil || m.State() != (State{Stage: None}) {
		t.Errorf("%v, %+v", err, m.State())
	}
}

// TestRemovalThatFails: a demo whose measurements cannot be deleted stays, so
// that it can be removed later.
func TestRemovalThatFails(t *testing.T) {
	t.Parallel()
	m := manage(t)
	ctx, by := t.Context(), tidemark.ServerActor()
	if _, err := m.Start(ctx, by, m.user); err != nil {
		t.Fatal(err)
	}
	m.forget = io.ErrUnexpectedEOF
	if err := m.Remove(ctx, by); !errors.Is(err, io.ErrUnexpectedEOF) || err.Error() != "delete the demo's measurements: unexpected EOF" || m.State().Org == 0 || len(m.orgs(t)) != 1 {
		t.Errorf("%v, %+v, %v", err, m.State(), m.orgs(t))
	}
	m.forget = nil
	if err := m.Remove(ctx, by); err != nil || len(m.orgs(t)) != 0 {
		t.Errorf("later: %v, %v", err, m.orgs(t))
	}
}

// TestOneDemo: whoever asks for a second demo gets the first; its name is one
// that is free, and whoever asked is its Admin.
func TestOneDemo(t *testing.T) {
	t.Parallel()
	m := manage(t)
	ctx, by := t.Context(), tidemark.ServerActor()
	for _, name := range []string{"Demo", "demo 2"} {
		if _, err := m.Store.CreateOrg(ctx, by, name); err != nil {
			t.Fatal(err)
		}
	}
	first, err := m.Start(ctx, by, m.user)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := m.Start(ctx, by, m.user); err != nil || again != first {
		t.Errorf("%+v, %v, first %+v", again, err, first)
	}
	if names := m.orgs(t); len(names) != 3 || names[2] != "Demo 3" {
		t.Errorf("%v", names)
	}
	if who, err := m.Store.Membership(ctx, first.Org, m.user); err != nil || who.Role != tidemark.FullAccess {
		t.Errorf("%+v, %v", who, err)
	}
	if _, err := m.Start(ctx, by, m.user+99); err != nil {
		t.Errorf("a stranger who asks gets the first as well: %v", err)
	}
}

// TestStartBeforeRun: whoever asks for a demo before the server got to what an
// earlier run left gets one all the same, which is not mistaken for that; and
// one that is there already is not made twice.
func TestStartBeforeRun(t *testing.T) {
	t.Parallel()
	m := manage(t)
	ctx, by := t.Context(), tidemark.ServerActor()
	begun, err := m.Start(ctx, by, m.user)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.resume(ctx); err != nil || m.State() != begun || len(m.orgs(t)) != 1 {
		t.Errorf("%+v became %+v, %v", begun, m.State(), err)
	}
	if err := m.save(ctx, record{Org: begun.Org, Filled: true}); err != nil {
		t.Fatal(err)
	}
	next := NewManager(m.ManagerOptions)
	if again, err := next.Start(ctx, by, m.user); err != nil || again != (State{Org: begun.Org, Stage: Ready}) || len(m.orgs(t)) != 1 {
		t.Errorf("after a restart: %+v, %v, %v", again, err, m.orgs(t))
	}
	last := NewManager(m.ManagerOptions)
	if err := last.Remove(ctx, by); err != nil || len(m.orgs(t)) != 0 {
		t.Errorf("removed after a restart: %v, %v", err, m.orgs(t))
	}
}

// TestResume: what an earlier run filled is kept alive, what it did not fill to
// the end is removed, and what it remembers wrongly is an error.
func TestResume(t *testing.T) {
	t.Parallel()
	for filled, want := range map[bool]string{true: Ready, false: None} {
		m := manage(t)
		o, err := m.Store.CreateOrg(t.Context(), tidemark.ServerActor(), "Demo")
		if err != nil {
			t.Fatal(err)
		}
		if err := m.save(t.Context(), record{Org: o.ID, Filled: filled}); err != nil {
			t.Fatal(err)
		}
		if err := m.resume(t.Context()); err != nil || m.State().Stage != want || len(m.begin) != map[bool]int{true: 1}[filled] || len(m.orgs(t)) != len(m.begin) {
			t.Errorf("filled %v: %v, %+v, %v", filled, err, m.State(), m.orgs(t))
		}
	}
	m := manage(t)
	if err := m.resume(t.Context()); err != nil || m.State().Stage != None {
		t.Errorf("nothing to resume: %v, %+v", err, m.State())
	}
	m = manage(t)
	if err := m.Store.SetSetting(t.Context(), setting, []byte(`"x"`)); err != nil {
		t.Fatal(err)
	}
	if err := m.resume(t.Context()); err == nil {
		t.Error("what is no record is resumed")
	}
}

// TestFailedDemo: a demo that the server refuses says why, and the next one to
// ask gets a new one in its place.
func TestFailedDemo(t *testing.T) {
	t.Parallel()
	m := manage(t)
	ctx, by := t.Context(), tidemark.ServerActor()
	first, err := m.Start(ctx, by, m.user)
	if err != nil {
		t.Fatal(err)
	}
	m.recorder.fails["GET /v1/metrics"] = 403
	m.live(ctx, <-m.begin)
	if s := m.State(); s.Stage != Failed || s.Org != first.Org || s.Error == "" {
		t.Errorf("%+v", s)
	}
	second, err := m.Start(ctx, by, m.user)
	if err != nil || second.Stage != Filling || second.Org == first.Org || second.Error != "" || len(m.orgs(t)) != 1 || m.forgotten.Load() != 1 {
		t.Errorf("%+v, %v, %v", second, err, m.orgs(t))
	}
}

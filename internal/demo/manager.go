package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// The stages of a demo.
const (
	None    = "none"
	Filling = "filling"
	Ready   = "ready"
	Failed  = "failed"
)

// State is how far the demo is.
type State struct {
	Org   tidemark.OrgID
	Stage string
	Done  float64 // of filling it, from 0 to 1
	Error string
}

// setting is the setting of the store that remembers which organization is the demo.
const setting = "demo"

// record is what that setting holds.
type record struct {
	Org    tidemark.OrgID `json:"org"`
	Filled bool           `json:"filled"`
}

// ManagerOptions are what a Manager works with.
type ManagerOptions struct {
	Store  *store.Store
	Logger *slog.Logger
	// Options returns those of a demo in an organization.
	Options func(org tidemark.OrgID) Options
	// ForgetAll deletes all measurements of an organization.
	ForgetAll func(ctx context.Context, org tidemark.OrgID, by tidemark.Actor) error
	// History is how much of the past is filled in; a good week where 0.
	History time.Duration
}

// Manager makes the demo that people ask for: an organization of its own,
// filled while the server runs, that can be deleted again. There is at most
// one.
type Manager struct {
	ManagerOptions
	begin chan *run

	work    sync.Mutex // held while it is made or removed
	resumed bool       // what an earlier run left was looked at; guarded by work

	mu    sync.Mutex
	state State // guarded by mu
	last  *run  // the run that was asked for last; guarded by mu
}

// run is a demo to be kept alive, and who asked for it, if that was just now.
// Whoever takes it from the Manager's queue closes ended when its run has ended.
type run struct {
	org   tidemark.OrgID
	user  int64
	stop  chan struct{} // closed when it shall end
	ended chan struct{}
}

// NewManager returns a Manager. It makes nothing until Run.
func NewManager(o ManagerOptions) *Manager {
	return &Manager{ManagerOptions: o, begin: make(chan *run, 1), state: State{Stage: None}}
}

// State returns how far the demo is.
func (m *Manager) State() State {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.state
}

func (m *Manager) change(f func(s *State)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f(&m.state)
}

// Run keeps the demo alive, from when there is one until ctx is done.
func (m *Manager) Run(ctx context.Context) error {
	m.work.Lock()
	err := m.resume(ctx)
	m.work.Unlock()
	if err != nil {
		m.Logger.Error("demo", slog.Any("err", err)) // the server is more than its demo
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case w := <-m.begin:
			m.live(ctx, w)
		}
	}
}

// resume goes on with the demo that an earlier run left, once; it is called
// with work held, before anything else is done with a demo. One that was not
// filled to the end is removed: anyone who wants it asks again.
func (m *Manager) resume(ctx context.Context) error {
	if m.resumed {
		return nil
	}
	text, err := m.Store.Setting(ctx, setting)
	if err != nil {
		if m.resumed = tidemark.KindOf(err) == tidemark.NotFound; m.resumed {
			return nil
		}
		return err
	}
	var r record
	if err := json.Unmarshal(text, &r); err != nil {
		return err
	}
	m.resumed = true
	m.change(func(s *State) { s.Org, s.Stage = r.Org, Ready })
	if !r.Filled {
		return m.remove(ctx, tidemark.ServerActor())
	}
	m.ask(r.Org, 0)
	return nil
}

// ask asks for a run. From now on halt ends it, whether it has begun or not.
func (m *Manager) ask(org tidemark.OrgID, user int64) {
	w := &run{org: org, user: user, stop: make(chan struct{}), ended: make(chan struct{})}
	m.mu.Lock()
	m.last = w
	m.mu.Unlock()
	m.begin <- w
}

// live runs a demo until it is stopped.
func (m *Manager) live(ctx context.Context, w *run) {
	defer close(w.ended)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-w.stop:
			cancel()
		case <-ctx.Done():
		}
	}()
	o := m.Options(w.org)
	o.Evaluated, o.History, o.User = true, m.History, w.user
	o.Progress = func(done float64) { m.change(func(s *State) { s.Done = done }) }
	o.Filled = func() {
		if err := m.save(ctx, record{Org: w.org, Filled: true}); err != nil {
			m.Logger.Error("demo", slog.Any("err", err))
		}
		m.change(func(s *State) { s.Stage = Ready })
	}
	if err := Run(ctx, o); err != nil && ctx.Err() == nil {
		m.Logger.Error("demo", slog.Any("err", err))
		m.change(func(s *State) { s.Stage, s.Error = Failed, err.Error() })
	}
}

func (m *Manager) save(ctx context.Context, r record) error {
	text, _ := json.Marshal(r)
	return m.Store.SetSetting(ctx, setting, text)
}

// Start makes the demo, with user as its Admin, unless there is one.
func (m *Manager) Start(ctx context.Context, by tidemark.Actor, user int64) (State, error) {
	m.work.Lock()
	defer m.work.Unlock()
	if err := m.resume(ctx); err != nil {
		return m.State(), err
	}
	if s := m.State(); s.Stage == Failed {
		if err := m.remove(ctx, by); err != nil {
			return s, err
		}
	} else if s.Stage != None {
		return s, nil
	}
	org, err := m.newOrg(ctx, by, user)
	if err != nil {
		return m.State(), err
	}
	if err := m.save(ctx, record{Org: org}); err != nil {
		return m.State(), err
	}
	m.change(func(s *State) { *s = State{Org: org, Stage: Filling} })
	m.ask(org, user)
	return m.State(), nil
}

// newOrg makes an organization of user for the demo, with a name that is free.
func (m *Manager) newOrg(ctx context.Context, by tidemark.Actor, user int64) (tidemark.OrgID, error) {
	for n := 1; ; n++ {
		name := "Demo"
		if n > 1 {
			name = fmt.Sprintf("Demo %d", n)
		}
		o, err := m.Store.CreateOrgFor(ctx, by, name, user)
		if err == nil {
			return o.ID, nil
		}
		if tidemark.KindOf(err) != tidemark.Conflict || n == 100 {
			return 0, err
		}
	}
}

// Remove deletes the demo with all it has.
func (m *Manager) Remove(ctx context.Context, by tidemark.Actor) error {
	m.work.Lock()
	defer m.work.Unlock()
	if err := m.resume(ctx); err != nil {
		return err
	}
	return m.remove(ctx, by)
}

func (m *Manager) remove(ctx context.Context, by tidemark.Actor) error {
	org := m.State().Org
	if org == 0 {
		return nil
	}
	m.halt()
	if err := m.ForgetAll(ctx, org, by); err != nil {
		return fmt.Errorf("delete the demo's measurements: %w", err)
	}
	if err := m.Store.DeleteOrg(ctx, org, by); err != nil && tidemark.KindOf(err) != tidemark.NotFound {
		return err
	}
	if err := m.Store.DeleteSetting(ctx, setting); err != nil {
		return err
	}
	m.change(func(s *State) { *s = State{Stage: None} })
	return nil
}

// halt ends the run, if there is one, and waits for its end.
func (m *Manager) halt() {
	m.mu.Lock()
	w := m.last
	m.last = nil
	m.mu.Unlock()
	if w == nil {
		return
	}
	select {
	case <-m.begin: // it has not begun
	default:
		close(w.stop)
		<-w.ended
	}
}

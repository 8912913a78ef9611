package app

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/client"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/demo"
	"github.com/tidemark-metrics/tidemark/internal/outbound"
)

// firstOrgID is the organization of a new server: the one that --demo fills.
const firstOrgID tidemark.OrgID = 1

// demo keeps a believable organization alive, and calls filled once it is
// there.
func (rm *rooms) demo(ctx context.Context, log *slog.Logger, filled func()) error {
	o := rm.demoOptions(firstOrgID, log)
	o.Filled = filled
	return demo.Run(ctx, o)
}

// welcome gives whoever sets up a server that is a demo its spaces at hand.
func (rm *rooms) welcome(log *slog.Logger) func(context.Context, *tidemark.Session) {
	return func(ctx context.Context, s *tidemark.Session) {
		if err := demo.Welcome(ctx, rm.store, s.Org, s.User); err != nil {
			log.Warn("demo", slog.Any("err", err))
		}
	}
}

// demoOptions are those of a demo in org, which speaks to this server without
// a network.
func (rm *rooms) demoOptions(org tidemark.OrgID, log *slog.Logger) demo.Options {
	const base = "http://tidemark"
	operator := &http.Client{Transport: outbound.Inside{Handler: rm.api.Inside()}}
	return demo.Options{
		Client: client.New(base, client.HTTP(operator), client.Header("User-Agent", "tidemark-demo"),
			client.Header("X-Tidemark-Org", strconv.FormatInt(int64(org), 10)), client.Retry(30, time.Second)),
		As: func(secret tidemark.Secret, agent, address string) *client.Client {
			return client.New(base, client.HTTP(&http.Client{Transport: from{outbound.Inside{Handler: rm.api}, address}}),
				client.Token(secret), client.Header("User-Agent", agent), client.Retry(1, 0))
		},
		Logger: log, Now: time.Now, Org: org, Past: rm.store,
	}
}

// from sends requests as if they came from an address.
type from struct {
	next    http.RoundTripper
	address string
}

func (f from) RoundTrip(r *http.Request) (*http.Response, error) {
	r.RemoteAddr = net.JoinHostPort(f.address, "0")
	return f.next.RoundTrip(r)
}

// demoSetting is the setting that remembers which organization is the demo.
const demoSetting = "demo"

// demoRecord is what that setting holds.
type demoRecord struct {
	Org    tidemark.OrgID `json:"org"`
	Filled bool           `json:"filled"`
}

// demos is the demo that people ask for: an organization of its own, filled
// while the server runs, that can be deleted again. It implements shared.Demo.
type demos struct {
	rm      *rooms
	log     *slog.Logger
	history time.Duration // 0 for as much as a demo has
	begin   chan wish

	work sync.Mutex // held by whoever makes or removes it

	mu    sync.Mutex
	state shared.DemoState   // guarded by mu
	stop  context.CancelFunc // ends the run; guarded by mu
	ended chan struct{}      // closed when the run has ended; guarded by mu
}

// wish is a demo to be kept alive, and who asked for it, if that was just now.
type wish struct {
	org  tidemark.OrgID
	user int64
}

func newDemos(rm *rooms, log *slog.Logger) *demos {
	return &demos{rm: rm, log: log, begin: make(chan wish, 1), state: shared.DemoState{State: shared.NoDemo}}
}

// State returns how far the demo is.
func (d *demos) State() shared.DemoState {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.state
}

func (d *demos) change(f func(s *shared.DemoState)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	f(&d.state)
}

// Run keeps the demo alive, from when there is one until ctx is done.
func (d *demos) Run(ctx context.Context) error {
	if err := d.resume(ctx); err != nil {
		d.log.Error("demo", slog.Any("err", err)) // the server is more than its demo
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case w := <-d.begin:
			d.live(ctx, w)
		}
	}
}

// resume goes on with the demo that an earlier run left. One that was not
// filled to the end is removed: whoever wants it asks again.
func (d *demos) resume(ctx context.Context) error {
	text, err := d.rm.store.Setting(ctx, demoSetting)
	if err != nil {
		if tidemark.KindOf(err) == tidemark.NotFound {
			err = nil
		}
		return err
	}
	var r demoRecord
	if err := json.Unmarshal(text, &r); err != nil {
		return err
	}
	d.change(func(s *shared.DemoState) { s.Org, s.State = r.Org, shared.DemoReady })
	if !r.Filled {
		return d.Remove(ctx, tidemark.ServerActor())
	}
	d.begin <- wish{org: r.Org}
	return nil
}

// live runs a demo until it is stopped.
func (d *demos) live(ctx context.Context, w wish) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan struct{})
	defer close(ended)
	d.mu.Lock()
	d.stop, d.ended = cancel, ended
	d.mu.Unlock()
	o := d.rm.demoOptions(w.org, d.log)
	o.Judged, o.History, o.User = true, d.history, w.user
	o.Progress = func(done float64) { d.change(func(s *shared.DemoState) { s.Done = done }) }
	o.Filled = func() {
		if err := d.save(ctx, demoRecord{Org: w.org, Filled: true}); err != nil {
			d.log.Error("demo", slog.Any("err", err))
		}
		d.change(func(s *shared.DemoState) { s.State = shared.DemoReady })
	}
	if err := demo.Run(ctx, o); err != nil && ctx.Err() == nil {
		d.log.Error("demo", slog.Any("err", err))
		d.change(func(s *shared.DemoState) { s.State, s.Error = shared.DemoFailed, err.Error() })
	}
}

func (d *demos) save(ctx context.Context, r demoRecord) error {
	text, _ := json.Marshal(r)
	return d.rm.store.SetSetting(ctx, demoSetting, text)
}

// Start makes the demo, with user as its Admin, unless there is one.
func (d *demos) Start(ctx context.Context, by tidemark.Actor, user int64) (shared.DemoState, error) {
	d.work.Lock()
	defer d.work.Unlock()
	if s := d.State(); s.State == shared.DemoFailed {
		if err := d.remove(ctx, by); err != nil {
			return s, err
		}
	} else if s.State != shared.NoDemo {
		return s, nil
	}
	org, err := d.newOrg(ctx, by)
	if err != nil {
		return d.State(), err
	}
	if _, err := d.rm.store.AddMember(ctx, org, by, user, tidemark.FullAccess); err != nil {
		return d.State(), err
	}
	if err := d.save(ctx, demoRecord{Org: org}); err != nil {
		return d.State(), err
	}
	d.change(func(s *shared.DemoState) { *s = shared.DemoState{Org: org, State: shared.DemoFilling} })
	d.begin <- wish{org, user}
	return d.State(), nil
}

// newOrg makes an organization for the demo, with a name that is free.
func (d *demos) newOrg(ctx context.Context, by tidemark.Actor) (tidemark.OrgID, error) {
	for n := 1; ; n++ {
		name := "Demo"
		if n > 1 {
			name = fmt.Sprintf("Demo %d", n)
		}
		o, err := d.rm.store.CreateOrg(ctx, by, name)
		if err == nil {
			return o.ID, nil
		}
		if tidemark.KindOf(err) != tidemark.Conflict || n == 100 {
			return 0, err
		}
	}
}

// Remove deletes the demo with all it has.
func (d *demos) Remove(ctx context.Context, by tidemark.Actor) error {
	d.work.Lock()
	defer d.work.Unlock()
	return d.remove(ctx, by)
}

func (d *demos) remove(ctx context.Context, by tidemark.Actor) error {
	org := d.State().Org
	if org == 0 {
		return nil
	}
	d.halt()
	if err := d.rm.recorder.ForgetAll(ctx, org, by); err != nil {
		return fmt.Errorf("delete the demo's measurements: %w", err)
	}
	if err := d.rm.store.DeleteOrg(ctx, org, by); err != nil && tidemark.KindOf(err) != tidemark.NotFound {
		return err
	}
	if err := d.rm.store.DeleteSetting(ctx, demoSetting); err != nil {
		return err
	}
	d.change(func(s *shared.DemoState) { *s = shared.DemoState{State: shared.NoDemo} })
	return nil
}

// halt ends the run, if there is one, and waits for its end.
func (d *demos) halt() {
	select {
	case <-d.begin: // it has not begun
		return
	default:
	}
	d.mu.Lock()
	stop, ended := d.stop, d.ended
	d.mu.Unlock()
	if stop != nil {
		stop()
		<-ended
	}
}

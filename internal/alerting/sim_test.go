package alerting

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/testdeps"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
)

// TestSimulation lets alerts live for days in which everything happens that
// can: measurements, late ones, edits, deletions, snoozes, resolving by hand,
// acknowledgements, escalations, maintenance,
// services that fail, and a process that dies at any moment. What must hold
// in spite of it is in check. TIDEMARK_SOAK=1 plays 10,000 weeks, TIDEMARK_WEEKS=N so many.
func TestSimulation(t *testing.T) {
	t.Parallel()
	seeds, days, first := testdeps.Rounds(500), 0, 0
	if weeks := testdeps.Amount("TIDEMARK_WEEKS", 0, 10_000); weeks > 0 {
		seeds, days, first = weeks, 7, int(testdeps.Seed(t)%1_000_000_000)
	}
	const lots = 8
	for lot := range lots {
		t.Run(fmt.Sprintf("lot %d", lot), func(t *testing.T) {
			t.Parallel()
			for seed := first + lot; seed < first+seeds; seed += lots {
				synctest.Test(t, func(t *testing.T) { newSim(t, uint64(seed)).play(days) })
				if t.Failed() {
					t.Fatalf("seed %d", seed)
				}
			}
		})
	}
}

// sim is one history.
type sim struct {
	t      *testing.T
	store  *model
	engine *memory.Engine
	proc   *process

	mu       sync.Mutex // for what tries in flight use
	rand     *rand.Rand
	modes    map[int64]string // of services: up, flaky, down, refusing
	receipts []receipt
	crashes  []int64 // when

	deleted map[int64]int64 // alert: when
	quiet   map[int64]bool  // alerts that were ever snoozed, or in maintenance
	changed map[int64]bool  // alerts that were ever edited
	acked   map[int64]int64 // incident: when
}

// receipt is what a service got.
type receipt struct {
	at      int64
	service int64
	d       *tidemark.Delivery
}

var (
	errCrash = errors.New("crash")
	errBusy  = errors.New("the database is too slow")
)

// process is a running server: everything in it is lost when it dies.
type process struct {
	*model
	sim  *sim
	eval *Evaluator
	disp *Dispatcher
	ctx  context.Context
	stop func()
	dead bool // guarded by sim.mu
}

func newSim(t *testing.T, seed uint64) *sim {
	s := &sim{
		t: t, store: newModel(), engine: memory.New(), rand: rand.New(rand.NewPCG(seed, 7)),
		modes: map[int64]string{1: "up", 2: "up"}, deleted: map[int64]int64{}, quiet: map[int64]bool{},
		changed: map[int64]bool{}, acked: map[int64]int64{},
	}
	for id := range int64(4) {
		s.store.services[id+1] = &tidemark.Service{ID: id + 1, Title: fmt.Sprint("service ", id+1), Settings: map[string]string{}}
	}
	s.store.services[1].Settings[tidemark.FallbackSetting] = "3"
	s.modes[3], s.modes[4] = "up", "up"
	s.store.nextID = 100
	s.start()
	return s
}

func (s *sim) start() {
	p := &process{model: s.store, sim: s}
	p.ctx, p.stop = context.WithCancel(s.t.Context())
	log := slog.New(slog.DiscardHandler)
	reader := (&bench{engine: s.engine, metrics: map[string]*tidemark.Metric{}}).reader()
	p.disp = NewDispatcher(DispatcherOptions{Store: p, Send: p.send, Logger: log, GiveUpAfter: time.Hour})
	p.eval = NewEvaluator(Options{Store: p, Reader: reader, Logger: log, OnNotice: p.disp.Wake})
	s.proc = p
}

// mayDie is asked at every step between the process and its store.
func (p *process) mayDie() bool {
	p.sim.mu.Lock()
	defer p.sim.mu.Unlock()
	if !p.dead && p.sim.rand.IntN(400) == 0 {
		p.die()
	}
	return p.dead
}

func (p *process) die() {
	p.dead = true
	p.stop()
	p.sim.crashes = append(p.sim.crashes, time.Now().Unix())
}

func (p *process) isDead() bool {
	p.sim.mu.Lock()
	defer p.sim.mu.Unlock()
	return p.dead
}

// between runs a write, unless the process dies before; it may also die
// before it learns of the success.
func (p *process) between(write func() error) error {
	if p.mayDie() {
		return errCrash
	}
	if p.sim.n(50) == 0 {
		return errBusy
	}
	err := write()
	if p.mayDie() {
		return errCrash
	}
	return err
}

func (p *process) SaveStates(ctx context.Context, changes []*tidemark.StateChange) error {
	return p.between(func() error { return p.model.SaveStates(ctx, changes) })
}

func (p *process) TakeDue(ctx context.Context, q tidemark.DueQuery) (taken []*tidemark.Delivery, err error) {
	err = p.between(func() error {
		taken, err = p.model.TakeDue(ctx, q)
		return err
	})
	return taken, err
}

func (p *process) Release(ctx context.Context, ids []int64, due int64) error {
	return p.between(func() error { return p.model.Release(ctx, ids, due) })
}

func (p *process) Finish(ctx context.Context, o *tidemark.Outcome) error {
	return p.between(func() error { return p.model.Finish(ctx, o) })
}

// send is what the services do.
func (p *process) send(_ context.Context, service *tidemark.Service, d *tidemark.Delivery) Answer {
	s := p.sim
	s.mu.Lock()
	mode, pause := s.modes[service.ID], time.Duration(s.rand.IntN(3000))*time.Millisecond
	fails := mode == "down" || mode == "flaky" && s.rand.IntN(2) == 0
	s.mu.Unlock()
	time.Sleep(pause)
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case p.dead:
		return Answer{Text: "nobody hears this"}
	case mode == "refusing":
		return Answer{Permanent: true, Text: "400"}
	case fails:
		return Answer{Text: "503"}
	}
	s.receipts = append(s.receipts, receipt{time.Now().Unix(), service.ID, d})
	return Answer{OK: true, Text: "200"}
}

// play lives through some days, one or two where none are given, and then
// checks what happened.
func (s *sim) play(days int) {
	for range 2 {
		s.addAlert()
	}
	if days == 0 {
		days = 1 + s.n(2)
	}
	for end := time.Now().Add(time.Duration(days) * 24 * time.Hour); time.Now().Before(end); {
		s.act()
		s.step()
		time.Sleep(time.Duration(1+s.n(20*60)) * time.Second)
	}
	s.calm()
	s.proc.stop()
	s.check()
}

// n returns a random number below max.
func (s *sim) n(max int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.rand.IntN(max)
}

// step lets the process do its work, and a new one take over if it died.
func (s *sim) step() {
	if s.proc.isDead() {
		s.start()
	}
	ctx := s.proc.ctx
	for range 2 {
		s.proc.eval.round(ctx, time.Now())
		for range 4 {
			if s.proc.isDead() || !s.proc.disp.round(ctx, ctx) {
				break
			}
		}
		time.Sleep(6 * time.Second) // longer than any service takes
		synctest.Wait()
	}
}

func (s *sim) addAlert() {
	a := tidemark.NewAlert()
	a.Name = "a"
	a.RearmSeconds = tidemark.Seconds(60 * (1 + s.n(20)))
	a.RearmPerSignal = s.n(4) == 0
	a.ServiceIDs = []int64{1, 2}
	if s.n(2) == 0 {
		a.Escalation = []tidemark.EscalationStep{{After: tidemark.Seconds(60 * (1 + s.n(20))), Services: tidemark.ServiceRefs{2, 4}}}
		if s.n(2) == 0 {
			a.Escalation = append(a.Escalation, tidemark.EscalationStep{After: a.Escalation[0].After + 600, Services: tidemark.ServiceRefs{4}})
		}
	}
	for range 1 + s.n(2) {
		a.Conditions = append(a.Conditions, s.condition())
	}
	s.store.add(a, time.Now().Unix())
}

func (s *sim) condition() tidemark.Condition {
	metric := []string{"cpu", "mem"}[s.n(2)]
	c := tidemark.Condition{Type: tidemark.Above, MetricName: metric, Threshold: new(float64(3 + s.n(5))), Tags: []tidemark.TagFilter{}}
	switch s.n(4) {
	case 0:
		c.Duration = new(tidemark.Seconds(60 * (1 + s.n(20))))
	case 1:
		c.Type, c.Duration = tidemark.Absent, new(tidemark.Seconds(60*(1+s.n(60))))
	}
	return c
}

// anAlert returns one of the alerts.
func (s *sim) anAlert() int64 {
	s.store.mu.Lock()
	var ids []int64
	for id := range s.store.alerts {
		ids = append(ids, id)
	}
	s.store.mu.Unlock()
	if len(ids) == 0 {
		return 0
	}
	slices.Sort(ids)
	return ids[s.n(len(ids))]
}

// act makes one thing happen; mostly measurements.
func (s *sim) act() {
	now := time.Now().Unix()
	id := s.anAlert()
	what := s.n(60)
	s.changed[id] = s.changed[id] || what < 6
	switch what {
	case 0:
		s.store.change(id, now, func(w *tidemark.WatchedAlert) { w.Alert.Conditions[0] = s.condition() })
	case 1:
		s.store.change(id, now, func(w *tidemark.WatchedAlert) { w.Alert.Active = !w.Alert.Active })
	case 2:
		if s.n(3) == 0 {
			s.deleted[id] = now
			s.store.remove(id, now)
			s.addAlert()
		}
	case 3:
		s.store.resolve(id, now)
	case 4:
		until := now + int64(s.n(4*3600))
		s.quiet[id] = true
		s.store.change(id, now, func(w *tidemark.WatchedAlert) { w.Snoozes = []tidemark.Snooze{{StartsAt: now, EndsAt: &until}} })
	case 5:
		s.store.change(id, now, func(w *tidemark.WatchedAlert) { w.Alert.Name += "'" })
	case 10:
		s.maintain(id, now)
	case 11, 12:
		if incident := s.store.acknowledge(id, now); incident != 0 {
			s.acked[incident] = now
		}
	case 6, 7, 8:
		s.mu.Lock()
		s.modes[1+s.rand.Int64N(4)] = []string{"up", "up", "flaky", "down", "refusing"}[s.rand.IntN(5)]
		s.mu.Unlock()
	case 9:
		s.mu.Lock()
		if !s.proc.dead {
			s.proc.die()
		}
		s.mu.Unlock()
	default:
		s.measure()
	}
}

// maintain makes a maintenance window for an alert.
func (s *sim) maintain(id, now int64) {
	start := now + int64(s.n(3600))
	end := start + 60 + int64(s.n(2*3600))
	s.quiet[id] = true
	s.store.maintain(&tidemark.Maintenance{Name: "upgrade", StartsAt: start, EndsAt: &end, Covers: tidemark.Covers{Alerts: []int64{id}}})
}

func (s *sim) measure() {
	var b tsdb.Batch
	for range 1 + s.n(4) {
		host := []string{"a", "b", "c"}[s.n(3)]
		at := time.Now().Unix()
		if s.n(10) == 0 {
			at -= int64(s.n(900))
		}
		b.Add([]string{"cpu", "mem"}[s.n(2)], tidemark.Tags{{Name: "host", Value: host}}, at, float64(s.n(10)))
	}
	s.write(&b)
}

func (s *sim) write(b *tsdb.Batch) {
	if err := s.engine.Write(s.t.Context(), 1, b); err != nil {
		s.t.Fatal(err)
	}
	if !s.proc.mayDie() { // acknowledged, but nobody evaluated it yet
		s.proc.eval.Wrote(1, b)
	}
}

// all writes the same value for all streams.
func (s *sim) all(value float64) {
	var b tsdb.Batch
	for _, metric := range []string{"cpu", "mem"} {
		for _, host := range []string{"a", "b", "c"} {
			b.Add(metric, tidemark.Tags{{Name: "host", Value: host}}, time.Now().Unix(), value)
		}
	}
	s.write(&b)
}

// calm heals everything and waits until there is nothing left to do, with all
// streams normal.
func (s *sim) calm() {
	s.mu.Lock()
	for id := range s.modes {
		s.modes[id] = "up"
	}
	s.mu.Unlock()
	for range 20 {
		s.all(0)
		s.step()
		time.Sleep(50 * time.Second)
	}
	for range 100 {
		if !s.isWaiting() {
			break
		}
		s.all(0)
		s.step()
		time.Sleep(2 * time.Minute)
	}
}

func (s *sim) isWaiting() bool {
	s.store.mu.Lock()
	defer s.store.mu.Unlock()
	return slices.ContainsFunc(s.store.deliveries, func(d *tidemark.Delivery) bool { return d.Status == tidemark.DeliveryWaiting })
}

// crashedBetween reports whether the process died in [from, to].
func (s *sim) crashedBetween(from, to int64) bool {
	return slices.ContainsFunc(s.crashes, func(at int64) bool { return at >= from-1 && at <= to })
}

// check is what must hold.
func (s *sim) check() {
	for id, a := range s.store.alerts {
		if a.Alert.Active && a.State.Firing {
			s.t.Errorf("alert %d fires though all is normal: %+v", id, a.State)
		}
	}
	type place struct{ incident, service int64 }
	got := map[place][]receipt{}
	seen := map[string]bool{}
	for _, r := range s.receipts {
		k := place{r.d.Incident, r.service}
		s.checkReceipt(got[k], r)
		s.checkWork(r.d)
		got[k] = append(got[k], r)
		seen[fmt.Sprint(r.d.Key, r.service)] = true
	}
	for _, d := range s.store.deliveries {
		if d.Status == tidemark.DeliveryWaiting {
			s.t.Errorf("delivery %s still waits", d.Key)
		}
		if d.Status == tidemark.DeliveryDelivered && !seen[fmt.Sprint(d.Key, d.Service)] {
			s.t.Errorf("delivery %s counts as delivered, but nobody got it", d.Key)
		}
	}
	s.checkIncidents()
}

// checkReceipt checks a receipt against those before it, of the same incident
// and service.
func (s *sim) checkReceipt(before []receipt, r receipt) {
	if at, gone := s.deleted[r.d.Alert]; gone && r.d.CreatedAt > at {
		s.t.Errorf("%s happened %d s after its alert was deleted", r.d.Key, r.d.CreatedAt-at)
	}
	if r.d.FallbackOf != 0 {
		return // it stands in for another, at its time
	}
	notified := false
	for _, b := range before {
		notified = notified || b.d.Kind != tidemark.NoticeClear
		apart := r.at - b.at
		switch {
		case b.d.FallbackOf != 0:
		case b.d.Key == r.d.Key:
			if !s.crashedBetween(b.at, r.at) {
				s.t.Errorf("%s was sent twice, %d s apart, without a crash", r.d.Key, apart)
			}
		case b.d.Kind == tidemark.NoticeClear && r.d.Kind != tidemark.NoticeClear && !s.crashedBetween(b.at-3600, r.at):
			s.t.Errorf("%s was sent after the clear", r.d.Key)
		case r.d.Kind == tidemark.NoticeEscalation || b.d.Kind == tidemark.NoticeEscalation: // they go by their own time
		case s.inWindow(r.d.Alert, b.d.CreatedAt, r.d.CreatedAt): // what violates at its end is sent then
		case r.d.Kind != tidemark.NoticeClear && b.d.Kind != tidemark.NoticeClear:
			rearm := s.rearm(r.d.Alert)
			if rearm > 0 && apart < rearm-5 && !s.crashedBetween(b.at, r.at) {
				s.t.Errorf("%s was sent %d s after %s, rearm is %d s", r.d.Key, apart, b.d.Key, rearm)
			}
		}
	}
	if r.d.Kind == tidemark.NoticeClear && !notified && !s.isGivenUp(r.d) {
		s.t.Errorf("%s was sent to %d, but not that it triggered", r.d.Key, r.service)
	}
}

// checkWork checks that a notice was due at all: not after somebody
// acknowledged its incident, and not in maintenance.
func (s *sim) checkWork(d *tidemark.Delivery) {
	if d.Kind == tidemark.NoticeClear {
		return
	}
	if at, acked := s.acked[d.Incident]; acked && d.CreatedAt > at {
		s.t.Errorf("%s happened %d s after its incident was acknowledged", d.Key, d.CreatedAt-at)
	}
	if s.inWindow(d.Alert, d.CreatedAt, d.CreatedAt) {
		s.t.Errorf("%s happened in maintenance", d.Key)
	}
}

// inWindow reports whether an alert was in maintenance in [from, to].
func (s *sim) inWindow(alert, from, to int64) bool {
	return slices.ContainsFunc(s.store.windows, func(m *tidemark.Maintenance) bool {
		return slices.Contains(m.Covers.Alerts, alert) && m.StartsAt <= to && *m.EndsAt > from
	})
}

// checkEscalations checks that each step was taken once, not too early, and at
// all where nothing kept it from it: the process looks every 20 minutes.
func (s *sim) checkEscalations(id int64, in *tidemark.Incident) {
	first, taken := int64(0), map[string]*tidemark.Delivery{}
	for _, d := range s.store.deliveries {
		if d.Incident != id || d.FallbackOf != 0 {
			continue
		}
		if first == 0 && (d.Kind == tidemark.NoticeTrigger || d.Kind == tidemark.NoticeReminder) {
			first = d.CreatedAt
		}
		if d.Kind == tidemark.NoticeEscalation {
			k := fmt.Sprint(d.Key, d.Service)
			if taken[k] != nil {
				s.t.Errorf("%s was taken twice", d.Key)
			}
			taken[k] = d
		}
	}
	a := s.store.alerts[in.Alert]
	if a == nil || s.changed[in.Alert] {
		return
	}
	for i, step := range a.Alert.Escalation {
		due := first + int64(step.After)
		d := taken[fmt.Sprint(tidemark.EscalationKey(in.Key, i+1), step.Services[0])]
		_, acked := s.acked[id]
		switch {
		case d != nil && d.CreatedAt < due:
			s.t.Errorf("%s was taken %d s early", d.Key, due-d.CreatedAt)
		case d == nil && first != 0 && !acked && !s.quiet[in.Alert] && due+3600 < *in.ClearedAt && !s.crashedBetween(due-3600, *in.ClearedAt):
			s.t.Errorf("step %d of %s was not taken", i+1, in.Key)
		}
	}
}

// isGivenUp reports whether the trigger of d's incident could not be sent.
func (s *sim) isGivenUp(d *tidemark.Delivery) bool {
	return slices.ContainsFunc(s.store.deliveries, func(o *tidemark.Delivery) bool {
		return o.Incident == d.Incident && o.Service == d.Service && o.Kind != tidemark.NoticeClear && o.Status == tidemark.DeliveryFailed
	})
}

// rearm returns an alert's rearm time, 0 if it has one per signal.
func (s *sim) rearm(alert int64) int64 {
	a, ok := s.store.alerts[alert]
	if !ok || a.Alert.RearmPerSignal {
		return 0
	}
	return int64(max(a.Alert.RearmSeconds, tidemark.MinRearm))
}

// checkIncidents checks that everybody was notified of each incident: its
// beginning and its end, however it ended.
func (s *sim) checkIncidents() {
	for id, in := range s.store.incidents {
		if in.ClearedAt == nil {
			s.t.Errorf("incident %s is open", in.Key)
			continue
		}
		s.checkEscalations(id, in)
		for _, service := range []int64{1, 2, 4} {
			kinds := map[string]int{}
			for _, d := range s.store.deliveries {
				if d.Incident == id && d.Service == service && d.FallbackOf == 0 {
					kinds[d.Kind]++
				}
			}
			notified := kinds[tidemark.NoticeTrigger] + kinds[tidemark.NoticeReminder] + kinds[tidemark.NoticeEscalation]
			_, acked := s.acked[id]
			switch {
			case notified == 0 && service == 4: // of the escalation alone
			case notified > 0 && service == 4 && acked: // what waited then was cancelled
			case notified == 0 && !s.quiet[in.Alert] && !acked:
				s.t.Errorf("%[2]d was not notified of incident %[1]s", in.Key, service)
			case notified > 0 && kinds[tidemark.NoticeClear] != 1:
				s.t.Errorf("the end of incident %s (%s) was sent %d times to %d", in.Key, *in.Clear, kinds[tidemark.NoticeClear], service)
			}
		}
	}
}

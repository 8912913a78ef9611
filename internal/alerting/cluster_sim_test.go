package alerting

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/testdeps"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/clickhouse"
)

// TestClusterSimulation lets three servers share a ClickHouse and a PostgreSQL
// for some minutes in which they are killed, frozen and thawed, and both
// databases lose, delay and reorder what they are asked. What must hold in
// spite of it is in check. TIDEMARK_SOAK=1 plays thousands of them;
// TIDEMARK_SIM_SEED one.
func TestClusterSimulation(t *testing.T) {
	t.Parallel()
	first, seeds := 0, testdeps.Rounds(12)
	if os.Getenv("TIDEMARK_SOAK") != "" {
		seeds = 4000
	}
	if text := os.Getenv("TIDEMARK_SIM_SEED"); text != "" {
		first, _ = strconv.Atoi(text)
		seeds = first + 1
	}
	playSeeds(t, first, seeds)
}

// TestClusterSeeds plays histories again that once failed.
func TestClusterSeeds(t *testing.T) {
	t.Parallel()
	for seed, what := range map[uint64]string{
		398: "one lost question held alerts up for as long as many refused ones would",
		17:  "a batch whose sender had given up got a number after what replaced it",
		4:   "a server that was replaced while it was frozen saved under its successor's fence",
	} {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { newWorld(t, seed).play() })
			if t.Failed() {
				t.Logf("seed %d once found: %s", seed, what)
			}
		})
	}
}

func playSeeds(t *testing.T, first, end int) {
	t.Helper()
	const lots = 4
	for lot := range lots {
		t.Run(fmt.Sprintf("lot %d", lot), func(t *testing.T) {
			t.Parallel()
			for seed := first + lot; seed < end; seed += lots {
				synctest.Test(t, func(t *testing.T) { newWorld(t, uint64(seed)).play() })
				if t.Failed() {
					t.Fatalf("seed %d", seed)
				}
			}
		})
	}
}

// world is one history.
type world struct {
	t          *testing.T
	seed       uint64
	db         *postgres
	clickhouse *clickHouse
	users      sync.WaitGroup
	faults     sync.WaitGroup
	underway   sync.WaitGroup // questions

	mu       sync.Mutex
	servers  []*server // the latest life of each
	all      []*server
	troubles []time.Time // when something went wrong or well
	raised   [alarms]int // incidents that there must be
	over     bool        // nobody begins anything any more
	sent     []sentNotice
	log      []string
	strayed  time.Time // when the last question went astray
}

// sentNotice is what a service got.
type sentNotice struct {
	at time.Time
	by *server
	d  *tidemark.Delivery
}

// server is one life of a process: what it knows is lost when it dies.
type server struct {
	world     *world
	name      string
	gate      *gate
	draws     *draws
	ctx       context.Context
	stop      context.CancelFunc
	running   sync.WaitGroup
	engine    atomic.Pointer[clickhouse.Engine]
	evaluator atomic.Pointer[Evaluators]
	elsewhere atomic.Int64
}

func newWorld(t *testing.T, seed uint64) *world {
	w := &world{t: t, seed: seed, db: newPostgres(), clickhouse: &clickHouse{part: part{name: "clickhouse"}}, troubles: []time.Time{time.Now()}}
	w.db.services[1] = &tidemark.Service{ID: 1, Title: "hook", Settings: map[string]string{}}
	w.db.nextID = 100
	for i := range alarms {
		a := tidemark.NewAlert()
		a.Name, a.ServiceIDs = alarm(i), []int64{1}
		a.Conditions = []tidemark.Condition{{Type: tidemark.Above, MetricName: alarm(i), Threshold: new(90.0), Tags: []tidemark.TagFilter{}}}
		w.db.add(a, time.Now().Unix())
	}
	for i := range 3 {
		w.servers = append(w.servers, w.start(fmt.Sprint("node", i+1), 0))
	}
	return w
}

// note writes down what happened, for a seed that fails.
func (w *world) note(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.log = append(w.log, time.Now().Format("04:05.000 ")+fmt.Sprintf(format, args...))
}

// start starts a server. It opens the engine until that works.
func (w *world) start(name string, life int) *server {
	s := &server{world: w, name: name, gate: newGate(), draws: &draws{seed: w.seed, who: fmt.Sprint(name, "/", life), n: make(map[string]int)}}
	s.ctx, s.stop = context.WithCancel(context.Background())
	w.all = append(w.all, s)
	st := &control{server: s, db: w.db}
	log := slog.New(slog.DiscardHandler)
	d := NewDispatcher(DispatcherOptions{Store: st, Send: s.send, Logger: log})
	s.running.Go(func() {
		engine := s.open(st)
		if engine == nil {
			return
		}
		reader := Reader{Engine: engine, Metrics: metricFunc(noMetric)}
		fresh := func(st Store) *Evaluators {
			return NewEvaluators(Options{Store: st, Reader: reader, Logger: log, OnNotice: d.Wake})
		}
		s.evaluator.Store(fresh(st))
		s.engine.Store(engine)
		w.note("%s is ready", s.draws.who)
		s.running.Go(func() { _ = d.Run(s.ctx) })
		leader := NewLeader(LeaderOptions{
			Store: st, Node: name, Logger: log, New: fresh, Evaluator: &s.evaluator, Elsewhere: &s.elsewhere,
			Arrivals: func(ctx context.Context, from int64) (Arrivals, error) { return engine.Arrivals(ctx, from) },
		})
		_ = leader.Run(s.ctx)
		_ = engine.Close()
	})
	return s
}

func (s *server) open(st *control) *clickhouse.Engine {
	for s.ctx.Err() == nil {
		engine, err := clickhouse.Open(s.ctx, clickhouse.Options{URLs: []string{"http://clickhouse:8123"}, Ledger: st, Node: s.name, Transport: s})
		if err == nil {
			return engine
		}
		time.Sleep(time.Second)
	}
	return nil
}

// send is the service that is notified.
func (s *server) send(_ context.Context, _ *tidemark.Service, d *tidemark.Delivery) Answer {
	r := s.draws.next("send" + d.Key)
	time.Sleep(time.Duration(r.Int64N(int64(2 * time.Second))))
	if s.gate.isDead() {
		return Answer{Text: "nobody hears this"}
	}
	s.world.mu.Lock()
	s.world.sent = append(s.world.sent, sentNotice{time.Now(), s, d})
	s.world.mu.Unlock()
	s.world.note("%s sent %s", s.draws.who, d.Key)
	if err := s.gate.pass(); err != nil {
		return Answer{Text: err.Error()}
	}
	return Answer{OK: true, Text: "200"}
}

// kill ends a process at once. What it has asked for may still happen.
func (s *server) kill() {
	s.gate.kill()
	s.stop()
	s.gate.thaw()
}

// play lives through some minutes and checks what is left.
func (w *world) play() {
	for i := range alarms {
		w.users.Go(func() { w.raise(i) })
	}
	written := make([]*written, 3)
	for i := range written {
		written[i] = newWritten(w, fmt.Sprint("gauge", i))
		w.users.Go(written[i].run)
	}
	hits := &hits{world: w}
	w.users.Go(hits.run)
	w.spoil(time.Duration(3+w.draw("length").IntN(4)) * time.Minute)
	w.heal()
	w.users.Wait()
	w.check(written, hits)
	for _, s := range w.all {
		s.kill()
	}
	for _, s := range w.all {
		s.running.Wait()
	}
	w.underway.Wait()
	if w.t.Failed() {
		for _, line := range w.log {
			w.t.Log(line)
		}
	}
}

// draw gives random numbers for one purpose.
func (w *world) draw(what string) *rand.Rand {
	return (&draws{seed: w.seed, who: "world", n: make(map[string]int)}).next(what)
}

// spoil makes things go wrong, several at a time, for a while.
func (w *world) spoil(length time.Duration) {
	r := w.draw("spoil")
	for end := time.Now().Add(length); time.Now().Before(end); {
		time.Sleep(time.Duration(r.Int64N(int64(40 * time.Second))))
		i, lasts := r.IntN(len(w.servers)), time.Second+time.Duration(r.Int64N(int64(20*time.Second)))
		switch r.IntN(8) {
		case 0, 1:
			w.faults.Go(func() { w.restart(i, lasts) })
		case 2, 3:
			long := lasts * time.Duration(1+3*r.IntN(2))
			w.faults.Go(func() { w.freeze(i, long) })
		case 4:
			w.faults.Go(func() { w.replace(i, lasts) })
		case 5, 6:
			how := []string{away, hanging, slow, unlikely}[r.IntN(4)]
			w.faults.Go(func() { w.ail(&w.clickhouse.part, how, lasts) })
		case 7:
			how := []string{away, hanging, slow, unlikely}[r.IntN(4)]
			w.faults.Go(func() { w.ail(&w.db.part, how, lasts) })
		}
	}
}

// trouble notes that something is wrong now.
func (w *world) trouble(format string, args ...any) {
	w.note(format, args...)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.troubles = append(w.troubles, time.Now())
}

func (w *world) server(i int) *server {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.servers[i]
}

// next starts the next life of a server.
func (w *world) next(i int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	lives := 0
	for _, s := range w.all {
		if s.name == w.servers[i].name {
			lives++
		}
	}
	w.servers[i] = w.start(w.servers[i].name, lives)
}

// restart kills a server and starts it again.
func (w *world) restart(i int, after time.Duration) {
	s := w.server(i)
	if s.gate.isDead() || s.gate.isFrozen() {
		return // it is somebody else's
	}
	w.trouble("%s is killed", s.draws.who)
	held := w.db.isHolder(s.name)
	s.kill()
	if held {
		w.faults.Go(w.move)
	}
	time.Sleep(after)
	w.trouble("%s is started again", s.name)
	w.next(i)
}

// move waits until another server evaluates the alerts, unless something else
// stands in the way.
func (w *world) move() {
	for died := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		for i := range w.servers {
			s := w.server(i)
			if s.gate.isFrozen() || w.ailing() || w.strayedSince(died) {
				return
			}
			if e := s.evaluator.Load(); !s.gate.isDead() && e != nil && e.EvaluatedAt() > died.Unix() {
				return
			}
		}
		if time.Since(died) > 15*time.Second {
			w.note("nobody evaluates the alerts")
			w.t.Error("nobody evaluates the alerts 15 seconds after the death of who did")
			return
		}
	}
}

func (w *world) freeze(i int, lasts time.Duration) {
	s := w.server(i)
	if s.gate.isDead() || s.gate.isFrozen() {
		return
	}
	w.trouble("%s is frozen", s.draws.who)
	s.gate.freeze()
	time.Sleep(lasts)
	w.trouble("%s is thawed", s.draws.who)
	s.gate.thaw()
}

// replace starts a server anew while its old process is frozen and taken for
// dead, and thaws that later.
func (w *world) replace(i int, after time.Duration) {
	s := w.server(i)
	if s.gate.isDead() || s.gate.isFrozen() {
		return
	}
	w.trouble("%s is frozen, and replaced", s.draws.who)
	s.gate.freeze()
	time.Sleep(after / 4)
	w.next(i)
	time.Sleep(after)
	w.trouble("%s, which was replaced, is thawed", s.draws.who)
	s.gate.thaw()
	time.Sleep(after)
	w.trouble("%s, which was replaced, is ended", s.draws.who)
	s.kill()
}

func (w *world) ail(p *part, how string, lasts time.Duration) {
	if ails, _ := p.state(); ails != well {
		return
	}
	w.trouble("%s is %s", p.name, how)
	p.ail(how)
	time.Sleep(lasts)
	w.trouble("%s is well", p.name)
	p.ail(well)
}

// heal waits until everything is well, and lets those who use the servers
// finish what they began.
func (w *world) heal() {
	w.faults.Wait()
	time.Sleep(40 * time.Second)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.over = true
}

func (w *world) isOver() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.over
}

// choose picks a server, as a balancer does that knows little.
func (w *world) choose(r *rand.Rand) *clickhouse.Engine {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.servers[r.IntN(len(w.servers))]
	if s.gate.isDead() {
		return nil
	}
	return s.engine.Load()
}

// write sends a batch to some server. The server may go on with it after the
// sender has given up.
func (w *world) write(r *rand.Rand, b *tsdb.Batch) error {
	engine := w.choose(r)
	if engine == nil {
		time.Sleep(50 * time.Millisecond)
		return errNetwork
	}
	ctx, cancel := context.WithTimeout(context.Background(), []time.Duration{3 * time.Second, 20 * time.Second, 5 * time.Minute}[r.IntN(3)])
	done := make(chan error, 1)
	w.users.Go(func() {
		defer cancel()
		done <- engine.Write(ctx, 1, b)
	})
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// record sends a measurement until it is acknowledged.
func (w *world) record(r *rand.Rand, metric string, t int64, v float64) {
	for {
		var b tsdb.Batch
		b.Add(metric, nil, t, v)
		if w.write(r, &b) == nil {
			return
		}
		time.Sleep(time.Duration(r.Int64N(int64(time.Second))))
	}
}

// deleted is the metric that is deleted now and then.
const deleted = "gauge0"

// written is a stream and what was acknowledged of it.
type written struct {
	*world
	metric string
	r      *rand.Rand
	acked  map[int64]float64
	began  int64
}

func newWritten(w *world, metric string) *written {
	return &written{world: w, metric: metric, r: w.draw(metric), acked: make(map[int64]float64), began: time.Now().Unix()}
}

// run records a stream, also late and what replaces it, and deletes it now and
// then.
func (s *written) run() {
	for n, last := 0, s.began; !s.isOver(); n++ {
		t := time.Now().Unix()
		switch s.r.IntN(10) {
		case 3, 4, 5:
			t = last
		case 0: // something is replaced
			t = s.began + s.r.Int64N(t-s.began+1)
		case 1: // of the day before
			t = s.began - s.r.Int64N(60)
		case 2:
			if s.metric == deleted && s.r.IntN(3) == 0 {
				s.delete()
			}
		}
		s.record(s.r, s.metric, t, float64(n))
		s.acked[t], last = float64(n), t
		if s.r.IntN(4) == 0 && s.metric != deleted { // of a deletion others hear when PostgreSQL lets them
			s.compare(s.choose(s.r))
		}
		time.Sleep(time.Duration(s.r.Int64N(int64(3 * time.Second))))
	}
}

func (s *written) delete() {
	for {
		if e := s.choose(s.r); e != nil && e.Delete(context.Background(), 1, s.metric) == nil {
			break
		}
		time.Sleep(time.Second)
	}
	s.note("%s is deleted", s.metric)
	clear(s.acked)
	time.Sleep(700 * time.Millisecond) // so that all who write have heard of it
}

// compare reads the stream: it is as it was acknowledged, or there is an error.
func (s *written) compare(e *clickhouse.Engine) {
	if e == nil {
		return
	}
	got, err := readAll(e, s.metric)
	if err != nil {
		return
	}
	s.differ(got)
}

func (s *written) differ(got map[int64]float64) {
	for t, v := range s.acked {
		if g, ok := got[t]; !ok || g != v {
			s.note("%s: %v at %d was acknowledged, read %v (%v)", s.metric, v, t, g, ok)
			s.t.Errorf("%s: %v at %d was acknowledged, read %v (%v)", s.metric, v, t, g, ok)
		}
	}
	for t := range got {
		if _, ok := s.acked[t]; !ok {
			s.t.Errorf("%s: there is something at %d that nobody recorded, or was deleted", s.metric, t)
		}
	}
}

func readAll(e *clickhouse.Engine, metric string) (map[int64]float64, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	got := make(map[int64]float64)
	q := &tsdb.Query{Metric: metric, Start: 0, End: time.Now().Unix() + 3600, Step: 1, Function: tsdb.Sum}
	for s, err := range e.Select(ctx, 1, q) {
		if err != nil {
			return nil, err
		}
		for i, t := range s.Times {
			got[t] += s.Values[i]
		}
	}
	return got, nil
}

// hits counts in a metric that folds. What fails is not sent again: it may
// count or not.
type hits struct {
	*world
	acked, unknown float64
}

func (h *hits) run() {
	r := h.draw("hits")
	for {
		if e := h.choose(r); e != nil && e.SetMode(context.Background(), 1, "hits", tsdb.Mode{Fold: true, Period: 60}) == nil {
			break
		}
		time.Sleep(time.Second)
	}
	for !h.isOver() {
		var b tsdb.Batch
		b.Add("hits", nil, time.Now().Unix(), 1)
		if h.write(r, &b) == nil {
			h.acked++
		} else {
			h.unknown++
		}
		time.Sleep(time.Duration(r.Int64N(int64(time.Second))))
	}
}

// alarms is how many alerts there are.
const alarms = 2

func alarm(i int) string { return fmt.Sprint("alarm", i) }

// moves is how long after the last trouble an alert may take to follow what
// was measured: 15 seconds for another server to take over, and what it takes
// to read back.
const moves = 30 * time.Second

// raise makes a metric violate and recover, and waits each time until its
// alert has followed.
func (w *world) raise(i int) {
	r := w.draw(alarm(i))
	w.record(r, alarm(i), time.Now().Unix(), 1)
	for n := 0; !w.isOver(); n++ {
		for _, firing := range []bool{true, false} {
			time.Sleep(time.Second + time.Duration(r.Int64N(int64(12*time.Second)))) // each has a second of its own
			value := 5.0
			if firing {
				value = 95
			}
			w.record(r, alarm(i), time.Now().Unix(), value)
			w.note("%s is %v", alarm(i), value)
			if firing {
				w.raised[i]++
			}
			if !w.follows(i, firing) {
				return
			}
		}
	}
}

// follows waits until an alert is as it should be.
func (w *world) follows(i int, firing bool) bool {
	for began := time.Now(); ; time.Sleep(250 * time.Millisecond) {
		if w.isFiring(i) == firing {
			w.note("%s: firing is %v", alarm(i), firing)
			return true
		}
		w.mu.Lock()
		since := w.troubles[len(w.troubles)-1]
		w.mu.Unlock()
		if began.After(since) {
			since = began
		}
		if ails := w.ailing(); !ails && time.Since(since) > moves {
			w.note("%s: firing is not %v", alarm(i), firing)
			w.t.Errorf("%s: firing is not %v, %v after all was well", alarm(i), firing, moves)
			return false
		}
	}
}

// ailing reports whether something is wrong that stands in the way of all.
func (w *world) ailing() bool {
	pg, _ := w.db.part.state()
	ch, _ := w.clickhouse.part.state()
	return pg != well || ch != well
}

func (w *world) isFiring(i int) bool {
	w.db.model.mu.Lock()
	defer w.db.model.mu.Unlock()
	for _, a := range w.db.alerts {
		if a.Alert.Name == alarm(i) {
			return a.State.Firing
		}
	}
	return false
}

// check is what must hold.
func (w *world) check(all []*written, hits *hits) {
	w.deliver()
	if w.clickhouse.unknown != "" {
		w.t.Errorf("the model of ClickHouse does not know %s", w.clickhouse.unknown)
	}
	for _, one := range w.db.doubles {
		w.t.Error(one)
	}
	for _, s := range w.servers {
		for _, one := range all {
			one.differ(w.readSurely(s, one.metric))
		}
		total := 0.0
		for _, v := range w.readSurely(s, "hits") {
			total += v
		}
		if total < hits.acked || total > hits.acked+hits.unknown {
			w.t.Errorf("%v hits are counted, of %v acknowledged and %v unknown", total, hits.acked, hits.unknown)
		}
	}
	w.checkIncidents()
	w.checkSent()
}

// deliver waits for notices that were put off, as long as that may take.
func (w *world) deliver() {
	for range 20 {
		time.Sleep(lease) // what was taken and never heard of is taken again
		w.db.model.mu.Lock()
		waits := slices.ContainsFunc(w.db.deliveries, func(d *tidemark.Delivery) bool { return d.Status == tidemark.DeliveryWaiting })
		w.db.model.mu.Unlock()
		if !waits {
			return
		}
	}
}

// readSurely reads although something is lost now and then.
func (w *world) readSurely(s *server, metric string) map[int64]float64 {
	for range 20 {
		if e := s.engine.Load(); e != nil {
			if got, err := readAll(e, metric); err == nil {
				return got
			}
		}
		time.Sleep(time.Second)
	}
	w.t.Errorf("%s does not answer though all is well", s.draws.who)
	return nil
}

// checkIncidents: each has ended, and there is one notice of its beginning and
// one of its end.
func (w *world) checkIncidents() {
	w.db.model.mu.Lock()
	defer w.db.model.mu.Unlock()
	var raised [alarms]int
	for id, in := range w.db.incidents {
		for i := range raised {
			if w.db.alerts[in.Alert].Alert.Name == alarm(i) {
				raised[i]++
			}
		}
		kinds := make(map[string]int)
		for _, d := range w.db.deliveries {
			if d.Incident == id {
				kinds[d.Kind]++
				if d.Status != tidemark.DeliveryDelivered {
					w.t.Errorf("%s is %s", d.Key, d.Status)
				}
			}
		}
		if in.ClearedAt == nil || kinds[tidemark.NoticeTrigger] != 1 || kinds[tidemark.NoticeClear] != 1 {
			w.t.Errorf("incident %s ended at %v, with notices %v", in.Key, in.ClearedAt, kinds)
		}
	}
	if raised != w.raised {
		w.t.Errorf("there were %v incidents, want %v", raised, w.raised)
	}
}

// checkSent: nothing was sent by one who had lost the right to, nor twice but
// by one who could not say that it had been sent.
func (w *world) checkSent() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i, one := range w.sent {
		if one.at.Unix() > one.d.DueAt {
			w.t.Errorf("%s was sent %d s after another server could have taken it", one.d.Key, one.at.Unix()-one.d.DueAt)
		}
		before := slices.IndexFunc(w.sent[:i], func(o sentNotice) bool { return o.d.ID == one.d.ID })
		if before >= 0 && !w.troubledBetween(w.sent[before].at.Add(-lease), one.at) {
			w.t.Errorf("%s was sent twice", one.d.Key)
		}
	}
}

// stray notes that a question takes long.
func (w *world) stray() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.strayed = time.Now()
}

func (w *world) strayedSince(at time.Time) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.strayed.After(at.Add(-8 * time.Second))
}

// troubledBetween reports whether something went wrong in that time; w.mu is
// held.
func (w *world) troubledBetween(from, to time.Time) bool {
	return slices.ContainsFunc(w.troubles, func(at time.Time) bool { return !at.Before(from) && !at.After(to) })
}

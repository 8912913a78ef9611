package alerting

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tidemark-metrics/tidemark"
)

// post is a store with services, and a record of what they were sent.
type post struct {
	t     *testing.T
	store *model

	mu     sync.Mutex
	answer func(service int64, try int) Answer
	pause  time.Duration
	tries  map[int64][]time.Duration // by service, since the start
	flying map[int64]int
	most   int // tries at once to one service
	limits *tidemark.Limits
	start  time.Time
	sender Send // instead of answer, if set
}

func newPost(t *testing.T, answer func(service int64, try int) Answer) *post {
	p := &post{t: t, store: newModel(), answer: answer, tries: map[int64][]time.Duration{}, flying: map[int64]int{}, start: time.Now()}
	for id := range int64(3) {
		p.store.services[id+1] = &tidemark.Service{ID: id + 1, Settings: map[string]string{}}
	}
	p.store.nextID = 10
	return p
}

func (p *post) send(ctx context.Context, s *tidemark.Service, _ *tidemark.Delivery) Answer {
	p.mu.Lock()
	p.tries[s.ID] = append(p.tries[s.ID], time.Since(p.start))
	p.flying[s.ID]++
	p.most = max(p.most, p.flying[s.ID])
	a := p.answer(s.ID, len(p.tries[s.ID]))
	p.mu.Unlock()
	select {
	case <-time.After(p.pause):
	case <-ctx.Done():
		a = Answer{Text: "cut off"}
	}
	p.mu.Lock()
	p.flying[s.ID]--
	p.mu.Unlock()
	return a
}

// add puts a delivery into the outbox, of an incident of its own.
func (p *post) add(service int64) *tidemark.Delivery {
	p.store.mu.Lock()
	defer p.store.mu.Unlock()
	now := time.Now().Unix()
	d := &tidemark.Delivery{
		ID: p.store.id(), Org: 1, Alert: 1, Incident: p.store.id(), Service: service, Kind: tidemark.NoticeTrigger, Status: tidemark.DeliveryWaiting,
		CreatedAt: now, StartedAt: now, DueAt: now, Notice: &tidemark.Notice{},
	}
	p.store.deliveries = append(p.store.deliveries, d)
	return d
}

func (p *post) dispatcher() *Dispatcher {
	send := p.sender
	if send == nil {
		send = p.send
	}
	return NewDispatcher(DispatcherOptions{Store: p.store, Send: send, Logger: slog.New(slog.DiscardHandler), Limits: p.limits})
}

// run runs a dispatcher for a while, and returns when it has stopped.
func (p *post) run(d time.Duration) {
	ctx, stop := context.WithCancel(p.t.Context())
	disp := p.dispatcher()
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := disp.Run(ctx); err != nil {
			p.t.Error(err)
		}
	}()
	time.Sleep(d)
	stop()
	<-done
}

func fails(int64, int) Answer { return Answer{Text: "503"} }

func TestBackoff(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPost(t, fails)
		d := p.add(1)
		p.run(24 * time.Hour)
		tries := p.tries[1]
		if d.Status != tidemark.DeliveryFailed || len(tries) != d.Tries || len(d.Attempts) != d.Tries {
			t.Fatalf("%+v after %d tries", d, len(tries))
		}
		want := firstDelay
		for i := 1; i < len(tries); i++ {
			gap := tries[i] - tries[i-1]
			// The outbox counts in seconds, and the breaker may add its part.
			if gap < want*8/10-time.Second || gap > want*12/10+maxBreak {
				t.Errorf("try %d came %v after the one before, want about %v", i+1, gap, want)
			}
			want = min(2*want, maxDelay)
		}
		if last := tries[len(tries)-1]; last > defaultGiveUp || last < defaultGiveUp/2 {
			t.Errorf("the last try came after %v", last)
		}
		if n := MaxTries(defaultGiveUp); n < d.Tries-2 || n > d.Tries+3 {
			t.Errorf("MaxTries = %d, but there were %d", n, d.Tries)
		}
	})
}

func TestOutcomes(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		answer func(service int64, try int) Answer
		want   string // status and number of tries of each delivery
	}{
		{"delivered", func(int64, int) Answer { return Answer{OK: true} }, "delivered 1"},
		{"refused for good", func(int64, int) Answer { return Answer{Permanent: true} }, "failed 1"},
		{"third time lucky", func(_ int64, try int) Answer { return Answer{OK: try == 3} }, "delivered 3"},
		{"asked to wait for longer than we try", func(_ int64, try int) Answer { return Answer{Throttled: true, RetryAfter: time.Hour} }, "failed 1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				p := newPost(t, tt.answer)
				d := p.add(1)
				p.run(24 * time.Hour)
				if got := fmt.Sprint(d.Status, " ", d.Tries); got != tt.want {
					t.Errorf("got %s, want %s", got, tt.want)
				}
			})
		})
	}
}

func TestFallback(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPost(t, func(service int64, _ int) Answer { return Answer{OK: service == 3, Permanent: true} })
		p.store.services[1].Settings[tidemark.FallbackSetting] = "2"
		p.store.services[2].Settings[tidemark.FallbackSetting] = "1"
		p.add(1)
		p.run(time.Minute)
		if got := []int{len(p.tries[1]), len(p.tries[2])}; !cmp.Equal(got, []int{1, 1}) {
			t.Errorf("two services that stand in for each other were tried %v times", got)
		}
		p.store.services[1].Settings[tidemark.FallbackSetting] = "3"
		first := p.add(1)
		p.run(time.Minute)
		last := p.store.deliveries[len(p.store.deliveries)-1]
		if last.Service != 3 || last.Status != tidemark.DeliveryDelivered || last.FallbackOf != first.ID {
			t.Errorf("fallback = %+v", last)
		}
	})
}

// TestBreaker has one service down and full of work: it is left alone, and
// the others do not notice.
func TestBreaker(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPost(t, func(service int64, _ int) Answer { return Answer{OK: service == 2, Text: "503"} })
		p.pause = 10 * time.Second
		for range 200 {
			p.add(1)
		}
		good := p.add(2)
		p.run(10 * time.Minute)
		if good.Status != tidemark.DeliveryDelivered || p.tries[2][0] > 2*time.Second {
			t.Errorf("the other service was notified %v after %v", good.Status, p.tries[2])
		}
		if n := len(p.tries[1]); n < 8 || n > 20 {
			t.Errorf("a service that is down was tried %d times in ten minutes", n)
		}
		p.answer = func(int64, int) Answer { return Answer{OK: true} }
		p.run(20 * time.Minute)
		if left := slices.IndexFunc(p.store.deliveries, func(d *tidemark.Delivery) bool { return d.Status != tidemark.DeliveryDelivered }); left >= 0 {
			t.Errorf("not all delivered after it is up again: %+v", p.store.deliveries[left])
		}
		if p.most != maxPerService {
			t.Errorf("%d tries at once, want %d", p.most, maxPerService)
		}
	})
}

// TestStop has the process end while tries are under way.
func TestStop(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPost(t, func(int64, int) Answer { return Answer{OK: true} })
		p.pause = 5 * time.Second
		quick := p.add(1)
		p.run(2 * time.Second)
		if quick.Status != tidemark.DeliveryDelivered {
			t.Errorf("a try under way was not finished: %+v", quick)
		}
		p.pause = 18 * time.Second
		slow := p.add(1)
		begin := time.Now()
		p.run(2 * time.Second)
		if took := time.Since(begin); took != 2*time.Second+drainTimeout {
			t.Errorf("stopping took %v", took)
		}
		if slow.Status != tidemark.DeliveryWaiting || len(slow.Attempts) != 0 {
			t.Errorf("a try that we cut off counts: %+v", slow)
		}
		p.run(time.Minute)
		if slow.Status != tidemark.DeliveryDelivered {
			t.Errorf("not tried again: %+v", slow)
		}
	})
}

// slowServices is a store that takes long to say what a service is.
type slowServices struct {
	*model
	pause time.Duration
}

func (s *slowServices) Recipient(ctx context.Context, org tidemark.OrgID, id int64) (*tidemark.Service, error) {
	time.Sleep(s.pause)
	return s.model.Recipient(ctx, org, id)
}

// TestTooLateToSend: a server that was held up until another may have taken
// what it took sends none of it.
func TestTooLateToSend(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPost(t, func(int64, int) Answer { return Answer{OK: true} })
		one := p.add(1)
		st := &slowServices{p.store, lease - sendTimeout + time.Second}
		d := NewDispatcher(DispatcherOptions{Store: st, Send: p.send, Logger: slog.New(slog.DiscardHandler)})
		d.round(t.Context(), t.Context())
		synctest.Wait()
		if one.Status != tidemark.DeliveryWaiting || len(one.Attempts) != 0 {
			t.Errorf("it was sent: %+v", one)
		}
		st.pause = 0
		time.Sleep(lease)
		d.round(t.Context(), t.Context())
		d.inFlight.Wait()
		if one.Status != tidemark.DeliveryDelivered {
			t.Errorf("it was not sent when it was due again: %+v", one)
		}
	})
}

// TestHour runs both loops for an hour, with a service that fails half the
// time.
func TestHour(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		got := []string{}
		tries := 0
		var mu sync.Mutex
		send := func(_ context.Context, _ *tidemark.Service, d *tidemark.Delivery) Answer {
			mu.Lock()
			defer mu.Unlock()
			if tries++; tries%2 == 1 {
				return Answer{Text: "503"}
			}
			got = append(got, fmt.Sprintf("%s %s", d.Kind, time.Unix(d.Notice.Time, 0).UTC().Format("15:04")))
			return Answer{OK: true}
		}
		log := slog.New(slog.DiscardHandler)
		disp := NewDispatcher(DispatcherOptions{Store: b.store, Send: send, Logger: log})
		b.eval = NewEvaluator(Options{Store: b.store, Reader: b.reader(), Logger: log, OnNotice: disp.Wake})
		b.store.services[1] = &tidemark.Service{ID: 1}
		b.store.nextID = 1
		c := cpuAbove(5)
		c.Duration = new(tidemark.Seconds(300))
		a := tidemark.NewAlert()
		a.Conditions, a.ServiceIDs = []tidemark.Condition{c}, []int64{1}
		b.store.add(a, time.Now().Unix())

		ctx, stop := context.WithCancel(t.Context())
		var loops sync.WaitGroup
		loops.Go(func() { _ = b.eval.Run(ctx) })
		loops.Go(func() { _ = disp.Run(ctx) })
		hold := func(v float64, d time.Duration) {
			for end := time.Now().Add(d); time.Now().Before(end); time.Sleep(10 * time.Second) {
				b.write("cpu", "a", v)
			}
		}
		hold(1, 10*time.Minute)
		hold(9, 30*time.Minute)
		hold(1, 20*time.Minute)
		stop()
		loops.Wait()
		want := "trigger 00:15, reminder 00:25, reminder 00:35, clear 00:40"
		if g := strings.Join(got, ", "); g != want {
			t.Errorf("got  %s\nwant %s", g, want)
		}
		if at := b.eval.EvaluatedAt(); time.Now().Unix()-at > 1 {
			t.Errorf("last evaluated %d s ago", time.Now().Unix()-at)
		}
	})
}

// TestEvaluatedInTime checks the promise of five seconds: from a measurement
// to the state that says so.
func TestEvaluatedInTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		ctx, stop := context.WithCancel(t.Context())
		var loop sync.WaitGroup
		loop.Go(func() { _ = b.eval.Run(ctx) })
		firing := func(a *tidemark.Alert) bool {
			b.store.mu.Lock()
			defer b.store.mu.Unlock()
			return b.store.alerts[a.ID].State.Firing
		}
		a, silent := b.add(cpuAbove(5)), b.add(absentFor("cpu", 60))
		b.write("cpu", "a", 9) // at once, before the evaluator knows the alerts
		time.Sleep(5 * time.Second)
		if !firing(a) {
			t.Error("does not fire five seconds after the measurement")
		}
		time.Sleep(60 * time.Second)
		if !firing(silent) {
			t.Error("does not fire five seconds after a minute of silence")
		}
		b.write("cpu", "a", 1)
		time.Sleep(5 * time.Second)
		if firing(a) || firing(silent) {
			t.Error("not cleared five seconds after the measurement")
		}
		stop()
		loop.Wait()
	})
}

// TestUnreadableNotice: a notice that cannot be read is not sent, not even to
// the service that stands in, and fails with the reason.
func TestUnreadableNotice(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPost(t, func(int64, int) Answer { return Answer{OK: true} })
		p.store.services[1].Settings[tidemark.FallbackSetting] = "2"
		bad, good := p.add(1), p.add(1)
		bad.Unreadable = "unexpected end of JSON input"
		d := p.dispatcher()
		d.round(t.Context(), t.Context())
		synctest.Wait()
		if bad.Status != tidemark.DeliveryFailed || good.Status != tidemark.DeliveryDelivered || len(p.tries[1]) != 1 || len(p.store.deliveries) != 2 {
			t.Errorf("%s and %s, %v sent, %d deliveries", bad.Status, good.Status, p.tries, len(p.store.deliveries))
		}
		if len(bad.Attempts) != 1 || bad.Attempts[0].Answer != "the notification cannot be read: unexpected end of JSON input" {
			t.Errorf("%+v", bad.Attempts)
		}
	})
}

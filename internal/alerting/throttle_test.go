package alerting

import (
	"net/http"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

// limited is a receiver that takes one message in each time, and answers the
// others as refuse does, with how long to wait.
type limited struct {
	each   time.Duration
	refuse func(w http.ResponseWriter, wait time.Duration)

	mu    sync.Mutex
	next  time.Time
	asked int
}

func (l *limited) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	l.asked++
	if wait := l.next.Sub(now); wait > 0 {
		l.refuse(w, wait)
		return
	}
	l.next = now.Add(l.each)
}

// seconds refuses with a status, and asks to wait in whole seconds.
func seconds(status int) func(http.ResponseWriter, time.Duration) {
	return func(w http.ResponseWriter, wait time.Duration) {
		w.Header().Set("Retry-After", strconv.Itoa(int((wait+time.Second-1)/time.Second)))
		w.WriteHeader(status)
	}
}

// storm puts n notifications for one receiver into the outbox.
func (p *post) storm(n int, r http.Handler) {
	p.illustrate(newFrozenEngine(p.t), inMemory{r})
	for range n {
		p.fires(1, "webhook", "https://chat.example.org/hook")
	}
}

// TestRateLimitedReceiver: a storm of notifications reaches a receiver that takes
// one a second as fast as it takes them, and none of it counts as a failure.
func TestRateLimitedReceiver(t *testing.T) {
	t.Parallel()
	date := func(w http.ResponseWriter, _ time.Duration) {
		w.Header().Set("Retry-After", time.Now().Add(time.Second).UTC().Format(http.TimeFormat))
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	for name, refuse := range map[string]func(http.ResponseWriter, time.Duration){
		"429": seconds(http.StatusTooManyRequests), "503": seconds(http.StatusServiceUnavailable), "503 with a date": date,
		"429 without a time": func(w http.ResponseWriter, _ time.Duration) { w.WriteHeader(http.StatusTooManyRequests) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				r := &limited{each: time.Second, refuse: refuse}
				p := newPost(t, nil)
				p.storm(100, r)
				p.run(110 * time.Second)
				for i, d := range p.store.deliveries {
					if d.Status != tidemark.DeliveryDelivered || d.Tries != 1 {
						t.Fatalf("notification %d is %s after %d tries: %+v", i, d.Status, d.Tries, d.Attempts)
					}
				}
				// One that is taken, one that is not, and the first burst.
				if r.asked > 2*100+maxPerService {
					t.Errorf("asked %d times", r.asked)
				}
			})
		})
	}
}

// TestPauseIsExact: a service is left alone for as long as it asks, however
// many notifications wait, which keep their order; other services are not.
func TestPauseIsExact(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPost(t, func(service int64, try int) Answer {
			if service == 1 && try <= maxPerService {
				return Answer{Throttled: true, RetryAfter: 90 * time.Second}
			}
			return Answer{OK: true}
		})
		p.pause = time.Second
		first := p.add(1)
		for range 2 * maxPerService {
			p.add(1)
		}
		p.add(2)
		p.run(10 * time.Minute)
		// From then on it gets one at a time, until it has taken some.
		want := []time.Duration{0, 0, 0, 0, 91, 92, 93, 94, 95, 96, 96, 96, 96}
		for i, at := range p.tries[1] {
			if i >= len(want) || at.Round(time.Second) != want[i]*time.Second {
				t.Fatalf("tried after %v", p.tries[1])
			}
		}
		if len(p.tries[1]) != len(want) || first.FinishedAt-first.CreatedAt != 91 || len(first.Attempts) != 2 || first.Tries != 1 {
			t.Errorf("%d tries; the first one: %+v", len(p.tries[1]), first)
		}
		if p.tries[2][0] > time.Second {
			t.Errorf("another service was notified after %v", p.tries[2])
		}
	})
}

// TestReceiverThatAlwaysAsksToWait is not asked all the time, however short
// the times are that it names, and given up as others are.
func TestReceiverThatAlwaysAsksToWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPost(t, func(int64, int) Answer { return Answer{Throttled: true, RetryAfter: time.Millisecond} })
		d := p.add(1)
		p.run(24 * time.Hour)
		if most := int(defaultGiveUp/maxPause) + 20; d.Status != tidemark.DeliveryFailed || d.Tries != 1 || len(p.tries[1]) > most {
			t.Errorf("%s, %d tries of %d", d.Status, d.Tries, len(p.tries[1]))
		}
	})
}

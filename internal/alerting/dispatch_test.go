package alerting

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

// addOf puts a delivery of an organization into the outbox, to a service that
// is made if there is none.
func (p *post) addOf(org tidemark.OrgID, service int64, url string) *tidemark.Delivery {
	d := p.add(service)
	p.store.mu.Lock()
	defer p.store.mu.Unlock()
	p.store.services[service] = &tidemark.Service{ID: service, Type: "webhook", Settings: map[string]string{"url": url}}
	d.Org = org
	return d
}

// TestDeliveriesAreShared has four organizations with many slow services: a
// fifth is notified at once.
func TestDeliveriesAreShared(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPost(t, func(int64, int) Answer { return Answer{OK: true} })
		p.pause = 15 * time.Second
		for i := range 600 {
			p.addOf(tidemark.OrgID(2+i%4), int64(1000+i), fmt.Sprintf("https://slow-%d.example.org/", i))
		}
		p.at(2*time.Second, func() { p.addOf(1, 1, "https://hooks.example.com/") })
		p.run(5 * time.Second)
		if len(p.tries[1]) != 1 {
			t.Error("an organization waits for the services of others")
		}
	})
}

// TestSlowServiceOfOneself has others take all slots, and one's own service not
// answer: the other services one has are notified before it does.
func TestSlowServiceOfOneself(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPost(t, func(int64, int) Answer { return Answer{OK: true} })
		p.pause = 15 * time.Second
		for i := range 600 {
			p.addOf(tidemark.OrgID(2+i%5), int64(1000+i), fmt.Sprintf("https://slow-%d.example.org/", i))
		}
		p.at(2*time.Second, func() { p.addOf(1, 1, "https://dead.example.com/") })
		p.at(4*time.Second, func() { p.addOf(1, 2, "https://hooks.example.com/") })
		p.run(8 * time.Second)
		if len(p.tries[1]) != 1 || len(p.tries[2]) != 1 {
			t.Errorf("notified: %v and %v", p.tries[1], p.tries[2])
		}
	})
}

// TestDeliveriesLimit has an organization notify no more services at once than
// it may, and one without a limit of its own more.
func TestDeliveriesLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPost(t, func(int64, int) Answer { return Answer{OK: true} })
		p.pause = 15 * time.Second
		for i := range 40 {
			p.addOf(tidemark.OrgID(1+i%2), int64(1000+i), fmt.Sprintf("https://slow-%d.example.org/", i))
		}
		p.limits = tidemark.NewLimits(nil)
		p.limits.SetOrgs(map[tidemark.OrgID]map[tidemark.LimitName]int64{1: {tidemark.LimitDeliveries: 2}})
		p.run(5 * time.Second)
		var begun [2]int
		for id := range p.tries {
			begun[id%2]++ // the even ones are of organization 1
		}
		if begun[0] != 2 || begun[1] < 12 {
			t.Errorf("%d and %d at once", begun[0], begun[1])
		}
	})
}

// TestTestsAreLimited has an organization send more tests at once than it may:
// those are refused, and those of others are not.
func TestTestsAreLimited(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPost(t, func(int64, int) Answer { return Answer{OK: true} })
		p.limits = tidemark.NewLimits(map[tidemark.LimitName]int64{tidemark.LimitDeliveries: 3})
		d := p.dispatcher()
		a := tidemark.NewAlert()
		for i := range int64(10) {
			a.Services = append(a.Services, &tidemark.Service{ID: i})
		}
		var flying, most, refused atomic.Int64
		send := func(context.Context, *tidemark.Service, *tidemark.Delivery) Answer {
			most.Store(max(most.Load(), flying.Add(1)))
			time.Sleep(time.Second)
			flying.Add(-1)
			return Answer{OK: true}
		}
		var wg sync.WaitGroup
		for i := range 9 {
			wg.Go(func() {
				org := tidemark.OrgID(1 + i/8) // eight of one, one of another
				_, results, err := d.Test(t.Context(), send, org, a, nil, time.Now())
				switch {
				case err == nil && len(results) == 10:
				case org == 1 && tidemark.KindOf(err) == tidemark.TooMany:
					refused.Add(1)
				default:
					t.Errorf("organization %d: %d results, %v", org, len(results), err)
				}
			})
		}
		wg.Wait()
		if refused.Load() != 5 || most.Load() > 4*leastShare {
			t.Errorf("%d refused, %d at once", refused.Load(), most.Load())
		}
		if len(d.tests) != 0 {
			t.Errorf("tests that never end: %v", d.tests)
		}
	})
}

// at has something happen some time after the start.
func (p *post) at(after time.Duration, f func()) {
	time.AfterFunc(after, f)
}

// TestHostsAreShared has an organization with many services on one slow host:
// its service elsewhere is notified at once.
func TestHostsAreShared(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPost(t, func(int64, int) Answer { return Answer{OK: true} })
		p.pause = 15 * time.Second
		for i := range 100 {
			p.addOf(1, int64(1000+i), "https://slow.example.org/"+fmt.Sprint(i))
		}
		p.addOf(1, 1, "https://hooks.example.com/")
		p.run(2 * time.Second)
		if len(p.tries[1]) != 1 {
			t.Error("a service waits for those on another host")
		}
	})
}

// TestSlowServices has a service take long for each answer: it gets fewer
// attempts at once, until it is quick again.
func TestSlowServices(t *testing.T) {
	t.Parallel()
	b, now := &breaker{}, time.Now()
	atOnce := func() (n int) {
		for n = 0; b.allows(now); n++ {
			b.busy++
		}
		b.busy = 0
		return n
	}
	answer := func(took time.Duration) {
		b.busy++
		b.done(Answer{OK: true, Duration: took}, now)
	}
	if got := atOnce(); got != maxPerService {
		t.Errorf("%d attempts at once to a service nothing is known of", got)
	}
	for range slowAfter {
		answer(slowAnswer)
	}
	if got := atOnce(); got != maxToSlow {
		t.Errorf("%d attempts at once to a slow service", got)
	}
	answer(time.Millisecond)
	if got := atOnce(); got != maxPerService {
		t.Errorf("%d attempts at once to a service that is quick again", got)
	}
}

// TestDeliveriesAfterClockStep has what was put off by a clock that was ahead
// be delivered by the one that is right.
func TestDeliveriesAfterClockStep(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPost(t, func(int64, int) Answer { return Answer{OK: true} })
		fresh, retried := p.add(1), p.add(2)
		fresh.CreatedAt += 86400
		fresh.StartedAt, fresh.DueAt, retried.DueAt = fresh.CreatedAt, fresh.CreatedAt, fresh.CreatedAt
		p.run(2 * time.Second)
		if fresh.Status != tidemark.DeliveryDelivered || retried.Status != tidemark.DeliveryDelivered {
			t.Errorf("%s and %s", fresh.Status, retried.Status)
		}
	})
}

package alerting

import (
	"fmt"
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

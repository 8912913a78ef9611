package alerting

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/notify"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
)

// frozenEngine answers no question until its gate is opened, not even that to
// give up.
type frozenEngine struct {
	tsdb.Engine
	gate  chan struct{}
	asked atomic.Int64
}

func newFrozenEngine(t *testing.T) *frozenEngine {
	e := &frozenEngine{Engine: memory.New(), gate: make(chan struct{})}
	var b tsdb.Batch
	b.Add("latency", host(1), time.Now().Unix()-60, 200)
	if err := e.Write(t.Context(), 1, &b); err != nil {
		t.Fatal(err)
	}
	return e
}

func (e *frozenEngine) Select(ctx context.Context, org tidemark.OrgID, q *tsdb.Query) iter.Seq2[*tsdb.Series, error] {
	e.asked.Add(1)
	<-e.gate
	return e.Engine.Select(ctx, org, q)
}

// pages is a receiver of notifications that keeps which of them had a picture,
// by path.
type pages struct {
	mu  sync.Mutex
	got map[string][]bool
}

func (p *pages) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.got == nil {
		p.got = make(map[string][]bool)
	}
	p.got[r.URL.Path] = append(p.got[r.URL.Path], bytes.Contains(body, []byte("\x89PNG")))
}

func (p *pages) take(path string) []bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.got[path]
}

// inMemory sends requests to a handler without a network.
type inMemory struct{ http.Handler }

func (h inMemory) Do(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	time.Sleep(time.Millisecond)
	h.ServeHTTP(w, r)
	return w.Result(), r.Context().Err()
}

// illustrate has p send notifications as the server does, with pictures of
// what is in e.
func (p *post) illustrate(e tsdb.Engine, client notify.Doer) *Pictures {
	pictures, err := NewPictures(p.t.Context(), album{}, Reader{Engine: e, Metrics: metricFunc(noMetric)}, "https://tidemark.example.org")
	if err != nil {
		p.t.Fatal(err)
	}
	p.sender = NewSend(SendOptions{Notify: notify.Options{Client: client}, Image: pictures.Image})
	return pictures
}

// fires puts a notification of latency into the outbox, to a service of a type.
func (p *post) fires(service int64, kind, url string) *tidemark.Delivery {
	d := p.addOf(1, service, url)
	now := time.Now().Unix()
	p.store.mu.Lock()
	defer p.store.mu.Unlock()
	p.store.services[service].Type = kind
	d.Key = fmt.Sprintf("tidemark-1-%d-trigger-%d", d.Incident, now)
	d.Notice = &tidemark.Notice{
		Kind: d.Kind, Name: "slow", Time: now, TriggeredAt: now, Conditions: []tidemark.Condition{{ID: 7, Type: tidemark.Above, MetricName: "latency", Threshold: new(150.0)}},
		Violations: []tidemark.Violation{{Stream: "host=web-1", Metric: "latency", Value: 200, Condition: 7}},
	}
	return d
}

// TestFrozenStorage: what was decided reaches its receivers while nothing can
// be read, for want of a picture if need be.
func TestFrozenStorage(t *testing.T) {
	t.Parallel()
	r := &pages{}
	server := httptest.NewServer(r)
	defer server.Close()
	e := newFrozenEngine(t)
	p := newPost(t, nil)
	p.illustrate(e, server.Client())
	var all []*tidemark.Delivery
	for i, kind := range []string{"webhook", "webhook_json", "discord", "slack"} {
		all = append(all, p.fires(int64(i+1), kind, server.URL+"/"+kind))
	}
	ctx, stop := context.WithCancel(t.Context())
	var loop sync.WaitGroup
	loop.Go(func() { _ = p.dispatcher().Run(ctx) })
	for end := time.Now().Add(15 * time.Second); time.Now().Before(end) && len(r.take("/discord")) == 0; {
		time.Sleep(10 * time.Millisecond)
	}
	close(e.gate)
	stop()
	loop.Wait()
	for _, d := range all {
		kind := p.store.services[d.Service].Type
		if got := r.take("/" + kind); len(got) != 1 || d.Status != tidemark.DeliveryDelivered || len(d.Attempts) != 1 {
			t.Errorf("%s was sent %v: %s, %+v", kind, got, d.Status, d.Attempts)
		}
	}
	if n := e.asked.Load(); n != 1 {
		t.Errorf("%d pictures were begun, want that of Discord alone", n)
	}
}

// TestFrozenStorageInAStorm: many notifications, retries and escalations leave
// within 5 seconds; nobody blames their receivers, and there are pictures again when
// there can be.
func TestFrozenStorageInAStorm(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := &pages{}
		e := newFrozenEngine(t)
		p := newPost(t, nil)
		p.illustrate(e, inMemory{r})
		d := p.dispatcher()
		run := func(pause time.Duration) {
			ctx, stop := context.WithCancel(t.Context())
			var loop sync.WaitGroup
			loop.Go(func() { _ = d.Run(ctx) })
			time.Sleep(pause)
			stop()
			loop.Wait()
		}
		for range 60 {
			p.fires(1, "discord", "https://discord.example.org/chat")
		}
		p.fires(2, "discord", "https://discord.example.org/other").Tries = 3
		escalation := p.fires(3, "discord", "https://discord.example.org/step")
		escalation.Kind, escalation.Notice.Kind, escalation.Notice.Step = tidemark.NoticeEscalation, tidemark.NoticeEscalation, 1
		run(5 * time.Second)
		for _, d := range p.store.deliveries {
			if d.Status != tidemark.DeliveryDelivered || len(d.Attempts) != 1 || d.Attempts[0].Duration != 1 {
				t.Errorf("%s: %+v", d.Status, d.Attempts)
			}
		}
		for id, b := range d.breakers {
			if b.failures != 0 || b.slow != 0 {
				t.Errorf("the circuit breaker of %d has %d failures, %d slow", id, b.failures, b.slow)
			}
		}
		close(e.gate)
		time.Sleep(pictureBreak)
		p.fires(4, "discord", "https://discord.example.org/after")
		run(5 * time.Second)
		if got := r.take("/after"); len(got) != 1 || !got[0] {
			t.Errorf("after the thaw: %v, want one with its picture", got)
		}
	})
}

// TestPictureIsDrawnOnce: all services share the picture of a notice, and so do
// retries; that of another notice is another.
func TestPictureIsDrawnOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var drawn atomic.Int64
		c := newPictureCache(func(context.Context, *tidemark.Delivery) ([]byte, error) {
			time.Sleep(time.Second)
			return fmt.Append(nil, drawn.Add(1)), nil
		})
		ask := func(ctx context.Context, key string) string {
			return string(c.picture(ctx, &tidemark.Delivery{Org: 1, Key: key}))
		}
		cut, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if got := ask(cut, "a"); got != "" {
			t.Errorf("an attempt that ended has the picture %q", got)
		}
		var all sync.WaitGroup
		for range 5 {
			all.Go(func() {
				if got := ask(t.Context(), "a"); got != "1" {
					t.Errorf("picture %q", got)
				}
			})
		}
		all.Wait()
		for i := range maxPictures {
			ask(t.Context(), fmt.Sprint("other", i))
		}
		if got := ask(t.Context(), "a"); got != fmt.Sprint(maxPictures+2) || len(c.all) != maxPictures || len(c.order) != maxPictures {
			t.Errorf("picture %q, %d are kept", got, len(c.all))
		}
	})
}

// TestPictureThatFails is drawn again for the next attempt, and holds up
// nobody: only a late one has the organization's next ones left out, and no
// other's.
func TestPictureThatFails(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var drawn atomic.Int64
		c := newPictureCache(func(ctx context.Context, d *tidemark.Delivery) ([]byte, error) {
			if drawn.Add(1); strings.HasPrefix(d.Key, "slow") {
				<-ctx.Done()
				return nil, errors.New("the database gave up")
			}
			return []byte("png"), nil
		})
		ask := func(org tidemark.OrgID, key string) string {
			return string(c.picture(t.Context(), &tidemark.Delivery{Org: org, Key: key}))
		}
		began := time.Now()
		if got := ask(1, "slow") + ask(1, "slow") + ask(1, "quick"); got != "" || drawn.Load() != 1 || time.Since(began) != pictureTimeout {
			t.Errorf("%q, %d drawn in %v", got, drawn.Load(), time.Since(began))
		}
		if got := ask(2, "quick"); got != "png" {
			t.Errorf("of another organization: %q", got)
		}
		time.Sleep(pictureBreak)
		if got := ask(1, "quick"); got != "png" {
			t.Errorf("after a while: %q", got)
		}
	})
}

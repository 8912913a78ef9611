package cluster_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark/client"
)

// alarm is an alert of a cluster, and the webhook it notifies.
type alarm struct {
	c *cluster
	*receiver
	api     *client.Client
	changes int // each notifies once
}

// newAlarm starts a cluster and makes an alert on it that is clear.
func newAlarm(t *testing.T, c *cluster, flags ...string) *alarm {
	t.Helper()
	t.Setenv("TIDEMARK_OUTBOUND_ALLOW", "127.0.0.0/8")
	c.up(flags...)
	a := &alarm{c: c, receiver: newReceiver(t), api: c.client(c.base)}
	if _, err := a.api.Services().Create(t.Context(), map[string]any{"type": "webhook", "title": "hook", "settings": map[string]string{"url": a.URL + "/hook"}}); err != nil {
		t.Fatal(err)
	}
	a.measure(1)
	if _, err := a.api.Alerts().Create(t.Context(), map[string]any{
		"name": "cpu.high", "services": []int64{1}, "conditions": []map[string]any{{"type": "above", "metric_name": "cpu", "threshold": 90}},
	}); err != nil {
		t.Fatal(err)
	}
	return a
}

// measure sends a value until it is acknowledged.
func (a *alarm) measure(value float64) {
	a.c.t.Helper()
	wait(a.c.t, "a measurement to be taken", func() bool { return a.send(value) })
}

// send sends a value, and tells whether it was acknowledged.
func (a *alarm) send(value float64) bool {
	ctx, cancel := context.WithTimeout(a.c.t.Context(), 3*time.Second) // the balancer may choose one that is frozen
	defer cancel()
	return a.api.Record(ctx, client.Measurement{Name: "cpu", Value: value, Tags: map[string]string{"host": "a"}}) == nil
}

// next sends a value that makes the alert fire or clear, and waits for the
// notification.
func (a *alarm) next(value float64, kind string) {
	a.c.t.Helper()
	// Measurements of one second replace each other: whoever takes over reads them back.
	wait(a.c.t, "a new second", func() bool { return time.Now().Nanosecond() < int(200*time.Millisecond) })
	a.measure(value)
	a.changes++
	a.told(a.c.t, kind)
}

// change begins to make the alert fire, or clear, while something is wrong. It
// returns what waits until that was told.
func (a *alarm) change() (told func(t *testing.T, when string)) {
	kind, value := "trigger", 95.0
	if a.changes%2 == 1 {
		kind, value = "clear", 5
	}
	sent := make(chan bool, 1)
	go func() { sent <- until(func() bool { return a.send(value) }) }()
	a.changes++
	return func(t *testing.T, when string) {
		t.Helper()
		if !<-sent {
			t.Fatalf("after %s: no measurement is taken", when)
		}
		began := time.Now()
		a.told(t, kind)
		t.Logf("after %s: the %s was notified of %.1f s after that", when, kind, time.Since(began).Seconds())
	}
}

// told waits until the last change was notified of, and nothing else.
func (a *alarm) told(t *testing.T, kind string) {
	t.Helper()
	wait(t, fmt.Sprintf("notification %d, a %s", a.changes, kind), func() bool { return len(a.all()) >= a.changes })
	if got := a.all(); len(got) != a.changes || !strings.HasPrefix(got[len(got)-1], kind) {
		t.Fatalf("notified of %q, want %d, the last a %s", got, a.changes, kind)
	}
}

// once waits for whoever woke up late, and looks whether anything was notified
// of twice.
func (a *alarm) once(t *testing.T) {
	t.Helper()
	time.Sleep(3 * time.Second)
	if got := a.all(); len(got) != a.changes {
		t.Errorf("notified of %q, want %d", got, a.changes)
	}
	seen := make(map[string]bool)
	for _, one := range a.all() {
		if seen[one] {
			t.Errorf("notified twice of %s", one)
		}
		seen[one] = true
	}
}

package cluster_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark/client"
)

// patience is how long to wait for what must happen.
const patience = time.Minute

// receiver is a webhook that remembers its notifications.
type receiver struct {
	*httptest.Server
	mu       sync.Mutex
	notified []string // "trigger" or "clear", with the incident
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		var p struct {
			IncidentKey string `json:"incident_key"`
			Clear       string `json:"clear"`
		}
		if err := json.Unmarshal([]byte(req.FormValue("payload")), &p); err != nil {
			t.Errorf("not a payload: %v", err)
		}
		kind := "trigger "
		if p.Clear != "" {
			kind = "clear "
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.notified = append(r.notified, kind+p.IncidentKey)
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) all() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string{}, r.notified...)
}

// holder returns which of the nodes evaluates the alerts.
func (c *cluster) holder() string {
	c.t.Helper()
	script := `. "$1/ports"; export TIDEMARK_DATABASE="postgres://postgres@127.0.0.1:$pg/postgres?sslmode=disable"; "$2" nodes`
	out, err := exec.Command("bash", "-c", script, "bash", c.dir, os.Getenv("TIDEMARK_BIN")).CombinedOutput()
	if err != nil {
		c.t.Fatalf("tidemark nodes: %v\n%s", err, out)
	}
	for line := range strings.Lines(string(out)) {
		if fields := strings.Fields(line); strings.Contains(line, "alerts") && strings.Contains(line, "answers") {
			return fields[0][strings.LastIndex(fields[0], "/")+1:]
		}
	}
	return ""
}

// TestAlertsMove kills, freezes and stops the node that evaluates alerts, again
// and again: another takes over, and each incident notifies once.
func TestAlertsMove(t *testing.T) {
	t.Setenv("TIDEMARK_OUTBOUND_ALLOW", "127.0.0.0/8")
	c := up(t)
	r := newReceiver(t)
	api := c.client(c.base)
	if _, err := api.Services().Create(t.Context(), map[string]any{"type": "webhook", "title": "hook", "settings": map[string]string{"url": r.URL + "/hook"}}); err != nil {
		t.Fatal(err)
	}
	measure := func(value float64) {
		t.Helper()
		wait(t, "a measurement to be taken", func() bool {
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second) // the balancer may choose the one that is frozen
			defer cancel()
			return api.Record(ctx, client.Measurement{Name: "cpu", Value: value, Tags: map[string]string{"host": "a"}}) == nil
		})
	}
	measure(1)
	if _, err := api.Alerts().Create(t.Context(), map[string]any{
		"name": "cpu.high", "services": []int64{1}, "conditions": []map[string]any{{"type": "above", "metric_name": "cpu", "threshold": 90}},
	}); err != nil {
		t.Fatal(err)
	}
	notified := 0
	next := func(value float64, kind string) {
		t.Helper()
		// Measurements of one second replace each other: whoever takes over reads them back.
		wait(t, "a new second", func() bool { return time.Now().Nanosecond() < int(200*time.Millisecond) })
		measure(value)
		notified++
		wait(t, fmt.Sprintf("notification %d, a %s", notified, kind), func() bool { return len(r.all()) >= notified })
		if got := r.all(); len(got) != notified || !strings.HasPrefix(got[notified-1], kind) {
			t.Fatalf("notified of %q, want %d, the last a %s", got, notified, kind)
		}
	}
	next(95, "trigger")
	for _, action := range []string{"kill", "freeze", "kill"} {
		holder := ""
		wait(t, "a server to evaluate the alerts", func() bool { holder = c.holder(); return holder != "" })
		c.do(action, holder)
		next(5, "clear") // by whoever comes next
		if now := c.holder(); now == holder {
			t.Errorf("%s evaluates the alerts after %s", now, action)
		}
		if action == "freeze" {
			c.do("thaw", holder)
		} else {
			c.do("start", holder)
		}
		next(95, "trigger")
	}
	time.Sleep(3 * time.Second) // whoever woke up late has had its chance
	if got := r.all(); len(got) != notified {
		t.Errorf("notified of %q, want %d", got, notified)
	}
	seen := make(map[string]bool)
	for _, one := range r.all() {
		if seen[one] {
			t.Errorf("notified twice of %s", one)
		}
		seen[one] = true
	}
}

// wait waits for what must happen.
func wait(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !ok(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

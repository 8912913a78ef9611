package neighbours

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// victim is the organization that does nobody any harm.
type victim struct {
	*org
	hooks *httptest.Server

	mu       sync.Mutex
	took     map[string][]time.Duration // by what was asked
	refused  []string
	notified map[string]int  // triggers and clears that arrived, by kind
	turned   time.Time       // when the value was first sent that the next notification is about
	notices  []time.Duration // from then until it arrived
}

func newVictim(t *testing.T, s *server) *victim {
	t.Helper()
	v := &victim{org: s.org("victim"), notified: map[string]int{}}
	v.hooks = httptest.NewServer(http.HandlerFunc(v.hook))
	t.Cleanup(v.hooks.Close)
	v.signIn()
	v.ask(t.Context(), "POST", "/v1/measurements", v.body(0))
	v.alert("shop.slow", "shop.latency", v.service("hook", v.hooks.URL))
	return v
}

// hook is the victim's webhook.
func (v *victim) hook(_ http.ResponseWriter, r *http.Request) {
	var p struct {
		Clear string `json:"clear"`
	}
	_ = json.Unmarshal([]byte(r.FormValue("payload")), &p)
	v.mu.Lock()
	defer v.mu.Unlock()
	v.notices = append(v.notices, time.Since(v.turned))
	if p.Clear != "" {
		v.notified["cleared"]++
		return
	}
	v.notified["triggered"]++
}

func (v *victim) notifications(kind string) int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.notified[kind]
}

// body is what the victim records: some streams, and a latency.
func (v *victim) body(latency float64) []byte {
	return measurements(20, func(i int) string {
		if i == 0 {
			return measurement("shop.latency", "web-1", latency)
		}
		return measurement("shop.requests", fmt.Sprint("web-", i), float64(i))
	})
}

// do makes a request and takes note of how it went.
func (v *victim) do(ctx context.Context, what, method, path string, body []byte) {
	a := v.ask(ctx, method, path, body)
	if ctx.Err() != nil {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.took[what] = append(v.took[what], a.took)
	if a.code/100 != 2 {
		v.refused = append(v.refused, fmt.Sprintf("%s: %d %.200s", what, a.code, a.body))
	}
}

// live works until ctx is done: it records, reads, and has its alert raised and
// cleared. It returns how often that was.
func (v *victim) live(ctx context.Context) (incidents int) {
	v.mu.Lock()
	v.took, v.refused, v.notified, v.notices = map[string][]time.Duration{}, nil, map[string]int{}, nil
	v.mu.Unlock()
	var wg sync.WaitGroup
	every := func(d time.Duration, f func()) {
		wg.Go(func() {
			for ctx.Err() == nil {
				f()
				select {
				case <-ctx.Done():
				case <-time.After(d):
				}
			}
		})
	}
	compose := escape(`sum(s("shop.requests","*",{period:"1"}))`)
	every(100*time.Millisecond, func() {
		v.do(ctx, "read", "GET", "/v1/measurements/shop.requests?resolution=60&duration=3600", nil)
	})
	every(100*time.Millisecond, func() {
		v.do(ctx, "compose", "GET", "/v1/measurements?resolution=60&duration=3600&compose="+compose, nil)
	})
	every(200*time.Millisecond, func() { v.do(ctx, "list", "GET", "/v1/metrics", nil) })
	every(200*time.Millisecond, func() { v.do(ctx, "page", "GET", "/ui/api/alerts", nil) })
	incidents = v.raise(ctx)
	wg.Wait()
	return incidents
}

// raise records all the time, raises the alert, waits for its notification,
// clears it, waits for that notification, and begins again.
func (v *victim) raise(ctx context.Context) (incidents int) {
	value := 1.0
	for ctx.Err() == nil {
		v.do(ctx, "record", "POST", "/v1/measurements", v.body(value))
		switch {
		case value == 1 && v.notifications("cleared") == incidents:
			value = v.turn(9)
			incidents++
			continue
		case value == 9 && v.notifications("triggered") == incidents:
			value = v.turn(1)
			continue
		}
		select {
		case <-ctx.Done():
		case <-time.After(100 * time.Millisecond):
		}
	}
	return incidents
}

// turn notes when value is sent first, which is at once.
func (v *victim) turn(value float64) float64 {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.turned = time.Now()
	return value
}

// settle waits until it was notified of the last incident and of its end, however
// late: nothing of it comes in what follows. Values are sent again, so that an
// incident whose request was cut off is raised.
func (v *victim) settle(incidents int) {
	for _, last := range []struct {
		kind  string
		value float64
	}{{"triggered", 9}, {"cleared", 1}} {
		v.server.await("the alert to be "+last.kind, func() bool {
			if v.notifications(last.kind) >= incidents {
				return true
			}
			v.ask(v.server.t.Context(), "POST", "/v1/measurements", v.body(last.value))
			return false
		})
	}
}

// percentile returns a percentile of what a kind of request took; of all if
// what is empty.
func (v *victim) percentile(what string, p float64) time.Duration {
	v.mu.Lock()
	defer v.mu.Unlock()
	var all []time.Duration
	for kind, took := range v.took {
		if what == "" || kind == what {
			all = append(all, took...)
		}
	}
	return percentile(all, p)
}

// notice returns a percentile of how long notifications took.
func (v *victim) notice(p float64) time.Duration {
	v.mu.Lock()
	defer v.mu.Unlock()
	return percentile(slices.Clone(v.notices), p)
}

func percentile(all []time.Duration, p float64) time.Duration {
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[min(len(all)-1, int(float64(len(all))*p))]
}

// kinds are what the victim does.
var kinds = strings.Fields("record read compose list page")

package demo

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/client"
)

// recorder answers as a server does that takes everything, and keeps what it
// was sent.
type recorder struct {
	mu    sync.Mutex
	lists map[string]any    // answers to GET, by path
	fails map[string]int    // statuses, by method and path
	asked []string          // methods and paths, in order
	made  map[string][]body // bodies, by method and path
	next  int
}

type body map[string]any

// ServeHTTP implements http.Handler.
func (s *recorder) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	what := r.Method + " " + r.URL.Path
	s.asked = append(s.asked, what)
	var in io.Reader = r.Body
	if r.Header.Get("Content-Encoding") == "gzip" {
		in, _ = gzip.NewReader(r.Body)
	}
	var b body
	_ = json.NewDecoder(in).Decode(&b) // there is none in a GET
	s.made[what] = append(s.made[what], b)
	w.Header().Set("Content-Type", "application/json")
	if status := s.fails[what]; status != 0 {
		w.WriteHeader(status)
		return
	}
	if r.Method == http.MethodGet {
		noun := path.Base(r.URL.Path)
		list, there := s.lists[r.URL.Path]
		if !there {
			list = []any{}
		}
		_ = json.NewEncoder(w).Encode(map[string]any{noun: list, "query": map[string]int{"found": 1, "total": 1, "length": 1}})
		return
	}
	s.next++
	fmt.Fprintf(w, `{"id":%d,"token":"tmk_%d"}`, s.next, s.next)
}

// sent are all measurements that arrived.
func (s *recorder) sent(t *testing.T) (all []client.Measurement) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range s.made["POST /v1/measurements"] {
		text, err := json.Marshal(b["measurements"])
		if err != nil {
			t.Fatal(err)
		}
		var some []client.Measurement
		if err := json.Unmarshal(text, &some); err != nil {
			t.Fatal(err)
		}
		all = append(all, some...)
	}
	return all
}

// onRecorder returns a demo that talks to a recorder.
func onRecorder(t *testing.T) (*demo, *recorder) {
	t.Helper()
	s := &recorder{lists: make(map[string]any), fails: make(map[string]int), made: make(map[string][]body)}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	d := &demo{sent: make(map[int64]int64), Options: Options{
		Client: client.New(server.URL, client.HTTP(server.Client())), Logger: slog.New(slog.DiscardHandler),
		Now: func() time.Time { return time.Unix(made, 0) }, History: time.Hour,
		As: func(secret tidemark.Secret, agent, _ string) *client.Client {
			return client.New(server.URL, client.HTTP(server.Client()), client.Token(secret), client.Header("User-Agent", agent))
		},
	}}
	return d, s
}

// TestFirstRun: an empty server gets every metric, an hour of each stream, and
// whatever people see, in an order in which nothing names what is not there yet.
func TestFirstRun(t *testing.T) {
	t.Parallel()
	d, s := onRecorder(t)
	var done []float64
	d.Progress = func(part float64) { done = append(done, part) }
	if err := d.prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := len(s.made["POST /v1/services"]); n != len(serviceList) {
		t.Errorf("%d services of %d", n, len(serviceList))
	}
	if n := len(s.made["POST /v1/alerts"]); n != len(alertList) {
		t.Errorf("%d alerts of %d", n, len(alertList))
	}
	if n := len(s.made["POST /v1/spaces"]); n != len(spaceList) {
		t.Errorf("%d spaces of %d", n, len(spaceList))
	}
	if n := len(s.made["POST /v1/api_tokens"]); n != len(holders()) {
		t.Errorf("%d tokens of %d; asked %v", n, len(holders()), s.asked)
	}
	first := func(what string) int {
		return slices.IndexFunc(s.asked, func(one string) bool { return strings.HasPrefix(one, what) })
	}
	for before, after := range map[string]string{"PUT /v1/metrics/checkout.requests": "POST /v1/measurements", "POST /v1/measurements": "PUT /v1/metrics/checkout.success.ratio",
		"PUT /v1/metrics/checkout.success.ratio": "POST /v1/alerts", "POST /v1/services": "POST /v1/alerts"} {
		if first(before) < 0 || first(after) < first(before) {
			t.Errorf("%s comes at %d, %s at %d", before, first(before), after, first(after))
		}
	}
	if !slices.IsSorted(done) || done[0] != 0 || done[len(done)-1] != 1 {
		t.Errorf("progress %v", done)
	}
}

// TestThePast: every stream has a measurement a minute before the demo was made,
// none after it, in requests that a server takes.
func TestThePast(t *testing.T) {
	t.Parallel()
	d, s := onRecorder(t)
	d.begin(made)
	if err := d.send(t.Context(), made-3600, made, step); err != nil {
		t.Fatal(err)
	}
	want := 0
	for i := range d.streams {
		for at := int64(made - 3600); at < made; at += step {
			if _, ok := d.streams[i].at(at); ok {
				want++
			}
		}
	}
	all := s.sent(t)
	seen := make(map[string]bool)
	for _, m := range all {
		key := fmt.Sprint(m.Name, m.Tags, m.Time)
		if seen[key] || m.Time < made-3600 || m.Time >= made || m.Time%step != made%step {
			t.Fatalf("%s is there twice, or not of the past", key)
		}
		seen[key] = true
	}
	if len(all) != want || d.sent[made/day*day]+d.sent[made/day*day-day] != int64(want) {
		t.Errorf("%d measurements of %d, counted %v", len(all), want, d.sent)
	}
	for _, b := range s.made["POST /v1/measurements"] {
		if n := len(b["measurements"].([]any)); n == 0 || n > tidemark.MaxBatch {
			t.Errorf("a request with %d measurements", n)
		}
	}
}

// TestFailures: what the server refuses is named, and ends the filling.
func TestFailures(t *testing.T) {
	t.Parallel()
	for what, want := range map[string]string{
		"GET /v1/metrics":                        "",
		"PUT /v1/metrics/queue.depth":            "metric queue.depth: ",
		"POST /v1/measurements":                  "send measurements: ",
		"PUT /v1/metrics/checkout.success.ratio": "composite checkout.success.ratio: ",
		"POST /v1/annotations/deploys":           "annotate: ",
		"POST /v1/spaces":                        "space Checkout production: ",
		"POST /v1/services":                      "service #ops: ",
		"POST /v1/alerts":                        "alert checkout.latency.high: ",
	} {
		d, s := onRecorder(t)
		d.History = time.Minute
		if strings.HasPrefix(want, "annotate") {
			d.History += deployedBefore * time.Second // a deploy is in it
		}
		s.fails[what] = http.StatusForbidden
		if err := d.prepare(t.Context()); err == nil || !strings.HasPrefix(err.Error(), want) || tidemark.KindOf(err) != tidemark.Forbidden {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestSecondRun: a server that was filled before is gone on with: nothing is
// made again, tokens that are still active get a new value, and services are
// told where the receiver is.
func TestSecondRun(t *testing.T) {
	t.Parallel()
	d, s := onRecorder(t)
	s.lists["/v1/metrics"] = []body{{"name": metrics[0].name}}
	s.lists["/v1/alerts"] = []body{{"id": 5, "name": "search.slow", "created_at": made - 5000}}
	s.lists["/v1/services"] = []body{{"id": 7, "type": "slack", "title": "#ops", "settings": body{"url": "http://elsewhere"}},
		{"id": 8, "type": "webhook", "title": "On-call", "settings": body{"url": address("")}}, {"id": 9, "type": "webhook", "title": "Ours", "settings": body{"url": "http://ours"}}}
	s.lists["/v1/api_tokens"] = []body{{"id": 1, "name": "checkout-service", "active": true}, {"id": 2, "name": "wall-display", "active": false}, {"id": 3, "name": "ours", "active": true}, {"id": 4, "name": "old-laptop", "active": true}}
	if err := d.prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	if d.troubles.made != made-5000 {
		t.Errorf("it was made at %d", d.troubles.made)
	}
	var changes []string
	for _, one := range s.asked {
		if !strings.HasPrefix(one, "GET ") {
			changes = append(changes, one)
		}
	}
	if len(changes) != 2 || !strings.Contains(changes[0], "/1/rotate") || changes[1] != "PUT /v1/services/7" {
		t.Errorf("changed %v", changes)
	}
	if len(d.speakers) != 1 || d.speakers[0].name != "checkout-service" {
		t.Errorf("%d speak", len(d.speakers))
	}
}

// TestSpeaking: what is measured now is sent once, by whoever measures it; and a
// token that somebody took away silences its holder alone.
func TestSpeaking(t *testing.T) {
	t.Parallel()
	d, s := onRecorder(t)
	d.begin(made)
	for _, h := range holders() {
		d.give(h, "tmk_secret")
	}
	if err := d.speak(t.Context(), made, made+10); err != nil {
		t.Fatal(err)
	}
	count := make(map[string]int)
	for _, m := range s.sent(t) {
		count[fmt.Sprint(m.Name, m.Tags)]++
		if m.Time != made+10 {
			t.Errorf("%s of %d is sent at %d", m.Name, m.Time, made+10)
		}
	}
	want := 0
	for i := range d.streams {
		if m, ok := d.streams[i].at(made + 10); ok {
			want++
			if key := fmt.Sprint(m.Name, m.Tags); count[key] != 1 {
				t.Errorf("%s is sent %d times", key, count[key])
			}
		}
	}
	if len(count) != want {
		t.Errorf("%d streams of %d", len(count), want)
	}
	s.fails["POST /v1/measurements"] = http.StatusUnauthorized
	d.As = nil
	d.Client = client.New("http://" + Host) // nothing is left for it to send
	if err := d.speak(t.Context(), made+10, made+20); err != nil {
		t.Errorf("without their tokens: %v", err)
	}
	s.fails["POST /v1/measurements"] = http.StatusForbidden
	if err := d.speak(t.Context(), made+10, made+20); err == nil || !strings.HasPrefix(err.Error(), "send as telegraf-production: ") {
		t.Errorf("refused otherwise: %v", err)
	}
}

// TestReceiver: notifications are taken, but for the one place that is down.
func TestReceiver(t *testing.T) {
	t.Parallel()
	for _, s := range serviceList {
		w := httptest.NewRecorder()
		Receiver().ServeHTTP(w, httptest.NewRequest("POST", address(s.path), strings.NewReader("{}")))
		if down := s.path == refusing; (w.Code == http.StatusServiceUnavailable) != down || !down && w.Body.String() != "ok" {
			t.Errorf("%s: %d %s", s.title, w.Code, w.Body)
		}
	}
}

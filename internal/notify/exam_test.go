package notify

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark-metrics/tidemark"
)

// This is the exam that every kind of service passes. A kind is entered by a
// line in examined; a test fails if one is missing.

var update = flag.Bool("update", false, "rewrite the golden files")

// hidden is in every secret setting of the services examined.
const hidden = "s3cr3t"

// examined has valid settings for every kind of service that is reached by
// HTTP, some twice for their variants.
var examined = []struct {
	name, kind string
	settings   map[string]string
}{
	{"alertmanager", "alertmanager", map[string]string{"url": "https://am.example.org/s3cr3t-path", "bearer_token": "s3cr3t-bearer"}},
	{"bigpanda", "bigpanda", map[string]string{"app_key": "s3cr3t-app", "token": "s3cr3t-token"}},
	{"discord", "discord", map[string]string{"url": "https://discord.example.org/api/webhooks/1/s3cr3t-token"}},
	{"googlechat", "googlechat", map[string]string{"url": "https://chat.example.org/v1/spaces/A/messages?key=s3cr3t-key&token=s3cr3t-token"}},
	{"jira", "jira", map[string]string{
		"url": "https://jira.example.org", "user": "ops@example.org", "api_token": "s3cr3t-token", "project": "OPS", "clear_transition": "31",
	}},
	{"matrix", "matrix", map[string]string{"server": "https://matrix.example.org", "token": "s3cr3t-token", "room": "!ops:example.org"}},
	{"msteams", "msteams", map[string]string{"url": "https://teams.example.org/workflows/s3cr3t-path?sig=s3cr3t-sig"}},
	{"gotify", "gotify", map[string]string{"server": "https://gotify.example.org", "token": "s3cr3t-token", "priority": "9"}},
	{"ntfy", "ntfy", map[string]string{"topic": "ops", "server": "https://ntfy.example.org", "token": "s3cr3t-token", "priority": "5"}},
	{"opsgenie", "opsgenie", map[string]string{"customer_key": "s3cr3t-key", "teams": "ops,web", "tags": "prod"}},
	{"opsgenie_eu", "opsgenie", map[string]string{"customer_key": "s3cr3t-key", "hostname": "api.eu.opsgenie.com"}},
	{"pagerduty_v1", "pagerduty", map[string]string{
		"service_key": "s3cr3t-key", "event_type": "trigger", "description": "something", "incident_key": "mine",
	}},
	{"pagerduty_v2", "pagerduty", map[string]string{"service_key": "s3cr3ts3cr3ts3cr3ts3cr3ts3cr3tab", "event_type": "trigger", "description": "something"}},
	{"pushover", "pushover", map[string]string{"token": "s3cr3t-token", "user": "s3cr3t-user", "device": "phone", "priority": "2"}},
	{"slack", "slack", map[string]string{"url": "https://hooks.slack.example.org/services/T/B/s3cr3t"}},
	{"slack_template", "slack", map[string]string{
		"url":      "https://hooks.slack.example.org/services/T/B/s3cr3t",
		"template": "*{{.title | upper}}* {{range .streams}}{{.name}} {{range .violations}}{{.quantity}}{{end}} {{end}}{{.link}}",
	}},
	{"sns", "sns", map[string]string{
		"topic_arn": "arn:aws:sns:eu-west-1:123456789012:ops", "access_key_id": "AKIAEXAMPLE", "secret_access_key": "s3cr3t-aws", "session_token": "s3cr3t-session",
	}},
	{"telegram", "telegram", map[string]string{"bot_token": "1234:s3cr3t-bot", "chat_id": "-100200300"}},
	{"victorops", "victorops", map[string]string{"api_key": "s3cr3t-key", "routing_key": "web"}},
	{"webhook", "webhook", map[string]string{"url": "https://me:s3cr3t%20pw@hook.example.org:8443/s3cr3t?a=s3cr3t"}},
	{"webhook_json", "webhook_json", map[string]string{"url": "https://hook.example.org/s3cr3t", "authorization": "Token s3cr3t", "method": "PUT"}},
	{"webhook_json_template", "webhook_json", map[string]string{
		"url":      "https://hook.example.org/s3cr3t",
		"template": `{"what": {{json .alert.name}}, "since": {{json (time "2006-01-02T15:04:05Z" .trigger_time)}}, "streams": [{{range $i, $s := .streams}}{{if $i}}, {{end}}{{json $s.name}}{{end}}]}`,
	}},
	{"zapier", "zapier", map[string]string{"url": "https://hooks.zapier.example.org/hooks/catch/1/s3cr3t"}},
}

// stories are what is told.
func stories() map[string]Notification {
	threshold, low := 250.0, 0.5
	trigger := Notification{
		Org: 7, Account: "owner@example.org", IncidentKey: "tidemark-4711-88", DedupKey: "tidemark-4711-88-trigger-1700000460",
		Alert: Alert{
			ID: 4711, Name: "prod.checkout.latency.high", Description: "p99 over limit, <customers> wait",
			RunbookURL: "https://wiki.example.org/latency",
		},
		Sentence: "checkout.latency max above 250 ms for 5 min, and checkout.heartbeat absent for 10 min",
		Time:     1700000460, TriggeredAt: 1700000460,
		Conditions: []Condition{
			{ID: 90210, Type: "above", Threshold: &threshold, Duration: 300, SummaryFunction: "max", Unit: "ms"},
			{ID: 90211, Type: "absent", Duration: 600},
			{ID: 90212, Type: "below", Threshold: &low},
		},
		Violations: map[string][]Violation{
			"environment=prod,host=web1": {
				{Metric: "checkout.latency", Value: 412.5, RecordedAt: 1700000455, Condition: 90210, Count: 5, Begin: 1700000100, End: 1700000400},
				{Metric: "checkout.ratio", Value: 0.123456, RecordedAt: 1700000450, Condition: 90212},
			},
			"environment=prod,host=web2": {{Metric: "checkout.heartbeat", Value: 1, RecordedAt: 1699999800, Condition: 90211}},
		},
		Image: &Image{PNG: []byte("\x89PNG picture"), URL: "https://tidemark.example.org/i/abc.png", Alt: "checkout.latency of the last hour"},
	}
	repeat := trigger
	repeat.Repeat, repeat.Time, repeat.DedupKey = true, 1700001060, "tidemark-4711-88-reminder-1700001060"
	clear := trigger
	clear.Clear, clear.Time, clear.DedupKey = "manual", 1700001660, "tidemark-4711-88-clear-1700001660"
	test := trigger
	test.Test, test.DedupKey, test.Image = true, "tidemark-4711-0-test-1700000460", nil
	escalated := trigger
	escalated.Step, escalated.Joined, escalated.Time, escalated.DedupKey = 1, 1, 1700000760, "tidemark-4711-88-escalation-1"
	escalated.Alert.Severity, escalated.Alert.Labels = "warning", map[string]string{"team": "checkout", "tier": "1"}
	escalated.Acknowledge = "https://tidemark.example.org/acknowledge/7-88-1700605260-0123456789abcdef"
	return map[string]Notification{"1 trigger": trigger, "2 reminder": repeat, "3 clear": clear, "4 test": test, "5 escalation": escalated}
}

var clock = func() time.Time { return time.Unix(1700000470, 0) }

// exchangeFunc is an HTTP client without a network.
type exchangeFunc func(*http.Request) (*http.Response, error)

func (f exchangeFunc) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func respond(r *http.Request, code int, header map[string]string, body string) *http.Response {
	h := http.Header{"Content-Type": {"application/json"}}
	for key, v := range header {
		h.Set(key, v)
	}
	return &http.Response{
		StatusCode: code, Status: fmt.Sprintf("%d %s", code, http.StatusText(code)), Header: h, Request: r, Body: io.NopCloser(strings.NewReader(body)),
	}
}

func newNotifier(t *testing.T, kind string, s map[string]string, do exchangeFunc) *Notifier {
	t.Helper()
	service := &tidemark.Service{Type: kind, Title: "x", Settings: s}
	if st, _ := tidemark.LookupServiceType(kind); st.Signed {
		service.Signing = &tidemark.Signing{Secret: "tms_" + hidden}
	}
	if err := service.Validate(); err != nil {
		t.Fatalf("%s: %v", kind, err)
	}
	made, err := New(service, Options{
		Client:  &http.Client{Transport: do, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
		BaseURL: "https://tidemark.example.org/", Now: clock,
	})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func TestKindsAreInStep(t *testing.T) {
	t.Parallel()
	var types, live []string
	for _, st := range tidemark.ServiceTypes() {
		types = append(types, st.Type)
		if !st.Dead && st.Type != "mail" { // mail is examined by a mail server
			live = append(live, st.Type)
		}
	}
	types = append(types, tidemark.PushService) // of people: push_test.go examines it
	slices.Sort(types)
	if diff := cmp.Diff(types, slices.Sorted(maps.Keys(notifiers))); diff != "" {
		t.Errorf("notifiers and types of service differ:\n%s", diff)
	}
	seen := make(map[string]bool)
	for _, e := range examined {
		seen[e.kind] = true
	}
	if diff := cmp.Diff(live, slices.Sorted(maps.Keys(seen))); diff != "" {
		t.Errorf("not every kind is in the table examined:\n%s", diff)
	}
}

func TestGolden(t *testing.T) {
	for _, e := range examined {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			var got bytes.Buffer
			all := stories()
			for _, name := range slices.Sorted(maps.Keys(all)) {
				fmt.Fprintf(&got, "=== %s\n", name[2:])
				s := newNotifier(t, e.kind, e.settings, func(r *http.Request) (*http.Response, error) {
					dump(t, &got, r)
					if strings.Contains(r.URL.Path, "/search/jql") && name == "3 clear" {
						return respond(r, 200, nil, `{"issues":[{"id":"10001"}]}`), nil
					}
					return respond(r, 200, nil, "ok"), nil
				})
				result, err := s.Send(t.Context(), all[name])
				if err != nil {
					t.Errorf("%s: %v", name, err)
				}
				fmt.Fprintf(&got, "-> %s\n\n", result.Status)
			}
			golden(t, e.name, got.Bytes())
		})
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs (-want +got); -update accepts it:\n%s", path, diff)
	}
}

// dump writes a request so that people can read it.
func dump(t *testing.T, w *bytes.Buffer, r *http.Request) {
	t.Helper()
	fmt.Fprintf(w, "%s %s\n", r.Method, r.URL)
	for _, key := range slices.Sorted(maps.Keys(r.Header)) {
		if key != "Content-Type" || !strings.HasPrefix(r.Header.Get(key), "multipart/") {
			fmt.Fprintf(w, "%s: %s\n", key, r.Header.Get(key))
		}
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	kind, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case len(body) == 0:
	case kind == "application/json":
		fmt.Fprintf(w, "\n%s\n", indent(t, body))
	case kind == "application/x-www-form-urlencoded":
		fields, err := url.ParseQuery(string(body))
		if err != nil {
			t.Fatal(err)
		}
		for _, key := range slices.Sorted(maps.Keys(fields)) {
			fmt.Fprintf(w, "\nfield %s\n%s\n", key, indent(t, []byte(fields.Get(key))))
		}
	case kind == "multipart/form-data":
		dumpParts(t, w, body, params["boundary"])
	default:
		t.Fatalf("a body of type %q", kind)
	}
}

func dumpParts(t *testing.T, w *bytes.Buffer, body []byte, boundary string) {
	t.Helper()
	parts := multipart.NewReader(bytes.NewReader(body), boundary)
	for {
		p, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(p)
		if err != nil {
			t.Fatal(err)
		}
		if p.FileName() != "" {
			fmt.Fprintf(w, "\nfile %s: %s, %s, %d bytes\n", p.FormName(), p.FileName(), p.Header.Get("Content-Type"), len(content))
			continue
		}
		fmt.Fprintf(w, "\nfield %s\n%s\n", p.FormName(), indent(t, content))
	}
}

// indent returns JSON indented, and anything else as it is.
func indent(t *testing.T, b []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	if len(b) > 0 && b[0] == '{' && json.Indent(&out, b, "", "  ") == nil {
		return out.Bytes()
	}
	return b
}

func TestStatusDecidesRetry(t *testing.T) {
	t.Parallel()
	const (
		ok    = "delivered"
		later = "retry"
		never = "permanent"
	)
	table := map[int]string{
		200: ok, 201: ok, 202: ok, 204: ok, 301: never, 302: never, 307: never, 400: never, 401: never, 402: never, 403: never, 404: never,
		405: never, 408: later, 409: never, 410: never, 413: never, 415: never, 422: never, 425: later, 429: later,
		500: later, 501: later, 502: later, 503: later, 504: later, 529: later,
	}
	unlike := map[string]map[int]string{"pagerduty": {403: later}, "jira": {409: later}}
	for _, e := range examined {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			for code, want := range table {
				if w, ok := unlike[e.kind][code]; ok {
					want = w
				}
				s := newNotifier(t, e.kind, e.settings, func(r *http.Request) (*http.Response, error) {
					return respond(r, code, map[string]string{"Retry-After": "7"}, "the answer"), nil
				})
				result, err := s.Send(t.Context(), stories()["1 trigger"])
				got := ok
				switch {
				case errors.Is(err, ErrPermanent):
					got = never
				case err != nil:
					got = later
				}
				if got != want {
					t.Errorf("%d: %s, want %s (%v)", code, got, want, err)
				}
				after, asked := RetryAfter(err)
				if asked != (want == later) || asked && after != 7*time.Second {
					t.Errorf("%d: RetryAfter = %v, %t", code, after, asked)
				}
				if errors.Is(err, ErrThrottled) != (want == later) {
					t.Errorf("%d: it says when to come back, and is throttled: %t", code, errors.Is(err, ErrThrottled))
				}
				if !strings.HasPrefix(result.Status, fmt.Sprint(code)) {
					t.Errorf("%d: status is %q", code, result.Status)
				}
			}
		})
	}
}

// TestNoSecretLeaks lets everything go wrong that can, and looks for secrets
// in what comes out.
func TestNoSecretLeaks(t *testing.T) {
	t.Parallel()
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	ways := map[string]struct {
		ctx context.Context
		do  exchangeFunc
	}{
		"canceled": {canceled, func(r *http.Request) (*http.Response, error) { return nil, r.Context().Err() }},
		"no connection": {context.Background(), func(r *http.Request) (*http.Response, error) {
			return nil, fmt.Errorf("dial %s: refused", r.URL)
		}},
		"echo": {context.Background(), func(r *http.Request) (*http.Response, error) {
			raw, err := httputil.DumpRequest(r, true)
			return respond(r, 400, nil, "cannot understand "+r.URL.String()+" "+string(raw)), err
		}},
		"echo of success": {context.Background(), func(r *http.Request) (*http.Response, error) {
			raw, err := httputil.DumpRequest(r, true)
			return respond(r, 200, nil, string(raw)+r.URL.String()), err
		}},
	}
	for _, e := range examined {
		for way, w := range ways {
			t.Run(e.name+"/"+way, func(t *testing.T) {
				t.Parallel()
				result, err := newNotifier(t, e.kind, e.settings, w.do).Send(w.ctx, stories()["1 trigger"])
				if (err == nil) != (way == "echo of success") {
					t.Errorf("err = %v", err)
				}
				for err := err; err != nil; err = errors.Unwrap(err) {
					if leaks(fmt.Sprintf("%v %+v %#v", err, err, err)) {
						t.Errorf("the error says %v", err)
					}
				}
				if leaks(result.Status) {
					t.Errorf("the result says %q", result.Status)
				}
			})
		}
		t.Run(e.name+"/preview", func(t *testing.T) {
			t.Parallel()
			p, err := MakePreview(&tidemark.Service{Type: e.kind, Settings: e.settings}, stories()["1 trigger"], "https://tidemark.example.org")
			if err != nil || len(p.Body) == 0 || strings.Contains(string(p.Body), hidden) {
				t.Errorf("%v: %s", err, p.Body)
			}
		})
	}
}

// leaks reports whether s holds a secret, as it is or in the header of Basic
// authentication.
func leaks(s string) bool {
	for _, pair := range []string{"me:s3cr3t pw", "ops@example.org:s3cr3t-token"} {
		if strings.Contains(s, base64.StdEncoding.EncodeToString([]byte(pair))) {
			return true
		}
	}
	return strings.Contains(s, hidden)
}

func TestTimeout(t *testing.T) {
	t.Parallel()
	stop := make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-stop }))
	defer srv.Close()
	defer close(stop)
	for _, e := range examined {
		t.Run(e.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
			defer cancel()
			s := newNotifier(t, e.kind, e.settings, func(r *http.Request) (*http.Response, error) {
				r.URL, _ = url.Parse(srv.URL)
				return http.DefaultTransport.RoundTrip(r)
			})
			result, err := s.Send(ctx, stories()["1 trigger"])
			if !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, ErrPermanent) || result.Status != "no answer in time" {
				t.Errorf("%q, %v", result.Status, err)
			}
		})
	}
}

// TestMessagesAreBounded tells of far too many streams.
func TestMessagesAreBounded(t *testing.T) {
	t.Parallel()
	n := stories()["1 trigger"]
	n.Image = nil
	n.Alert.Description = strings.Repeat("long ", 2000)
	n.Violations = make(map[string][]Violation)
	for i := range 20_000 {
		n.Violations[fmt.Sprintf("host=web-%05d,%s", i, strings.Repeat("tag=value,", 20))] = []Violation{
			{Metric: "checkout.latency", Value: 300, RecordedAt: n.Time, Condition: 90210},
		}
	}
	most := map[string]int{
		"alertmanager": 2 << 20, "webhook_json": 1 << 20, "webhook": 10 << 20, // what programs read
		"opsgenie": 200 << 10, "pagerduty": 200 << 10, "sns": 256 << 10, "victorops": 64 << 10, "bigpanda": 128 << 10, "jira": 32 << 10,
		"discord": 8 << 10, "telegram": 8 << 10, "pushover": 4 << 10, "ntfy": 5 << 10, "gotify": 18 << 10, "matrix": 60 << 10,
		"googlechat": 32 << 10, "msteams": 28 << 10, "slack": 40 << 10, "zapier": 64 << 10,
	}
	for _, e := range examined {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			size := 0
			s := newNotifier(t, e.kind, e.settings, func(r *http.Request) (*http.Response, error) {
				size = max(size, int(r.ContentLength))
				return respond(r, 200, nil, ""), nil
			})
			if _, err := s.Send(t.Context(), n); err != nil {
				t.Fatal(err)
			}
			if size == 0 || size > most[e.kind] {
				t.Errorf("%d bytes; the most that its service takes is %d in the table above", size, most[e.kind])
			}
		})
	}
}

// TestManyAtOnce is for the race detector: one notifier notifies of many things.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	for _, e := range examined {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			s := newNotifier(t, e.kind, e.settings, func(r *http.Request) (*http.Response, error) { return respond(r, 200, nil, "ok"), nil })
			var wg sync.WaitGroup
			for _, n := range stories() {
				wg.Go(func() {
					if _, err := s.Send(t.Context(), n); err != nil {
						t.Error(err)
					}
				})
			}
			wg.Wait()
		})
	}
}

func TestDeadDestinations(t *testing.T) {
	t.Parallel()
	for kind, s := range map[string]map[string]string{
		"hipchat":  {"auth_token": "t", "from": "me", "room_id": "1", "notify": "0"},
		"campfire": {"subdomain": "a", "token": "b", "room": "c"},
		"flowdock": {"api_token": "t"}, "neptune": {"api_key": "k"},
	} {
		result, err := newNotifier(t, kind, s, nil).Send(t.Context(), stories()["1 trigger"])
		if !errors.Is(err, ErrPermanent) || err.Error() != "this destination no longer exists" || result.Status != err.Error() {
			t.Errorf("%s: %q, %v", kind, result.Status, err)
		}
	}
}

func TestGuardsRefusalIsPermanent(t *testing.T) {
	t.Parallel()
	s := newNotifier(t, "webhook", examined[slices.IndexFunc(examined, func(e struct {
		name, kind string
		settings   map[string]string
	},
	) bool {
		return e.name == "webhook"
	})].settings, func(*http.Request) (*http.Response, error) {
		return nil, tidemark.Errorf(tidemark.Invalid, "points to a private address, which this server may not contact")
	})
	result, err := s.Send(t.Context(), stories()["1 trigger"])
	if !errors.Is(err, ErrPermanent) || result.Status != "the destination points to a private address, which this server may not contact" {
		t.Errorf("%q, %v", result.Status, err)
	}
}

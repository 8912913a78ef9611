package api

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/apitest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
)

// fakeAlerting answers what the API asks of the evaluator: a test is notified
// to all services but those called "broken", a backtest finds nothing, and no
// alert ever has anything to judge.
func fakeAlerting() shared.Alerting {
	return shared.Alerting{
		Backtest: func(_ context.Context, _ tidemark.OrgID, a *tidemark.Alert, start, end, _ int64) (*tidemark.Backtest, error) {
			return &tidemark.Backtest{
				Start: start, End: end, Incidents: []tidemark.BacktestIncident{}, Thresholds: []tidemark.BacktestThreshold{},
				Conditions: []tidemark.BacktestCondition{{
					Sentence: a.Sentence(nil).String(), Words: a.Sentence(nil), Intervals: []tidemark.Interval{}, Streams: []tidemark.BacktestStream{},
				}},
			}, nil
		},
		Gaps: func(_ context.Context, _ tidemark.OrgID, _ *tidemark.Alert, start, end int64) ([]tidemark.Interval, error) {
			return []tidemark.Interval{{start, end}}, nil
		},
		Test: func(_ context.Context, who tidemark.Identity, a *tidemark.Alert) (*tidemark.Delivery, []tidemark.TestResult, error) {
			n := tidemark.NewNotice(who.Org, a, nil)
			n.Kind, n.Time, n.IncidentKey = tidemark.NoticeTest, 1700000000, tidemark.IncidentKey(a.ID, 0)
			results := []tidemark.TestResult{}
			for _, s := range a.Services {
				r := tidemark.TestResult{Service: s.ID, Title: s.Title, OK: s.Title != "broken", Answer: "200 OK", Duration: 41}
				if !r.OK {
					r.Answer = "500 Internal Server Error"
				}
				results = append(results, r)
			}
			return &tidemark.Delivery{Org: who.Org, Alert: a.ID, Key: "tidemark-test", Notice: n}, results, nil
		},
		EvaluatedAt: func(tidemark.OrgID) int64 { return time.Now().Unix() },
		Deliver:     func() {},
		MaxTries:    14,
		PushKey:     func(context.Context) (string, error) { return "BKey", nil },
		Picture: func(_ context.Context, name string) ([]byte, error) {
			if name == "good.png" {
				return []byte("\x89PNG"), nil
			}
			return nil, tidemark.Errorf(tidemark.NotFound, "no such picture")
		},
		OpenLink: func(name string) (tidemark.OrgID, int64, error) {
			if name == "good" {
				return 1, 1, nil
			}
			return 0, 0, tidemark.Errorf(tidemark.NotFound, "there is no such link")
		},
	}
}

// fire makes an alert fire, as the evaluator does.
func (w *world) fire(t testing.TB, alert int64, now int64) {
	t.Helper()
	apitest.Fire(t, w.Store, w.ours, alert, now)
}

// TestFiringAlert follows one alert through everything that shows it.
func TestFiringAlert(t *testing.T) {
	t.Parallel()
	w := newWorld(t).withPeople(t)
	for _, o := range []struct{ path, body string }{
		{"/v1/metrics", `{"gauges":[{"name":"cpu","value":1}]}`},
		{"/v1/services", `{"type":"webhook","title":"hook","settings":{"url":"https://example.org/s3cret"}}`},
		{"/v1/alerts", `{"name":"high","services":[1],"conditions":[{"type":"above","metric_name":"cpu","threshold":90}]}`},
	} {
		if rec := w.ask("admin", "POST", o.path, o.body); rec.Code >= 300 {
			t.Fatalf("%s: %d %s", o.path, rec.Code, rec.Body)
		}
	}
	now := w.Now().Unix()
	w.fire(t, 1, now-100)
	has := func(who, path string, wants ...string) {
		t.Helper()
		body := w.ask(who, "GET", path, "").Body.String()
		for _, want := range wants {
			if !strings.Contains(body, want) {
				t.Errorf("GET %s as %s has no %s:\n%s", path, who, want, body)
			}
		}
		if who != "admin" && strings.Contains(body, "s3cret") {
			t.Errorf("GET %s shows %s a secret:\n%s", path, who, body)
		}
	}
	has("viewer", "/v1/alerts/1/status", `"status":"triggered"`)
	has("viewer", "/v1/alerts/1/incidents", `"incident_key":"tidemark-1-1"`, `"peak":95`, `"cleared_at":null`)
	has("viewer", "/v1/alerts/1/deliveries", `"kind":"trigger"`, `"status":"waiting"`)
	has("viewer", "/v1/services/1/deliveries", `"kind":"trigger"`)
	has("Viewer", "/ui/api/alerts", `"state":"firing"`, `"text":"90","value":90`, `"firing":1`, `"stream":"host=a"`, `"late":`)
	has("Viewer", "/ui/api/alerts/1", `"incident_key":"tidemark-1-1"`, `"violating":[{"stream":"host=a"`, `"max_tries":14`)
	has("Viewer", "/ui/api/deliveries/1", `"status":"waiting"`, `"message":{"content_type":"application/x-www-form-urlencoded"`, `tidemark-1-1`)
	has("Viewer", "/ui/api/watch", "event: firing\ndata: {\"count\":1}")
	has("Viewer", "/ui/api/alerts?state=ok", `"alerts":[]`)
	has("Viewer", "/ui/api/alerts?q=CPU", `"id":1`)
	has("Viewer", "/ui/api/search?q=high", `"name":"high","since":`+strconv.FormatInt(now-100, 10)+`,"state":"firing"`)

	if rec := w.ask("admin", "POST", "/v1/alerts/1/snooze", `{"seconds":3600,"note":"deploy"}`); rec.Code != 201 {
		t.Fatalf("snooze: %d %s", rec.Code, rec.Body)
	}
	has("Viewer", "/ui/api/alerts", `"state":"snoozed"`, `"firing":0`)
	has("Viewer", "/ui/api/search?q=high", `"name":"high","since":0,"state":"snoozed"`)
	has("Viewer", "/ui/api/alerts/1", `"note":"deploy"`, `"by":"token:admin"`)
	has("Viewer", "/ui/api/watch", "data: {\"count\":0}")
	if rec := w.ask("admin", "POST", "/v1/alerts/1/clear", ""); rec.Code != 204 {
		t.Fatalf("clear: %d %s", rec.Code, rec.Body)
	}
	has("viewer", "/v1/alerts/1/incidents", `"clear":"manual"`, `"cleared_by":"token:admin"`)
	has("viewer", "/v1/alerts/1/deliveries", `"kind":"clear"`)
	has("viewer", "/v1/alerts/1/status", `"status":"ok"`)
	has("viewer", "/v1/annotations/tidemark.alerts?count=5", `"high triggered"`, `"high cleared"`, `resolved by hand by token:admin`)

	if rec := w.ask("nobody", "GET", "/ui/api/pictures/good.png", ""); rec.Code != 200 || rec.Header().Get("Content-Type") != "image/png" {
		t.Errorf("picture: %d %s", rec.Code, rec.Header())
	}
}

// TestWithoutAlerting asks a server that judges nothing.
func TestWithoutAlerting(t *testing.T) {
	t.Parallel()
	w := ownWorld(t)
	w.Alerting = shared.Alerting{}
	for path, body := range map[string]string{
		"/v1/alerts/1/test":  "",
		"/v1/alerts/preview": `{"alert":{"conditions":[{"type":"above","metric_name":"m1","threshold":1}]}}`,
	} {
		if rec := w.ask("admin", "POST", path, body); rec.Code != 503 {
			t.Errorf("%s: %d", path, rec.Code)
		}
	}
	if rec := w.ask("admin", "POST", "/v1/alerts/1/clear", ""); rec.Code != 204 {
		t.Errorf("clear: %d", rec.Code)
	}
}

// TestTroubleIsShown has an alert that cannot be saved: who sees the alert
// sees why, in the list and on its page; the others' list says nothing.
func TestTroubleIsShown(t *testing.T) {
	t.Parallel()
	w := ownWorld(t)
	w.Alerting.Troubles = func(org tidemark.OrgID) map[int64]tidemark.AlertTrouble {
		if org != w.ours {
			return nil
		}
		return map[int64]tidemark.AlertTrouble{1: {Since: 1700000000, Reason: "it is too long"}}
	}
	want := `"trouble":{"since":1700000000,"reason":"it is too long"}`
	for _, path := range []string{"/ui/api/alerts", "/ui/api/alerts/1"} {
		if rec := w.ask("Viewer", "GET", path, ""); rec.Code != 200 || strings.Count(rec.Body.String(), want) != 1 {
			t.Errorf("%s: %d %s", path, rec.Code, rec.Body)
		}
	}
}

package client_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/client"
)

// TestRedirects: behind an address that redirects, as those of http do that
// lead to https, reading works, and writing says where to write instead of
// passing the list that a GET answers for success.
func TestRedirects(t *testing.T) {
	c, s := start(t)
	ctx := t.Context()
	alert := must(c.Alerts().Create(ctx, map[string]any{"name": "kept"}))(t)
	ok(t, c.PutMetric(ctx, "kept", map[string]any{"type": "gauge"}))
	for _, status := range []int{301, 302, 303, 307, 308} {
		front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, s.url+r.URL.RequestURI(), status)
		}))
		defer front.Close()
		for how, behind := range map[string]*client.Client{
			"":                 client.New(front.URL, client.Header("Authorization", "Bearer "+s.secret.Reveal())),
			"another client's": client.New(front.URL, client.Token(s.secret), client.HTTP(&http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return nil }})),
		} {
			for what, write := range map[string]func() error{
				"POST /v1/alerts":         func() error { _, err := behind.Alerts().Create(ctx, map[string]any{"name": "new"}); return err },
				"PUT /v1/alerts/1":        func() error { return behind.Alerts().Update(ctx, 1, map[string]any{"name": "other"}) },
				"DELETE /v1/alerts/1":     func() error { return behind.Alerts().Delete(ctx, 1) },
				"DELETE /v1/metrics/kept": func() error { return behind.DeleteMetric(ctx, "kept") },
				"POST /v1/api_tokens":     func() error { _, err := behind.Tokens().Create(ctx, map[string]any{"name": "t"}); return err },
				"POST /v1/measurements":   func() error { return behind.Record(ctx, client.Measurement{Name: "new", Value: 1}) },
			} {
				method, path, _ := strings.Cut(what, " ")
				if err := write(); err == nil || !strings.Contains(err.Error(), method) || !strings.Contains(err.Error(), s.url+path) {
					t.Errorf("%s%d of %s: %v", how, status, what, err)
				}
			}
			if got, err := behind.Alerts().List(ctx); err != nil || len(got) != 1 || got[0].Name != "kept" || got[0].ID != alert.ID {
				t.Errorf("%s%d: reading: %v, %v", how, status, got, err)
			}
		}
	}
	if got := must(c.Metrics(ctx, ""))(t); len(got) != 1 {
		t.Errorf("metrics: %v", got)
	}
}

// TestRedirectsWithoutEnd: nor is a circle followed for ever, nor an answer
// that redirects nowhere taken for one.
func TestRedirectsWithoutEnd(t *testing.T) {
	t.Parallel()
	circle := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) }))
	defer circle.Close()
	if _, err := client.New(circle.URL).Alerts().Get(t.Context(), 1); err == nil || !strings.Contains(err.Error(), "stopped after 10 redirects") {
		t.Errorf("a circle: %v", err)
	}
	c, _ := onWire("http://x", answer{http.StatusNotModified, "", ""})
	if _, err := c.Alerts().Get(t.Context(), 1); err == nil || !strings.Contains(err.Error(), "GET /v1/alerts/1: the answer is") {
		t.Errorf("no address: %v", err)
	}
}

// TestNoID: what was made has an id, or it was not made.
func TestNoID(t *testing.T) {
	t.Parallel()
	for _, body := range []string{"", "{}", `{"query":{"found":0},"alerts":[]}`, "<html>", `{"id":0}`, `[]`, `{"id":null}`} {
		c, _ := onWire("http://x", answer{http.StatusOK, body, ""})
		for what, create := range map[string]func(context.Context) error{
			"alert": func(ctx context.Context) error { _, err := c.Alerts().Create(ctx, map[string]any{}); return err },
			"chart": func(ctx context.Context) error { _, err := c.CreateChart(ctx, 1, map[string]any{}); return err },
			"annotation": func(ctx context.Context) error {
				_, err := c.Annotate(ctx, "s", &tidemark.AnnotationEvent{})
				return err
			},
			"org":  func(ctx context.Context) error { _, err := c.CreateOrg(ctx, "o"); return err },
			"user": func(ctx context.Context) error { _, err := c.CreateUser(ctx, client.NewUser{}); return err },
		} {
			if err := create(t.Context()); err == nil {
				t.Errorf("%s: %q passes for one", what, body)
			}
		}
	}
}

// TestTypedServices: a service is made of the type that it is read as; its
// secrets are sent, but not printed, and come back as masks that keep them.
func TestTypedServices(t *testing.T) {
	c, s := start(t)
	ctx := t.Context()
	const key = "abcdefabcdefabcdefabcdefabcdefab"
	stored := func(id int64) map[string]string {
		t.Helper()
		orgs, err := s.Store.Orgs(ctx)
		ok(t, err)
		return must(s.Store.Service(ctx, orgs[0].ID, id))(t).Settings.Reveal()
	}
	v := &tidemark.Service{Type: "pagerduty", Title: "Page", Settings: tidemark.Settings{"service_key": key, "event_type": "trigger", "description": "A"}}
	made := must(c.Services().Create(ctx, v))(t)
	equal(t, map[string]string{"service_key": key, "event_type": "trigger", "description": "A"}, stored(made.ID))
	second := must(c.Services().Create(ctx, *v))(t)
	equal(t, key, stored(second.ID)["service_key"])
	if text, err := json.Marshal(v); err != nil || strings.Contains(string(text)+fmt.Sprintf("%v %+v %#v", v, v, v.Settings), key) {
		t.Errorf("the secret is shown: %s %v", text, err)
	}

	read := must(c.Services().Get(ctx, made.ID))(t)
	read.Settings["service_key"] = tidemark.MaskedSetting // as those read it who may not see secrets
	read.Title, read.Settings["description"] = "Pager", "B"
	ok(t, c.Services().Update(ctx, made.ID, read))
	equal(t, map[string]string{"service_key": key, "event_type": "trigger", "description": "B"}, stored(made.ID))
	read.Settings["service_key"] = strings.Repeat("9", 32)
	ok(t, c.Services().Update(ctx, made.ID, map[string]any{"settings": read.Settings}))
	equal(t, strings.Repeat("9", 32), stored(made.ID)["service_key"])
}

// TestTypedAlerts: an alert is made of the type that it is read as, with the
// services that ServiceIDs names, and these are there when it is read.
func TestTypedAlerts(t *testing.T) {
	c, _ := start(t)
	ctx := t.Context()
	var ids []int64
	for _, title := range []string{"A", "B"} {
		v := must(c.Services().Create(ctx, &tidemark.Service{Type: "mail", Title: title, Settings: tidemark.Settings{"addresses": "ops@example.org"}}))(t)
		ids = append(ids, v.ID)
	}
	ok(t, c.PutMetric(ctx, "m", map[string]any{"type": "gauge"}))
	a := tidemark.NewAlert()
	threshold := 5.0
	a.Name, a.ServiceIDs = "typed", ids[:1]
	a.Conditions = []tidemark.Condition{{Type: tidemark.Above, MetricName: "m", Threshold: &threshold, Tags: []tidemark.TagFilter{}}}
	made := must(c.Alerts().Create(ctx, a))(t)
	equal(t, ids[:1], made.ServiceIDs)
	read := must(c.Alerts().Get(ctx, made.ID))(t)
	equal(t, ids[:1], read.ServiceIDs)
	read.ServiceIDs = append(read.ServiceIDs, ids[1])
	ok(t, c.Alerts().Update(ctx, read.ID, read))
	again := must(c.Alerts().Get(ctx, made.ID))(t)
	equal(t, ids, again.ServiceIDs)
	equal(t, ids[1], again.Services[1].ID)
	ok(t, c.Alerts().Update(ctx, read.ID, *again)) // changes nothing
	same := must(c.Alerts().Get(ctx, made.ID))(t)
	again.UpdatedAt, again.Conditions[0].ID, same.UpdatedAt, same.Conditions[0].ID = 0, 0, 0, 0
	equal(t, again, same)
	same.ServiceIDs = []int64{}
	ok(t, c.Alerts().Update(ctx, read.ID, same))
	equal(t, []int64{}, must(c.Alerts().List(ctx))(t)[0].ServiceIDs)
	b := tidemark.NewAlert()
	b.Name, b.Services = "by its services", []*tidemark.Service{{ID: ids[1]}}
	equal(t, ids[1:], must(c.Alerts().Create(ctx, b))(t).ServiceIDs)
}

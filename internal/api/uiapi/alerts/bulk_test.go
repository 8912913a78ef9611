package alerts

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/apitest"
)

// TestManyAlertsAtOnce: each alert is changed by itself, so that one that cannot
// be holds up no other; the answer says which were and why not.
func TestManyAlertsAtOnce(t *testing.T) {
	t.Parallel()
	w, _, c := newClient(t)
	w.Alerted(t, c)
	c.Check(t, apitest.Exchange{Request: "POST /v1/alerts", Body: `{"name":"second","conditions":[{"type":"above","metric_name":"cpu","threshold":9}]}`, Want: `201 {"id":2,...`})
	const both, missing = `200 {"changed":[1,2],"failed":[]}`, `200 {"changed":[2],"failed":[{"id":9,"reason":...`
	c.Check(t,
		apitest.Exchange{Request: "POST /ui/api/alerts/bulk", Body: `{"ids":[1,2],"action":"severity","severity":"critical"}`, Want: both},
		apitest.Exchange{Request: "POST /ui/api/alerts/bulk", Body: `{"ids":[1,2],"action":"labels","labels":{"team":"db","zone":"x"}}`, Want: both},
		apitest.Exchange{Request: "POST /ui/api/alerts/bulk", Body: `{"ids":[1,2],"action":"labels","labels":{"zone":""}}`, Want: both},
		apitest.Exchange{Request: "POST /ui/api/alerts/bulk", Body: `{"ids":[9,2],"action":"deactivate"}`, Want: missing},
		apitest.Exchange{Request: "POST /ui/api/alerts/bulk", Body: `{"ids":[9,2],"action":"add service","service":1}`, Want: missing},
		apitest.Exchange{Request: "POST /ui/api/alerts/bulk", Body: `{"ids":[1,2],"action":"snooze","until":4000070000}`, Want: `200 {"changed":[1,2],"failed":[],"snoozes":[1,2]}`},
		apitest.Exchange{Request: "POST /v1/alerts/1/snooze", Body: `{"start":4000080000,"seconds":60}`, Want: `201 {"id":3,...`},
		apitest.Exchange{Request: "POST /ui/api/alerts/bulk", Body: `{"ids":[1,9],"action":"unsnooze","snoozes":[1,2]}`, Want: `200 {"changed":[1],"failed":[{"id":9,"reason":...`},
		apitest.Exchange{Request: "GET /v1/alerts/1/snooze", Want: `200 {"snoozed":false,"snoozes":[{"id":3,...`},
		apitest.Exchange{Request: "GET /v1/alerts/2/snooze", Want: `200 {"snoozed":true,"snoozes":[{"id":2,...`},
		apitest.Exchange{Request: "POST /ui/api/alerts/bulk", Body: `{"ids":[1],"action":"unsnooze"}`, Want: `400 {"errors":{"params":{"snoozes":["is not present"]}}}`},
		apitest.Exchange{Request: "POST /ui/api/alerts/bulk", Body: `{"ids":[1],"action":"resume"}`, Want: `200 {"changed":[1],"failed":[]}`},
		apitest.Exchange{Request: "POST /ui/api/alerts/bulk", Body: `{"ids":[1],"action":"severity","severity":"awful"}`, Want: `200 {"changed":[],"failed":[{"id":1,"reason":"invalid parameters; severity must be...`},
	)
	apitest.Fire(t, w.Store, w.Org, 1, apitest.Now-100)
	c.Check(t,
		apitest.Exchange{Request: "POST /ui/api/alerts/bulk", Body: `{"ids":[1],"action":"acknowledge"}`, Want: `200 {"changed":[1],"failed":[]}`},
		apitest.Exchange{Request: "POST /ui/api/alerts/bulk", Body: `{"ids":[1],"action":"reopen"}`, Want: `200 {"changed":[1],"failed":[]}`},
	)
	for id, want := range map[int64]string{1: "true critical map[team:db] 1", 2: "false critical map[team:db] 1"} {
		a, err := w.Store.Alert(t.Context(), w.Org, id)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(a.Active, " ", a.Severity, " ", a.Labels, " ", len(a.Services)); got != want {
			t.Errorf("%d: %s, want %s", id, got, want)
		}
	}
}

// TestBulkRefusals: what is wrong with the request is said at once, and no alert
// is changed.
func TestBulkRefusals(t *testing.T) {
	t.Parallel()
	w, _, c := newClient(t)
	w.Alerted(t, c)
	many, _ := json.Marshal(map[string]any{"ids": make([]int, maxBulk+1), "action": "resume"})
	const action = `"action":["must be activate, deactivate, snooze, unsnooze, resume, acknowledge, reopen, add service, severity or labels"]`
	c.Check(t,
		apitest.Exchange{Request: "POST /ui/api/alerts/bulk", Body: `{}`, Want: `400 {"errors":{"params":{` + action + `,"ids":["is not present"]}}}`},
		apitest.Exchange{Request: "POST /ui/api/alerts/bulk", Body: `{"ids":[1],"action":"delete"}`, Want: `400 {"errors":{"params":{` + action + `}}}`},
		apitest.Exchange{Request: "POST /ui/api/alerts/bulk", Body: string(many), Want: `400 {"errors":{"params":{"ids":["has more than 2000 entries"]}}}`},
		apitest.Exchange{Request: "POST /ui/api/alerts/bulk", Body: `{"ids":[1],"action":"snooze","until":4000060800}`, Want: `400 {"errors":{"params":{"until":["is in the past"]}}}`},
		apitest.Exchange{Request: "POST /ui/api/alerts/bulk", Body: `{"ids":["x"],"action":"resume"}`, Want: `400 {"errors":{"params":{"ids":["is not a number"]}}}`},
	)
}

// TestRelabel: labels are added and replaced, those with an empty value removed,
// and what an alert had before is not touched.
func TestRelabel(t *testing.T) {
	t.Parallel()
	had := map[string]string{"team": "db", "zone": "x"}
	got := relabel(had, map[string]string{"zone": "", "team": "web", "new": "1", "never": ""})
	if d := cmp.Diff(map[string]string{"team": "web", "new": "1"}, got); d != "" || len(had) != 2 || had["team"] != "db" {
		t.Errorf("%s of %v", d, had)
	}
	if got := relabel(nil, nil); got == nil || len(got) != 0 {
		t.Errorf("none are %v", got)
	}
}

// TestCopyNames: the name of a copy says which one it is, and is as long as names
// may be.
func TestCopyNames(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", tidemark.MaxName)
	for _, c := range []struct {
		name string
		n    int
		want string
	}{{"cpu", 1, "cpu copy"}, {"cpu", 2, "cpu copy 2"}, {long, 1, long[:tidemark.MaxName-5] + " copy"}, {long, 50, long[:tidemark.MaxName-8] + " copy 50"}} {
		if got := copyName(c.name, c.n); got != c.want || !tidemark.IsAlertName(got) {
			t.Errorf("%.10s, %d: %.20s, want %.20s", c.name, c.n, got, c.want)
		}
	}
}

// TestCopiesOfAlerts: a copy is an alert of its own that is switched off, with
// the first name that is free.
func TestCopiesOfAlerts(t *testing.T) {
	t.Parallel()
	w, _, c := newClient(t)
	w.Alerted(t, c)
	for _, name := range []string{"high cpu copy", "high cpu copy 2"} {
		rec := c.Ask("POST /ui/api/alerts/1/duplicate", "")
		var a tidemark.Alert
		if err := json.Unmarshal(rec.Body.Bytes(), &a); rec.Code != 201 || err != nil || a.Name != name || a.Active || rec.Header().Get("Location") != fmt.Sprintf("/v1/alerts/%d", a.ID) {
			t.Errorf("%d %s, %v", rec.Code, rec.Body, err)
		}
		stored, err := w.Store.Alert(t.Context(), w.Org, a.ID)
		if err != nil || len(stored.Services) != 1 || len(stored.Conditions) != 1 || stored.Conditions[0].ID == 1 {
			t.Errorf("%+v, %v", stored, err)
		}
	}
	if a, err := w.Store.Alert(t.Context(), w.Org, 1); err != nil || !a.Active || a.Conditions[0].ID != 1 {
		t.Errorf("the original is %+v, %v", a, err)
	}
	c.Check(t, apitest.Exchange{Request: "POST /ui/api/alerts/9/duplicate", Want: apitest.NotFound}, apitest.Exchange{Request: "POST /ui/api/alerts/x/duplicate", Want: apitest.NotFound})
}

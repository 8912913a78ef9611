package v1

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/apitest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
)

// alerted is a client of a world with a service, and an alert on cpu that
// notifies it.
func alerted(t *testing.T, change ...func(*shared.Options)) (*apitest.World, *apitest.Client) {
	t.Helper()
	w := apitest.New(t, change...)
	c := w.Client(New(w.Base).Routes())
	w.Record(t, "cpu", nil, apitest.Now-60, 1)
	c.Check(t,
		apitest.Exchange{Request: "POST /v1/services", Body: `{"type":"webhook","title":"hook","settings":{"url":"https://example.org/s3cret"}}`, Want: `201 {"id":1,...`},
		apitest.Exchange{Request: "POST /v1/alerts", Body: `{"name":"high cpu","services":[1],"conditions":[{"type":"above","metric_name":"cpu","threshold":90}]}`, Want: `201 {"id":1,...`},
	)
	return w, c
}

const notFound = `404 {"errors":{"request":["Not Found"]}}`

// TestVersionsOfAlerts: those of the kind before are asked for and never found.
func TestVersionsOfAlerts(t *testing.T) {
	t.Parallel()
	_, c := alerted(t)
	c.Check(t,
		apitest.Exchange{Request: "GET /v1/alerts?version=2", Want: `200 {"alerts":[{"id":1,...`},
		apitest.Exchange{Request: "GET /v1/alerts?version=1", Want: `200 {"alerts":[],"query":{"found":0,"length":0,"offset":0,"total":1}}`},
		apitest.Exchange{Request: "GET /v1/alerts?version=3", Want: `400 {"errors":{"params":{"version":["must be 1 or 2"]}}}`},
	)
}

// TestDeletedByName: an alert can be deleted by its id and by its name, and
// nothing by what is neither.
func TestDeletedByName(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"1", "high%20cpu"} {
		_, c := alerted(t)
		c.Check(t,
			apitest.Exchange{Request: "DELETE /v1/alerts/2", Want: notFound}, apitest.Exchange{Request: "DELETE /v1/alerts/high", Want: notFound},
			apitest.Exchange{Request: "DELETE /v1/alerts/%3Cb%3E", Want: notFound}, apitest.Exchange{Request: "DELETE /v1/alerts/0", Want: notFound},
			apitest.Exchange{Request: "DELETE /v1/alerts/" + id, Want: "204"}, apitest.Exchange{Request: "DELETE /v1/alerts/" + id, Want: notFound},
		)
	}
}

// TestStatusOfAlerts: an alert that fires is triggered; one that cleared within
// a day is listed as such, and what is due after it is delivered at once.
func TestStatusOfAlerts(t *testing.T) {
	t.Parallel()
	delivered := 0
	w, c := alerted(t, func(o *shared.Options) { o.Alerting.Deliver = func() { delivered++ } })
	c.Check(t,
		apitest.Exchange{Request: "GET /v1/alerts/status", Want: `200 {"cleared":[],"firing":[]}`},
		apitest.Exchange{Request: "GET /v1/alerts/1/status", Want: `200 {"alert":{"id":1},"status":"ok"}`},
		apitest.Exchange{Request: "GET /v1/alerts/2/status", Want: notFound},
		apitest.Exchange{Request: "POST /v1/alerts/x/clear", Want: notFound},
	)
	apitest.Fire(t, w.Store, w.Org, 1, apitest.Now-100)
	c.Check(t,
		apitest.Exchange{Request: "GET /v1/alerts/status", Want: `200 {"cleared":[],"firing":[{"id":1,"triggered_at":4000060700}]}`},
		apitest.Exchange{Request: "GET /v1/alerts/1/status", Want: `200 {"alert":{"id":1},"status":"triggered"}`},
		apitest.Exchange{Request: "GET /v1/alerts/1/incidents", Want: `200 {"incidents":[{"id":1,...`},
		apitest.Exchange{Request: "POST /v1/alerts/1/acknowledge", Body: `{"text":"on it"}`, Want: "204"},
		apitest.Exchange{Request: "DELETE /v1/alerts/1/acknowledge", Want: "204"},
		apitest.Exchange{Request: "POST /v1/alerts/1/acknowledge", Body: `{"text":{}}`, Want: `400 {"errors":{"params":{"text":["must be a text"]}}}`},
		apitest.Exchange{Request: "POST /v1/alerts/1/clear", Want: "204"},
		apitest.Exchange{Request: "GET /v1/alerts/status", Want: `200 {"cleared":[{"cleared_at":4000060800,"id":1}],"firing":[]}`},
		apitest.Exchange{Request: "GET /v1/alerts/1/deliveries", Want: `200 {"deliveries":[{"id":...`},
		apitest.Exchange{Request: "GET /v1/services/1/deliveries", Want: `200 {"deliveries":[{"id":...`},
		apitest.Exchange{Request: "GET /v1/services/x/deliveries", Want: notFound},
	)
	if delivered != 1 {
		t.Errorf("delivered %d times", delivered)
	}
}

// TestSnoozes: an alert is snoozed from now on or from a time, until a time, for
// some seconds or until somebody resumes it; never into the past.
func TestSnoozes(t *testing.T) {
	t.Parallel()
	_, c := alerted(t)
	snoozed := func(id int, start, until, note string) string {
		return fmt.Sprintf(`201 {"id":%d,"starts_at":%s,"until":%s,"by":"token:admin","note":"%s"}`, id, start, until, note)
	}
	const past, positive = `400 {"errors":{"params":{"until":["is in the past"]}}}`, `400 {"errors":{"params":{"seconds":["must be more than 0"]}}}`
	for _, x := range []struct{ body, want string }{
		{`{}`, snoozed(1, "4000060800", "null", "")}, {`{"until":4000064399}`, snoozed(2, "4000060800", "4000064399", "")}, {`{"seconds":60}`, snoozed(3, "4000060800", "4000060860", "")},
		{`{"start":4000060900,"seconds":60,"note":"deploy"}`, snoozed(4, "4000060900", "4000060960", "deploy")}, {`{"until":null,"seconds":null}`, snoozed(5, "4000060800", "null", "")},
		{`until=4000064399`, snoozed(6, "4000060800", "4000064399", "")}, {`{"until":4000064399,"seconds":60}`, snoozed(7, "4000060800", "4000060860", "")},
		{`{"until":4000060800}`, past}, {`{"start":5,"seconds":60}`, past}, {`{"seconds":0}`, positive}, {`{"seconds":-5}`, positive},
		{`{"seconds":"soon"}`, `400 {"errors":{"params":{"seconds":["is not a number"]}}}`},
		{`{"start":4000064399,"until":4000060900}`, `400 {"errors":{"params":{...`}, {`{"seconds":9007199254740991}`, `400 {"errors":{"params":{...`},
	} {
		c.Check(t, apitest.Exchange{Request: "POST /v1/alerts/1/snooze", Body: x.body, Want: x.want})
	}
	c.Check(t,
		apitest.Exchange{Request: "GET /v1/alerts/1/snooze", Want: `200 {"snoozed":true,"snoozes":[{"id":1,...`},
		apitest.Exchange{Request: "DELETE /v1/alerts/1/snooze", Want: "204"},
		apitest.Exchange{Request: "GET /v1/alerts/1/snooze", Want: `200 {"snoozed":false,"snoozes":[]}`},
		apitest.Exchange{Request: "POST /v1/alerts/2/snooze", Want: notFound}, apitest.Exchange{Request: "GET /v1/alerts/2/snooze", Want: notFound},
	)
	if at := c.Ask("POST /v1/alerts/1/snooze", "").Header().Get("Location"); at != "/v1/alerts/1/snooze" {
		t.Errorf("it is at %s", at)
	}
}

// TestPreviewsOfAlerts: a draft is tried out on a week until now, or on the time
// that is asked for, which has a beginning and an end.
func TestPreviewsOfAlerts(t *testing.T) {
	t.Parallel()
	w := apitest.New(t)
	s := New(w.Base)
	const alert = `"alert":{"conditions":[{"type":"above","metric_name":"cpu","threshold":1}]}`
	for _, c := range []struct{ body, want, refused string }{
		{`{` + alert + `}`, "[3999456000 4000060800]", ""}, {`{` + alert + `,"duration":60}`, "[4000060740 4000060800]", ""}, {`{` + alert + `,"start_time":5,"end_time":9}`, "[5 9]", ""},
		{`{` + alert + `,"end_time":700000,"duration":60}`, "[699940 700000]", ""}, {`{` + alert + `,"start_time":5,"duration":60}`, "[5 4000060800]", ""},
		{`{` + alert + `,"start_time":9,"end_time":9}`, "", "400 invalid parameters; start_time is not before end_time"}, {`{` + alert + `,"duration":-60}`, "", "400 invalid parameters; start_time is not before end_time"},
		{`{` + alert + `,"end_time":60}`, "", "400 invalid parameters; start_time is not before end_time"}, {`{` + alert + `,"end_time":1099511627776}`, "", "400 invalid parameters; start_time is not before end_time"},
		{`{}`, "", "400 invalid parameters; conditions is not present"}, {`{"alert":{"conditions":[{"type":"above"}]}}`, "", "400 invalid parameters; conditions.metric_name ..."},
		{`{"alert":{"conditions":[` + strings.Repeat(`{"type":"above","metric_name":"cpu","threshold":1},`, maxPreviewed) + `{"type":"above","metric_name":"cpu","threshold":1}]}}`, "", "400 invalid parameters; conditions has more than 20 entries"},
		{`{"alert":5}`, "", "400 invalid parameters; alert must be an object"},
	} {
		a, span, err := s.readPreview(httptest.NewRequest("POST", "/v1/alerts/preview", strings.NewReader(c.body)))
		begin, cut := strings.CutSuffix(c.refused, "...")
		if got := apitest.Said(err); got != c.refused && !(cut && strings.HasPrefix(got, begin)) || err == nil && (fmt.Sprint(span) != c.want || len(a.Conditions) != 1) {
			t.Errorf("%.80s: %v, %q, want %s, %q", c.body, span, got, c.want, c.refused)
		}
	}
	c := w.Client(s.Routes())
	c.Check(t, apitest.Exchange{Request: "POST /v1/alerts/preview", Body: `{` + alert + `}`, Want: `503 {"errors":{"system":["alerting is disabled on this server"]}}`})
}

// TestTestsOfAlerts: what was sent stays on record, and failing to send is the
// answer of the service, not an error.
func TestTestsOfAlerts(t *testing.T) {
	t.Parallel()
	var fail error
	test := func(_ context.Context, who tidemark.Identity, a *tidemark.Alert) (*tidemark.Delivery, []tidemark.TestResult, error) {
		n := tidemark.NewNotice(who.Org, a, nil)
		n.Kind = tidemark.NoticeTest
		return &tidemark.Delivery{Key: "k", Notice: n}, []tidemark.TestResult{{Service: 1, Title: "hook", Answer: "500 no", Duration: 7}}, fail
	}
	_, c := alerted(t, func(o *shared.Options) { o.Alerting.Test = test })
	c.Check(t,
		apitest.Exchange{Request: "POST /v1/alerts/1/test", Want: `200 {"results":[{"service_id":1,"title":"hook","ok":false,"answer":"500 no","duration_ms":7}]}`},
		apitest.Exchange{Request: "GET /v1/alerts/1/deliveries", Want: `200 {"deliveries":[{"id":1,...`},
		apitest.Exchange{Request: "POST /v1/alerts/2/test", Want: notFound}, apitest.Exchange{Request: "POST /v1/alerts/x/test", Want: notFound},
	)
	fail = errors.New("nothing may leave")
	c.Check(t, apitest.Exchange{Request: "POST /v1/alerts/1/test", Want: `500 {"errors":{"request":["internal error (request ...`})
	_, off := alerted(t)
	off.Check(t, apitest.Exchange{Request: "POST /v1/alerts/1/test", Want: `503 {"errors":{"system":["alerting is disabled on this server"]}}`})
}

// TestServicesOfAlerts: a service is attached by an id that exists, once; its
// secrets are for those who may see them.
func TestServicesOfAlerts(t *testing.T) {
	t.Parallel()
	w, c := alerted(t)
	c.Check(t,
		apitest.Exchange{Request: "POST /v1/services", Body: `{"type":"webhook","title":"two","settings":{"url":"https://example.org/s3cret"}}`, Want: `201 {"id":2,...`},
		apitest.Exchange{Request: "POST /v1/alerts/1/services", Body: `{"service":2}`, Want: `201 {"id":2,...`},
		apitest.Exchange{Request: "POST /v1/alerts/1/services", Body: `{}`, Want: `400 {"errors":{"params":{"service":["is not present"]}}}`},
		apitest.Exchange{Request: "POST /v1/alerts/1/services", Body: `{"service":-1}`, Want: `400 {"errors":{"params":{"service":["is not present"]}}}`},
		apitest.Exchange{Request: "DELETE /v1/alerts/1/services/2", Want: "204"}, apitest.Exchange{Request: "DELETE /v1/alerts/1/services/2", Want: notFound},
	)
	if got := c.Says("POST /v1/alerts/1/services", `service=2`); !strings.Contains(got, "s3cret") {
		t.Errorf("an Admin sees %s", got)
	}
	c.Who = w.Token(tidemark.ViewOnly)
	for _, path := range []string{"/v1/alerts", "/v1/alerts/1", "/v1/services", "/v1/services/2"} {
		if got := c.Says("GET "+path, ""); !strings.HasPrefix(got, "200") || strings.Contains(got, "s3cret") {
			t.Errorf("a viewer sees %s", got)
		}
	}
}

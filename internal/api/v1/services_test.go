package v1

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/apitest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
)

// TestMaskedSettings: who sends masks back keeps the secrets behind them if they
// may see them; others cannot move a secret to an address of their own.
func TestMaskedSettings(t *testing.T) {
	t.Parallel()
	w, c := alerted(t)
	mask, _ := json.Marshal(tidemark.MaskedSetting)
	settings := func(url, extra string) string { return `{"title":"renamed","settings":{"url":` + url + extra + `}}` }
	stored := func() map[string]string {
		v, err := w.Store.Service(t.Context(), w.Org, 1)
		if err != nil {
			t.Fatal(err)
		}
		return v.Settings.Reveal()
	}
	c.Check(t, apitest.Exchange{Request: "PUT /v1/services/1", Body: settings(string(mask), ""), Want: "204"})
	if got := stored()["url"]; got != "https://example.org/s3cret" {
		t.Errorf("the mask became the setting: %s", got)
	}
	admin, _ := w.Person(t, "ann@example.org", tidemark.FullAccess)
	member, _ := w.Person(t, "ben@example.org", tidemark.Member)
	admin.Recent = false
	for _, x := range []struct {
		who        tidemark.Identity
		body, want string
	}{
		{member, settings(string(mask), ""), `400 {"errors":{"params":{"settings":["hold a secret that you cannot see: only an Admin can change them"]}}}`},
		{admin, settings(string(mask), ""), `403 {"code":"prove_again",...`},
		{member, `{"title":"by a member"}`, "204"},
		{member, settings(`"https://example.org/other"`, ""), "204"},
		{member, `{"settings":{"url":5}}`, `400 {...`},
	} {
		c.Who = x.who
		c.Check(t, apitest.Exchange{Request: "PUT /v1/services/1", Body: x.body, Want: x.want})
	}
	if got := stored()["url"]; got != "https://example.org/other" {
		t.Errorf("it is %s", got)
	}
	c.Check(t, apitest.Exchange{Request: "PUT /v1/services/9", Body: `{}`, Want: notFound}, apitest.Exchange{Request: "PUT /v1/services/x", Body: `{}`, Want: notFound})
}

// TestMasksThatStandForNothing: a mask is no secret. Where there is none that
// it could stand for, it is refused by the setting's name and not kept: no
// notification would ever arrive.
func TestMasksThatStandForNothing(t *testing.T) {
	t.Parallel()
	w, c := alerted(t)
	const why = `["is a mask, and there is no secret that it stands for"]`
	for _, x := range []apitest.Exchange{
		{Request: "POST /v1/services", Body: `{"type":"pagerduty","title":"p","settings":{"service_key":"********","event_type":"trigger","description":"d"}}`, Want: `400 {"errors":{"params":{"service_key":` + why + `}}}`},
		{Request: "PUT /v1/services/1", Body: `{"type":"pagerduty","settings":{"service_key":"********","event_type":"trigger","description":"d"}}`, Want: `400 {"errors":{"params":{"service_key":` + why + `}}}`},
		{Request: "PUT /v1/services/1", Body: `{"type":"slack","settings":{"url":"********"}}`, Want: `400 {"errors":{"params":{"url":["is a mask,...`}, // a webhook has one too
		{Request: "PUT /v1/services/1", Body: `{"settings":{"url":"********","header":"********"}}`, Want: `400 {"errors":{"params":{"header":` + why + `}}}`},
		{Request: "POST /v1/services", Body: `{"type":"mail","title":"m","settings":{"addresses":"a@example.org","subject":"********"}}`, Want: `400 {"errors":{"params":{"subject":` + why + `}}}`},
	} {
		c.Check(t, x)
	}
	// What is only shown may have them: so those see it who may not see secrets.
	c.Check(t, apitest.Exchange{Request: "POST /v1/services/preview", Body: `{"type":"pagerduty","title":"p","settings":{"service_key":"********","event_type":"trigger","description":"d"}}`, Want: `200 {...`})
	v, err := w.Store.Service(t.Context(), w.Org, 1)
	if err != nil || v.Type != "webhook" || v.Settings["url"] != "https://example.org/s3cret" {
		t.Errorf("it is %s %v, %v", v.Type, v.Settings.Reveal(), err)
	}
	if _, n, err := w.Store.Services(t.Context(), w.Org, tidemark.Page{Length: 10}); err != nil || n.Total != 1 {
		t.Errorf("%d services, %v", n.Total, err)
	}
}

// TestUnmasked: only masks of what is stored are replaced, and what is stored
// stays as it is.
func TestUnmasked(t *testing.T) {
	t.Parallel()
	stored := tidemark.Settings{"url": "secret", "token": "other"}
	got := unmasked(tidemark.Settings{"url": tidemark.MaskedSetting, "token": "new", "extra": tidemark.MaskedSetting}, stored)
	if got["url"] != "secret" || got["token"] != "new" || got["extra"] != tidemark.MaskedSetting || stored["token"] != "other" || len(stored) != 2 {
		t.Errorf("%v of %v", got, stored)
	}
}

// TestGuardedServices: an address that the server may not reach is refused where
// it is written, for new services and for changed ones.
func TestGuardedServices(t *testing.T) {
	t.Parallel()
	w, c := alerted(t, func(o *shared.Options) { o.Guard = onlyExample{} })
	const inside = `{"type":"webhook","title":"inside","settings":{"url":"http://10.0.0.1/hook"}}`
	for _, request := range []string{"POST /v1/services", "PUT /v1/services/1"} {
		c.Check(t, apitest.Exchange{Request: request, Body: inside, Want: `400 {"errors":{"params":{"url":["is inside"]}}}`})
	}
	if _, n, err := w.Store.Services(t.Context(), w.Org, tidemark.Page{Length: 10}); err != nil || n.Total != 1 {
		t.Errorf("%d services, %v", n.Total, err)
	}
}

// onlyExample lets nothing out but to example.org.
type onlyExample struct{}

func (onlyExample) CheckURL(_ context.Context, url string) error {
	if !strings.HasPrefix(url, "https://example.org/") {
		return tidemark.Errorf(tidemark.Invalid, "is inside")
	}
	return nil
}

// TestPreviewsOfMessages: what a service would be sent is shown for each kind of
// notification, of a draft or of a service with changes, and nothing is saved.
func TestPreviewsOfMessages(t *testing.T) {
	t.Parallel()
	w, c := alerted(t)
	const fired, over, test = `\"condition_violated\": 1`, `\"clear\": \"normal\"`, `\"triggered_by_user_test\": true`
	for kind, want := range map[string][]bool{"": {true, false, false}, "trigger": {true, false, false}, "reminder": {true, false, false}, "escalation": {true, false, false}, "clear": {false, true, false}, "test": {true, false, true}} {
		got := c.Says("POST /v1/services/1/preview", `{"kind":"`+kind+`","title":"changed"}`)
		for i, part := range []string{fired, over, test} {
			if !strings.HasPrefix(got, `200 {"body":`) || strings.Contains(got, part) != want[i] {
				t.Errorf("%s: %s", kind, got)
			}
		}
	}
	c.Check(t,
		apitest.Exchange{Request: "POST /v1/services/preview", Body: `{"type":"slack","title":"s","settings":{"url":"https://hooks.slack.com/services/a"}}`, Want: `200 {"body":"{...`},
		apitest.Exchange{Request: "POST /v1/services/preview", Body: `{"type":"none","title":"s"}`, Want: `400 {"errors":{"params":{"type":[...`},
		apitest.Exchange{Request: "POST /v1/services/1/preview", Body: `{"kind":"joke"}`, Want: `400 {"errors":{"params":{"kind":["must be trigger, reminder, escalation, clear or test"]}}}`},
		apitest.Exchange{Request: "POST /v1/services/1/preview", Body: `{"kind":[],"title":[]}`, Want: `400 {"errors":{"params":{"kind":["must be a text"],"title":["must be a text"]}}}`},
		apitest.Exchange{Request: "POST /v1/services/9/preview", Want: notFound},
	)
	if v, err := w.Store.Service(t.Context(), w.Org, 1); err != nil || v.Title != "hook" {
		t.Errorf("it was saved: %+v, %v", v, err)
	}
}

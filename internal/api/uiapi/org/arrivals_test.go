package org

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/apitest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// TestSenders: the requests of a program are summed over the days, each in its
// place; what it sends and when it was last there is what it did latest.
func TestSenders(t *testing.T) {
	t.Parallel()
	const day = shared.DaySeconds
	rows := []*tidemark.TokenClient{ // latest first
		{UserAgent: "agent", Sender: "a", Day: 31 * day, Requests: 1, LastAt: 99, Sends: json.RawMessage(`["cpu"]`), Old: true},
		{UserAgent: "agent", Sender: "b", Day: 30 * day, Requests: 10, LastAt: 98},
		{UserAgent: "agent", Sender: "a", Day: 2 * day, Requests: 2, LastAt: 50, Sends: json.RawMessage(`["mem"]`)},
		{UserAgent: "other", Sender: "a", Day: 2 * day, Requests: 4, LastAt: 40, Sends: json.RawMessage(`nonsense`)},
		{UserAgent: "agent", Sender: "a", Day: 1 * day, Requests: 100, LastAt: 30}, // before the first day that is shown
	}
	list := sumSenders(rows, 2*day)
	if len(list) != 3 {
		t.Fatalf("%d senders", len(list))
	}
	a, b, other := list[0], list[1], list[2]
	if a.Requests != 103 || a.Days[0] != 2 || a.Days[senderDays-1] != 1 || a.LastAt != 99 || !a.Old || fmt.Sprint(a.Sends) != "[cpu]" {
		t.Errorf("%+v", a)
	}
	if b.Sender != "b" || b.Days[senderDays-2] != 10 || b.Old || other.UserAgent != "other" || other.Sends != nil {
		t.Errorf("%+v, %+v", b, other)
	}
	if got := sumSenders(nil, 0); got == nil || len(got) != 0 {
		t.Errorf("none are %v", got)
	}
}

// TestTokensOnPages: a token is listed with its latest user agent, so many of
// the others, and lists that are never null.
func TestTokensOnPages(t *testing.T) {
	t.Parallel()
	_, s, c := newClient(t)
	var users []*store.AgentUse
	for i := range maxAgents + 5 {
		users = append(users, &store.AgentUse{UserAgent: fmt.Sprint("agent-", i), Senders: 2})
	}
	v := s.tokenOverview(&tidemark.Token{ID: 7, Name: "t", LastUsedAt: 5}, users)
	if v.Agent != "agent-0" || len(v.Agents) != maxAgents || v.Hosts != 2 || v.Senders != 2*(maxAgents+5) || v.LastUsedAt != 5 {
		t.Errorf("%+v", v)
	}
	text, err := json.Marshal(s.tokenOverview(&tidemark.Token{ID: 8}, nil))
	if err != nil || strings.Contains(string(text), "null") {
		t.Errorf("%s, %v", text, err)
	}
	c.Check(t,
		apitest.Exchange{Request: "POST /v1/api_tokens", Body: `{"name":"agent","role":"recorder","scope":{"metrics":["cpu.*"]}}`, Want: `201 {...`},
		apitest.Exchange{Request: "GET /ui/api/tokens/1/senders", Want: `200 {"old_value":null,"senders":[],"uses":[]}`},
		apitest.Exchange{Request: "POST /v1/api_tokens/1/rotate", Body: `{"overlap":60}`, Want: `200 {...`},
		apitest.Exchange{Request: "GET /ui/api/tokens/1/senders", Want: `200 {"old_value":{"senders":0,"until":4000060860},"senders":[],"uses":[]}`},
		apitest.Exchange{Request: "GET /ui/api/tokens/9/senders", Want: apitest.NotFound}, apitest.Exchange{Request: "GET /ui/api/tokens/9/watch", Want: apitest.NotFound},
	)
	if got := c.Says("GET /ui/api/tokens", ""); !strings.Contains(got, `"scope":{"metrics":["cpu.*"],"tags":[]}`) || !strings.Contains(got, `"created_by":"user:ann@example.org"`) {
		t.Errorf("shown as %s", got)
	}
}

// TestUsageOfOrganizations: how much is stored, with the metrics of most streams
// first; another organization's is not counted.
func TestUsageOfOrganizations(t *testing.T) {
	t.Parallel()
	w, _, c := newClient(t)
	for _, host := range []string{"a", "b"} {
		w.Record(t, "mem", map[string]string{"host": host}, apitest.Now, 1)
	}
	w.Record(t, "cpu", nil, apitest.Now, 1)
	var v orgUsage
	if err := json.Unmarshal(c.Ask("GET /ui/api/usage", "").Body.Bytes(), &v); err != nil || v.Metrics != 2 || v.Streams != 3 || v.Samples != 3 || fmt.Sprint(v.Top) != "[{mem 2} {cpu 1}]" {
		t.Errorf("%+v, %v", v, err)
	}
	other, err := w.Store.CreateOrg(t.Context(), tidemark.ServerActor(), "Other")
	if err != nil {
		t.Fatal(err)
	}
	c.Who.Org = other.ID
	c.Check(t, apitest.Exchange{Request: "GET /ui/api/usage", Want: `200 {"bytes":0,"days":[],"metrics":0,"samples":0,"streams":0,"top":[]}`})
}

// TestUnownedRequests: requests with unknown tokens may be of any organization:
// only who belongs to all sees them.
func TestUnownedRequests(t *testing.T) {
	t.Parallel()
	w, s, c := newClient(t)
	sees := func() bool {
		t.Helper()
		ok, err := s.seesUnowned(t.Context(), c.Who)
		if err != nil {
			t.Fatal(err)
		}
		return ok
	}
	if !sees() {
		t.Error("who belongs to the only one does not see them")
	}
	other, err := w.Store.CreateOrg(t.Context(), tidemark.ServerActor(), "Other")
	if err != nil {
		t.Fatal(err)
	}
	if sees() {
		t.Error("who belongs to one of two sees them")
	}
	if _, err := w.Store.AddMember(t.Context(), other.ID, tidemark.ServerActor(), c.Who.User, tidemark.ViewOnly); err != nil {
		t.Fatal(err)
	}
	if !sees() {
		t.Error("who belongs to both does not see them")
	}
}

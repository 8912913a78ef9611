package v1

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/apitest"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
)

// TestEventQueries: events are asked for by count or by time, or not at all.
func TestEventQueries(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"":                        "none",
		"sources=a":               "none",
		"count=5":                 fmt.Sprintf("5 from 0 to %d of [], overlapping false", rest.MaxSeconds),
		"count=99999999":          fmt.Sprintf("%d from 0 to %d of [], overlapping false", shared.MaxEvents, rest.MaxSeconds),
		"start_time=5":            fmt.Sprintf("%d from 5 to %d of [], overlapping false", shared.MaxEvents, rest.MaxSeconds),
		"end_time=9.7&sources=a*": fmt.Sprintf("%d from 0 to 9 of [a*], overlapping false", shared.MaxEvents),
		"start_time=5&end_time=5&sources[]=a&sources[]=b&overlapping=1": fmt.Sprintf("%d from 5 to 5 of [a b], overlapping true", shared.MaxEvents),
		"count=2&start_time=3&end_time=4":                               "2 from 3 to 4 of [], overlapping false",
		"start_time=":                                                   "none",
		"count=0":                                                       "400 invalid parameters; count must be a number from 1",
		"count=x":                                                       "400 invalid parameters; count is not a number",
		"start_time=-1":                                                 "400 invalid parameters; start_time is not a time in seconds since 1970",
		"start_time=5&end_time=4":                                       "400 invalid parameters; end_time is before start_time",
		"count=1&overlapping=maybe":                                     "400 invalid parameters; overlapping must be true or false",
		"count=%zz":                                                     "400 the form has a % that is not followed by two hex digits",
	} {
		r := httptest.NewRequest("GET", "/v1/annotations/deploys", nil)
		r.URL.RawQuery = query
		q, err := readEventQuery(r)
		got := apitest.Said(err)
		if err == nil && q == nil {
			got = "none"
		} else if err == nil {
			got = fmt.Sprintf("%d from %d to %d of %v, overlapping %v", q.Count, q.Start, q.End, q.Sources, q.Overlapping)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
}

// TestEventsBySource: events are grouped by source, those without one as
// unassigned; one client reads a list with that object alone.
func TestEventsBySource(t *testing.T) {
	t.Parallel()
	a, none := "a", ""
	events := []*tidemark.AnnotationEvent{{ID: 1, Source: &a}, {ID: 2}, {ID: 3, Source: &none}, {ID: 4, Source: &a}}
	r := httptest.NewRequest("GET", "/", nil)
	for agent, want := range map[string]string{"curl": "%s", "appoptics-api-go-v1.0": "[%s]"} {
		r.Header.Set("User-Agent", agent)
		text, err := json.Marshal(bySource(r, events))
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for part := range strings.SplitSeq(string(text), `"id":`) {
			ids = append(ids, part[:1])
		}
		open, _, _ := strings.Cut(want, "%s")
		if !strings.HasPrefix(string(text), open+`{"a":[{`) || !strings.Contains(string(text), `"unassigned":[{`) || strings.Join(ids[1:], "") != "1423" {
			t.Errorf("%s: %s", agent, text)
		}
	}
	r.Header.Set("User-Agent", "curl")
	if text, _ := json.Marshal(bySource(r, nil)); string(text) != "{}" {
		t.Errorf("none are %s", text)
	}
}

// TestReservedStream: the history of alerts is read by all and written by
// nobody.
func TestReservedStream(t *testing.T) {
	t.Parallel()
	_, _, c := newClient(t)
	for _, name := range []string{tidemark.AlertStream, strings.ToUpper(tidemark.AlertStream)} {
		for _, request := range []string{"POST /v1/annotations/%s", "DELETE /v1/annotations/%s", "PUT /v1/annotations/%s/1", "DELETE /v1/annotations/%s/1", "POST /v1/annotations/%s/1/links", "DELETE /v1/annotations/%s/1/links/a"} {
			request = fmt.Sprintf(request, name)
			c.Check(t, apitest.Exchange{Request: request, Body: `{"title":"t"}`, Want: fmt.Sprintf(`403 {"errors":{"request":["%s is the history of alerts, which only the server writes"]}}`, tidemark.AlertStream)})
		}
	}
}

// TestAnnotations: an annotation is of now unless it says when; links are added
// and removed by name, and while there is no room none is taken.
func TestAnnotations(t *testing.T) {
	t.Parallel()
	var full error
	w := apitest.New(t, func(o *shared.Options) { o.Refusing = func() error { return full } })
	c := w.Client(New(w.Base).Routes())
	c.Check(t,
		apitest.Exchange{Request: "POST /v1/annotations/deploys", Body: `{"title":"v1"}`, Want: `201 {"id":1,"title":"v1","description":null,"source":null,"start_time":4000060800,"end_time":null,"links":[]}`},
		apitest.Exchange{Request: "POST /v1/annotations/deploys", Body: "title=v2&start_time=4000060700&source=Web", Want: `201 {"id":2,...`},
		apitest.Exchange{Request: "POST /v1/annotations/no%20name", Body: `{"title":"t"}`, Want: `400 {"errors":{"params":{"name":[...`},
		apitest.Exchange{Request: "POST /v1/annotations/deploys", Body: `{}`, Want: `400 {"errors":{"params":{"title":["is not present"]}}}`},
		apitest.Exchange{Request: "POST /v1/annotations/deploys/1/links", Body: `{"rel":"commit","href":"https://example.org/1","label":"why"}`, Want: `201 {"rel":"commit","label":"why","href":"https://example.org/1"}`},
		apitest.Exchange{Request: "DELETE /v1/annotations/deploys/1/links/commit", Want: "204"}, apitest.Exchange{Request: "DELETE /v1/annotations/deploys/1/links/commit", Want: notFound},
		apitest.Exchange{Request: "GET /v1/annotations/deploys", Want: `200 {"display_name":null,"name":"deploys"}`},
		apitest.Exchange{Request: "GET /v1/annotations/deploys?start_time=4000060750", Want: `200 {"display_name":null,"events":{"unassigned":[{"id":1,...`},
		apitest.Exchange{Request: "GET /v1/annotations/deploys?count=1&sources=none", Want: `200 {"display_name":null,"events":{},"name":"deploys"}`},
		apitest.Exchange{Request: "GET /v1/annotations/none?count=1", Want: notFound}, apitest.Exchange{Request: "GET /v1/annotations/none?count=0", Want: `400 {...`},
	)
	full = tidemark.Errorf(tidemark.Unavailable, "the disk is nearly full")
	c.Check(t,
		apitest.Exchange{Request: "POST /v1/annotations/deploys", Body: `{"title":"v3"}`, Want: `503 {"errors":{"system":["the disk is nearly full"]}}`},
		apitest.Exchange{Request: "GET /v1/annotations/deploys/2", Want: `200 {"id":2,...`},
		apitest.Exchange{Request: "DELETE /v1/annotations/deploys/2", Want: "204"},
	)
}

// TestPagesOfEvents: an answer that cannot hold all events links to the rest,
// and whoever follows the links reads each once.
func TestPagesOfEvents(t *testing.T) {
	t.Parallel()
	w, _, c := newClient(t)
	const many = 140
	text, links := strings.Repeat("x", 24_000), make([]tidemark.Link, 20)
	for i := range links {
		links[i] = tidemark.Link{Rel: fmt.Sprint(i), Href: "https://example.org/" + strings.Repeat("x", 1980)}
	}
	for i := range many { // more than 8 MiB
		e := &tidemark.AnnotationEvent{Title: fmt.Sprint(i), Description: &text, StartTime: apitest.Now - int64(i), Links: links}
		if err := w.Store.CreateEvent(t.Context(), w.Org, "deploys", e); err != nil {
			t.Fatal(err)
		}
	}
	seen := make(map[string]bool)
	pages := 0
	in := fmt.Sprintf("/o/%d/v1/annotations/deploys?", w.Org) // the next page is in the same organization
	for target := in + "count=1000&sources=*"; target != ""; pages++ {
		var page struct {
			Events map[string][]struct{ Title string }
			Links  []struct{ Rel, Href string }
		}
		if err := json.Unmarshal(c.Ask("GET "+target, "").Body.Bytes(), &page); err != nil {
			t.Fatal(err)
		}
		for _, e := range page.Events["unassigned"] {
			if seen[e.Title] {
				t.Errorf("%s comes twice", e.Title)
			}
			seen[e.Title] = true
		}
		target = ""
		if len(page.Links) > 0 {
			target = strings.TrimPrefix(page.Links[0].Href, "http://example.com")
			if !strings.HasPrefix(target, in) || !strings.Contains(target, "sources=") || page.Links[0].Rel != "next" || pages > 5 {
				t.Fatalf("link %+v", page.Links)
			}
		}
	}
	if len(seen) != many || pages != 2 {
		t.Errorf("%d of %d in %d pages", len(seen), many, pages)
	}
}

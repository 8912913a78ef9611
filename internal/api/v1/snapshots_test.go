package v1

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/apitest"
)

// TestWhichPictures: a picture is of a chart and of an hour until now, or of the
// time that is asked for in seconds or in words.
func TestWhichPictures(t *testing.T) {
	t.Parallel()
	s := New(apitest.New(t).Base)
	const chart = `"subject":{"chart":{"id":"7","source":"*"}}`
	for _, c := range []struct{ body, want, refused string }{
		{`{` + chart + `}`, "3600 until 4000060800", ""}, {`{` + chart + `,"duration":60,"end_time":1000000}`, "60 until 1000000", ""},
		{`{` + chart + `,"end_time":"2020-01-01T00:00:00Z"}`, "3600 until 1577836800", ""}, {`{` + chart + `,"end_time":"2020-01-01T01:00:00+01:00"}`, "3600 until 1577836800", ""},
		{`{` + chart + `,"end_time":"0001-01-01T00:00:00Z"}`, "3600 until 4000060800", ""}, {`{` + chart + `,"end_time":0}`, "3600 until 4000060800", ""}, {`{` + chart + `,"end_time":"5000"}`, "3600 until 5000", ""},
		{`{` + chart + `,"duration":34560000}`, "34560000 until 4000060800", ""},
		{`{` + chart + `,"duration":59}`, "", "400 invalid parameters; duration must be 60 to 34560000 seconds"}, {`{` + chart + `,"duration":34560001}`, "", "400 invalid parameters; duration must be 60 to 34560000 seconds"},
		{`{` + chart + `,"end_time":"yesterday"}`, "", "400 invalid parameters; end_time is not a time"}, {`{` + chart + `,"end_time":3600}`, "", "400 invalid parameters; end_time is not a time in seconds since 1970"},
		{`{` + chart + `,"end_time":1e300}`, "", "400 invalid parameters; end_time is not a time in seconds since 1970"}, {`{` + chart + `,"end_time":-5}`, "", "400 invalid parameters; end_time is not a time in seconds since 1970"},
		{`{}`, "", "400 invalid parameters; subject.chart.id is not present"}, {`{"subject":5}`, "", "400 invalid parameters; subject must be an object"},
		{`{"subject":{"chart":{"id":"x"}}}`, "", "400 invalid parameters; subject.id is not a number"},
	} {
		v, body, err := s.newSnapshot(httptest.NewRequest("POST", "/v1/snapshots", strings.NewReader(c.body)))
		if apitest.Said(err) != c.refused {
			t.Errorf("%s: %q, want %q", c.body, apitest.Said(err), c.refused)
		}
		if err != nil {
			continue
		}
		if got := fmt.Sprintf("%d until %d", v.Duration, v.EndTime); got != c.want || body.Subject.Chart.ID != 7 || string(v.Subject) != `{"chart":{"id":7,"source":"*"}}` || len(v.ImageKey) < 40 {
			t.Errorf("%s: %s of %s, want %s", c.body, got, v.Subject, c.want)
		}
	}
}

// TestPicturesOfCharts: a picture is drawn at once; its link opens without
// credentials for a while, and the picture is there for those who may view.
func TestPicturesOfCharts(t *testing.T) {
	t.Parallel()
	w, _, c := newClient(t)
	w.Record(t, "cpu", nil, apitest.Now-300, 1, 2, 3, 4)
	c.Check(t,
		apitest.Exchange{Request: "POST /v1/spaces", Body: `{"name":"s"}`, Want: `201 {...`},
		apitest.Exchange{Request: "POST /v1/spaces/1/charts", Body: `{"name":"c","streams":[{"metric":"cpu"},{"composite":"sum(s(\"cpu\",\"*\"))"},{"metric":"deploys","type":"annotation"}]}`, Want: `201 {...`},
		apitest.Exchange{Request: "POST /v1/snapshots", Body: `{"subject":{"chart":{"id":2}}}`, Want: `400 {"errors":{"params":{"subject":{"chart.id":["does not exist"]}}}}`},
		apitest.Exchange{Request: "POST /v1/snapshots", Body: `{"subject":{"chart":{"id":1,"type":"pie"}}}`, Want: `400 {"errors":{"params":{"subject":{"chart.type":[...`},
	)
	rec := c.Ask("POST /v1/snapshots", `{"subject":{"chart":{"id":1,"type":"stacked"}},"end_time":"2096-10-03T00:00:00Z"}`)
	var v struct{ Href, JobHref, ImageHref, EndTime string }
	text := strings.NewReplacer("job_href", "JobHref", "image_href", "ImageHref", "end_time", "EndTime").Replace(rec.Body.String())
	if err := json.Unmarshal([]byte(text), &v); rec.Code != 202 || err != nil || rec.Header().Get("Location") != "/v1/snapshots/1" {
		t.Fatalf("%d %s, %v", rec.Code, rec.Body, err)
	}
	if v.Href != "http://example.com/v1/snapshots/1" || v.JobHref != "http://example.com/v1/jobs/1" || v.EndTime != "2096-10-03T00:00:00Z" {
		t.Errorf("%+v", v)
	}
	if rec := c.Ask("GET /v1/snapshots/1/image", ""); rec.Code != 200 || !strings.HasPrefix(rec.Body.String(), "\x89PNG") || rec.Header().Get("Content-Type") != "image/png" {
		t.Errorf("%d, %v", rec.Code, rec.Header())
	}
	c.Check(t, apitest.Exchange{Request: "GET /v1/snapshots/9", Want: notFound}, apitest.Exchange{Request: "GET /v1/snapshots/x/image", Want: notFound},
		apitest.Exchange{Request: "DELETE /v1/snapshots/1", Want: "204"}, apitest.Exchange{Request: "GET /v1/snapshots/1/image", Want: notFound})
}

// TestLinksOfPictures: while a link may be opened by anyone it is one with a key,
// later one for those who have credentials; without a picture there is none.
func TestLinksOfPictures(t *testing.T) {
	t.Parallel()
	s := New(apitest.New(t).Base)
	r := httptest.NewRequest("GET", "/", nil)
	since := s.OpenSince()
	for _, c := range []struct {
		name string
		v    tidemark.Snapshot
		want any
	}{
		{"not drawn", tidemark.Snapshot{ID: 1, ImageKey: "k", CreatedAt: since}, nil},
		{"open", tidemark.Snapshot{ID: 1, ImageKey: "k", CreatedAt: since, Image: []byte("x")}, "http://example.com/ui/api/snapshots/k.png"},
		{"old", tidemark.Snapshot{ID: 1, ImageKey: "k", CreatedAt: since - 1, Image: []byte("x")}, "http://example.com/v1/snapshots/1/image"},
		{"without a key", tidemark.Snapshot{ID: 1, CreatedAt: since, Image: []byte("x")}, "http://example.com/v1/snapshots/1/image"},
	} {
		if got := s.snapshotView(r, &c.v)["image_href"]; got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

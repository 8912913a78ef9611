package dashboards

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/api/apitest"
)

// searched is a world with metrics of some streams each.
func searched(t *testing.T) *apitest.Client {
	t.Helper()
	w, _, c := newClient(t)
	for _, host := range []string{"a", "b", "c"} {
		w.Record(t, "shop.cpu.user", map[string]string{"host": host, "zone": "x"}, apitest.Now-120, 1, 3)
	}
	w.Record(t, "shop.cpu.system", map[string]string{"host": "a"}, apitest.Now-7200, 5)
	w.Record(t, "Shop.Latency", map[string]string{"host": "a", "path": "/"}, apitest.Now, 5)
	c.Check(t,
		apitest.Exchange{Request: "PUT /v1/metrics/shop.latency", Body: `{"display_name":"Time to answer","display_units_short":"ms"}`, Want: "204"},
		apitest.Exchange{Request: "PUT /v1/metrics/shop.load", Body: `{"composite":"sum(s(\"shop.cpu.*\",\"*\"))"}`, Want: `201 {...`},
	)
	return c
}

// TestMetricsBySearch: a metric is found by all words of a search, in its name or
// its display name, or by a glob; a search that finds none says what may have
// been meant.
func TestMetricsBySearch(t *testing.T) {
	t.Parallel()
	c := searched(t)
	for q, want := range map[string]string{
		"":                        "shop.cpu.system shop.cpu.user Shop.Latency shop.load of 4",
		"CPU":                     "shop.cpu.system shop.cpu.user of 4",
		"user+shop":               "shop.cpu.user of 4",
		"answer":                  "Shop.Latency of 4",
		"shop.*.user":             "shop.cpu.user of 4",
		"*er+cpu":                 "shop.cpu.user of 4",
		"cpu+nothing":             "of 4",
		"latncy":                  "of 4, or latency",
		"&length=1":               "shop.cpu.system of 4",
		"&offset=3":               "shop.load of 4",
		"&offset=9":               "of 4",
		"&sort=streams&length=1":  "shop.cpu.user of 4",
		"&length=99999999&offset": "shop.cpu.system shop.cpu.user Shop.Latency shop.load of 4",
	} {
		var page metricPage
		rec := c.Ask("GET /ui/api/metrics?q="+q, "")
		if err := json.Unmarshal(rec.Body.Bytes(), &page); rec.Code != 200 || err != nil {
			t.Fatalf("%s: %d %s, %v", q, rec.Code, rec.Body, err)
		}
		names := make([]string, 0, len(page.Metrics)+1)
		for _, m := range page.Metrics {
			names = append(names, m.Name)
		}
		got := strings.Join(append(names, fmt.Sprintf("of %d", page.Query.Total)), " ")
		if page.DidYouMean != "" {
			got += ", or " + page.DidYouMean
		}
		if got != want {
			t.Errorf("%s: %s, want %s", q, got, want)
		}
	}
	c.Check(t,
		apitest.Exchange{Request: "GET /ui/api/metrics?offset=-1", Want: `400 {"errors":{"params":{"offset":["must not be negative"]}}}`},
		apitest.Exchange{Request: "GET /ui/api/metrics?length=0", Want: `400 {"errors":{"params":{"length":["must be a number from 1"]}}}`},
		apitest.Exchange{Request: "GET /ui/api/metrics?length=x", Want: `400 {"errors":{"params":{"length":["is not a number","must be a number from 1"]}}}`},
	)
}

// TestSummariesOfMetrics: a metric has the last value of all its streams, of the
// last hour, and how many streams there are; a composite has neither.
func TestSummariesOfMetrics(t *testing.T) {
	t.Parallel()
	c := searched(t)
	c.Check(t,
		apitest.Exchange{Request: "GET /ui/api/metrics?q=cpu.user", Want: `200 {"metrics":[{"name":"shop.cpu.user","display_name":null,"type":"gauge","units":"","last_value":3,"last_at":4000060740,"streams":3}],...`},
		apitest.Exchange{Request: "GET /ui/api/metrics?q=cpu.system", Want: `200 {"metrics":[{"name":"shop.cpu.system","display_name":null,"type":"gauge","units":"","last_value":null,"last_at":0,"streams":1}],...`},
		apitest.Exchange{Request: "GET /ui/api/metrics?q=latency", Want: `200 {"metrics":[{"name":"Shop.Latency","display_name":"Time to answer","type":"gauge","units":"ms","last_value":5,"last_at":4000060800,"streams":1}],...`},
		apitest.Exchange{Request: "GET /ui/api/metrics?q=load", Want: `200 {"metrics":[{"name":"shop.load","display_name":null,"type":"composite","units":"","last_value":null,"last_at":0,"streams":0}],...`},
	)
}

// TestTagsOfPages: the tags of some metrics, those of most streams first, and the
// values of one of them that have a text in them.
func TestTagsOfPages(t *testing.T) {
	t.Parallel()
	c := searched(t)
	c.Check(t,
		apitest.Exchange{Request: "GET /ui/api/tags", Want: `200 {"tags":[{"name":"host","streams":5,"values":3},{"name":"zone","streams":3,"values":1},{"name":"path","streams":1,"values":1}]}`},
		apitest.Exchange{Request: "GET /ui/api/tags?metrics=Shop.Latency,,shop.cpu.system", Want: `200 {"tags":[{"name":"host","streams":2,"values":1},{"name":"path","streams":1,"values":1}]}`},
		apitest.Exchange{Request: "GET /ui/api/tags?metrics=none", Want: `200 {"tags":[]}`},
		apitest.Exchange{Request: "GET /ui/api/tags?name=HOST", Want: `200 {"values":[{"streams":3,"value":"a"},{"streams":1,"value":"b"},{"streams":1,"value":"c"}]}`},
		apitest.Exchange{Request: "GET /ui/api/tags?name=host&q=B", Want: `200 {"values":[{"streams":1,"value":"b"}]}`},
		apitest.Exchange{Request: "GET /ui/api/tags?name=rack", Want: `200 {"values":[]}`},
	)
}

// TestPalette: the palette shows a few metrics, spaces and alerts that a search
// matches, with how the alerts are.
func TestPalette(t *testing.T) {
	t.Parallel()
	w, _, c := newClient(t)
	w.Alerted(t, c)
	c.Check(t,
		apitest.Exchange{Request: "POST /v1/spaces", Body: `{"name":"CPU of all"}`, Want: `201 {...`},
		apitest.Exchange{Request: "PUT /ui/api/spaces/1/opened", Want: "204"},
		apitest.Exchange{Request: "POST /v1/alerts", Body: `{"name":"cpu off","active":false,"conditions":[{"type":"above","metric_name":"cpu","threshold":9}]}`, Want: `201 {...`},
		apitest.Exchange{Request: "POST /v1/alerts", Body: `{"name":"cpu nap","conditions":[{"type":"above","metric_name":"cpu","threshold":9}]}`, Want: `201 {...`},
		apitest.Exchange{Request: "POST /v1/alerts", Body: `{"name":"cpu well","conditions":[{"type":"above","metric_name":"cpu","threshold":9}]}`, Want: `201 {...`},
	)
	apitest.Fire(t, w.Store, w.Org, 1, apitest.Now-50)
	var found searchAnswer
	if err := json.Unmarshal(c.Ask("GET /ui/api/search?q=cpu", "").Body.Bytes(), &found); err != nil {
		t.Fatal(err)
	}
	states := make(map[string]string)
	for _, a := range found.Alerts {
		states[a.Name] = fmt.Sprint(a.State, " ", a.Since)
	}
	want := "map[cpu nap:ok 0 cpu off:inactive 0 cpu well:ok 0 high cpu:firing 4000060750]"
	if fmt.Sprint(states) != want || found.Alerts[0].Name != "high cpu" || len(found.Metrics) != 1 || len(found.Spaces) != 1 || found.Spaces[0].OpenedAt != apitest.Now {
		t.Errorf("%v, %+v, %+v", states, found.Metrics, found.Spaces)
	}
	c.Check(t, apitest.Exchange{Request: "GET /ui/api/search?q=zzz", Want: `200 {"alerts":[],"charts":[],"metrics":[],"spaces":[]}`})
}

// TestTagValues: those that have the text in them, in order, so many at most.
func TestTagValues(t *testing.T) {
	t.Parallel()
	counts := map[string]int{"web-2": 1, "web-1": 5, "db-1": 2}
	var got []string
	for _, v := range tagValues(counts, "web") {
		got = append(got, fmt.Sprintf("%s %d", v.Value, v.Streams))
	}
	if !slices.Equal(got, []string{"web-1 5", "web-2 1"}) {
		t.Errorf("got %v", got)
	}
	for i := range maxValues + 5 {
		counts[fmt.Sprintf("v%04d", i)] = 1
	}
	if n := len(tagValues(counts, "")); n != maxValues {
		t.Errorf("%d values", n)
	}
	if tagValues(nil, "x") == nil {
		t.Error("no values are null")
	}
}

package app

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/client"
)

const (
	wideMetrics = 6
	wideHosts   = 5
	wideMinutes = 90
)

// wideBegin is when the measurements of fillWide begin: whole hours of them are
// over, so that they have summaries.
var wideBegin = time.Now().Truncate(time.Hour).Add(-3 * time.Hour).Unix()

// fillWide makes what a restored server is asked for: metrics with streams of
// several tags, distributions, composites, a metric of attributes, annotations,
// alerts and spaces.
func fillWide(t *testing.T, s *server) {
	t.Helper()
	c := client.New(s.URL, client.Token(s.Secret))
	var all []client.Measurement
	for m := range wideMetrics {
		for i := range wideMinutes * wideHosts {
			minute, host := i/wideHosts, i%wideHosts
			all = append(all, client.Measurement{
				Name: fmt.Sprintf("wide.%d", m), Value: float64(m*1000+i) / 7, Time: wideBegin + int64(minute*60),
				Tags: map[string]string{"host": "web-" + strconv.Itoa(host), "region": []string{"eu", "us"}[host%2]},
			})
		}
	}
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for len(all) > 0 {
		n := min(len(all), 1000)
		ok(c.Record(t.Context(), all[:n]...))
		all = all[n:]
	}
	post := func(method, path string, body any) {
		t.Helper()
		ok(c.Do(t.Context(), method, path, body, nil))
	}
	for minute := range int64(30) {
		post(http.MethodPost, "/v1/measurements", map[string]any{"time": wideBegin + minute*60, "tags": map[string]string{"host": "web-1"},
			"measurements": []map[string]any{{"name": "wide.latency", "distribution": [][]float64{{1 + float64(minute), 40}, {250, 2}}}}})
	}
	post(http.MethodPut, "/v1/metrics/wide.0", map[string]any{"display_name": "Wide", "period": 60, "attributes": map[string]any{"display_units_long": "tides"}})
	post(http.MethodPut, "/v1/metrics/wide.all", map[string]any{"type": "composite", "composite": `sum(s("wide.*", {"region": "eu"}))`})
	for i := range int64(5) {
		_, err := c.Annotate(t.Context(), "wide.releases", &tidemark.AnnotationEvent{Title: fmt.Sprint("4.", i), StartTime: wideBegin + i*600, EndTime: new(wideBegin + i*600 + 60), Links: []tidemark.Link{}})
		ok(err)
		_, err = c.Alerts().Create(t.Context(), map[string]any{"name": fmt.Sprint("wide.", i), "rearm_seconds": 600 + 60*i,
			"conditions": []map[string]any{{"type": "above", "metric_name": fmt.Sprint("wide.", i), "threshold": 1e9, "duration": 60, "tags": []map[string]any{{"name": "host", "values": []string{"web-*"}}}}}})
		ok(err)
		space, err := c.Spaces().Create(t.Context(), map[string]any{"name": fmt.Sprint("Wide ", i)})
		ok(err)
		_, err = c.CreateChart(t.Context(), space.ID, map[string]any{"name": "Chart", "type": "stacked", "streams": []map[string]any{{"metric": fmt.Sprint("wide.", i)}, {"composite": `s("wide.*", "*")`}}})
		ok(err)
	}
}

// widePaths are what is asked about it, over time and of every kind.
func widePaths() (paths []string) {
	span := fmt.Sprintf("start_time=%d&end_time=%d", wideBegin, wideBegin+3*3600)
	for m := range wideMetrics {
		paths = append(paths, fmt.Sprint("/v1/metrics/wide.", m))
		for _, resolution := range []int{1, 60, 3600} {
			paths = append(paths, fmt.Sprintf("/v1/measurements/wide.%d?resolution=%d&%s", m, resolution, span))
		}
	}
	for _, more := range []string{"summary_function=all", "summary_function=stddev", "group_by=region&group_by_function=sum", "tags[host]=web-1*"} {
		paths = append(paths, "/v1/measurements/wide.3?resolution=60&"+more+"&"+span)
	}
	for _, p := range []string{"p50", "p95", "p999", "all"} {
		for _, resolution := range []int{60, 3600} {
			paths = append(paths, fmt.Sprintf("/v1/measurements/wide.latency?resolution=%d&summary_function=%s&%s", resolution, p, span))
		}
	}
	for _, composite := range []string{`s("wide.*", {"host": "web-2"})`, `derive(sum(s("wide.1", "*")))`, `percentile(s("wide.latency", "*"), {p: "95"})`} {
		paths = append(paths, "/v1/measurements?compose="+url.QueryEscape(composite)+"&resolution=60&"+span)
	}
	prom := fmt.Sprintf("&start=%d&end=%d&step=300", wideBegin, wideBegin+3*3600)
	for _, q := range []string{`sum by (region) ({__name__="wide.4"})`, `rate({__name__="wide.5"}[10m])`, `max_over_time({__name__="wide.latency"}[5m])`, `topk(2, {__name__=~"wide.*"})`} {
		paths = append(paths, "/prometheus/api/v1/query_range?query="+url.QueryEscape(q)+prom)
	}
	return append(append(paths, filledPaths()...),
		"/v1/measurements/wide.all?resolution=60&"+span, "/v1/metrics/wide.latency", "/v1/metrics/wide.all",
		"/v1/annotations", "/v1/annotations/wide.releases?"+span, "/v1/spaces/2", "/v1/spaces/2/charts", "/v1/spaces/6/charts", "/v1/alerts?length=100", "/v1/alerts/3",
		"/prometheus/api/v1/labels?"+prom[1:], "/prometheus/api/v1/label/host/values?"+prom[1:], "/prometheus/api/v1/series?match[]="+url.QueryEscape(`{__name__=~"wide.*"}`)+prom)
}

// filledPaths ask for what fill made.
func filledPaths() []string {
	return []string{
		fmt.Sprintf("/v1/measurements/hello.tide?resolution=1&start_time=%d&end_time=%d", wideBegin, wideBegin+5*3600),
		"/v1/metrics/hello.tide", "/v1/services", "/v1/spaces/1/charts",
	}
}

// wholeLoad looks at what a server sent by load was left with: all up to some
// measurement, which comes after the acknowledged ones, and none behind it.
func wholeLoad(t *testing.T, s *server, acknowledged, sent int64) {
	t.Helper()
	c := client.New(s.URL, client.Token(s.Secret))
	span := url.Values{"resolution": {"1"}, "start_time": {fmt.Sprint(wideBegin)}, "end_time": {fmt.Sprint(wideBegin + 3*3600)}}
	found := make(map[int64]bool)
	for metric := range loadMetrics {
		series, err := c.Measurements(t.Context(), fmt.Sprint("load.", metric), span)
		if err != nil && tidemark.KindOf(err) != tidemark.NotFound {
			t.Fatal(err)
		}
		for _, one := range series {
			for _, m := range one.Measurements {
				found[int64(m.Value)] = true
			}
		}
	}
	n := int64(len(found))
	for i := range n {
		if !found[i] {
			t.Fatalf("of %d measurements of the load the %d. is missing", n, i)
		}
	}
	if n < acknowledged || n > sent+1 {
		t.Errorf("the backup has %d measurements of the load: %d were acknowledged before it, %d were sent", n, acknowledged, sent)
	}
}

package v1

import (
	"fmt"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/api/apitest"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// streamsOf counts streams of metrics that match.
func streamsOf(t *testing.T, w *apitest.World, metric string) (n int) {
	t.Helper()
	for _, err := range w.Engine.Streams(t.Context(), w.Org, metric, tsdb.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	return n
}

// TestStreams: the streams of a metric that tags pick, a page of them, each with
// when it was last measured.
func TestStreams(t *testing.T) {
	t.Parallel()
	w, _, c := newClient(t)
	for i, host := range []string{"a", "b", "c"} {
		w.Record(t, "cpu", map[string]string{"host": host, "zone": "x"}, apitest.Now-int64(i), 1)
	}
	c.Check(t, apitest.Exchange{Request: "PUT /v1/metrics/unused", Body: `{}`, Want: "201 {..."})
	stream := func(host string, seen int) string {
		return fmt.Sprintf(`{"tags":{"host":"%s","zone":"x"},"last_seen":%d}`, host, apitest.Now-seen)
	}
	c.Check(t,
		apitest.Exchange{Request: "GET /v1/metrics/CPU/streams", Want: `200 {"query":{"found":3,"length":3,"offset":0,"total":3},"streams":[` + stream("a", 0) + "," + stream("b", 1) + "," + stream("c", 2) + `]}`},
		apitest.Exchange{Request: "GET /v1/metrics/cpu/streams?offset=1&length=1", Want: `200 {"query":{"found":3,"length":1,"offset":1,"total":3},"streams":[` + stream("b", 1) + `]}`},
		apitest.Exchange{Request: "GET /v1/metrics/cpu/streams?tags[host]=c", Want: `200 {"query":{"found":1,"length":1,"offset":0,"total":1},"streams":[` + stream("c", 2) + `]}`},
		apitest.Exchange{Request: "GET /v1/metrics/cpu/streams?offset=9", Want: `200 {"query":{"found":3,"length":0,"offset":9,"total":3},"streams":[]}`},
		apitest.Exchange{Request: "GET /v1/metrics/unused/streams", Want: `200 {"query":{"found":0,"length":0,"offset":0,"total":0},"streams":[]}`},
		apitest.Exchange{Request: "GET /v1/metrics/cpu/streams?length=x", Want: `400 {"errors":{"params":{"length":["must be a number from 1"]}}}`},
		apitest.Exchange{Request: "GET /v1/metrics/cpu/streams?tags=a", Want: `400 {"errors":{"params":{"tags":["must be given as tags[NAME]=VALUE"]}}}`},
		apitest.Exchange{Request: "GET /v1/metrics/none/streams", Want: `404 {"errors":{"request":["Not Found"]}}`},
	)
}

// TestTagsOfMetrics: the tags of a metric with how many streams have them, and
// so many of their values, counted whole.
func TestTagsOfMetrics(t *testing.T) {
	t.Parallel()
	w, _, c := newClient(t)
	w.Record(t, "cpu", map[string]string{"host": "a", "zone": "x"}, apitest.Now, 1)
	w.Record(t, "cpu", map[string]string{"host": "b", "zone": "x"}, apitest.Now, 1)
	w.Record(t, "mem", map[string]string{"rack": "1"}, apitest.Now, 1)
	const host, zone = `{"count":2,"name":"host","streams":2,"values":[{"streams":1,"value":"a"},{"streams":1,"value":"b"}]}`, `{"count":1,"name":"zone","streams":2,"values":[{"streams":2,"value":"x"}]}`
	c.Check(t,
		apitest.Exchange{Request: "GET /v1/metrics/cpu/tags", Want: `200 {"tags":[` + host + "," + zone + `]}`},
		apitest.Exchange{Request: "GET /v1/metrics/cpu/tags?name=ZONE", Want: `200 {"tags":[` + zone + `]}`},
		apitest.Exchange{Request: "GET /v1/metrics/cpu/tags?name=rack", Want: `200 {"tags":[]}`},
		apitest.Exchange{Request: "GET /v1/metrics/none/tags", Want: `404 {"errors":{"request":["Not Found"]}}`},
	)
}

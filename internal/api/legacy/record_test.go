package legacy

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/apitest"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/ingest"
)

// TestOldMeasurements: all of a request is recorded or nothing, and what is
// refused comes with the time, as the old service said it.
func TestOldMeasurements(t *testing.T) {
	t.Parallel()
	_, _, c := newClient(t)
	for _, x := range []struct {
		target, kind, body, want string
		recorded                 int64
	}{
		{"/v1/metrics", "application/json", `{"gauges":[{"name":"a","value":1},{"name":"b","value":2}],"counters":{"c":{"value":3}}}`, "200", 3},
		{"/v1/metrics", "", "gauges[0][name]=a&gauges[0][value]=1&source=web", "200", 1},
		{"/v1/metrics?source=web&measure_time=4000060700", "application/json", `{"gauges":{"a":{"value":1}}}`, "200", 1},
		{"/v1/metrics", "application/json", `{"gauges":[{"name":"a","value":1},{"name":"b"}]}`, `400 {"errors":{"params":{...`, 0},
		{"/v1/metrics", "application/json", `[]`, `400 {"errors":{"request":["the body must be an object with gauges and counters"]},"request_time":4000060800}`, 0},
		{"/v1/metrics", "application/json", `{`, `400 {"errors":{"request":["the body is not valid JSON"]},"request_time":4000060800}`, 0},
		{"/v1/metrics?a=%25zz", "application/json", `{"gauges":[`, `400 {...`, 0},
		{"/v1/metrics", "application/json", `{"gauges":[` + strings.Repeat(",", maxLegacyMembers+1) + `]}`, fmt.Sprintf(`413 {"errors":{"request":["a request may have at most %d measurements"]}}`, tidemark.MaxBatch), 0},
	} {
		rec := c.Ask("POST "+x.target, x.body, "Content-Type", x.kind)
		got := strings.TrimSpace(fmt.Sprintf("%d %s", rec.Code, rec.Body))
		if begin, cut := strings.CutSuffix(x.want, "..."); got != x.want && !(cut && strings.HasPrefix(got, begin)) || c.Recorded != x.recorded {
			t.Errorf("%s %.60s: %.200s, recorded %d, want %s", x.target, x.body, got, c.Recorded, x.want)
		}
	}
	c.Check(t,
		apitest.Exchange{Request: "GET /v1/metrics", Want: `200 {"metrics":[{"name":"a",...`},
		apitest.Exchange{Request: "GET /v1/metrics?name=zzz", Want: `200 {"metrics":[],"query":{"found":0,"length":0,"offset":0,"total":3}}`},
	)
}

// TestOldErrors: only what is wrong with the request has the old shape.
func TestOldErrors(t *testing.T) {
	t.Parallel()
	_, s, _ := newClient(t)
	for _, err := range []error{io.ErrClosedPipe, tidemark.Errorf(tidemark.TooLarge, "too long"), tidemark.Errorf(tidemark.Unavailable, "full")} {
		if got := s.legacyError(err); !errors.Is(got, err) {
			t.Errorf("%v became %v", err, got)
		}
	}
	limit := s.legacyError(&ingest.LimitError{RetryAfter: 3 * time.Second, Err: tidemark.Errorf(tidemark.TooMany, "slow down")})
	if w, ok := errors.AsType[*rest.WireError](limit); !ok || w.Status != 429 || w.Header["Retry-After"] != "3" || w.Says != "slow down" {
		t.Errorf("%+v", w)
	}
	field := s.legacyError(tidemark.InvalidField("gauges.value", "is not a number"))
	if w, ok := errors.AsType[*rest.WireError](field); !ok || w.Status != 400 || fmt.Sprint(w.Body) != "map[errors:map[params:map[gauges:map[value:[is not a number]]]] request_time:4000060800]" {
		t.Errorf("%+v", w)
	}
}

// TestOldExpressions: an expression's series have their source as an object, with
// what somebody called it.
func TestOldExpressions(t *testing.T) {
	t.Parallel()
	w, _, c := newClient(t)
	w.Record(t, "cpu", map[string]string{"source": "web-1"}, apitest.Now-120, 1, 2)
	w.Record(t, "cpu", map[string]string{"host": "a"}, apitest.Now-120, 3)
	c.Check(t, apitest.Exchange{Request: "PUT /v1/sources/web-1", Body: `{"display_name":"Web"}`, Want: "204"})
	const at = "GET /v1/metrics?resolution=60&duration=120&compose="
	for compose, want := range map[string][]string{
		`s("cpu",{"source":"web-1"})`: {`"source":{"name":"web-1","display_name":"Web"}`, `"query":{"metric":"cpu","source":"web-1"}`, `"series":[{"measure_time":4000060680,"value":1},{"measure_time":4000060740,"value":2}]`},
		`s("cpu",{"host":"a"})`:       {`"source":{"name":"host=a","display_name":null}`, `"query":{"metric":"cpu","source":"host=a"}`},
		`sum(s("cpu","*"))`:           {`"source":{"name":"unassigned","display_name":null}`},
	} {
		got := c.Says(at+compose, "")
		for _, part := range append(want, `"measurements":[{"metric":`) {
			if !strings.HasPrefix(got, "200 ") || !strings.Contains(got, part) {
				t.Errorf("%s: no %s in %s", compose, part, got)
			}
		}
	}
	c.Check(t, apitest.Exchange{Request: at, Want: `400 {"errors":{"params":{"compose":["is not present"]}}}`})
}

// TestSources: a source is there when a stream has it or somebody put it; one
// that is forgotten stays as long as it has measurements.
func TestSources(t *testing.T) {
	t.Parallel()
	w, _, c := newClient(t)
	w.Record(t, "cpu", map[string]string{"source": "web-1"}, apitest.Now, 1)
	w.Record(t, "mem", map[string]string{"source": "web-1"}, apitest.Now, 1)
	w.Record(t, "cpu", map[string]string{"source": "odd/name"}, apitest.Now, 1)
	const page = `"query":{"found":%d,"length":%d,"offset":%d,"total":3},"sources":[`
	db, odd, web := `{"name":"db","display_name":"Database"}`, `{"name":"odd/name","display_name":null}`, `{"name":"web-1","display_name":null}`
	c.Check(t,
		apitest.Exchange{Request: "PUT /v1/sources/DB", Body: `{"display_name":"Database"}`, Want: `201 ` + db},
		apitest.Exchange{Request: "PUT /v1/sources/db", Body: `{"display_name":"Database"}`, Want: "204"},
		apitest.Exchange{Request: "GET /v1/sources", Want: "200 {" + fmt.Sprintf(page, 3, 3, 0) + db + "," + odd + "," + web + "]}"},
		apitest.Exchange{Request: "GET /v1/sources?sort=desc&length=1&offset=1", Want: "200 {" + fmt.Sprintf(page, 3, 1, 1) + odd + "]}"},
		apitest.Exchange{Request: "GET /v1/sources?name=BASE", Want: "200 {" + fmt.Sprintf(page, 1, 1, 0) + db + "]}"},
		apitest.Exchange{Request: "GET /v1/sources?name=web*", Want: "200 {" + fmt.Sprintf(page, 1, 1, 0) + web + "]}"},
		apitest.Exchange{Request: "GET /v1/sources?offset=9", Want: "200 {" + fmt.Sprintf(page, 3, 0, 9) + "]}"},
		apitest.Exchange{Request: "GET /v1/sources?length=0", Want: `400 {...`},
		apitest.Exchange{Request: "GET /v1/sources/WEB-1", Want: "200 " + web}, apitest.Exchange{Request: "GET /v1/sources/odd%2Fname", Want: "200 " + odd},
		apitest.Exchange{Request: "GET /v1/sources/none", Want: notFound},
		apitest.Exchange{Request: "PUT /v1/sources/odd%2Fname", Body: `{"display_name":"Odd"}`, Want: "204"},
		apitest.Exchange{Request: "PUT /v1/sources/other%2Fname", Body: `{}`, Want: `400 {"errors":{"params":{"name":["must be 1 to 255 letters, digits and . : - _"]}}}`},
		apitest.Exchange{Request: "PUT /v1/sources/db", Body: `{"display_name":[]}`, Want: `400 {"errors":{"params":{"display_name":["must be a text"]}}}`},
		apitest.Exchange{Request: "DELETE /v1/sources/db", Want: "204"}, apitest.Exchange{Request: "DELETE /v1/sources/db", Want: notFound},
		apitest.Exchange{Request: "DELETE /v1/sources/web-1", Want: "204"}, apitest.Exchange{Request: "GET /v1/sources/web-1", Want: "200 " + web},
	)
}

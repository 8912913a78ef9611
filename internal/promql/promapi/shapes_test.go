package promapi_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/promql"
	"github.com/tidemark-metrics/tidemark/internal/promql/promapi"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
)

// TestValuesAreWrittenAsPrometheusDoes: numbers of every size, those that JSON
// does not have, and times between seconds have the form that clients expect.
func TestValuesAreWrittenAsPrometheusDoes(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	for query, want := range map[string]string{
		"0": "0", "-0": "-0", "1.5": "1.5", "1e20": "100000000000000000000", "1e21": "1e+21", "-1e21": "-1e+21", "0.000001": "0.000001", "0.0000009": "9e-07",
		"NaN": "NaN", "Inf": "+Inf", "-Inf": "-Inf", "1/3": "0.3333333333333333",
	} {
		_, got := ask(t, s, http.MethodGet, "/query", form("query", query, "time", "1600"))
		if want := `{"status":"success","data":{"resultType":"scalar","result":[1600,"` + want + `"]}}`; got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	for at, want := range map[string]string{
		"1600": "1600", "1600.5": "1600.500", "1600.0009": "1600.001", "1600.05": "1600.050", "-1.5": "-1.500", "0": "0", "-0.001": "-0.001",
		"1970-01-01T00:26:40.25Z": "1600.250", "1970-01-01T01:26:40+01:00": "1600", "1e3": "1000",
	} {
		_, got := ask(t, s, http.MethodGet, "/query", form("query", `"text \"in\" <quotes>"`, "time", at))
		var answer struct {
			Data struct {
				ResultType string
				Result     []any
			}
		}
		if err := json.Unmarshal([]byte(got), &answer); err != nil || answer.Data.ResultType != "string" || answer.Data.Result[1] != `text "in" <quotes>` {
			t.Errorf("%s: %s, %v", at, got, err)
		}
		if !strings.Contains(got, `"result":[`+want+`,`) {
			t.Errorf("%s: %s, want the time %s", at, got, want)
		}
	}
}

// TestDurations: a duration is a number of seconds or a text as PromQL has it.
func TestDurations(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	for step, want := range map[string]int{"60": 11, "1m": 11, "0.5m": 0, "300": 3, "1h30m": 1, "90.5": 7, "600000ms": 2, "": 0, "-60": 0, "1y": 1} {
		status, got := ask(t, s, http.MethodGet, "/query_range", form("query", "vector(1)", "start", "1000", "end", "1600", "step", step))
		if n := strings.Count(got, `"1"]`); n != want || (status == http.StatusOK) != (want > 0) {
			t.Errorf("a step of %q gives %d points, want %d: %d %s", step, n, want, status, got)
		}
	}
	for i, status := range map[int]int{11_000: 200, 11_001: 400} {
		if got, text := ask(t, s, http.MethodPost, "/query_range", form("query", "vector(1)", "start", "0", "end", fmt.Sprint(i), "step", "1")); got != status {
			t.Errorf("%d steps: %d %.200s", i, got, text)
		}
	}
}

// TestLookBackOfAQuery: a query may say itself how long a sample lasts.
func TestLookBackOfAQuery(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	for lookBack, found := range map[string]bool{"": true, "2m": true, "30s": false, "3600": true} {
		_, got := ask(t, s, http.MethodGet, "/query", form("query", `up{host="a"}`, "time", "1600", "lookback_delta", lookBack))
		if strings.Contains(got, `"9"`) != found {
			t.Errorf("%s: %s", lookBack, got)
		}
	}
}

// TestKindsOfErrors: what the server says of a request becomes Prometheus' word
// for it, with its status; only what is the server's own fault is hidden.
func TestKindsOfErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err    error
		status int
		kind   string
		told   bool
	}{
		{tidemark.Errorf(tidemark.Unauthenticated, "who are you"), 401, "unauthorized", false},
		{tidemark.Errorf(tidemark.Forbidden, "not for you"), 403, "forbidden", false},
		{tidemark.Errorf(tidemark.NotFound, "nothing here"), 404, "not_found", false},
		{tidemark.Errorf(tidemark.TooMany, "slow down"), 429, "too_many_requests", false},
		{tidemark.Errorf(tidemark.Unavailable, "starting"), 503, "unavailable", false},
		{tidemark.Errorf(tidemark.Invalid, "no such thing"), 422, "execution", false},
		{tidemark.Errorf(tidemark.Internal, "disk"), 500, "internal", true},
		{fmt.Errorf("wrapped: %w", context.DeadlineExceeded), 503, "timeout", false},
		{context.Canceled, 499, "canceled", false},
	} {
		var told error
		s := newServer(t, func(o *promapi.Options, _ *promql.Options) {
			o.Org = func(*http.Request) (tidemark.OrgID, error) { return 0, c.err }
			o.OnError = func(_ *http.Request, err error) { told = err }
		})
		status, got := ask(t, s, http.MethodGet, "/query", form("query", "up"))
		if status != c.status || !strings.HasPrefix(got, `{"status":"error","errorType":"`+c.kind+`","error":"`) || (told != nil) != c.told {
			t.Errorf("%v: %d %s, told %v", c.err, status, got, told)
		}
	}
}

// TestMetadata: what is known of metrics is asked for by name and number, and a
// server that knows nothing says so.
func TestMetadata(t *testing.T) {
	t.Parallel()
	var name string
	var limit int
	var fail error
	s := newServer(t, func(o *promapi.Options, _ *promql.Options) {
		o.Metadata = func(_ context.Context, org tidemark.OrgID, n string, l int) (map[string][]promapi.Metadata, error) {
			if name, limit = n, l; org != mine || fail != nil {
				return nil, fail
			}
			return map[string][]promapi.Metadata{"up": {{Type: "gauge", Help: "is it up", Unit: ""}}}, nil
		}
	})
	for _, c := range []struct {
		form  []string
		name  string
		limit int
	}{{nil, "", 0}, {[]string{"metric", "up", "limit", "5"}, "up", 5}, {[]string{"limit", "-1"}, "", 0}} {
		_, got := ask(t, s, http.MethodGet, "/metadata", form(c.form...))
		if want := `{"status":"success","data":{"up":[{"type":"gauge","help":"is it up","unit":""}]}}`; got != want || name != c.name || limit != c.limit {
			t.Errorf("%v: %s, asked for %q and %d", c.form, got, name, limit)
		}
	}
	if status, got := ask(t, s, http.MethodGet, "/metadata", form("limit", "x")); status != 400 || !strings.Contains(got, `"error":"limit must be a number"`) {
		t.Errorf("%d %s", status, got)
	}
	fail = errors.New("/var/lib/secret")
	if status, got := ask(t, s, http.MethodGet, "/metadata", nil); status != 500 || strings.Contains(got, "secret") {
		t.Errorf("%d %s", status, got)
	}
	fail = tidemark.Errorf(tidemark.TooMany, "slow down")
	if status, got := ask(t, s, http.MethodGet, "/metadata", nil); status != 429 || !strings.Contains(got, "slow down") {
		t.Errorf("%d %s", status, got)
	}
	for _, who := range []string{"", "other"} {
		if _, got := ask(t, newServer(t, nil), http.MethodGet, "/metadata", nil, "Org", who); got != `{"status":"success","data":{}}` {
			t.Errorf("a server that knows nothing: %s", got)
		}
	}
}

// TestLabelsAndSeriesInTime: names, values and series are those of the time
// that is asked about and of the selectors, each once.
func TestLabelsAndSeriesInTime(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	for _, c := range []struct {
		path string
		form []string
		want string
	}{
		{"/label/__name__/values", nil, `["cpu.load","old","up"]`},
		{"/label/__name__/values", []string{"start", "500"}, `["cpu.load","up"]`},
		{"/label/host/values", []string{"match[]", "up", "match[]", "cpu.load"}, ``},
		{"/label/host/values", []string{"match[]", `{__name__="up"}`, "match[]", `{__name__="cpu.load"}`}, `["a","b"]`},
		{"/label/host/values", []string{"match[]", `up{host!="a"}`}, `["b"]`},
		{"/label/U__rack_2e_row/values", nil, `["x/y"]`},
		{"/label/rack.row/values", nil, `["x/y"]`},
		{"/label/nothing/values", nil, `[]`},
		{"/labels", []string{"match[]", `up{host="b"}`}, `["__name__","host","rack.row"]`},
		{"/labels", []string{"match[]", `nothing`}, `[]`},
		{"/series", []string{"match[]", `up{host="a"}`, "match[]", `{host="a"}`}, `[{"__name__":"cpu.load","host":"a"},{"__name__":"up","host":"a"}]`},
		{"/series", []string{"match[]", "old", "start", "500"}, `[]`},
		{"/query_exemplars", []string{"query", "up"}, `[]`},
		{"/rules", nil, `{"groups":[]}`},
		{"/format_query", []string{"query", "sum(rate(up[5m]))by(host)"}, `"sum by (host) (rate(up[5m]))"`},
	} {
		status, got := ask(t, s, http.MethodGet, c.path, form(c.form...))
		if c.want == "" {
			if status != 400 {
				t.Errorf("%s %v: %d %s", c.path, c.form, status, got)
			}
			continue
		}
		if want := `{"status":"success","data":` + c.want + `}`; status != 200 || got != want {
			t.Errorf("%s %v: %d %s, want %s", c.path, c.form, status, got, want)
		}
	}
}

// TestLargeForms: a form may be posted up to a megabyte, and no more.
func TestLargeForms(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	for size, status := range map[int]int{1000: 200, 1 << 20: 400} {
		got, text := ask(t, s, http.MethodPost, "/query", form("query", "1 # "+strings.Repeat("x", size)))
		if got != status || status == 400 && !strings.Contains(text, "error parsing form values: http: request body too large") {
			t.Errorf("%d bytes: %d %.200s", size, got, text)
		}
	}
}

// goneWriter is a client that has gone after the first bytes.
type goneWriter struct {
	http.ResponseWriter
	writes int
}

func (w *goneWriter) Write([]byte) (int, error) {
	w.writes++
	return 0, io.ErrClosedPipe
}

// TestClientThatHasGone: an answer in many pieces stops at the first that
// nobody takes.
func TestClientThatHasGone(t *testing.T) {
	t.Parallel()
	api := promapi.New(promapi.Options{
		Engine: promql.New(promql.Options{Storage: manySeries(t, 3000)}), Org: func(*http.Request) (tidemark.OrgID, error) { return mine, nil },
	})
	for query, want := range map[string]int{"many": 1, "count(many)": 1} {
		w := &goneWriter{ResponseWriter: httptest.NewRecorder()}
		api.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/query?time=100&query="+query, nil))
		if w.writes != want {
			t.Errorf("%s: %d writes", query, w.writes)
		}
	}
	rec := httptest.NewRecorder()
	api.ServeHTTP(rec, httptest.NewRequest(http.MethodGet, "/query?time=100&query=many", nil))
	var answer struct {
		Data struct{ Result []struct{ Value [2]any } }
	}
	if err := json.Unmarshal(rec.Body.Bytes(), &answer); err != nil || len(answer.Data.Result) != 3000 || math.Trunc(answer.Data.Result[0].Value[0].(float64)) != 100 {
		t.Errorf("%d series, %v", len(answer.Data.Result), err)
	}
}

// manySeries is storage with so many streams of one metric.
func manySeries(t *testing.T, n int) tsdb.Reader {
	t.Helper()
	db := memory.New()
	var b tsdb.Batch
	for i := range n {
		b.Add("many", tidemark.MakeTags(map[string]string{"host": fmt.Sprint("a-rather-long-name-", i)}), 100, float64(i))
	}
	if err := db.Write(t.Context(), mine, &b); err != nil {
		t.Fatal(err)
	}
	return db
}

package promapi_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/promql"
	"github.com/tidemark-metrics/tidemark/internal/promql/promapi"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
)

const mine, other = tidemark.OrgID(1), tidemark.OrgID(2)

// newServer serves two organizations with one metric of the same name; mine
// has two more. The header Org says who asks.
func newServer(t *testing.T, change func(*promapi.Options, *promql.Options)) *httptest.Server {
	t.Helper()
	db := memory.New()
	write := func(org tidemark.OrgID, metric string, tags map[string]string, second int64, v float64) {
		var b tsdb.Batch
		b.Add(metric, tidemark.MakeTags(tags), second, v)
		if err := db.Write(t.Context(), org, &b); err != nil {
			t.Fatal(err)
		}
	}
	for i := range int64(10) {
		write(mine, "up", map[string]string{"host": "a"}, 1000+60*i, float64(i))
		write(mine, "up", map[string]string{"host": "b", "rack.row": "x/y"}, 1000+60*i, float64(10*i))
		write(mine, "cpu.load", map[string]string{"host": "a"}, 1000+60*i, 0.5)
		write(other, "up", map[string]string{"host": "secret"}, 1000+60*i, 1)
	}
	write(mine, "old", nil, 10, 1)
	po := promql.Options{Storage: db, Now: func() time.Time { return time.Unix(1600, 0) }}
	o := promapi.Options{Now: po.Now, Version: "test", Org: func(r *http.Request) (tidemark.OrgID, error) {
		switch r.Header.Get("Org") {
		case "":
			return mine, nil
		case "other":
			return other, nil
		}
		return 0, tidemark.Errorf(tidemark.Forbidden, "not for you")
	}}
	if change != nil {
		change(&o, &po)
	}
	o.Engine = promql.New(po)
	s := httptest.NewServer(http.StripPrefix("/api/v1", promapi.New(o)))
	t.Cleanup(s.Close)
	return s
}

// ask returns status and body of an answer.
func ask(t *testing.T, s *httptest.Server, method, path string, form url.Values, header ...string) (int, string) {
	t.Helper()
	target, body := s.URL+"/api/v1"+path, io.Reader(nil)
	if method == http.MethodPost {
		body = strings.NewReader(form.Encode())
	} else if len(form) > 0 {
		target += "?" + form.Encode()
	}
	req, err := http.NewRequestWithContext(t.Context(), method, target, body)
	if err != nil {
		t.Fatal(err)
	}
	if method == http.MethodPost {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := s.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	if kind := res.Header.Get("Content-Type"); kind != "application/json" {
		t.Errorf("%s %s: content type %q", method, path, kind)
	}
	return res.StatusCode, strings.TrimSpace(string(text))
}

func form(pairs ...string) url.Values {
	f := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		f.Add(pairs[i], pairs[i+1])
	}
	return f
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	for _, c := range []struct {
		path string
		form url.Values
		want string
	}{
		{"/query", form("query", "1+1", "time", "4"), `{"resultType":"scalar","result":[4,"2"]}`},
		{"/query", form("query", `"hi"`, "time", "4.5"), `{"resultType":"string","result":[4.500,"hi"]}`},
		{"/query", form("query", "up", "time", "1600.007"),
			`{"resultType":"vector","result":[{"metric":{"__name__":"up","host":"a"},"value":[1600.007,"9"]},` +
				`{"metric":{"__name__":"up","host":"b","rack.row":"x/y"},"value":[1600.007,"90"]}]}`},
		{"/query", form("query", `up{host="a"}[2m]`, "time", "1970-01-01T00:20:00Z"),
			`{"resultType":"matrix","result":[{"metric":{"__name__":"up","host":"a"},"values":[[1120,"2"],[1180,"3"]]}]}`},
		{"/query", form("query", "missing", "time", "1600"), `{"resultType":"vector","result":[]}`},
		{"/query", form("query", "vector(1/0)", "time", "1"), `{"resultType":"vector","result":[{"metric":{},"value":[1,"+Inf"]}]}`},
		{"/query", form("query", "vector(1e-9)", "time", "1"), `{"resultType":"vector","result":[{"metric":{},"value":[1,"1e-09"]}]}`},
		{"/query", form("query", `{"cpu.load"}`), `{"resultType":"vector","result":[{"metric":{"__name__":"cpu.load","host":"a"},"value":[1600,"0.5"]}]}`},
		{"/query_range", form("query", "sum(up)", "start", "1060", "end", "1180.5", "step", "1m"),
			`{"resultType":"matrix","result":[{"metric":{},"values":[[1060,"11"],[1120,"22"],[1180,"33"]]}]}`},
		{"/query_range", form("query", "sum(up)", "start", "1060", "end", "1120", "step", "60.0"),
			`{"resultType":"matrix","result":[{"metric":{},"values":[[1060,"11"],[1120,"22"]]}]}`},
		{"/series", form("match[]", "up", "match[]", `{host="a"}`),
			`[{"__name__":"cpu.load","host":"a"},{"__name__":"up","host":"a"},{"__name__":"up","host":"b","rack.row":"x/y"}]`},
		{"/series", form("match[]", "old", "start", "1000"), `[]`},
		{"/labels", nil, `["__name__","host","rack.row"]`},
		{"/labels", form("match[]", `{"cpu.load"}`), `["__name__","host"]`},
		{"/query_exemplars", form("query", "up", "start", "1", "end", "2"), `[]`},
		{"/format_query", form("query", "sum(up)by(host)"), `"sum by (host) (up)"`},
	} {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			status, got := ask(t, s, method, c.path, c.form)
			if diff := cmp.Diff(`{"status":"success","data":`+c.want+`}`, got); diff != "" || status != http.StatusOK {
				t.Errorf("%s %s %v: %d\n%s", method, c.path, c.form, status, diff)
			}
		}
	}
}

func TestOnlyGet(t *testing.T) {
	t.Parallel()
	s := newServer(t, func(o *promapi.Options, _ *promql.Options) {
		o.Metadata = func(_ context.Context, org tidemark.OrgID, name string, limit int) (map[string][]promapi.Metadata, error) {
			if org != mine {
				return nil, errors.New("disk on fire")
			}
			return map[string][]promapi.Metadata{"up": {{Type: "gauge", Help: name, Unit: fmt.Sprint(limit)}}}, nil
		}
	})
	for path, want := range map[string]string{
		"/label/__name__/values":                                     `["cpu.load","old","up"]`,
		"/label/host/values":                                         `["a","b"]`,
		"/label/host/values?match[]=up&start=1000":                   `["a","b"]`,
		"/label/rack.row/values":                                     `["x/y"]`,
		"/label/U__rack_2e_row/values":                               `["x/y"]`,
		"/label/__name__/values?start=1000":                          `["cpu.load","up"]`,
		"/label/missing/values":                                      `[]`,
		"/rules":                                                     `{"groups":[]}`,
		"/metadata?metric=up&limit=3":                                `{"up":[{"type":"gauge","help":"up","unit":"3"}]}`,
		"/label/__name__/values?limit=0":                             `["cpu.load","old","up"]`,
		"/label/host/values?match[]=cpu%3Ax":                         `[]`,
		"/label/__name__/values?match[]=up%7Bhost%3D~%22a%7Cb%22%7D": `["up"]`,
	} {
		if status, got := ask(t, s, http.MethodGet, path, nil); got != `{"status":"success","data":`+want+`}` {
			t.Errorf("%s: %d %s, want %s", path, status, got, want)
		}
	}
	status, got := ask(t, s, http.MethodGet, "/metadata", nil, "Org", "other")
	if want := `{"status":"error","errorType":"internal","error":"internal error"}`; status != http.StatusInternalServerError || got != want {
		t.Errorf("a failure of ours: %d %s", status, got)
	}
}

func TestBuildInfo(t *testing.T) {
	t.Parallel()
	_, got := ask(t, newServer(t, nil), http.MethodGet, "/status/buildinfo", nil)
	if !strings.Contains(got, `"version":"`+promapi.Speaks+`"`) || strings.Contains(got, "features") || !strings.Contains(got, "tidemark-test") {
		t.Error(got)
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	for _, c := range []struct {
		path string
		form url.Values
		want string
	}{
		{"/query", form("query", "up", "limit", "1"), `{"resultType":"vector","result":[{"metric":{"__name__":"up","host":"a"},"value":[1600,"9"]}]}`},
		{"/query_range", form("query", "up", "limit", "1", "start", "1000", "end", "1000", "step", "1"),
			`{"resultType":"matrix","result":[{"metric":{"__name__":"up","host":"a"},"values":[[1000,"0"]]}]}`},
		{"/series", form("match[]", "up", "limit", "1"), `[{"__name__":"up","host":"a"}]`},
		{"/labels", form("limit", "2"), `["__name__","host"]`},
	} {
		_, got := ask(t, s, http.MethodPost, c.path, c.form)
		if want := `{"status":"success","data":` + c.want + `,"warnings":["results truncated due to limit"]}`; got != want {
			t.Errorf("%s %v:\n%s\n%s", c.path, c.form, got, want)
		}
	}
}

func TestInfos(t *testing.T) {
	t.Parallel()
	_, got := ask(t, newServer(t, nil), http.MethodGet, "/query", form("query", "rate(up[5m])"))
	if !strings.Contains(got, `"infos":["PromQL info: metric might not be a counter, name does not end in _total/_sum/_count/_bucket: \"up\" (1:6)"]`) {
		t.Error(got)
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	long := form("query", "up", "start", "0", "end", "100000", "step", "1")
	for _, c := range []struct {
		path      string
		form      url.Values
		status    int
		kind, msg string
	}{
		{"/query", form("query", "sum("), 400, "bad_data", `invalid parameter "query": 1:5: parse error`},
		{"/query", nil, 400, "bad_data", `invalid parameter "query"`},
		{"/query", form("query", "up", "time", "noon"), 400, "bad_data", `invalid parameter "time": cannot parse "noon" to a valid timestamp`},
		{"/query", form("query", "up", "time", "NaN"), 400, "bad_data", `invalid parameter "time"`},
		{"/query", form("query", "up", "limit", "-1"), 400, "bad_data", `invalid parameter "limit": limit must be non-negative`},
		{"/query", form("query", "up", "limit", "x"), 400, "bad_data", `invalid parameter "limit"`},
		{"/query", form("query", "up", "timeout", "x"), 400, "bad_data", `invalid parameter "timeout": cannot parse "x" to a valid duration`},
		{"/query", form("query", "up", "lookback_delta", "x"), 400, "bad_data", `invalid parameter "lookback_delta"`},
		{"/query", form("query", `up{__stat__="median"}`), 400, "bad_data", `invalid parameter "query": __stat__ "median" is none of`},
		{"/query", form("query", `up{__stat__=~"max"}`), 400, "bad_data", `__stat__ takes one value`},
		{"/query", form("query", `{__stat__="max"}`), 400, "bad_data", `a selector needs more than __stat__`},
		{"/query", form("query", `up + on(nothing) up`), 422, "execution", "found duplicate series"},
		{"/query_range", form("query", "up", "end", "1", "step", "1"), 400, "bad_data", `invalid parameter "start": cannot parse "" to a valid timestamp`},
		{"/query_range", form("query", "up", "start", "2", "end", "1", "step", "1"), 400, "bad_data", `invalid parameter "end": end timestamp must not be before start time`},
		{"/query_range", form("query", "up", "start", "1", "end", "2", "step", "0"), 400, "bad_data", `invalid parameter "step": zero or negative`},
		{"/query_range", form("query", "up", "start", "1", "end", "2", "step", "0.0001"), 400, "bad_data", `invalid parameter "step"`},
		{"/query_range", form("query", "up", "start", "1", "end", "2", "step", "1e300"), 400, "bad_data", `overflows`},
		{"/query_range", long, 400, "bad_data", `exceeded maximum resolution of 11,000 points`},
		{"/query_range", form("query", "up[5m]", "start", "1", "end", "2", "step", "1"), 400, "bad_data", `invalid expression type \"range vector\" for range query`},
		{"/series", nil, 400, "bad_data", "no match[] parameter provided"},
		{"/series", form("match[]", "{"), 400, "bad_data", `invalid parameter "match[]"`},
		{"/series", form("match[]", `{a=""}`), 400, "bad_data", "match[] must contain at least one non-empty matcher"},
		{"/labels", form("start", "x"), 400, "bad_data", `invalid parameter "start"`},
		{"/query_exemplars", form("query", "("), 400, "bad_data", `invalid parameter "query"`},
		{"/format_query", form("query", "("), 400, "bad_data", `invalid parameter "query"`},
		{"/targets", nil, 404, "not_found", "/targets"},
	} {
		status, got := ask(t, s, http.MethodGet, c.path, c.form)
		msg := strings.ReplaceAll(c.msg, `"`, `\"`)
		msg = strings.ReplaceAll(msg, `\\"`, `\"`)
		if status != c.status || !strings.HasPrefix(got, `{"status":"error","errorType":"`+c.kind+`","error":"`) || !strings.Contains(got, msg) {
			t.Errorf("%s %v: %d %s\nwant %d %s %s", c.path, c.form, status, got, c.status, c.kind, msg)
		}
	}
}

// TestTenants: what the Org function says decides, and nothing else.
func TestTenants(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	for _, path := range []string{
		"/query?query=%7B__name__!%3D%22%22%7D", "/series?match[]=up", "/label/host/values",
		"/query_range?query=up&start=1000&end=1600&step=60",
	} {
		_, got := ask(t, s, http.MethodGet, path, nil)
		if strings.Contains(got, "secret") {
			t.Errorf("%s shows another organization: %s", path, got)
		}
		_, got = ask(t, s, http.MethodGet, path, nil, "Org", "other")
		if !strings.Contains(got, "secret") || strings.Contains(got, "rack") {
			t.Errorf("%s: %s", path, got)
		}
		if status, got := ask(t, s, http.MethodGet, path, nil, "Org", "nobody"); status != http.StatusForbidden || !strings.Contains(got, "not for you") {
			t.Errorf("%s: %d %s", path, status, got)
		}
	}
}

// broken is storage that fails.
type broken struct {
	tsdb.Reader
	err error
}

func (b broken) Streams(context.Context, tidemark.OrgID, string, tsdb.Filter) iter.Seq2[*tsdb.Stream, error] {
	return func(yield func(*tsdb.Stream, error) bool) { yield(nil, b.err) }
}

func TestStorageErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err    error
		status int
		want   string
		told   bool
	}{
		{errors.New("/var/lib/secret: bad sector"), 500, `{"status":"error","errorType":"internal","error":"internal error"}`, true},
		{tidemark.Errorf(tidemark.Unavailable, "storage is shutting down"), 503, `{"status":"error","errorType":"unavailable","error":"storage is shutting down"}`, false},
		{context.DeadlineExceeded, 503, `{"status":"error","errorType":"timeout","error":"expanding series: context deadline exceeded"}`, false},
	} {
		var told error
		s := newServer(t, func(o *promapi.Options, po *promql.Options) {
			po.Storage = broken{po.Storage, c.err}
			o.OnError = func(_ *http.Request, err error) { told = err }
		})
		status, got := ask(t, s, http.MethodGet, "/query", form("query", "up"))
		if status != c.status || got != c.want || (told != nil) != c.told {
			t.Errorf("%v: %d %s, told %v", c.err, status, got, told)
		}
		if status, _ := ask(t, s, http.MethodGet, "/labels", nil); status != c.status {
			t.Errorf("labels, %v: %d", c.err, status)
		}
	}
}

func TestTimeout(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	status, got := ask(t, s, http.MethodGet, "/query", form("query", "up", "timeout", "0.000000001"))
	if status != http.StatusServiceUnavailable || !strings.Contains(got, `"errorType":"timeout"`) {
		t.Error(status, got)
	}
}

func TestTooManySamples(t *testing.T) {
	t.Parallel()
	s := newServer(t, func(_ *promapi.Options, po *promql.Options) { po.MaxSamples = 5 })
	status, got := ask(t, s, http.MethodGet, "/query_range", form("query", "up", "start", "1000", "end", "1600", "step", "60"))
	if status != http.StatusUnprocessableEntity || !strings.Contains(got, "query processing would load too many samples into memory") {
		t.Error(status, got)
	}
}

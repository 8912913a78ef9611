package doors

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/apitest"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/protocol/protocoltest"
)

// newClient is a world and a client of the doors.
func newClient(t *testing.T, change ...func(*shared.Options)) (*apitest.World, *API, *apitest.Client) {
	t.Helper()
	w := apitest.New(t, change...)
	s := New(w.Base)
	return w, s, w.Client(s.Routes())
}

// TestTokensOfDoors: each protocol has its own places for a token; those that are
// empty are none.
func TestTokensOfDoors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		query, header, value string
		want                 []string
	}{
		{"/write?p=secret&u=user", "", "", []string{"secret", "user"}}, {"/write?p=&u=user", "", "", []string{"user"}}, {"/write", "", "", []string{}},
		{"/write", "Authorization", "Token secret", []string{"secret"}}, {"/write", "Authorization", "token user:secret", []string{"secret", "user"}},
		{"/write", "Authorization", "Token  user: ", []string{"user"}}, {"/write", "Authorization", "Bearer secret", []string{}}, {"/write?u=a", "Authorization", "Token b", []string{"a", "b"}},
	} {
		r := httptest.NewRequest("POST", c.query, nil)
		r.Header.Set(c.header, c.value)
		if got := influxTokens(r); !slices.Equal(got, c.want) {
			t.Errorf("InfluxDB, %s %q: %v, want %v", c.query, c.value, got, c.want)
		}
	}
	r := httptest.NewRequest("POST", "/api/v1/series?api_key=b", nil)
	if got := datadogTokens(r); !slices.Equal(got, []string{"b"}) {
		t.Errorf("Datadog: %v", got)
	}
	r.Header.Set("DD-API-KEY", "a")
	if got := datadogTokens(r); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("Datadog: %v", got)
	}
}

// TestClosedDoors: a door that the operator closed is not there, and the others
// are; every row says its protocol and has a shape for errors.
func TestClosedDoors(t *testing.T) {
	t.Parallel()
	_, open, _ := newClient(t)
	all := open.Routes()
	for _, name := range []string{"prometheus", "otlp", "influx", "datadog"} {
		_, s, _ := newClient(t, func(o *shared.Options) { o.Closed = map[string]bool{name: true} })
		if rows := s.Routes(); len(rows) >= len(all) || len(rows) == 0 {
			t.Errorf("without %s there are %d rows of %d", name, len(rows), len(all))
		}
	}
	for _, rt := range all {
		_, path, _ := strings.Cut(rt.Name(), " ")
		if rt.Protocol == "" || rt.Shape == nil || !slices.ContainsFunc(Roots, func(root string) bool { return strings.HasPrefix(path, root) }) {
			t.Errorf("%s: protocol %q, below no root, or without a shape", rt.Name(), rt.Protocol)
		}
	}
}

// TestInflux: lines are recorded; a part that is refused is an error that says
// how much was written, in the shape of either version.
func TestInflux(t *testing.T) {
	t.Parallel()
	_, _, c := newClient(t)
	for _, x := range []struct {
		target, body, want string
		recorded           int64
	}{
		{"/write?db=x", "cpu,host=a value=1 4000060700000000000\n", "204", 1},
		{"/api/v2/write?precision=s", "cpu,host=a value=1 4000060700\nmem,host=a used=2,free=3 4000060700\n", "204", 3},
		{"/write", "", "204", 0},
		{"/write?precision=s", "cpu,host=a value=1 4000060700\ncpu,host=a value=1 4100000000\n", `400 {"code":"invalid","error":"partial write: 1 of 2 points were refused; the first, cpu: time ...`, 1},
		{"/write?precision=s", "cpu,host=a value=1 4000060700\ncpu,host=a value=1 -5\nmem used=1,free=2 -1000000001\n", `400 {"code":"invalid","error":"partial write: 3 left out, the first of them cpu: the time is out of range dropped=3",...`, 1},
		{"/write?precision=s", "cpu,host=a value=1 4000060700\nno line\nnor this\n", `400 {"code":"invalid","error":"partial write: 2 left out, the first of them line 2: has a field that is not name=value: is not understood dropped=2",...`, 1},
		{"/write?precision=s", "wide" + many(51, ",t%d=v") + " a=1,b=2 4000060700\n", `400 {"code":"invalid","error":"partial write: 2 left out, the first of them wide: has more than 50 labels dropped=2",...`, 0},
		{"/write?precision=s", "cpu,host=a,host=b value=1 4000060700\n", `400 {"code":"invalid","error":"partial write: 1 left out, the first of them cpu: host: has a label twice: the last one counts dropped=0",...`, 1},
		{"/write?precision=s", "cpu,host=a value=1,state=\"up\" 4000060700\n", "204", 1},
		{"/write", "nonsense", `400 {"code":"invalid","error":...`, 0},
		{"/write?precision=year", "cpu value=1", `400 {"code":"invalid","error":...`, 0},
	} {
		rec := c.Ask("POST "+x.target, x.body)
		got := strings.TrimSpace(fmt.Sprintf("%d %s", rec.Code, rec.Body))
		begin, cut := strings.CutSuffix(x.want, "...")
		if got != x.want && !(cut && strings.HasPrefix(got, begin)) || c.Recorded != x.recorded {
			t.Errorf("%s %s: %s, recorded %d, want %s", x.target, x.body, got, c.Recorded, x.want)
		}
		if says := rec.Header().Get("X-Influxdb-Error"); (says != "") != (rec.Code == 400) || rec.Code == 204 && rec.Header().Get("X-Influxdb-Version") != influxVersion {
			t.Errorf("%s: %v", x.target, rec.Header())
		}
	}
	const unknown = `400 {"code":"invalid","error":"invalid parameters; q is not understood: InfluxQL is not spoken here, but for CREATE DATABASE, which does nothing",...`
	c.Check(t,
		apitest.Exchange{Request: "POST /query?q=create+database+x", Want: `200 {"results":[{"statement_id":0}]}`}, apitest.Exchange{Request: "POST /query?q=DROP+DATABASE+x", Want: unknown}, apitest.Exchange{Request: "POST /query", Want: unknown},
		apitest.Exchange{Request: "GET /ping", Want: "204"}, apitest.Exchange{Request: "GET /health", Want: `200 {"checks":[],"message":"ready for queries and writes","name":"influxdb","status":"pass","version":"1.8.10"}`},
	)
	if got := c.Says("POST /query", "q=CREATE+DATABASE+x", "Content-Type", "application/x-www-form-urlencoded"); !strings.HasPrefix(got, "200 ") {
		t.Errorf("in the body: %s", got)
	}
}

// many repeats a form with the numbers from 1.
func many(n int, form string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, form, i+1)
	}
	return b.String()
}

// TestDatadog: of a request of which a part is refused or left out, the rest is
// recorded, and the answer says what is not.
func TestDatadog(t *testing.T) {
	t.Parallel()
	_, _, c := newClient(t)
	good, ahead := `{"metric":"cpu","points":[[4000060700,1]],"type":"gauge","host":"a"}`, `{"metric":"cpu","points":[[4100000000,1]],"type":"gauge","host":"a"}`
	v2 := `{"metric":"cpu","type":3,"points":[{"timestamp":4000060700,"value":1}]}`
	for _, x := range []struct {
		path, kind, body, want string
		recorded               int64
	}{
		{"/api/v1/series", "application/json", `{"series":[` + good + `]}`, `202 {"status":"ok"}`, 1},
		{"/api/v1/series", "application/json", `{"series":[` + good + "," + ahead + `]}`, `400 {"errors":["1 of 2 points were refused; the first, cpu: time ...`, 1},
		{"/api/v1/series", "application/json", `{"series":[` + good + `,{"points":[[4000060700,1]]},{"metric":"old","points":[[-5,1],[4000060700]]}]}`,
			`400 {"errors":["1 left out: has no name; 1 left out, the first of them old: a point is not [time, value]: is not understood; 1 left out, the first of them old: the time is out of range"]}`, 1},
		{"/api/v1/series", "application/json", `{"series":[` + good + `,{"metric":"wide","points":[[4000060700,1]],"tags":["t0:v"` + many(50, `,"t%d:v"`) + `]}]}`,
			`400 {"errors":["1 left out, the first of them wide: has more than 50 labels"]}`, 1},
		{"/api/v1/series", "application/json", `{"series":[{"metric":"cpu","points":[[4000060700,1]],"tags":["role:web","role:cache"]}]}`, `202 {"status":"ok"}`, 1},
		{"/api/v1/series", "application/json", `{"series":[` + ahead + `]}`, `400 {"errors":[...`, 0},
		{"/api/v1/series", "application/json", `{"series":`, `400 {"errors":[...`, 0},
		{"/api/v2/series", "application/json; charset=utf-8", `{"series":[` + v2 + `]}`, `202 {"errors":[]}`, 1},
		{"/api/v2/series", "application/json", `{"series":[` + v2 + `,{"points":[{"timestamp":4000060700,"value":1}]}]}`, `400 {"errors":["1 left out: has no name"]}`, 1},
		{"/api/v2/series", "application/x-protobuf", "\xff\xff", `400 {"errors":[...`, 0},
	} {
		got := c.Says("POST "+x.path, x.body, "Content-Type", x.kind)
		begin, cut := strings.CutSuffix(x.want, "...")
		if got != x.want && !(cut && strings.HasPrefix(got, begin)) || c.Recorded != x.recorded {
			t.Errorf("%s %s: %s, recorded %d, want %s", x.path, x.body, got, c.Recorded, x.want)
		}
	}
	c.Check(t, apitest.Exchange{Request: "GET /api/v1/validate", Want: `200 {"valid":true}`})
	c.Who = tidemark.Identity{Org: 1, Role: tidemark.ViewOnly, Token: 1}
	c.Check(t, apitest.Exchange{Request: "GET /api/v1/validate", Want: `403 {"errors":["This token is not permitted to perform this action on this resource"]}`})
}

// TestPackedBodies: bodies come packed; one that is larger than it may be, or not
// packed as it says, is refused before anything is made of it.
func TestPackedBodies(t *testing.T) {
	t.Parallel()
	_, s, c := newClient(t)
	line := "cpu,host=a value=1 4000060700000000000\n"
	large := strings.Repeat("# a comment, of which nothing is kept\n", 10_000) + line
	for encoding, body := range map[string]string{
		"": line, "gzip": string(protocoltest.Pack(t, "gzip", []byte(line))), "zstd": string(protocoltest.Pack(t, "zstd", []byte(large))), "snappy": string(protocoltest.Pack(t, "snappy", []byte(large))),
	} {
		if got := c.Says("POST /write", body, "Content-Encoding", encoding); got != "204" || c.Recorded != 1 {
			t.Errorf("%q: %s, recorded %d", encoding, got, c.Recorded)
		}
	}
	bomb := string(protocoltest.Pack(t, "gzip", bytes.Repeat([]byte("#\n"), protocol.DefaultLimits.Bytes/2+1)))
	for encoding, want := range map[string]string{"gzip": "413 ", "br": "415 ", "zstd": "400 "} {
		if got := c.Says("POST /write", bomb, "Content-Encoding", encoding); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", encoding, got, want)
		}
	}
	if len(s.benches) != maxBenches {
		t.Errorf("%d of %d benches came back", len(s.benches), maxBenches)
	}
}

// TestOTLPAnswers: what was not taken is in the answer, in the form of the
// request; another form is refused.
func TestOTLPAnswers(t *testing.T) {
	t.Parallel()
	for want, c := range map[string]struct {
		n    int
		text string
	}{`{}`: {}, `{"partialSuccess":{"rejectedDataPoints":"2","errorMessage":"too old"}}`: {2, "too old"}, `{"partialSuccess":{"rejectedDataPoints":"0","errorMessage":"a warning"}}`: {0, "a warning"}} {
		if got := string(responseJSON(c.n, c.text)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	_, _, c := newClient(t)
	point := func(at int) string {
		return fmt.Sprintf(`{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"cpu","gauge":{"dataPoints":[{"timeUnixNano":"%d000000000","asDouble":1,"attributes":[{"key":"host","value":{"stringValue":"a"}}]}]}}]}]}]}`, at)
	}
	for _, x := range []struct{ kind, body, want string }{
		{"application/json", point(4000060700), `200 {}`}, {"application/json", `{"resourceMetrics":`, `400 {"code":3,"message":...`}, {"application/x-protobuf", "", "200"},
		{"text/plain", "", `415 {"code":3,"message":"the content type must be application/x-protobuf or application/json"}`}, {"application/json", point(4100000000), `400 {"code":3,"message":...`},
	} {
		got := c.Says("POST /otlp/v1/metrics", x.body, "Content-Type", x.kind)
		if begin, cut := strings.CutSuffix(x.want, "..."); got != x.want && !(cut && strings.HasPrefix(got, begin)) {
			t.Errorf("%s %.40s: %s, want %s", x.kind, x.body, got, x.want)
		}
	}
}

// TestMetadata: metrics are described with their type, unit and words: one, all,
// or so many; one that is not there is described by nothing.
func TestMetadata(t *testing.T) {
	t.Parallel()
	w, s, c := newClient(t)
	const many = tidemark.MaxPageLength + 5
	about, period := " Requests. ", int64(60)
	_, _, err := w.Store.PutMetric(t.Context(), w.Org, tidemark.ServerActor(), "M000", func(m *tidemark.Metric) {
		m.Type, m.Description, m.Period, m.Attributes = tidemark.Counter, &about, &period, map[string]any{"display_units_short": "req"}
	})
	if err != nil {
		t.Fatal(err)
	}
	var lines strings.Builder
	for i := range many {
		fmt.Fprintf(&lines, "m%03d,host=a value=1\n", i)
	}
	if got := c.Says("POST /write", lines.String()); got != "204" {
		t.Fatal(got)
	}
	for _, x := range []struct {
		name        string
		limit, want int
	}{{"", 0, many}, {"", 3, 3}, {"", tidemark.MaxPageLength, tidemark.MaxPageLength}, {"", tidemark.MaxPageLength + 1, tidemark.MaxPageLength + 1}, {"", maxMetadata + 1, many}, {"m001", 0, 1}, {"none", 0, 0}} {
		if got, err := s.metadata(t.Context(), w.Org, x.name, x.limit); err != nil || len(got) != x.want {
			t.Errorf("%q, %d: %d, %v, want %d", x.name, x.limit, len(got), err, x.want)
		}
	}
	var answer struct {
		Data map[string][]struct{ Type, Unit, Help string }
	}
	if err := json.Unmarshal(c.Ask("GET /prometheus/api/v1/metadata?metric=M000", "").Body.Bytes(), &answer); err != nil || fmt.Sprint(answer.Data) != "map[M000:[{counter req Requests.}]]" {
		t.Errorf("%v, %v", answer.Data, err)
	}
	if got, err := s.periods(t.Context(), w.Org, []string{"m000", "m001", "none"}); err != nil || fmt.Sprint(got) != "map[m000:60]" {
		t.Errorf("%v, %v", got, err)
	}
}

// TestPrometheusErrors: readers of Prometheus hear of refusals in its words.
func TestPrometheusErrors(t *testing.T) {
	t.Parallel()
	r := httptest.NewRequest("GET", promRoot+"/query", nil)
	for kind, want := range map[tidemark.Kind]string{
		tidemark.Unauthenticated: "unauthorized", tidemark.Forbidden: "forbidden", tidemark.TooMany: "too_many_requests", tidemark.Unavailable: "unavailable", tidemark.Invalid: "bad_data", tidemark.NotFound: "bad_data",
	} {
		w, ok := errors.AsType[*rest.WireError](asPrometheus(r, tidemark.Errorf(kind, "no")))
		if !ok || fmt.Sprint(w.Body) != fmt.Sprintf("map[error:no errorType:%s status:error]", want) {
			t.Errorf("kind %d: %+v", kind, w)
		}
	}
	s := New(shared.New(shared.Options{Site: &rest.Site{Logger: slog.New(slog.DiscardHandler)}}))
	w := httptest.NewRecorder()
	if s.promql.ServeHTTP(w, httptest.NewRequest("GET", "/query?query=1", nil)); w.Code != 401 {
		t.Errorf("a query of no organization: %d %s", w.Code, w.Body)
	}
}

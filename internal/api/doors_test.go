package api

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/protocol/otlp"
	"github.com/tidemark-metrics/tidemark/internal/protocol/protocoltest"
)

const (
	remoteV1 = "application/x-protobuf"
	remoteV2 = "application/x-protobuf;proto=io.prometheus.write.v2.Request"
)

// series1 is a series as remote write 1.0 has it: labels, and samples a second
// apart.
func series1(labels []string, from int64, values ...float64) []byte {
	var parts []any
	for i := 0; i < len(labels); i += 2 {
		parts = append(parts, 1, protocoltest.Message(1, labels[i], 2, labels[i+1]))
	}
	for i, v := range values {
		parts = append(parts, 2, protocoltest.Message(1, v, 2, int((from+int64(i))*1000)))
	}
	return protocoltest.Message(parts...)
}

// query asks PromQL and returns the value of the one series there is, or what
// came instead.
func (w *world) query(expr string, at int64) string {
	rec := w.ask("viewer", "GET", fmt.Sprintf("/prometheus/api/v1/query?time=%d&query=%s", at, url.QueryEscape(expr)), "")
	var answer struct {
		Data struct{ Result []struct{ Value [2]any } }
	}
	if err := json.Unmarshal(rec.Body.Bytes(), &answer); err != nil || len(answer.Data.Result) != 1 {
		return rec.Body.String()
	}
	return fmt.Sprint(answer.Data.Result[0].Value[1])
}

// TestRemoteWrite: series come in by 1.0, are read by PromQL, and a part that
// is refused is in the answer with what was written.
func TestRemoteWrite(t *testing.T) {
	w := newWorld(t)
	send := func(kind string, body []byte, headers ...string) (int, http.Header, string) {
		packed := protocoltest.Pack(t, "snappy", body)
		rec := w.ask("recorder", "POST", "/prometheus/api/v1/write", string(packed),
			append([]string{"Content-Type", kind, "Content-Encoding", "snappy", "User-Agent", "Prometheus/3.5.0"}, headers...)...)
		return rec.Code, rec.Header(), rec.Body.String()
	}
	const written = "X-Prometheus-Remote-Write-Samples-Written"
	labels := []string{"__name__", "http_requests_total", "instance", "Web-07:9090", "path", "/cart/{id}"}
	body := protocoltest.Message(
		1, series1(labels, w.minute, 10, 20, 30),
		1, series1([]string{"__name__", "lat_bucket", "le", "0.1"}, w.minute, 5),
		1, series1([]string{"__name__", "lat_bucket", "le", "+Inf"}, w.minute, 10),
		1, series1([]string{"__name__", "gone"}, w.minute, math.Float64frombits(0x7ff0000000000002), math.Inf(1), math.NaN()),
	)
	code, header, text := send(remoteV1, body)
	if code != http.StatusNoContent || header.Get(written) != "5" || text != "" {
		t.Fatalf("%d %v %s", code, header, text)
	}
	for expr, want := range map[string]string{
		`rate(http_requests_total{path="/cart/{id}"}[3s])`: "10",
		`http_requests_total{instance="Web-07:9090"}`:      "30",
		`histogram_quantile(0.5, lat_bucket)`:              "0.1",
		`count({le="+Inf"})`:                               "1",
		`absent(gone)`:                                     "1",
	} {
		if got := w.query(expr, w.minute+2); got != want {
			t.Errorf("%s is %s, want %s", expr, got, want)
		}
	}
	rec := w.ask("viewer", "GET", "/v1/metrics/http_requests_total", "")
	if !strings.Contains(rec.Body.String(), `"type":"counter"`) {
		t.Errorf("%s", rec.Body)
	}

	future := protocoltest.Message(1, series1(labels, w.minute, 40), 1, series1([]string{"__name__", "late"}, w.minute+90_000, 1))
	code, header, text = send(remoteV1, future)
	if code != http.StatusBadRequest || header.Get(written) != "1" || !strings.Contains(text, "1 of 2 points were refused; the first, late: time is too far in the future") {
		t.Errorf("%d %v %s", code, header, text)
	}
	wide := []string{"__name__", "wide"}
	for i := range 51 {
		wide = append(wide, fmt.Sprint("l", i), "v")
	}
	for _, one := range []struct {
		name   string
		labels []string
		from   int64
		says   string
	}{
		{"too many labels", wide, w.minute, "2 left out, the first of them wide: has more than 50 labels\n"},
		{"no name", []string{"host", "a"}, w.minute, "2 left out: has no name\n"},
		{"a label twice", []string{"__name__", "twice", "a", "1", "a", "2"}, w.minute, "1 left out, the first of them twice: a: has a label twice: the last one counts\n"},
		{"a bad time", []string{"__name__", "old"}, -60, "2 left out, the first of them old: the time is out of range\n"},
	} {
		kept := "1"
		if one.name == "a label twice" {
			kept = "3"
		}
		code, header, text = send(remoteV1, protocoltest.Message(1, series1(one.labels, one.from, 1, 2), 1, series1(labels, w.minute, 40)))
		if code != http.StatusBadRequest || header.Get(written) != kept || text != one.says {
			t.Errorf("%s: %d %v %s", one.name, code, header, text)
		}
	}
	code, _, text = send("application/x-protobuf;proto=other", body)
	if code != http.StatusUnsupportedMediaType || !strings.Contains(text, "content type") {
		t.Errorf("%d %s", code, text)
	}

	symbols := []any{4, "", 4, "__name__", 4, "two", 4, "host", 4, "a"}
	two := protocoltest.Message(append(symbols, 5, protocoltest.Message(1, []byte{1, 2, 3, 4}, 2, protocoltest.Message(1, 7.0, 2, int(w.minute*1000))))...)
	code, header, text = send(remoteV2, two, "X-Prometheus-Remote-Write-Version", "2.0.0")
	if code != http.StatusNoContent || header.Get(written) != "1" || header.Get("X-Prometheus-Remote-Write-Histograms-Written") != "0" {
		t.Errorf("%d %v %s", code, header, text)
	}
	nameless := protocoltest.Message(append(symbols, 5, protocoltest.Message(1, []byte{1, 2, 3, 4}, 2, protocoltest.Message(1, 7.0, 2, int(w.minute*1000))),
		5, protocoltest.Message(1, []byte{3, 4}, 2, protocoltest.Message(1, 7.0, 2, int(w.minute*1000))))...)
	code, header, text = send(remoteV2, nameless, "X-Prometheus-Remote-Write-Version", "2.0.0")
	if code != http.StatusBadRequest || header.Get(written) != "1" || text != "1 left out: has no name\n" {
		t.Errorf("%d %v %s", code, header, text)
	}
	if got := w.query(`two{host="a"}`, w.minute); got != "7" {
		t.Errorf("two is %s", got)
	}
}

// TestOTLPAnswers: requests of protocol buffers are answered in kind.
func TestOTLPAnswers(t *testing.T) {
	w := newWorld(t)
	good := protocoltest.Read(t, "../protocol/otlp/testdata/request.pb")
	for _, encoding := range []string{"", "gzip", "zstd"} {
		rec := w.ask("recorder", "POST", "/otlp/v1/metrics", string(protocoltest.Pack(t, encoding, good)), "Content-Type", "application/x-protobuf", "Content-Encoding", encoding)
		if rec.Code != http.StatusOK || rec.Header().Get("Content-Type") != "application/x-protobuf" {
			t.Errorf("%q: %d %v %q", encoding, rec.Code, rec.Header(), rec.Body)
		}
	}
	rec := w.ask("recorder", "POST", "/otlp/v1/metrics", "\xff\xff", "Content-Type", "application/x-protobuf")
	if !strings.HasPrefix(rec.Body.String(), "\x08\x03\x12") || rec.Code != http.StatusBadRequest {
		t.Errorf("%d %q", rec.Code, rec.Body)
	}
	if got, want := otlp.Response(2, "no"), "\x0a\x06\x08\x02\x12\x02no"; string(got) != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestForeignTokens: each protocol's clients name their token in ways of their
// own, and a wrong one is nobody's.
func TestForeignTokens(t *testing.T) {
	w := newWorld(t)
	secret := w.secrets["recorder"]
	line, series := "cpu value=1", `{"series":[{"metric":"cpu","points":[[NOW,1]]}]}`
	for _, c := range []struct {
		target, body string
		headers      []string
	}{
		{"/write?u=telegraf&p=TOKEN", line, nil},
		{"/write?u=TOKEN", line, nil},
		{"/write", line, []string{"Authorization", "Token TOKEN"}},
		{"/write", line, []string{"Authorization", "Token telegraf:TOKEN"}},
		{"/api/v2/write", line, []string{"Authorization", "token TOKEN"}},
		{"/api/v2/write", line, []string{"Authorization", "Bearer TOKEN"}},
		{"/api/v1/series?api_key=TOKEN", series, nil},
		{"/api/v1/series", series, []string{"DD-API-KEY", "TOKEN"}},
		{"/api/v1/series", series, []string{"Authorization", "Bearer TOKEN"}},
	} {
		for _, token := range []string{secret, w.secrets["unknown"]} {
			with := func(s string) string { return strings.ReplaceAll(s, "TOKEN", token) }
			var headers []string
			for _, h := range c.headers {
				headers = append(headers, with(h))
			}
			rec := w.ask("nobody", "POST", with(c.target), w.timely(c.body), headers...)
			if ok := rec.Code < 300; ok != (token == secret) || !ok && rec.Code != http.StatusUnauthorized {
				t.Errorf("%s %v: %d %s", c.target, c.headers, rec.Code, rec.Body)
			}
		}
	}
	// What is one protocol's way is none of another's.
	for _, c := range []struct{ target, header, value string }{
		{"/v1/measurements?p=" + secret, "", ""}, {"/v1/measurements", "DD-API-KEY", secret}, {"/api/v1/series?p=" + secret, "", ""},
		{"/otlp/v1/metrics", "DD-API-KEY", secret},
	} {
		rec := w.ask("nobody", "POST", c.target, "{}", c.header, c.value, "Content-Type", "application/json")
		if rec.Code != http.StatusUnauthorized {
			t.Errorf("%+v: %d %s", c, rec.Code, rec.Body)
		}
	}
}

// TestMalformedForeign sends every door of another protocol what none takes:
// it is refused in the protocol's shape, changes nothing, and is no fault of
// ours.
func TestMalformedForeign(t *testing.T) {
	in := newInspector(t)
	bomb := strings.Repeat("\x00", protocol.DefaultLimits.Bytes+1)
	packed := make(map[string]string) // once for all doors
	for _, encoding := range []string{"gzip", "zstd", "snappy"} {
		packed[encoding] = string(protocoltest.Pack(t, encoding, []byte(bomb)))
	}
	tried := 0
	for _, rt := range in.Table {
		if rt.Protocol == "" || rt.Protocol == "PromQL" || !strings.HasPrefix(rt.Pattern, "POST") || rt.Name() == "POST /query" {
			continue
		}
		tried++
		method, target, good := in.goodRequest(rt)
		good = in.timely(good)
		kind := append(goodHeaders(rt), "X-None", "")
		for name, c := range map[string]struct {
			body, encoding string
			status         int
		}{
			"not gzip":      {good, "gzip", 400},
			"half of gzip":  {string(protocoltest.Pack(t, "gzip", []byte(good)))[:12], "gzip", 400},
			"half of zstd":  {string(protocoltest.Pack(t, "zstd", []byte(strings.Repeat(good, 9))))[:8], "zstd", 400},
			"wrong snappy":  {"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", "snappy", 400},
			"a gzip bomb":   {packed["gzip"], "gzip", 413},
			"a zstd bomb":   {packed["zstd"], "zstd", 413},
			"a snappy bomb": {packed["snappy"], "snappy", 413},
			"long":          {bomb, "identity", 413},
			"brotli":        {good, "br", 415},
			"noise":         {"\x0a\xff\xff\xff\xff\x7f{\x00", "identity", 400},
		} {
			before := in.state()
			rec := in.ask("admin", method, target, c.body, append(kind, "Content-Encoding", c.encoding)...)
			if rec.Code != c.status || rec.Body.Len() == 0 {
				t.Errorf("%s, %s: %d %.200q, want %d", rt.Name(), name, rec.Code, rec.Body, c.status)
			}
			if in.state() != before {
				t.Errorf("%s, %s: something changed", rt.Name(), name)
			}
		}
	}
	if tried < 6 {
		t.Errorf("only %d doors were tried", tried)
	}
	in.checkLog()
}

// TestForeignLabels asks PromQL for labels that are called like no label.
func TestForeignLabels(t *testing.T) {
	in := newInspector(t)
	for _, part := range malformedParts {
		rec := in.ask("viewer", "GET", "/prometheus/api/v1/label/"+part+"/values", "")
		if rec.Code >= 500 || rec.Code == http.StatusOK && !strings.Contains(rec.Body.String(), `"data":[]`) {
			t.Errorf("%q: %d %s", part, rec.Code, rec.Body)
		}
	}
	in.checkLog()
}

// TestForeignTenants: what one organization sends, by whatever protocol, no
// other can read.
func TestForeignTenants(t *testing.T) {
	w := newWorld(t)
	if rec := w.ask("theirs", "POST", "/write", "secret_load value=1"); rec.Code != http.StatusNoContent {
		t.Fatalf("%d %s", rec.Code, rec.Body)
	}
	for _, target := range []string{"query?query=secret_load", "series?match[]=secret_load", "label/__name__/values", "labels", "metadata", "metadata?metric=secret_load"} {
		rec := w.ask("viewer", "GET", "/prometheus/api/v1/"+target, "")
		if rec.Code != http.StatusOK || strings.Contains(rec.Body.String(), "secret_load") {
			t.Errorf("%s: %d %s", target, rec.Code, rec.Body)
		}
		rec = w.ask("theirs", "GET", "/prometheus/api/v1/"+target, "")
		if target != "labels" && !strings.Contains(rec.Body.String(), "secret_load") {
			t.Errorf("%s: %d %s", target, rec.Code, rec.Body)
		}
	}
}

// TestArrivals: what comes by other protocols is counted like all else.
func TestForeignArrivals(t *testing.T) {
	w := newWorld(t)
	w.ask("recorder", "POST", "/write", "cpu,host=web-07 user=1,idle=2", "User-Agent", "Telegraf/1.37.2")
	w.ask("recorder", "POST", "/write", "nonsense", "User-Agent", "Telegraf/1.37.2")
	arrived, refused := w.Usage.Arrivals(w.ours, false)
	if len(arrived) != 1 || arrived[0].Protocol != "InfluxDB" || arrived[0].Measurements != 2 || arrived[0].UserAgent != "Telegraf/1.37.2" {
		t.Errorf("%+v", arrived)
	}
	if len(refused) != 1 || refused[0].Status != http.StatusBadRequest || !strings.Contains(refused[0].Reason, "line 1") {
		t.Errorf("%+v", refused)
	}
}

// TestClosedDoors: a door that the operator closed is not there.
func TestClosedDoors(t *testing.T) {
	w := newWorld(t)
	o := w.Options
	o.Closed = map[string]bool{"influx": true, "prometheus": true}
	w.Server = New(o)
	for target, status := range map[string]int{
		"/write": http.StatusNotFound, "/prometheus/api/v1/query?query=1": http.StatusNotFound, "/api/v1/series": http.StatusAccepted,
	} {
		method, body := "POST", `{"series":[]}`
		if rec := w.ask("admin", method, target, body); rec.Code != status {
			t.Errorf("%s: %d %s", target, rec.Code, rec.Body)
		}
	}
	open := 0
	for _, rt := range w.Table {
		if rt.Protocol == "InfluxDB" || rt.Protocol == "PromQL" {
			t.Errorf("%s is open", rt.Name())
		}
		if rt.Protocol != "" {
			open++
		}
	}
	if open == 0 {
		t.Error("all doors are closed")
	}
}

package api

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/ingest"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
)

func zipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestRecordBodies(t *testing.T) {
	w := newWorld(t)
	const one = `{"measurements":[{"name":"a","value":1}]}`
	bomb := zipped(t, `{"measurements":[],"x":"`+strings.Repeat(" ", 2*tidemark.MaxBatchBytes)+`"}`)
	many := `{"measurements":[` + strings.Repeat(`{"name":"a","value":1},`, tidemark.MaxBatch) + `{"name":"a","value":1}]}`
	tests := []struct {
		name, body string
		headers    []string
		status     int
		text       string
	}{
		{"plain", one, nil, 202, `{"measurements":{"summary":{"total":1,"accepted":1,"failed":0,"filtered":0}}}`},
		{"gzip", zipped(t, one), []string{"Content-Encoding", "gzip"}, 202, `"failed":0`},
		{"gzip again", zipped(t, one), []string{"Content-Encoding", "gzip"}, 202, `"failed":0`},
		{"gzip cut short", zipped(t, one)[:30], []string{"Content-Encoding", "gzip"}, 400, `{"errors":["the body`},
		{"gzip and nothing", "", []string{"Content-Encoding", "gzip"}, 400, `Unable to process JSON`},
		{"gzip bomb", bomb, []string{"Content-Encoding", "gzip"}, 413, `{"errors":["the body is longer than 16777216 bytes"]}`},
		{"too long", strings.Repeat(" ", tidemark.MaxBatchBytes+1), nil, 413, `{"errors":["the body is longer than 16777216 bytes"]}`},
		{"too many", many, nil, 413, `{"errors":["a request may have at most 10000 measurements"]}`},
		{"with a charset", one, []string{"Content-Type", "application/json; charset=utf-8"}, 202, `"failed":0`},
	}
	for _, test := range tests {
		rec := w.ask("recorder", "POST", "/v1/measurements", test.body, test.headers...)
		if rec.Code != test.status || !strings.Contains(rec.Body.String(), test.text) {
			t.Errorf("%s: %d %.200s", test.name, rec.Code, rec.Body)
		}
		if rec.Code == http.StatusAccepted && strings.Contains(rec.Body.String(), "errors") {
			t.Errorf("%s: a success that speaks of errors: %s", test.name, rec.Body)
		}
	}
}

// TestTooLongIsTold sends all of a body that is too long before it reads the
// answer, as most clients do.
func TestTooLongIsTold(t *testing.T) {
	w := newWorld(t)
	server := httptest.NewServer(w)
	defer server.Close()
	for _, path := range []string{"/v1/measurements", "/v1/metrics", "/v1/spaces"} {
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		const size = 2 * tidemark.MaxBatchBytes
		head := fmt.Sprintf("POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n", path, w.secrets["admin"], size)
		if _, err := io.WriteString(conn, head+strings.Repeat(" ", size)); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil || resp.StatusCode != http.StatusRequestEntityTooLarge {
			t.Errorf("%s: got %v, %v", path, resp, err)
		}
		conn.Close()
	}
}

func TestRecordLimits(t *testing.T) {
	w := newWorld(t)
	w.Recorder = ingest.New(ingest.Options{Engine: w.engine, Metrics: w.Store, Limits: tidemark.NewLimits(map[tidemark.LimitName]int64{tidemark.LimitStreams: 1})})
	w.ask("recorder", "POST", "/v1/measurements", `{"measurements":[{"name":"a","value":1}]}`)
	for path, body := range map[string]string{
		"/v1/measurements": `{"measurements":[{"name":"b","value":1}]}`,
		"/v1/metrics":      `{"gauges":[{"name":"b","value":1}]}`,
	} {
		rec := w.ask("recorder", "POST", path, body)
		if rec.Code != http.StatusTooManyRequests || rec.Header().Get("Retry-After") != "60" || !strings.Contains(rec.Body.String(), `"error":`) {
			t.Errorf("%s: %d %v %s", path, rec.Code, rec.Header(), rec.Body)
		}
	}
}

// TestPages walks the links of a long answer and puts it together again.
func TestPages(t *testing.T) {
	w := newWorld(t)
	now := time.Now().Unix() / 60 * 60
	var b tsdb.Batch
	want := make(map[string]int)
	for stream := range 7 {
		host := strconv.Itoa(stream)
		for i := range 50 {
			b.Add("m", tidemark.MakeTags(map[string]string{"host": host}), now-int64(i)*60, float64(i))
			want[host]++
		}
	}
	if _, err := w.Store.EnsureMetrics(t.Context(), w.ours, []*tidemark.Metric{{Name: "m", Type: tidemark.Gauge}}); err != nil {
		t.Fatal(err)
	}
	if err := w.engine.Write(t.Context(), w.ours, &b); err != nil {
		t.Fatal(err)
	}
	for _, points := range []int{1, 7, 20, 60, 120, 1000} {
		w.AnswerPoints = points
		target := fmt.Sprintf("/v1/measurements/m?resolution=60&start_time=%d&end_time=%d&tags[host]=*", now-49*60, now)
		got, pages := make(map[string]int), 0
		for ; target != ""; pages++ {
			target = readAnswer(t, w, target, points, got)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%d points a page, %d pages (-want +got):\n%s", points, pages, d)
		}
		if least := 350 / points; pages < least {
			t.Errorf("%d points a page: %d pages, want %d", points, pages, least)
		}
	}
}

// readAnswer counts the points of one page and returns where the next is.
func readAnswer(t *testing.T, w *world, target string, points int, got map[string]int) string {
	t.Helper()
	rec := w.ask("viewer", "GET", target, "")
	var answer struct {
		Series []struct {
			Tags         map[string]string
			Measurements []struct{ Time int64 }
		}
		Links []struct{ Rel, Href string }
	}
	if err := json.Unmarshal(rec.Body.Bytes(), &answer); err != nil || rec.Code != http.StatusOK {
		t.Fatalf("%s: %d %v %s", target, rec.Code, err, rec.Body)
	}
	n := 0
	for _, s := range answer.Series {
		got[s.Tags["host"]] += len(s.Measurements)
		n += len(s.Measurements)
	}
	if n > max(points, 50) {
		t.Fatalf("%s: %d points on a page of %d", target, n, points)
	}
	if len(answer.Links) == 0 {
		return ""
	}
	u, err := url.Parse(answer.Links[0].Href)
	if err != nil || answer.Links[0].Rel != "next" || !u.IsAbs() {
		t.Fatalf("link %+v: %v", answer.Links, err)
	}
	return u.RequestURI()
}

// TestResolution checks the answer that clients show to their users.
func TestResolution(t *testing.T) {
	w := worldWithTiers(t)
	w.ask("recorder", "POST", "/v1/measurements", `{"measurements":[{"name":"a","value":1}]}`)
	rec := w.ask("viewer", "GET", fmt.Sprintf("/v1/measurements/a?resolution=1&duration=%d", 9*86400), "")
	const want = `{"errors":{"request":"The requested data resolution is unavailable for the given time range. Please try a different resolution."}}`
	if rec.Code != http.StatusBadRequest || rec.Body.String() != want {
		t.Errorf("%d %s", rec.Code, rec.Body)
	}
	if rec := w.ask("viewer", "GET", fmt.Sprintf("/v1/measurements/a?resolution=3600&duration=%d", 9*86400), ""); rec.Code != http.StatusOK {
		t.Errorf("%d %s", rec.Code, rec.Body)
	}
}

// worldWithTiers is a world that keeps less detail of what is older.
func worldWithTiers(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	engine := memory.New(memory.Options{
		Tiers: []tsdb.Tier{{Window: 1, Retention: 8 * 86400}, {Window: 3600, Retention: 365 * 86400}},
		Now:   func() int64 { return time.Now().Unix() },
	})
	w.Engine = engine
	w.Recorder = ingest.New(ingest.Options{Engine: engine, Metrics: w.Store})
	w.Querier = query.New(query.Options{Engine: engine, Catalog: w.Store})
	return w
}

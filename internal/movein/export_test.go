package movein_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/ingest"
	"github.com/tidemark-metrics/tidemark/internal/movein"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
)

// fill gives a server measurements of every kind, and annotations.
func fill(t *testing.T, s *server) {
	t.Helper()
	ok(t, s.PutMetric(t.Context(), "Shop.Orders", map[string]any{
		"type": "gauge", "period": 60, "description": "orders taken", "display_name": "Orders",
		"attributes": map[string]any{"display_units_short": "ord", "aggregate": true, "team": "shop"},
	}))
	ok(t, s.PutMetric(t.Context(), "old.counter", map[string]any{"type": "counter"}))
	s.record(t, fmt.Sprintf(`{"measurements":[
		{"name":"Shop.Orders","value":2,"time":%[1]d,"tags":{"region":"EU"}},
		{"name":"shop.orders","value":3,"time":%[1]d,"tags":{"region":"eu"}},
		{"name":"old.counter","value":17,"time":%[1]d,"tags":{"host":"a"}},
		{"name":"cpu","value":0.1,"time":%[1]d},
		{"name":"cpu","value":-7e-12,"time":%[1]d,"tags":{"host":"a b","path":"/x?y\\z"}},
		{"name":"cpu","value":5,"time":%[2]d,"tags":{"host":"a b","path":"/x?y\\z"}},
		{"name":"cpu","value":6,"time":%[3]d,"tags":{"host":"a b","path":"/x?y\\z"}},
		{"name":"load","count":4,"sum":10,"min":1,"max":4,"last":3,"stddev":1.25,"time":%[1]d,"tags":{"host":"a"}}]}`,
		ago(600), ago(20*86400), ago(100*86400)))
	ok(t, s.PutMetric(t.Context(), "busy", map[string]any{"type": "composite", "composite": `sum(s("cpu","*"))`}))
	b := protocol.NewBatch(protocol.DefaultLimits)
	dist := protocol.Dist{Count: 4, Sum: 20, Min: 2, Max: 9, Buckets: []protocol.Bucket{{Lower: 2, Upper: 5, Count: 2}, {Lower: 5, Upper: 9, Count: 2}}}
	ok(t, b.AddHistogram(protocol.Point{Name: "latency", Kind: protocol.Distribution, Time: ago(600) * 1000, Labels: tidemark.Tags{{Name: "path", Value: "/"}}}, dist))
	_, _, err := s.recorder.RecordPoints(t.Context(), s.org, b, ingest.Origin{})
	ok(t, err)
	title, source := "Deploys", "web-1"
	end := ago(540)
	_, err = s.Annotate(t.Context(), "deploys", &tidemark.AnnotationEvent{Title: "v2", Source: &source, StartTime: ago(600), EndTime: &end, Links: []tidemark.Link{{Rel: "commit", Href: "https://example.org/c"}}})
	ok(t, err)
	ok(t, s.PutAnnotationStream(t.Context(), "deploys", map[string]any{"display_name": title}))
}

// export returns all that a server has as lines.
func export(t *testing.T, s *server, metrics ...string) string {
	t.Helper()
	var b bytes.Buffer
	_, err := movein.Export{Server: s.Client, Metrics: metrics, End: ago(-60), Out: &b, Progress: silent}.Run(t.Context())
	ok(t, err)
	_, rest, _ := strings.Cut(b.String(), "\n") // the first line has the time of the export
	return rest
}

// TestRoundTrip: what was exported and imported is exported again as it was,
// of every kind, and importing it twice changes nothing that is not summed up.
func TestRoundTrip(t *testing.T) {
	from, to := start(t), start(t)
	fill(t, from)
	text := export(t, from)
	for _, part := range []string{`"name":"Shop.Orders"`, `"type":"composite"`, `"type":"counter"`, `"team":"shop"`, `"sketches":["`, `"annotation":{"stream":"deploys"`, `"Deploys"`, `"summaries":[[2,5,2,3,3,0.5]]`} {
		if !strings.Contains(text, part) {
			t.Errorf("the export has no %s:\n%s", part, text)
		}
	}
	done, err := movein.Restore{Server: to.Client, In: strings.NewReader(text), Progress: silent}.Run(t.Context())
	ok(t, err)
	if done.Recorded != 8 || done.Refused != 0 || done.Annotations != 1 || to.settled != 1 {
		t.Errorf("%+v, settled %d times", done, to.settled)
	}
	if d := cmp.Diff(text, export(t, to)); d != "" {
		t.Errorf("another server has (-want +got):\n%s", d)
	}
	for _, q := range []string{`s("latency","*",{function:"p95"})`, `s("cpu","*")`} {
		if want, got := from.values(t, q, ago(3600), 60), to.values(t, q, ago(3600), 60); want != got || want == "" {
			t.Errorf("%s is %q, want %q", q, got, want)
		}
	}
	// Records of the last days replace those there are.
	some := export(t, to, "cpu", "lat*")
	_, err = movein.Restore{Server: to.Client, In: strings.NewReader(recent(some)), Progress: silent}.Run(t.Context())
	ok(t, err)
	if d := cmp.Diff(some, export(t, to, "cpu", "lat*")); d != "" {
		t.Errorf("after another import (-want +got):\n%s", d)
	}
}

// recent leaves lines out that are of times of which no records are kept.
func recent(lines string) string {
	var kept []string
	for line := range strings.Lines(lines) {
		if !strings.Contains(line, fmt.Sprint(ago(20*86400))) && !strings.Contains(line, fmt.Sprint(ago(100*86400)/3600*3600)) {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}

func TestExportChooses(t *testing.T) {
	s := start(t)
	fill(t, s)
	var b bytes.Buffer
	done, err := movein.Export{Server: s.Client, Metrics: []string{"C*", "*.counter"}, Start: ago(3600), End: ago(500), Out: &b, Progress: silent}.Run(t.Context())
	ok(t, err)
	if done.Metrics != 2 || done.Lines != 3 || strings.Contains(b.String(), "shop") || strings.Contains(b.String(), "values\":[5]") {
		t.Errorf("%+v:\n%s", done, b.String())
	}
	for pattern, want := range map[string]bool{"cpu": true, "CP*": true, "*u": true, "c*u*": true, "*": true, "c": false, "u*": false, "c*p": false, "c*pu*u": false} {
		b.Reset()
		_, err := movein.Export{Server: s.Client, Metrics: []string{pattern}, End: ago(0), Out: &b, Progress: silent}.Run(t.Context())
		ok(t, err)
		if got := strings.Contains(b.String(), `{"definition":{"name":"cpu"`); got != want {
			t.Errorf("%s picks cpu: %v", pattern, got)
		}
	}
}

var errCut = errors.New("cut off")

// failAfter makes the nth request of an address fail, and those after it.
func (s *server) failAfter(n int, path string) {
	s.before = func(r *http.Request) error {
		if !strings.HasPrefix(r.URL.Path, path) {
			return nil
		}
		if n--; n < 0 {
			return errCut
		}
		return nil
	}
}

// TestResume: an export and an import that are interrupted at every request in
// turn, and resumed, come to the same.
func TestResume(t *testing.T) {
	from, to := start(t), start(t)
	fill(t, from)
	want := export(t, from)
	path := filepath.Join(t.TempDir(), "all.jsonl.gz")
	x := movein.Export{Server: from.Client, End: ago(-60), Path: path, Progress: silent}
	cuts := 0
	for ; ; cuts++ {
		from.failAfter(1, "/admin/measurements")
		_, err := x.Run(t.Context())
		if err == nil {
			break
		}
		if !errors.Is(err, errCut) || cuts > 20 {
			t.Fatal(err)
		}
		// What was written after the cursor does not count.
		f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		ok(t, err)
		_, err = f.WriteString("half a li")
		ok(t, err)
		ok(t, f.Close())
		x.Resume = true
	}
	if cuts < 3 {
		t.Errorf("it was interrupted %d times only", cuts)
	}
	_, got, _ := strings.Cut(unzip(t, path), "\n")
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	in := movein.Restore{Server: to.Client, Path: path, Progress: silent}
	for cuts = 0; ; cuts++ {
		to.failAfter(1, "/admin/measurements")
		_, err := in.Run(t.Context())
		if err == nil {
			break
		}
		if !errors.Is(err, errCut) || cuts > 20 {
			t.Fatal(err)
		}
		in.Resume = true
	}
	to.before = nil
	if d := cmp.Diff(want, export(t, to)); d != "" || cuts < 3 {
		t.Errorf("after %d interruptions (-want +got):\n%s", cuts, d)
	}
	if left, _ := filepath.Glob(path + ".*"); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

func unzip(t *testing.T, path string) string {
	t.Helper()
	f, err := os.Open(path)
	ok(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	ok(t, err)
	text, err := io.ReadAll(z)
	ok(t, err)
	return string(text)
}

func TestResumeRefuses(t *testing.T) {
	s := start(t)
	fill(t, s)
	path := filepath.Join(t.TempDir(), "x.jsonl")
	x := movein.Export{Server: s.Client, End: ago(0), Path: path, Progress: silent, Resume: true}
	_, err := x.Run(t.Context())
	wantError(t, err, "nothing to resume")
	x.Resume = false
	s.failAfter(0, "/admin/measurements")
	_, err = x.Run(t.Context())
	wantError(t, err, "cut off")
	_, err = x.Run(t.Context())
	wantError(t, err, "continue with --resume")
	x.Resume, x.Metrics = true, []string{"cpu"}
	_, err = x.Run(t.Context())
	wantError(t, err, "was of the metrics *")
	s.before, x.Metrics = nil, nil
	_, err = x.Run(t.Context())
	ok(t, err)
	x.Resume = false
	_, err = x.Run(t.Context())
	wantError(t, err, "is there already")
}

// TestCancelled: an import that is told to stop does so, and can go on.
func TestCancelled(t *testing.T) {
	from, to := start(t), start(t)
	fill(t, from)
	path := filepath.Join(t.TempDir(), "x.jsonl")
	_, err := movein.Export{Server: from.Client, End: ago(-60), Path: path, Progress: silent}.Run(t.Context())
	ok(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	to.before = func(r *http.Request) error {
		if strings.HasPrefix(r.URL.Path, "/admin/measurements") {
			cancel()
		}
		return nil
	}
	if _, err = (movein.Restore{Server: to.Client, Path: path, Progress: silent}).Run(ctx); !errors.Is(err, context.Canceled) {
		t.Fatalf("%v, want that it was cancelled", err)
	}
	to.before = nil
	_, err = movein.Restore{Server: to.Client, Path: path, Progress: silent, Resume: true}.Run(t.Context())
	ok(t, err)
	if d := cmp.Diff(export(t, from, "cpu"), export(t, to, "cpu")); d != "" {
		t.Error(d)
	}
}

func TestRestoreRefuses(t *testing.T) {
	s := start(t)
	ok(t, s.PutMetric(t.Context(), "busy", map[string]any{"type": "composite", "composite": `s("cpu","*")`}))
	for text, reason := range map[string]string{
		`{"tidemark_export":9}`:                                "line 1: is of version 9",
		`{"tidemark_export":1}` + "\nnonsense":                 "line 2: is no JSON",
		`{"x":1}`:                                              "is nothing that an export has",
		`{"metric":"m","times":[1,2],"values":[1]}`:            "there are 2",
		`{"definition":{"name":"a b","type":"gauge"}}`:         "name",
		`{"annotation":{"stream":"s","start_time":1}}`:         "title",
		`{"metric":"m","times":[1],"summaries":[[1,2,3,4,5]]}`: "squared deviations",
	} {
		_, err := movein.Restore{Server: s.Client, In: strings.NewReader(text), Progress: silent}.Run(t.Context())
		wantError(t, err, reason)
	}
	now := time.Now().Unix()
	lines := fmt.Sprintf(`{"metric":"good","times":[%[1]d],"values":[1]}
{"metric":"good","times":[5,%[2]d],"values":[1,1]}
{"metric":"no name","times":[%[1]d],"values":[1]}
{"metric":"m","tags":{"a":"ü"},"times":[%[1]d],"values":[1]}
{"metric":"busy","times":[%[1]d],"values":[1]}
{"metric":"m","times":[%[1]d],"summaries":[[0,1,1,1,1,0]]}
{"metric":"m","times":[%[1]d],"summaries":[[3,3,1,1,1,0]],"sketches":["IAAA"]}
`, now, now+86400)
	done, err := movein.Restore{Server: s.Client, In: strings.NewReader(lines), Progress: silent}.Run(t.Context())
	ok(t, err)
	if done.Recorded != 1 || done.Refused != 7 {
		t.Errorf("%+v", done)
	}
	all := strings.Join(done.Problems, "\n")
	for _, part := range []string{"older than anything", "in the future", "no name of a metric", "cannot be a tag", "is a composite", "is invalid"} {
		if !strings.Contains(all, part) {
			t.Errorf("nothing about %q in\n%s", part, all)
		}
	}
	if _, err := s.Metric(t.Context(), "m"); tidemark.KindOf(err) != tidemark.NotFound {
		t.Errorf("a metric of which nothing was recorded: %v", err)
	}
	_, err = s.Restore(t.Context(), []byte("\n"))
	wantError(t, err, "no lines")
	_, _, err = s.Lines(t.Context(), "a b", 0, 1)
	wantError(t, err, "no name")
	_, _, err = s.Lines(t.Context(), "a", -1, 1)
	wantError(t, err, "start")
}

package ingest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
)

const us = tidemark.OrgID(1)

// fakeMetrics is the control store, as far as a Recorder sees it.
type fakeMetrics struct {
	mu       sync.Mutex
	stored   map[string]*tidemark.Metric
	drops    []*tidemark.TagDrop
	dropsErr error
	asked    int
	err      error
	full     bool   // no new ones are taken
	during   func() // called while metrics are created
}

func (f *fakeMetrics) EnsureMetrics(_ context.Context, _ tidemark.OrgID, ms []*tidemark.Metric) ([]*tidemark.Metric, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked++
	if f.err != nil {
		return nil, f.err
	}
	if f.during != nil {
		f.during()
	}
	out := make([]*tidemark.Metric, len(ms))
	for i, m := range ms {
		if err := m.Validate(); err != nil {
			return nil, err
		}
		key := tidemark.MetricKey(m.Name)
		if f.stored[key] == nil && f.full {
			return nil, tidemark.Errorf(tidemark.TooMany, "no room for metrics")
		}
		if f.stored[key] == nil {
			f.stored[key] = m
		}
		out[i] = f.stored[key]
	}
	return out, nil
}

func (f *fakeMetrics) Metric(_ context.Context, _ tidemark.OrgID, name string) (*tidemark.Metric, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked++
	if m := f.stored[tidemark.MetricKey(name)]; m != nil {
		return m, nil
	}
	return nil, tidemark.Errorf(tidemark.NotFound, "no such metric")
}

func (f *fakeMetrics) MetricsByName(ctx context.Context, org tidemark.OrgID, names []string) (map[string]*tidemark.Metric, error) {
	found := make(map[string]*tidemark.Metric)
	for _, name := range names {
		if m, err := f.Metric(ctx, org, name); err == nil {
			found[tidemark.MetricKey(name)] = m
		}
	}
	return found, nil
}

func (f *fakeMetrics) MatchMetrics(_ context.Context, _ tidemark.OrgID, names, exclude []string) ([]string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	any := func(patterns []string, key string) bool {
		return slices.ContainsFunc(patterns, func(p string) bool { return tidemark.Glob(strings.ToLower(p), key) })
	}
	var found []string
	for key, m := range f.stored {
		if any(names, key) && !any(exclude, key) {
			found = append(found, m.Name)
		}
	}
	return found, nil
}

func (f *fakeMetrics) DeleteMetrics(_ context.Context, _ tidemark.OrgID, _ tidemark.Actor, names []string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, name := range names {
		delete(f.stored, tidemark.MetricKey(name))
	}
	return nil
}

func (f *fakeMetrics) UpdateMetrics(ctx context.Context, org tidemark.OrgID, _ tidemark.Actor, names, exclude []string, change func(*tidemark.Metric)) (changed []*tidemark.Metric, err error) {
	matched, err := f.MatchMetrics(ctx, org, names, exclude)
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, name := range matched {
		m := *f.stored[tidemark.MetricKey(name)]
		m.Attributes = maps.Clone(m.Attributes)
		change(&m)
		f.stored[tidemark.MetricKey(name)] = &m
		changed = append(changed, &m)
	}
	return changed, err
}

func (f *fakeMetrics) TagDrops(context.Context, tidemark.OrgID) ([]*tidemark.TagDrop, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.drops, f.dropsErr
}

// bench is a Recorder with everything around it.
type bench struct {
	*Recorder
	engine  *memory.Engine
	metrics *fakeMetrics

	mu      sync.Mutex // for what several writers report at once
	touched []string
	records int // that OnRecords heard of
}

func newBench(limits map[tidemark.LimitName]int64) *bench {
	now := func() time.Time { return time.Unix(testNow, 0) }
	b := &bench{metrics: &fakeMetrics{stored: make(map[string]*tidemark.Metric)}}
	b.engine = memory.New(memory.Options{
		Tiers: []tsdb.Tier{{Window: 1, Retention: 1000}},
		Now:   func() int64 { return testNow },
	})
	b.Recorder = New(Options{Engine: b.engine, Metrics: b.metrics, Now: now, Limits: tidemark.NewLimits(limits),
		OnWrite: b.wrote, OnRecords: b.recorded})
	return b
}

func (b *bench) wrote(_ tidemark.OrgID, names iter.Seq[string]) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.touched = slices.Sorted(names)
}

func (b *bench) recorded(_ tidemark.OrgID, batch *tsdb.Batch) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.records += batch.Len()
}

// contents lists everything in the engine, a line for each record.
func (b *bench) contents(t *testing.T) []string {
	t.Helper()
	var lines []string
	q := &tsdb.Query{Metric: "*", Start: 0, End: testNow + 4000, Step: 1, Function: tsdb.All}
	for s, err := range b.engine.Select(t.Context(), us, q) {
		if err != nil {
			t.Fatal(err)
		}
		for i, at := range s.Times {
			lines = append(lines, fmt.Sprintf("%s{%s} %d %+v", s.Metric, s.Tags, at-testNow, s.Summaries[i]))
		}
	}
	return lines
}

func (b *bench) record(t *testing.T, body string) (Summary, []Problem, error) {
	t.Helper()
	return b.Record(t.Context(), us, []byte(body), "agent/1.0")
}

func diff(t *testing.T, what string, got, want any) {
	t.Helper()
	if d := cmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

func TestRecord(t *testing.T) {
	b := newBench(nil)
	s, problems, err := b.record(t, `{"time":1754300390,"tags":{"Node":"Web-07"},"period":60,"measurements":[
		{"name":"Shop.MS","value":48.2,"display_name":"Checkout","attributes":{"display_min":"0","color":"#52D74C","l2met":{"a":1},"display_units_short":["ms"],"aggregate":"maybe"}},
		{"name":"shop.ms","value":50,"tags":{"dc":"fra1"},"time":1754300395},
		{"name":"db.ms","count":4,"sum":10,"min":1,"max":4,"stddev":1.5,"period":"10.0"},
		{"name":"empty","count":0},
		{"name":"bad name","value":1}]}`)
	if err != nil {
		t.Fatal(err)
	}
	diff(t, "summary", s, Summary{Total: 5, Accepted: 3, Failed: 1, Filtered: 1})
	diff(t, "problems", problems, []Problem{{Index: 4, Name: "bad name", Param: "name", Value: `"bad name"`, Reason: flaws[badName].reason}})
	diff(t, "records", b.contents(t), []string{
		"db.ms{node=web-07} -10 {Count:4 Sum:10 Min:1 Max:4 Last:2.5 M2:9}",
		"shop.ms{dc=fra1} -5 {Count:1 Sum:50 Min:50 Max:50 Last:50 M2:0}",
		"shop.ms{node=web-07} -10 {Count:1 Sum:48.2 Min:48.2 Max:48.2 Last:48.2 M2:0}",
	})
	diff(t, "touched", b.touched, []string{"db.ms", "shop.ms"})
	if got := len(b.contents(t)); b.records != got {
		t.Errorf("OnRecords heard of %d records, the engine has %d", b.records, got)
	}
	period := int64(60)
	ten := int64(10)
	display := "Checkout"
	diff(t, "metrics", b.metrics.stored, map[string]*tidemark.Metric{
		"shop.ms": {Name: "Shop.MS", Type: "gauge", Period: &period, DisplayName: &display,
			Attributes: map[string]any{"display_min": 0.0, "color": "#52D74C", "l2met": map[string]any{"a": json.Number("1")}, "created_by_ua": "agent/1.0"}},
		"db.ms": {Name: "db.ms", Type: "gauge", Period: &ten, Attributes: map[string]any{"created_by_ua": "agent/1.0"}},
	})
}

func TestRecordAsksTheStoreOnce(t *testing.T) {
	b := newBench(nil)
	for range 3 {
		if _, _, err := b.record(t, `{"measurements":[{"name":"a","value":1},{"name":"b","value":1}]}`); err != nil {
			t.Fatal(err)
		}
	}
	if b.metrics.asked != 1 {
		t.Errorf("the store was asked %d times", b.metrics.asked)
	}
	if err := b.MetricChanged(t.Context(), us, b.metrics.stored["a"]); err != nil {
		t.Fatal(err)
	}
	if _, _, err := b.record(t, `{"measurements":[{"name":"a","value":1}]}`); err != nil {
		t.Fatal(err)
	}
	if b.metrics.asked != 2 {
		t.Errorf("the store was asked %d times after a change", b.metrics.asked)
	}
}

func TestMetric(t *testing.T) {
	b := newBench(nil)
	if _, err := b.Metric(t.Context(), us, "a"); tidemark.KindOf(err) != tidemark.NotFound {
		t.Errorf("none: %v", err)
	}
	if _, _, err := b.record(t, `{"measurements":[{"name":"Aa","value":1}]}`); err != nil {
		t.Fatal(err)
	}
	asked := b.metrics.asked
	m, err := b.Metric(t.Context(), us, "aA")
	if err != nil || m.Name != "Aa" || b.metrics.asked != asked {
		t.Errorf("known: %+v %v, asked %d times", m, err, b.metrics.asked-asked)
	}
	b.metrics.stored["aa"] = &tidemark.Metric{Name: "Aa", Type: tidemark.Gauge, CreatedAt: 7}
	for what, forget := range map[string]func(){
		"changed":     func() { _ = b.MetricChanged(t.Context(), us, m) },
		"invalidated": b.Invalidate,
	} {
		forget()
		asked = b.metrics.asked
		for range 2 {
			if m, err := b.Metric(t.Context(), us, "aa"); err != nil || m.CreatedAt != 7 {
				t.Errorf("%s: %+v %v", what, m, err)
			}
		}
		if b.metrics.asked != asked+1 {
			t.Errorf("%s: asked %d times", what, b.metrics.asked-asked)
		}
	}
	// What was read before a change is not remembered after it.
	o := b.cache.of(us)
	seen := o.seen()
	o.drop("aa")
	o.add(newKnown(m), seen)
	if o.find([]byte("aa")) != nil {
		t.Error("an old state is remembered")
	}
}

func TestWholeRequestFails(t *testing.T) {
	many := `{"measurements":[` + strings.Repeat(`{"name":"a","value":1},`, tidemark.MaxBatch) + `{"name":"a","value":1}]}`
	tests := []struct {
		name, body string
		kind       tidemark.Kind
		is         error
		text       string
	}{
		{"not JSON", `{"measurements"`, tidemark.Invalid, ErrNotJSON, "Unable to process JSON: unexpected end at byte 15"},
		{"form", `name=a&value=1`, tidemark.Invalid, ErrNotJSON, "Unable to process JSON: unexpected text at byte 0"},
		{"nothing", ``, tidemark.Invalid, ErrNotJSON, "Unable to process JSON: unexpected end at byte 0"},
		{"empty", `{"measurements":[]}`, tidemark.Invalid, ErrEmpty, "Payload must include at least 1 measurement"},
		{"no key", `{"gauges":[]}`, tidemark.Invalid, ErrEmpty, "Payload must include at least 1 measurement"},
		{"object", `{"measurements":{"a":1}}`, tidemark.Invalid, nil, "measurements must be an array"},
		{"text", `"a"`, tidemark.Invalid, nil, "the body must be an object with measurements"},
		{"exponent", `{"measurements":[{"name":"a","value":1},{"name":"b","value":1e127}]}`, tidemark.Invalid, nil, "a number has an exponent over 126"},
		{"nested", `{"x":` + deep(1000) + `}`, tidemark.Invalid, ErrNotJSON, "Unable to process JSON: nested too deeply at byte 104"},
		{"many", many, tidemark.TooLarge, nil, "a request may have at most 10000 measurements"},
		{"long", `{"x":"` + strings.Repeat("x", tidemark.MaxBatchBytes) + `"}`, tidemark.TooLarge, nil, "the body is longer than 16777216 bytes"},
		{"collectd, not JSON", `[{]`, tidemark.Invalid, ErrNotJSON, ""},
		{"collectd, empty", `[]`, tidemark.Invalid, ErrEmpty, ""},
	}
	b := newBench(nil)
	for _, test := range tests {
		_, _, err := b.record(t, test.body)
		e, ok := errors.AsType[*tidemark.Error](err)
		if !ok || e.Kind != test.kind || test.text != "" && e.Msg != test.text {
			t.Errorf("%s: %v", test.name, err)
		}
		if test.is != nil && !errors.Is(err, test.is) {
			t.Errorf("%s: %v is not %v", test.name, err, test.is)
		}
	}
	if got := b.contents(t); len(got) > 0 {
		t.Errorf("recorded %q", got)
	}
}

// TestBadAlone has one good measurement among every kind of bad one.
func TestBadAlone(t *testing.T) {
	tags := make([]string, 51)
	for i := range tags {
		tags[i] = fmt.Sprintf(`"t%d":"v"`, i)
	}
	tests := []struct{ body, param, reason string }{
		{`7`, "measurements", "is not an object"},
		{`{"value":1}`, "name", "is not present"},
		{`{"name":"` + strings.Repeat("n", 256) + `","value":1}`, "name", "must be 1 to 255"},
		{`{"name":"a","value":NaN}`, "value", "is not a number"},
		{`{"name":"a","value":-Infinity}`, "value", "is not a number"},
		{`{"name":"a","count":1,"sum":Infinity}`, "sum", "is not a number"},
		{`{"name":"a","value":"NaN"}`, "value", "is not a number"},
		{`{"name":"a","value":[1]}`, "value", "is not a number"},
		{`{"name":"a"}`, "value", "is not present"},
		{`{"name":"a","value":1,"count":1,"sum":1}`, "value", "cannot accompany"},
		{`{"name":"a","count":2}`, "sum", "is not present"},
		{`{"name":"a","sum":2}`, "count", "is not present"},
		{`{"name":"a","count":-2,"sum":1}`, "count", "must be 1 or more"},
		{`{"name":"a","count":2,"sum":1,"stddev":-1}`, "stddev", "must not be negative"},
		{`{"name":"a","count":2,"sum":1,"min":3,"max":1}`, "min", "is larger than max"},
		{`{"name":"a","count":1e126,"sum":1,"stddev":1e126}`, "stddev", "is too large"},
		{`{"name":"a","value":1,"tags":["a"]}`, "tags", "is not an object"},
		{`{"name":"a","value":1,"tags":{"` + strings.Repeat("n", 65) + `":"v"}}`, "tags", "the name of a tag"},
		{`{"name":"a","value":1,"tags":{"le":"+Inf"}}`, "tags", "the value of a tag"},
		{`{"name":"a","value":1,"tags":{"a":""}}`, "tags", "the value of a tag"},
		{`{"name":"a","value":1,"tags":{` + strings.Join(tags, ",") + `}}`, "tags", "has more than 50"},
		{`{"name":"a","value":1,"time":"noon"}`, "time", "is not a number"},
		{`{"name":"a","value":1,"time":1}`, "time", "too far in the past"},
		{`{"name":"a","value":1,"time":1754300400000}`, "time", "too far in the future"},
		{`{"name":"Comp","value":1}`, "name", "is a composite"},
	}
	for _, test := range tests {
		b := newBench(nil)
		b.metrics.stored["comp"] = &tidemark.Metric{Name: "Comp", Type: tidemark.Composite, Composite: "s(\"a\",\"*\")"}
		s, problems, err := b.record(t, `{"measurements":[`+test.body+`,{"name":"good","value":1}]}`)
		if err != nil || s != (Summary{Total: 2, Accepted: 1, Failed: 1}) || len(b.contents(t)) != 1 {
			t.Errorf("%s: %+v %v", test.body, s, err)
			continue
		}
		if p := problems[0]; p.Index != 0 || p.Param != test.param || !strings.Contains(p.Reason, test.reason) {
			t.Errorf("%s: %+v", test.body, p)
		}
		_, _, err = b.record(t, `{"measurements":[`+test.body+`]}`)
		rejected, ok := errors.AsType[*Rejected](err)
		if !ok || tidemark.KindOf(err) != tidemark.Invalid || len(rejected.Problems) != 1 {
			t.Errorf("%s alone: %v", test.body, err)
		}
	}
}

func TestProblemsAreBounded(t *testing.T) {
	b := newBench(nil)
	bad := strings.Repeat(`{"name":"`+strings.Repeat("é", 200)+`"},`, 1000)
	s, problems, err := b.record(t, `{"measurements":[`+bad+`{"name":"good","value":1}]}`)
	if err != nil || s.Failed != 1000 || len(problems) != MaxProblems || len(problems[0].Name) > 2*maxShown {
		t.Errorf("%+v, %d problems, %v", s, len(problems), err)
	}
}

// TestMemory sends what would take many times its length in memory, were it
// read as it stands.
func TestMemory(t *testing.T) {
	fill := func(head, part, tail string) string {
		return head + strings.Repeat(part, (tidemark.MaxBatchBytes-len(head)-len(tail))/len(part)) + tail
	}
	for name, body := range map[string]string{
		"measurements":  fill(`{"measurements":[`, `0,`, `0]}`),
		"tags":          fill(`{"measurements":[{"name":"a","value":1,"tags":{`, `"a":1,`, `"a":"b"}}]}`),
		"unknown":       fill(`{"x":[`, `[],`, `[]],"measurements":[{"name":"a","value":1}]}`),
		"escapes":       fill(`{"measurements":[{"name":"`, `\u0061`, `","value":1}]}`),
		"collectd":      fill(`[`, `0,`, `0]`),
		"collectd list": fill(`[{"plugin":"p","type":"t","values":[`, `0,`, `0]}]`),
	} {
		b := newBench(nil)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, _, err := b.record(t, body); err == nil && name != "unknown" {
			t.Errorf("%s: recorded", name)
		}
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > 8*tidemark.MaxBatchBytes {
			t.Errorf("%s: took %d MB", name, used>>20)
		}
	}
}

// TestKeptIntakes: what was allocated for one request is there for the next,
// unless it is very much.
func TestKeptIntakes(t *testing.T) {
	r := benchRecorder()
	d := r.intake(nil, Origin{})
	if r.done(d); r.intake(nil, Origin{}) != d {
		t.Error("it is not used again")
	}
	d.arena = make([]byte, 0, maxKeptIntake+1)
	if r.done(d); r.intakes.short.Len()+r.intakes.long.Len() != 0 {
		t.Error("a large one is kept")
	}
	direct := newIntake()
	for i := range maxKeptIntake / 1000 {
		direct.batch.AddKey(fmt.Appendf(nil, "%01000d", i), 1, tsdb.Single(1))
	}
	if r.done(direct); r.intakes.short.Len()+r.intakes.long.Len() != 0 {
		t.Error("one with a large batch is kept")
	}
	for range 2 * maxIntakes {
		long := newIntake()
		long.arena = make([]byte, 0, maxShortIntake+1)
		r.done(long)
		r.done(newIntake())
	}
	if r.intakes.short.Len() != maxIntakes || r.intakes.long.Len() != maxLongIntakes {
		t.Errorf("%d and %d are kept", r.intakes.short.Len(), r.intakes.long.Len())
	}
}

func TestFolding(t *testing.T) {
	b := newBench(nil)
	body := `{"time":1754300393,"measurements":[{"name":"a","value":%d,"period":10,"attributes":{"aggregate":true}}]}`
	for i := range 3 {
		if _, _, err := b.record(t, fmt.Sprintf(body, i+1)); err != nil {
			t.Fatal(err)
		}
	}
	diff(t, "folded", b.contents(t), []string{"a{} -10 {Count:3 Sum:6 Min:1 Max:3 Last:3 M2:2}"})
	m := b.metrics.stored["a"]
	m.Attributes["aggregate"] = false
	if err := b.MetricChanged(t.Context(), us, m); err != nil {
		t.Fatal(err)
	}
	if _, _, err := b.record(t, fmt.Sprintf(body, 9)); err != nil {
		t.Fatal(err)
	}
	diff(t, "no longer folded", b.contents(t), []string{
		"a{} -10 {Count:3 Sum:6 Min:1 Max:3 Last:3 M2:2}",
		"a{} -7 {Count:1 Sum:9 Min:9 Max:9 Last:9 M2:0}",
	})
}

func TestForget(t *testing.T) {
	b := newBench(nil)
	if _, _, err := b.record(t, `{"measurements":[{"name":"Aa","value":1},{"name":"b","value":2}]}`); err != nil {
		t.Fatal(err)
	}
	if err := b.Forget(t.Context(), us, tidemark.ServerActor(), "never.was"); tidemark.KindOf(err) != tidemark.NotFound {
		t.Errorf("no such metric: %v", err)
	}
	if err := b.Forget(t.Context(), us, tidemark.ServerActor(), "*"); tidemark.KindOf(err) != tidemark.NotFound {
		t.Errorf("a pattern: %v", err)
	}
	if err := b.ForgetMany(t.Context(), us, tidemark.ServerActor(), []string{"a*", "b", "never.was"}, []string{"B"}); err != nil {
		t.Fatal(err)
	}
	diff(t, "records", b.contents(t), []string{"b{} 0 {Count:1 Sum:2 Min:2 Max:2 Last:2 M2:0}"})
	if b.metrics.stored["aa"] != nil {
		t.Error("the metric is still there")
	}
	if _, _, err := b.record(t, `{"measurements":[{"name":"AA","value":3}]}`); err != nil {
		t.Fatal(err)
	}
	if m := b.metrics.stored["aa"]; m == nil || m.Name != "AA" {
		t.Errorf("the metric came back as %+v", m)
	}
}

// TestForgetUnderLoad checks that no write brings data of a forgotten metric
// back without the metric.
func TestForgetUnderLoad(t *testing.T) {
	b := newBench(nil)
	b.OnWrite, b.OnRecords = nil, nil
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 200 {
				if _, _, err := b.record(t, `{"measurements":[{"name":"a","value":1}]}`); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 50 {
		if err := b.Forget(t.Context(), us, tidemark.ServerActor(), "a"); err != nil && tidemark.KindOf(err) != tidemark.NotFound {
			t.Error(err)
		}
	}
	wg.Wait()
	if len(b.contents(t)) > 0 != (b.metrics.stored["a"] != nil) {
		t.Errorf("records %q, metric %v", b.contents(t), b.metrics.stored["a"])
	}
}

func TestStoreFails(t *testing.T) {
	b := newBench(nil)
	b.metrics.err = tidemark.Errorf(tidemark.Unavailable, "no database")
	_, _, err := b.record(t, `{"measurements":[{"name":"a","value":1}]}`)
	if tidemark.KindOf(err) != tidemark.Unavailable || len(b.contents(t)) > 0 {
		t.Errorf("%v, %q", err, b.contents(t))
	}
}

func TestStreamLimit(t *testing.T) {
	b := newBench(map[tidemark.LimitName]int64{tidemark.LimitStreams: 2})
	s, problems, err := b.record(t, `{"measurements":[{"name":"a","value":1},{"name":"b","value":1},{"name":"bad!"},{"name":"c","value":1},{"name":"a","value":2}]}`)
	if err != nil || s != (Summary{Total: 5, Accepted: 3, Failed: 2}) || problems[1].Index != 3 || problems[1].Param != "tags" {
		t.Fatalf("%+v %+v %v", s, problems, err)
	}
	_, _, err = b.record(t, `{"measurements":[{"name":"c","value":1}]}`)
	limit, ok := errors.AsType[*LimitError](err)
	if !ok || tidemark.KindOf(err) != tidemark.TooMany || limit.RetryAfter <= 0 {
		t.Errorf("one stream too many: %v", err)
	}
	// A recorder that has just been started knows the streams there are.
	again := New(b.Options)
	if _, _, err := again.Record(t.Context(), us, []byte(`{"measurements":[{"name":"c","value":1}]}`), ""); tidemark.KindOf(err) != tidemark.TooMany {
		t.Errorf("after a restart: %v", err)
	}
	if err := b.Forget(t.Context(), us, tidemark.ServerActor(), "b"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := b.record(t, `{"measurements":[{"name":"c","value":1}]}`); err != nil {
		t.Errorf("after one was forgotten: %v", err)
	}
}

// TestStreamLimitBoundsMetrics: what is refused for having a stream too many
// leaves no metric behind.
func TestStreamLimitBoundsMetrics(t *testing.T) {
	b := newBench(map[tidemark.LimitName]int64{tidemark.LimitStreams: 2})
	names := func() []string {
		var all []string
		for key := range b.metrics.stored {
			all = append(all, key)
		}
		slices.Sort(all)
		return all
	}
	s, _, err := b.record(t, `{"measurements":[{"name":"a","value":1},{"name":"b","value":1},{"name":"c","value":1},{"name":"d","value":1},{"name":"a","value":2}]}`)
	if err != nil || s != (Summary{Total: 5, Accepted: 3, Failed: 2}) {
		t.Fatalf("%+v %v", s, err)
	}
	diff(t, "metrics", names(), []string{"a", "b"})
	for i := range 3 {
		_, _, _ = b.record(t, fmt.Sprintf(`{"measurements":[{"name":"e%d","value":1},{"name":"a","value":1}]}`, i))
		_ = b.RecordLegacy(t.Context(), us, map[string]any{"gauges": []any{map[string]any{"name": fmt.Sprintf("f%d", i), "value": 1}}}, "")
	}
	diff(t, "metrics after more", names(), []string{"a", "b"})
	if err := b.RecordLegacy(t.Context(), us, map[string]any{"gauges": []any{map[string]any{"name": "g", "value": 1}}}, ""); tidemark.KindOf(err) != tidemark.TooMany {
		t.Errorf("the old route: %v", err)
	}
	// One that the recorder has only forgotten about is no new one.
	b.Invalidate()
	if s, _, err := b.record(t, `{"measurements":[{"name":"a","value":3},{"name":"b","value":3}]}`); err != nil || s.Accepted != 2 {
		t.Errorf("those there are: %+v %v", s, err)
	}
}

func TestRateLimit(t *testing.T) {
	b := newBench(map[tidemark.LimitName]int64{tidemark.LimitRate: 1})
	full := []byte(`{"measurements":[` + strings.Repeat(`{"name":"a","value":1},`, tidemark.MaxBatch-1) + `{"name":"a","value":1}]}`)
	if _, _, err := b.Record(t.Context(), us, full, ""); err != nil {
		t.Fatal(err)
	}
	_, _, err := b.record(t, `{"measurements":[{"name":"a","value":1}]}`)
	limit, ok := errors.AsType[*LimitError](err)
	if !ok || tidemark.KindOf(err) != tidemark.TooMany || limit.RetryAfter != time.Second {
		t.Errorf("over the rate: %v", err)
	}
	if _, _, err := b.Record(t.Context(), us+1, full, ""); err != nil {
		t.Errorf("another organization: %v", err)
	}
}

func TestCollectd(t *testing.T) {
	b := newBench(nil)
	s, problems, err := b.record(t, `[
		{"values":[4.25,null,2.5],"dstypes":["gauge","gauge","gauge"],"dsnames":["shortterm","midterm","longterm"],"time":1754300390.684,"interval":10.000,"host":"Web-1","plugin":"load","plugin_instance":"","type":"load","type_instance":""},
		{"values":[405811200],"dstypes":["gauge"],"dsnames":["value"],"time":1754300390.684,"interval":10.000,"host":"web-1","plugin":"df","plugin_instance":"var-lib","type":"df_complex","type_instance":"used (all)"},
		{"values":[],"host":"web-1","plugin":"df","type":"x"},
		{"severity":"OKAY"}, 5]`)
	if err != nil {
		t.Fatal(err)
	}
	diff(t, "summary", s, Summary{Total: 7, Accepted: 3, Failed: 3, Filtered: 1})
	if problems[0].Param != "value" || problems[1].Param != "name" || problems[2].Param != "measurements" {
		t.Errorf("%+v", problems)
	}
	diff(t, "records", b.contents(t), []string{
		"collectd.df.df_complex{host=web-1,plugin_instance=var-lib,type_instance=used _all_} -10 {Count:1 Sum:4.058112e+08 Min:4.058112e+08 Max:4.058112e+08 Last:4.058112e+08 M2:0}",
		"collectd.load.load.longterm{host=web-1} -10 {Count:1 Sum:2.5 Min:2.5 Max:2.5 Last:2.5 M2:0}",
		"collectd.load.load.shortterm{host=web-1} -10 {Count:1 Sum:4.25 Min:4.25 Max:4.25 Last:4.25 M2:0}",
	})
	if p := b.metrics.stored["collectd.load.load.shortterm"].Period; p == nil || *p != 10 {
		t.Errorf("period %v", p)
	}
}

// TestMetricLimit: where no more metrics can be made, measurements of those
// there are go on.
func TestMetricLimit(t *testing.T) {
	b := newBench(nil)
	if _, _, err := b.record(t, `{"measurements":[{"name":"a","value":1}]}`); err != nil {
		t.Fatal(err)
	}
	l, _ := tidemark.LimitCalled(tidemark.LimitMetrics)
	b.metrics.err = l.Exceeded(1)
	s, problems, err := b.record(t, `{"measurements":[{"name":"a","value":2},{"name":"b","value":1}]}`)
	if err != nil || s != (Summary{Total: 2, Accepted: 1, Failed: 1}) || problems[0].Param != "name" || !strings.Contains(problems[0].Reason, "the limit metrics is reached") {
		t.Errorf("%+v %+v %v", s, problems, err)
	}
	if _, _, err := b.record(t, `{"measurements":[{"name":"b","value":1}]}`); tidemark.KindOf(err) != tidemark.TooMany {
		t.Errorf("only a new one: %v", err)
	}
}

// TestStreamSizeLimits: what one stream may be, and what all tags of an
// organization may take.
func TestStreamSizeLimits(t *testing.T) {
	b := newBench(map[tidemark.LimitName]int64{tidemark.LimitStreamBytes: 20, tidemark.LimitTagNames: 2, tidemark.LimitTagBytes: 60})
	for _, c := range []struct{ tags, limit string }{
		{`{"a":"1"}`, ""},
		{`{"a":"1234567890123456789012345"}`, "stream_bytes"},
		{`{"b":"1"}`, ""},
		{`{"c":"1"}`, "tag_names"},
		{`{"a":"1","c":"1"}`, "tag_names"},
		{`{"a":"1234567890123456"}`, ""},
		{`{"a":"abcdefghijklmnop"}`, ""},
		{`{"a":"ABCDEFGHIJKL0123"}`, "tag_bytes"},
		{`{"b":"1"}`, ""},
	} {
		_, problems, err := b.record(t, `{"measurements":[{"name":"m","value":1,"tags":`+c.tags+`}]}`)
		if c.limit == "" && err != nil || c.limit != "" && (len(problems) != 1 || !strings.Contains(problems[0].Reason, "the limit "+c.limit+" is reached")) {
			t.Errorf("%s: %+v %v, want %q", c.tags, problems, err, c.limit)
		}
	}
	if len(b.metrics.stored) != 1 {
		t.Errorf("%d metrics", len(b.metrics.stored))
	}
}

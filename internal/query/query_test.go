package query_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
)

func mustParse(tb testing.TB, text string) *query.Expr {
	tb.Helper()
	e, err := query.Parse(text)
	if err != nil {
		tb.Fatalf("%s: %v", text, err)
	}
	return e
}

// fleet returns an engine with streams of the metric cpu, tagged by host and
// one of ten dcs, that have a point a minute.
func fleet(tb testing.TB, streams, points int) *memory.Engine {
	tb.Helper()
	e := memory.New()
	var b tsdb.Batch
	for i := range streams {
		tags := tidemark.Tags{{Name: "dc", Value: fmt.Sprintf("dc%d", i%10)}, {Name: "host", Value: fmt.Sprintf("h%05d", i)}}
		for p := range points {
			b.Add("cpu", tags, int64(p)*60, float64(i+p))
		}
	}
	if err := e.Write(tb.Context(), 1, &b); err != nil {
		tb.Fatal(err)
	}
	return e
}

func TestMetadata(t *testing.T) {
	t.Parallel()
	s := newScript()
	s.load(t, "", "", []string{"cpu host=a 1 2 3", "cpu host=b 1 2 3", "mem host=a 1 2 3"})
	period := int64(300)
	s.catalog["cpu"] = &tidemark.Metric{Name: "CPU", Type: tidemark.Gauge, Period: &period, Attributes: map[string]any{"aggregate": true}}
	tests := []struct {
		in     string
		name   string
		period int64
		shift  int64
		leaf   string
	}{
		{`s("cpu", {"host": "a"})`, "CPU", 300, 0, `{"metric":"cpu","tags":{"host":"a"}}`},
		{`sum(s("Cpu", "*"))`, "CPU", 300, 0, `{"metric":"Cpu","tags_search":"*"}`},
		{`sum(s("cpu"))`, "CPU", 300, 0, `{"metric":"cpu","tags_search":"*"}`},
		{`sum(s("cpu", {}))`, "CPU", 300, 0, `{"metric":"cpu","tags":{}}`},
		{`sum(s("cpu", {"host": ["a", "b"]}))`, "CPU", 300, 0, `{"metric":"cpu","tags":{"host":["a","b"]}}`},
		{`s("mem", "*")`, "mem", 60, 0, `{"metric":"mem","tags_search":"*"}`},
		{`timeshift("1m", s("mem", "*", {period: "120"}))`, "mem", 120, 120, `{"metric":"mem","tags_search":"*"}`},
		{`sum([s("cpu", "*"), s("mem", "*")])`, "", 300, 0, `null`},
		{`rate(subtract([s("cpu", {"host": "a"}), s("cpu", {"host": "b"})]))`, "CPU", 300, 0, `null`},
		{`constant(1)`, "", 60, 0, `null`},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			t.Parallel()
			r, err := s.querier().Eval(t.Context(), 1, mustParse(t, tt.in), query.Window{End: 180, Step: 60}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Series) != 1 {
				t.Fatalf("%d series", len(r.Series))
			}
			got := r.Series[0]
			if got.Name() != tt.name || got.Period != tt.period || got.Shift != tt.shift {
				t.Errorf("name %q, period %d, shift %d; want %q, %d, %d", got.Name(), got.Period, got.Shift, tt.name, tt.period, tt.shift)
			}
			leaf, err := json.Marshal(got.Leaf)
			if err != nil || string(leaf) != tt.leaf {
				t.Errorf("leaf %s, want %s (%v)", leaf, tt.leaf, err)
			}
		})
	}
}

func TestLeafOfSource(t *testing.T) {
	t.Parallel()
	s := newScript()
	s.load(t, "", "", []string{"old source=web1 1"})
	r, err := s.querier().Eval(t.Context(), 1, mustParse(t, `s("old", "web*")`), query.Window{End: 60, Step: 60}, nil)
	if err != nil || len(r.Series) != 1 {
		t.Fatal(r, err)
	}
	if got := r.Series[0].Leaf.Search; got != "source=web*" {
		t.Errorf("search %q", got)
	}
}

func TestCounts(t *testing.T) {
	t.Parallel()
	q := query.New(query.Options{Engine: fleet(t, 20, 5)})
	w := query.Window{End: 300, Step: 60}
	for text, streams := range map[string]int{
		`sum(s("cpu", "*"))`: 20, `[s("cpu", "*"), s("cpu", "*")]`: 20, `[s("cpu", "*"), sum(s("cpu", {"dc": "dc1"}))]`: 22,
		`constant(1)`: 0,
	} {
		r, err := q.Eval(t.Context(), 1, mustParse(t, text), w, nil)
		if err != nil {
			t.Fatal(err)
		}
		if r.Streams != streams || r.Points != 5*streams {
			t.Errorf("%s: %d streams, %d points; want %d, %d", text, r.Streams, r.Points, streams, 5*streams)
		}
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	engine := fleet(t, 100, 10)
	shifts := `"` + strings.Repeat("0,", 63) + `1s"`
	deep := strings.Repeat("timeshift("+shifts+", ", 20) + `s("cpu", "*")` + strings.Repeat(")", 20)
	tests := []struct {
		name   string
		in     string
		window query.Window
		want   string
	}{
		{"points that are read", `sum(s("cpu", "*"))`, query.Window{End: 600, Step: 60}, "more than 999 points (streams x steps)"},
		{"points in memory", `s("cpu", {"dc": "!dc0"})`, query.Window{End: 540, Step: 60}, "more than 800 points (series x steps) in memory"},
		{"points by copying", `[` + strings.Repeat(`abs(s("cpu", {"dc": "dc1"})), `, 8) + `]`, query.Window{End: 600, Step: 60}, "more than 800 points (series x steps) in memory"},
		{"points that are filled in", `zero_fill(s("cpu", {"host": "h00001"}))`, query.Window{End: 1e9, Step: 1}, "more than 800 points (series x steps) in memory"},
		{"points of a constant", `constant(1)`, query.Window{End: 1 << 40, Step: 1}, "more than 800 points (series x steps) in memory"},
		{"series", `s("cpu", "*")`, query.Window{End: 60, Step: 60}, "more than 90 series in memory"},
		{"series by repetition", `[` + strings.Repeat(`s("cpu", {"dc": "dc1"}), `, 10) + `]`, query.Window{End: 60, Step: 60}, "more than 90 series in memory"},
		{"groups", `group_by("host", sum(s("cpu", "*")))`, query.Window{End: 60, Step: 60}, "more than 80 groups, values in map() and offsets in timeshift()"},
		{"groups in groups", `group_by("dc", group_by("host", sum(s("cpu", {"host": "h0000*"}))))`, query.Window{End: 60, Step: 60}, ""},
		{"values", `map({host: "*"}, sum(s("cpu", {"host": "&"})))`, query.Window{End: 60, Step: 60}, "more than 80 groups, values in map() and offsets in timeshift()"},
		{"shifts in shifts", deep, query.Window{End: 60, Step: 60}, "more than 80 groups, values in map() and offsets in timeshift()"},
		{"points that are filled in for all groups", `group_by("host", divide([sum(s("cpu", {"host": "h0000*"})), zero_fill(s("cpu", {"host": "h00011"}, {group: "false"}))]))`,
			query.Window{End: 60 * 700, Step: 60}, "more than 800 points (series x steps) in memory"},
		{"what each group needs for itself", `group_by("host", sum(abs([s("cpu", {"host": "h0000*"}), s("cpu", {"dc": "dc1"}, {group: "false"})])))`,
			query.Window{End: 600, Step: 60}, ""},
		{"enough", `sum(s("cpu", "*"))`, query.Window{End: 540, Step: 60}, ""},
	}
	q := query.New(query.Options{Engine: engine, Limits: query.Limits{Points: 999, Held: 800, Series: 90, Branches: 80}})
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := q.Eval(t.Context(), 1, mustParse(t, tt.in), tt.window, nil)
			if tt.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if tidemark.KindOf(err) != tidemark.TooLarge || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("err = %v, want %q", err, tt.want)
			}
		})
	}
}

func TestResolutionOfEval(t *testing.T) {
	t.Parallel()
	q := query.New(query.Options{Engine: fleet(t, 1, 1)})
	for _, step := range []int64{0, -1, tidemark.MaxResolution + 1} {
		_, err := q.Eval(t.Context(), 1, mustParse(t, `s("cpu")`), query.Window{End: 60, Step: step}, nil)
		if tidemark.KindOf(err) != tidemark.Invalid {
			t.Errorf("step %d: %v", step, err)
		}
	}
}

// TestKept checks that queries for more detail than is kept fail, series by
// series.
func TestKept(t *testing.T) {
	t.Parallel()
	const day, now = 86400, 100 * 86400
	engine := memory.New(memory.Options{
		Tiers: []tsdb.Tier{{Window: 1, Retention: 8 * day}, {Window: 3600, Retention: 90 * day}}, Now: func() int64 { return now },
	})
	q := query.New(query.Options{Engine: engine})
	tests := []struct {
		in          string
		start       int64
		step        int64
		unavailable bool
	}{
		{`s("cpu", "*")`, now - day, 1, false},
		{`s("cpu", "*")`, now - 9*day, 1, true},
		{`s("cpu", "*")`, now - 9*day, 3600, false},
		{`s("cpu", "*", {period: "3600"})`, now - 9*day, 1, false},
		{`timeshift("1w", s("cpu", "*"))`, now - 2*day, 60, true},
		{`timeshift("1w", s("cpu", "*"))`, now - day, 60, false},
		{`s("cpu", "*")`, 0, 3600, false},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			t.Parallel()
			_, err := q.Eval(t.Context(), 1, mustParse(t, tt.in), query.Window{Start: tt.start, End: now, Step: tt.step, Now: now}, nil)
			if errors.Is(err, query.ErrResolution) != tt.unavailable || err != nil && !tt.unavailable {
				t.Errorf("err = %v", err)
			}
		})
	}
	t.Run("select", func(t *testing.T) {
		t.Parallel()
		r := query.Request{Metric: "cpu", Start: now - 9*day, End: now, Resolution: 60, Now: now}
		_, err := q.Select(t.Context(), 1, r)
		e, ok := errors.AsType[*tidemark.Error](err)
		if !ok || e.Kind != tidemark.Invalid || e.Fields != nil ||
			e.Msg != "The requested data resolution is unavailable for the given time range. Please try a different resolution." {
			t.Errorf("err = %v", err)
		}
	})
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	q := query.New(query.Options{Engine: fleet(t, 10, 10)})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, text := range []string{`sum(s("cpu", "*"))`, `[s("cpu", "*"), s("cpu", {"dc": "dc1"})]`, `map({dc: "*"}, s("cpu", {"dc": "&"}))`} {
		if _, err := q.Eval(ctx, 1, mustParse(t, text), query.Window{End: 600, Step: 60}, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestShared evaluates one expression from many sides at once.
func TestShared(t *testing.T) {
	t.Parallel()
	q := query.New(query.Options{Engine: fleet(t, 30, 10)})
	e := mustParse(t, `group_by("dc", divide([sum(abs(s("cpu", "*"))), sum(scale(s("cpu", "*", {group: "false"}), {factor: "2"}))]))`)
	w := query.Window{End: 600, Step: 60}
	want, err := q.Eval(t.Context(), 1, e, w, nil)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			got, err := q.Eval(t.Context(), 1, e, w, nil)
			if err != nil {
				t.Error(err)
				return
			}
			for i, s := range got.Series {
				if d := cmp.Diff(want.Series[i].Values, s.Values); d != "" {
					t.Error(d)
				}
			}
		})
	}
	wg.Wait()
	if len(want.Series) != 10 {
		t.Errorf("%d groups", len(want.Series))
	}
}

// broken is an engine that fails on command, after some series.
type broken struct {
	tsdb.Engine
	err error
}

func (b broken) Select(ctx context.Context, org tidemark.OrgID, q *tsdb.Query) iter.Seq2[*tsdb.Series, error] {
	return func(yield func(*tsdb.Series, error) bool) {
		for s, err := range b.Engine.Select(ctx, org, q) {
			if !yield(s, err) {
				return
			}
			break
		}
		yield(nil, b.err)
	}
}

func (b broken) Streams(context.Context, tidemark.OrgID, string, tsdb.Filter) iter.Seq2[*tsdb.Stream, error] {
	return func(yield func(*tsdb.Stream, error) bool) { yield(nil, b.err) }
}

type brokenCatalog struct{ err error }

func (c brokenCatalog) Metric(context.Context, tidemark.OrgID, string) (*tidemark.Metric, error) {
	return nil, c.err
}

func (c brokenCatalog) MetricsByName(context.Context, tidemark.OrgID, []string) (map[string]*tidemark.Metric, error) {
	return nil, c.err
}

func TestFailures(t *testing.T) {
	t.Parallel()
	failure := errors.New("disk on fire")
	healthy := fleet(t, 10, 10)
	w := query.Window{End: 600, Step: 60}
	engine := query.New(query.Options{Engine: broken{healthy, failure}})
	cat := query.New(query.Options{Engine: healthy, Catalog: brokenCatalog{failure}})
	for _, text := range []string{`s("cpu", "*")`, `sum(s("c*", "*"))`, `[s("cpu", "*"), s("c*", "*")]`, `map({dc: "*"}, s("cpu", {"dc": "&"}))`} {
		if _, err := engine.Eval(t.Context(), 1, mustParse(t, text), w, nil); !errors.Is(err, failure) {
			t.Errorf("engine, %s: %v", text, err)
		}
		if _, err := cat.Eval(t.Context(), 1, mustParse(t, text), w, nil); !errors.Is(err, failure) {
			t.Errorf("catalog, %s: %v", text, err)
		}
	}
	if _, err := cat.Select(t.Context(), 1, query.Request{Metric: "cpu", End: 60, Resolution: 60}); !errors.Is(err, failure) {
		t.Errorf("select: %v", err)
	}
}

// TestOrganizations checks that a query sees the streams of its organization.
func TestOrganizations(t *testing.T) {
	t.Parallel()
	q := query.New(query.Options{Engine: fleet(t, 3, 3)})
	for _, text := range []string{`s("cpu", "*")`, `map({host: "*"}, s("cpu", {"host": "&"}))`} {
		r, err := q.Eval(t.Context(), 2, mustParse(t, text), query.Window{End: 600, Step: 60}, nil)
		if err != nil || len(r.Series) != 0 {
			t.Errorf("%s: %d series, %v", text, len(r.Series), err)
		}
	}
}

func TestExprString(t *testing.T) {
	t.Parallel()
	e := mustParse(t, ` sum( s('cpu',{host:"%"}) ) `)
	if got, want := e.String(), `sum(s("cpu", {"host": "%"}))`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := e.Format(); got != e.String() {
		t.Errorf("a short expression is formatted as %s", got)
	}
	reads := mustParse(t, `[s("b", "*"), map({x: "*"}, s("A.&")), sum(s("b", {})), s("a*")]`).Metrics()
	if d := cmp.Diff([]string{"a*", "a.*", "b"}, reads); d != "" {
		t.Error(d)
	}
	if !e.Dynamic() || mustParse(t, `s("cpu", "*")`).Dynamic() {
		t.Error("Dynamic is wrong")
	}
}

// TestComposite is what alerting asks for.
func TestComposite(t *testing.T) {
	t.Parallel()
	q := query.New(query.Options{Engine: fleet(t, 20, 5)})
	got, err := q.Composite(t.Context(), 1, `group_by("dc", sum(s("cpu", {"dc": ["dc1", "dc2"], "host": "%"})))`, 60, 180, 60)
	if err != nil {
		t.Fatal(err)
	}
	want := []*tsdb.Series{
		{Metric: "cpu", Tags: tidemark.Tags{{Name: "dc", Value: "dc1"}}, Times: []int64{60, 120}, Values: []float64{14, 16}},
		{Metric: "cpu", Tags: tidemark.Tags{{Name: "dc", Value: "dc2"}}, Times: []int64{60, 120}, Values: []float64{16, 18}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if _, err := q.Composite(t.Context(), 1, `sum(`, 0, 60, 60); composeErrorOf(err) == nil {
		t.Errorf("a bad expression: %v", err)
	}
	if _, err := q.Composite(t.Context(), 1, `s("cpu")`, 0, 60, 0); tidemark.KindOf(err) != tidemark.Invalid {
		t.Errorf("no step: %v", err)
	}
	if d := cmp.Diff([]string{"a", "b.*"}, query.Leaves(`[s("A"), s("b.*"), s("a", "*")]`)); d != "" {
		t.Error(d)
	}
	if got := query.Leaves(`sum(`); got != nil {
		t.Errorf("a bad expression reads %v", got)
	}
}

func TestFunctions(t *testing.T) {
	t.Parallel()
	list := query.Functions()
	seen := ""
	for _, f := range list {
		if f.Name <= seen {
			t.Errorf("%s comes after %s", f.Name, seen)
		}
		seen = f.Name
		if !strings.HasPrefix(f.Signature, f.Name+"(") || f.Help == "" || !strings.HasSuffix(f.Help, ".") {
			t.Errorf("%s: %+v", f.Name, f)
		}
		for _, o := range f.Options {
			if !strings.Contains(f.Signature, o) {
				t.Errorf("the signature of %s does not show %s", f.Name, o)
			}
		}
	}
	text, err := json.Marshal(list[0])
	if want := `{"name":"abs","signature":"abs(set)","help":"The absolute value of every point.","options":[],"ours":false}`; err != nil || string(text) != want {
		t.Errorf("got %s, want %s", text, want)
	}
}

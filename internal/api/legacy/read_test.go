package legacy

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/apitest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
)

// newClient is a world and a client of the old part of /v1.
func newClient(t *testing.T, change ...func(*shared.Options)) (*apitest.World, *API, *apitest.Client) {
	t.Helper()
	w := apitest.New(t, change...)
	s := New(w.Base)
	return w, s, w.Client(s.Routes())
}

const notFound = `404 {"errors":{"request":["Not Found"]}}`

// TestOldParameters: times, a count and a resolution in bounds; what the words
// for sums mean follows from one another.
func TestOldParameters(t *testing.T) {
	t.Parallel()
	_, s, _ := newClient(t)
	for query, want := range map[string]string{
		"start_time=5":                                "5 to 4000060800 by 1, count 0, first true, across \"\", breakout true",
		"start_time=5&end_time=9&resolution=60":       "5 to 9 by 60, count 0, first true, across \"\", breakout true",
		"count=5000":                                  "-1 to 4000060800 by 1, count 5000, first false, across \"\", breakout true",
		"count=2&start_time=0":                        "0 to 4000060800 by 1, count 2, first true, across \"\", breakout true",
		"count=2&group_by=sum":                        "-1 to 4000060800 by 1, count 2, first false, across \"sum\", breakout false",
		"count=2&group_by=sum&breakout_sources=true":  "-1 to 4000060800 by 1, count 2, first false, across \"sum\", breakout true",
		"count=2&summarize_sources=true":              "-1 to 4000060800 by 1, count 2, first false, across \"mean\", breakout true",
		"count=2&breakout_sources=0":                  "-1 to 4000060800 by 1, count 2, first false, across \"mean\", breakout false",
		"count=2&group_by=max&summarize_sources=true": "-1 to 4000060800 by 1, count 2, first false, across \"max\", breakout false",
		"":                            "400 invalid parameters; start_time is required unless count is given",
		"count=0":                     "400 invalid parameters; start_time is required unless count is given",
		"count=5001":                  "400 invalid parameters; count must be 0 to 5000",
		"count=-1&start_time=1":       "400 invalid parameters; count must be 0 to 5000",
		"count=1&resolution=0":        "400 invalid parameters; resolution must be 1 to 604800 seconds",
		"start_time=9&end_time=5":     "400 invalid parameters; start_time is after end_time",
		"count=1&group_by=median":     "400 invalid parameters; group_by must be min, max, mean, sum or count",
		"count=1&summarize_time=soon": "400 invalid parameters; summarize_time must be true or false",
		"count=x&start_time=1":        "400 invalid parameters; count is not a number",
	} {
		r := httptest.NewRequest("GET", "/v1/metrics/cpu", nil)
		r.URL.RawQuery = query
		ask, err := s.readLegacy(r, &tidemark.Metric{Name: "cpu", Type: tidemark.Gauge})
		got := apitest.Said(err)
		if err == nil {
			got = fmt.Sprintf("%d to %d by %d, count %d, first %v, across %q, breakout %v", ask.Start, ask.End, ask.Resolution, ask.count, ask.first, ask.across, ask.breakout)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
}

// oldAnswer is an answer with measurements by source.
type oldAnswer struct {
	Name         string
	Resolution   int64
	Measurements map[string][]struct {
		MeasureTime int64 `json:"measure_time"`
		Value       float64
		Count       float64
		Summarized  int
	}
	Query struct {
		NextTime int64 `json:"next_time"`
	}
}

// brief is the values of each source, by name.
func (a *oldAnswer) brief() string {
	var all []string
	for name, points := range a.Measurements {
		values := make([]float64, len(points))
		for i, p := range points {
			values[i] = p.Value
		}
		all = append(all, fmt.Sprint(name, values))
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

func readOld(t *testing.T, c *apitest.Client, target string) (a oldAnswer) {
	t.Helper()
	rec := c.Ask("GET "+target, "")
	if err := json.Unmarshal(rec.Body.Bytes(), &a); rec.Code != 200 || err != nil {
		t.Fatalf("%s: %d %s, %v", target, rec.Code, rec.Body, err)
	}
	return a
}

// TestMeasurementsBySource: a metric with its points by source, those without one
// as unassigned; some of them, the first or the latest, or one list of all.
func TestMeasurementsBySource(t *testing.T) {
	t.Parallel()
	w, _, c := newClient(t)
	w.Record(t, "cpu", map[string]string{"source": "web-1"}, apitest.Now-300, 1, 2, 3, 4)
	w.Record(t, "cpu", map[string]string{"source": "web-2"}, apitest.Now-300, 10, 20)
	w.Record(t, "cpu", map[string]string{"host": "a"}, apitest.Now-300, 100)
	for query, want := range map[string]string{
		"start_time=4000060500":                 "unassigned[100] web-1[1 2 3 4] web-2[10 20]",
		"count=1":                               "unassigned[100] web-1[4] web-2[20]",
		"count=1&start_time=0":                  "unassigned[100] web-1[1] web-2[10]",
		"count=3&source=web-1":                  "web-1[2 3 4]",
		"count=9&sources[]=WEB-2&sources[]=un*": "unassigned[100] web-2[10 20]",
		"count=9&source=*":                      "unassigned[100] web-1[1 2 3 4] web-2[10 20]",
		"count=9&source=none":                   "",
		"start_time=4000060500&group_by=sum":    "all[111 22 3 4]",
		"start_time=4000060500&group_by=max&breakout_sources=1":   "all[100 20 3 4] unassigned[100] web-1[1 2 3 4] web-2[10 20]",
		"start_time=4000060500&summarize_time=true&source=web-1":  "web-1[2.5]",
		"start_time=4000060500&end_time=4000060559&resolution=60": "unassigned[100] web-1[1] web-2[10]",
		"start_time=4000060790":                                   "",
	} {
		if got := readOld(t, c, "/v1/metrics/CPU?"+query); got.brief() != want || got.Name != "cpu" || got.Query.NextTime != 0 {
			t.Errorf("%s: %s of %s, want %s", query, got.brief(), got.Name, want)
		}
	}
	c.Check(t,
		apitest.Exchange{Request: "GET /v1/metrics/cpu", Want: `200 {"name":"cpu",...`},
		apitest.Exchange{Request: "GET /v1/metrics/none", Want: notFound}, apitest.Exchange{Request: "GET /v1/metrics/none?count=1", Want: notFound},
		apitest.Exchange{Request: "GET /v1/metrics/cpu?count=x", Want: `400 {...`},
	)
}

// TestCountersBySource: a counter shows what it stood at; sums over sources are
// of how much it grew.
func TestCountersBySource(t *testing.T) {
	t.Parallel()
	w, _, c := newClient(t)
	if got := c.Says("POST /v1/metrics", `{"counters":[{"name":"hits","value":5,"source":"a","measure_time":4000060500}]}`); got != "200" {
		t.Fatal(got)
	}
	w.Record(t, "hits", map[string]string{"source": "a"}, apitest.Now-240, 8, 3)
	for query, want := range map[string]string{
		"start_time=4000060500":                     "a[5 8 3]",
		"start_time=4000060500&group_by=sum":        "all[3 3]",
		"start_time=4000060500&summarize_time=true": "a[3]",
		"count=1&group_by=sum":                      "all[3]",
	} {
		if got := readOld(t, c, "/v1/metrics/hits?"+query); got.brief() != want {
			t.Errorf("%s: %s, want %s", query, got.brief(), want)
		}
	}
}

// TestPagesOfSources: one page is the same stretch of time for every source, and
// whoever goes on from next_time reads each point once.
func TestPagesOfSources(t *testing.T) {
	t.Parallel()
	_, _, c := newClient(t)
	const n = MaxPoints + 10
	start := int64(apitest.Now) - 2*n
	b := make([]string, 0, n)
	for i := range int64(n) { // a point a second of one source, and few of another
		b = append(b, fmt.Sprintf(`{"name":"cpu","value":%d,"source":"dense","measure_time":%d}`, i, start+i))
		if i%1000 == 0 {
			b = append(b, fmt.Sprintf(`{"name":"cpu","value":%d,"source":"sparse","measure_time":%d}`, i, start+i))
		}
	}
	for part := range slices.Chunk(b, tidemark.MaxBatch) {
		if got := c.Says("POST /v1/metrics", `{"gauges":[`+strings.Join(part, ",")+`]}`); got != "200" {
			t.Fatal(got)
		}
	}
	seen, pages := map[string]int{}, 0
	for from := start; from != 0; pages++ {
		page := readOld(t, c, fmt.Sprintf("/v1/metrics/cpu?start_time=%d", from))
		for name, points := range page.Measurements {
			seen[name] += len(points)
			if last := points[len(points)-1].MeasureTime; page.Query.NextTime != 0 && last >= page.Query.NextTime {
				t.Errorf("%s has a point at %d, and the next page begins at %d", name, last, page.Query.NextTime)
			}
		}
		from = page.Query.NextTime
	}
	if pages != 2 || seen["dense"] != n || seen["sparse"] != 6 {
		t.Errorf("%v in %d pages", seen, pages)
	}
}

// TestSourceFilters: patterns of sources pick streams; those without a source are
// picked by what matches unassigned, and everything by a star or nothing.
func TestSourceFilters(t *testing.T) {
	t.Parallel()
	web, none := tidemark.MakeTags(map[string]string{"source": "web-1"}), tidemark.MakeTags(map[string]string{"host": "a"})
	for _, c := range []struct {
		patterns  []string
		web, none bool
	}{
		{nil, true, true}, {[]string{""}, true, true}, {[]string{"db", "*"}, true, true}, {[]string{"WEB-1"}, true, false}, {[]string{"web*"}, true, false},
		{[]string{"unassigned"}, false, true}, {[]string{"un*", "web-1"}, true, true}, {[]string{"db"}, false, false},
	} {
		f := sourceFilter(c.patterns)
		if f.Match(web) != c.web || f.Match(none) != c.none {
			t.Errorf("%v picks %v and %v", c.patterns, f.Match(web), f.Match(none))
		}
	}
	if sourceOf(web) != "web-1" || sourceOf(none) != tidemark.UnassignedName {
		t.Errorf("shown under %s and %s", sourceOf(web), sourceOf(none))
	}
}

// TestEnoughPoints: every source has as many points as are asked for, of a
// counter one more, since differences may be made of them.
func TestEnoughPoints(t *testing.T) {
	t.Parallel()
	two, three := pointsOf(1, 1, 2, 2), pointsOf(1, 1, 2, 2, 3, 3)
	for _, c := range []struct {
		counter bool
		sources map[string]*sourcePoints
		want    bool
	}{
		{false, nil, false}, {false, map[string]*sourcePoints{"a": two}, true}, {false, map[string]*sourcePoints{"a": three, "b": pointsOf(1, 1)}, false},
		{true, map[string]*sourcePoints{"a": two}, false}, {true, map[string]*sourcePoints{"a": three}, true},
	} {
		if got := enough(c.sources, &legacyRequest{count: 2, isCounter: c.counter}); got != c.want {
			t.Errorf("a counter %v, %d sources: %v", c.counter, len(c.sources), got)
		}
	}
}

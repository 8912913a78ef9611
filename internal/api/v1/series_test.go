package v1

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/apitest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/jsonout"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// series is an answer to GET /v1/measurements/:name.
type series struct {
	Name       string
	Resolution int64
	Series     []struct {
		Tags         map[string]string
		Measurements []struct {
			Time  int64
			Value float64
		}
	}
	Links []struct{ Rel, Href string }
}

// read asks for a page of measurements.
func readSeries(t *testing.T, c *apitest.Client, target string) (s series) {
	t.Helper()
	rec := c.Ask("GET "+target, "")
	if err := json.Unmarshal(rec.Body.Bytes(), &s); rec.Code != 200 || err != nil {
		t.Fatalf("%s: %d %s, %v", target, rec.Code, rec.Body, err)
	}
	return s
}

// TestMeasurements: the series of a metric by stream or group, with what is
// wrong with a request said of its fields.
func TestMeasurements(t *testing.T) {
	t.Parallel()
	w, _, c := newClient(t)
	w.Record(t, "cpu", map[string]string{"host": "a", "zone": "x"}, apitest.Now-120, 1, 2)
	w.Record(t, "cpu", map[string]string{"host": "b", "zone": "x"}, apitest.Now-120, 3, 4)
	const at = "/v1/measurements/CPU?resolution=60&duration=120"
	for query, want := range map[string]string{
		"":              "map[host:a zone:x] [1 2]; map[host:b zone:x] [3 4]",
		"&tags[host]=b": "map[host:b zone:x] [3 4]",
		"&tags[host][]=a&tags[host][]=b&tags[zone]=x":            "map[host:a zone:x] [1 2]; map[host:b zone:x] [3 4]",
		"&tags_search=host%3Da":                                  "map[host:a zone:x] [1 2]",
		"&tags=*":                                                "map[host:a zone:x] [1 2]; map[host:b zone:x] [3 4]",
		"&group_by=zone&group_by_function=sum":                   "map[zone:x] [4 6]",
		"&group_by[]=zone&group_by[]=host&group_by_function=max": "map[host:a zone:x] [1 2]; map[host:b zone:x] [3 4]",
		"&tags[host]=none":                                       "",
	} {
		got := readSeries(t, c, at+query)
		var lines []string
		for _, s := range got.Series {
			var values []float64
			for _, m := range s.Measurements {
				values = append(values, m.Value)
			}
			lines = append(lines, fmt.Sprint(s.Tags, " ", values))
		}
		slices.Sort(lines)
		if text := strings.Join(lines, "; "); text != want || got.Name != "cpu" || got.Resolution != 60 || len(got.Links) != 0 {
			t.Errorf("%s: %s of %s, want %s", query, text, got.Name, want)
		}
	}
	c.Check(t,
		apitest.Exchange{Request: "GET /v1/measurements/mem?resolution=60&duration=120", Want: `404 {"errors":{"request":["Not Found"]}}`},
		apitest.Exchange{Request: "GET /v1/measurements/c%20pu?resolution=60&duration=120", Want: `404 {"errors":{"request":["Not Found"]}}`},
		apitest.Exchange{Request: "GET " + at + "&tags=host", Want: `400 {"errors":{"params":{"tags":["must be given as tags[NAME]=VALUE"]}}}`},
		apitest.Exchange{Request: "GET " + at + "&tags[host]=a&tags_search=host%3Da", Want: `400 {"errors":{"params":{"tags_search":["cannot be used with tags"]}}}`},
		apitest.Exchange{Request: "GET " + at + "&group_by=zone", Want: `400 {"errors":{"params":{"group_by_function":["is not present"]}}}`},
		apitest.Exchange{Request: "GET " + at + "&series_offset=-1", Want: `400 {"errors":{"params":{"series_offset":["must not be negative"]}}}`},
		apitest.Exchange{Request: "GET " + at + "&series_offset=x", Want: `400 {"errors":{"params":{"series_offset":["is not a number"]}}}`},
		apitest.Exchange{Request: "GET /v1/measurements/cpu", Want: `400 {"errors":{"params":{"resolution":["is not present"],"start_time":["is required unless duration is given"]}}}`},
	)
}

// TestPagesOfSeries: whoever follows the links of a long answer gets every point
// of every series once, in as many pages as it takes.
func TestPagesOfSeries(t *testing.T) {
	t.Parallel()
	for _, points := range []int{1, 2, 3, 7, 1000} {
		w := apitest.New(t, func(o *shared.Options) { o.AnswerPoints = points })
		c := w.Client(New(w.Base).Routes())
		want := make(map[string]bool)
		for i, host := range []string{"a", "b", "c"} {
			n := 1 + 2*i
			values := make([]float64, n)
			for j := range values {
				values[j] = float64(j)
				want[fmt.Sprint(host, apitest.Now-300+60*int64(j))] = true
			}
			w.Record(t, "cpu", map[string]string{"host": host}, apitest.Now-300, values...)
		}
		got, pages := make(map[string]bool), 0
		in := fmt.Sprintf("/o/%d/v1/measurements/cpu?", w.Org) // the next page is in the same organization
		for target := in + "duration=300&resolution=60&end_time=" + fmt.Sprint(apitest.Now); target != ""; pages++ {
			page := readSeries(t, c, target)
			for _, s := range page.Series {
				for _, m := range s.Measurements {
					key := fmt.Sprint(s.Tags["host"], m.Time)
					if got[key] {
						t.Errorf("%d points: %s comes twice", points, key)
					}
					got[key] = true
				}
			}
			target = ""
			if len(page.Links) > 0 {
				u, err := url.Parse(page.Links[0].Href)
				if err != nil || page.Links[0].Rel != "next" || u.Host != "example.com" || pages > 50 {
					t.Fatalf("link %+v, %v", page.Links, err)
				}
				if target = u.RequestURI(); !strings.HasPrefix(target, in) {
					t.Errorf("the next page is %s", target)
				}
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) || points == 1000 && pages != 1 {
			t.Errorf("%d points: %d of %d in %d pages", points, len(got), len(want), pages)
		}
	}
}

// TestSeriesPages: pages are slices of the time that begin at steps; the end
// that a caller left open does not move from one page to the next.
func TestSeriesPages(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		resolution := rapid.Int64Range(1, 100).Draw(t, "resolution")
		points := rapid.IntRange(1, 20).Draw(t, "points")
		req := query.Request{Start: rapid.Int64Range(0, 5000).Draw(t, "start"), Resolution: resolution}
		req.End = req.Start + rapid.Int64Range(0, 5000).Draw(t, "length")
		asked := req
		page, err := readSeriesPage(httptest.NewRequest("GET", "/?duration=60", nil), &req, points)
		if err != nil {
			t.Fatal(err)
		}
		if steps := req.End/resolution - req.Start/resolution + 1; steps > int64(points) {
			t.Fatalf("%d steps in a page of %d", steps, points)
		}
		if page.start == 0 {
			if req.Start != asked.Start || req.End != asked.End {
				t.Fatalf("the only page is %+v of %+v", req, asked)
			}
			return
		}
		if page.start%resolution != 0 || page.start != req.End+1 || page.start > asked.End {
			t.Fatalf("the next begins at %d after %d, of %+v", page.start, req.End, asked)
		}
		next := page.from(page.start, 0)
		if next.Get("start_time") != fmt.Sprint(page.start) || next.Get("end_time") != fmt.Sprint(asked.End) || next.Has("duration") {
			t.Fatalf("the link says %v", next)
		}
	})
}

// TestWritingSeries: series are a list in JSON whatever points each has, and
// those that were passed over are not in it.
func TestWritingSeries(t *testing.T) {
	t.Parallel()
	one := func(host string, values ...float64) *tsdb.Series {
		s := &tsdb.Series{Tags: tidemark.MakeTags(map[string]string{"host": host}), Values: values}
		for i := range values {
			s.Times = append(s.Times, int64(60*i))
		}
		return s
	}
	for _, c := range []struct {
		name         string
		all          []*tsdb.Series
		skip, points int
		want, next   string
	}{
		{"none", nil, 0, 10, "", ""},
		{"two", []*tsdb.Series{one("a", 1, 2), one("b", 3)}, 0, 10, "a b", ""},
		{"without points between", []*tsdb.Series{one("a"), one("b", 3), one("c"), one("d", 4)}, 0, 10, "a b c d", ""},
		{"without points at all", []*tsdb.Series{one("a"), one("b")}, 0, 10, "a b", ""},
		{"too many", []*tsdb.Series{one("a", 1, 2), one("b", 3, 4), one("c", 5)}, 0, 3, "a", "series_offset=1"},
		{"the rest", []*tsdb.Series{one("a", 1, 2), one("b", 3, 4), one("c", 5)}, 1, 3, "b c", ""},
		{"one that is longer than a page", []*tsdb.Series{one("a", 1, 2, 3, 4), one("b", 1)}, 0, 3, "a", "series_offset=1"},
		{"all passed over", []*tsdb.Series{one("a", 1)}, 5, 3, "", ""},
	} {
		var b strings.Builder
		out := jsonout.New(&b)
		page := &seriesPage{query: url.Values{}, skip: c.skip, points: c.points}
		at := 0
		next := func() (*tsdb.Series, error, bool) {
			if at++; at > len(c.all) {
				return nil, nil, false
			}
			return c.all[at-1], nil, true
		}
		first, _, more := next()
		rest, err := page.write(out, first, more, next)
		if err != nil || out.Flush() != nil {
			t.Fatal(err)
		}
		var list []struct{ Tags map[string]string }
		if err := json.Unmarshal([]byte("["+b.String()+"]"), &list); err != nil {
			t.Errorf("%s: %v in %s", c.name, err, b.String())
			continue
		}
		var hosts []string
		for _, s := range list {
			hosts = append(hosts, s.Tags["host"])
		}
		if strings.Join(hosts, " ") != c.want || rest.Encode() != c.next {
			t.Errorf("%s: %v, then %q, want %s, then %q", c.name, hosts, rest.Encode(), c.want, c.next)
		}
	}
	broken := func() (*tsdb.Series, error, bool) { return nil, fmt.Errorf("away"), true }
	if _, err := (&seriesPage{points: 10}).write(jsonout.New(&strings.Builder{}), one("a", math.Pi), true, broken); err == nil {
		t.Error("an error ends it like any other end")
	}
}

package shared_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/apitest"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/jsonout"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// measured is a world in which two hosts of each zone measured cpu for three
// minutes until now.
func measured(t *testing.T) *apitest.World {
	t.Helper()
	w := apitest.New(t)
	for i, host := range []string{"a", "b", "c", "d"} {
		v := float64(i + 1)
		w.Record(t, "cpu", map[string]string{"host": host, "zone": []string{"east", "west"}[i/2]}, apitest.Now-180, v, 10*v, 100*v)
	}
	return w
}

// TestAnswersToQueries: a query of a chart is answered with lines by stream or
// by group; what is wrong with it is its own affair, and a metric that does
// not exist yet has no lines.
func TestAnswersToQueries(t *testing.T) {
	t.Parallel()
	w := measured(t)
	composite(t, w, "load", `sum(s("cpu", "*"))`)
	zone := func(values ...string) []tidemark.TagFilter {
		return []tidemark.TagFilter{{Name: "zone", Values: values}}
	}
	yes := true
	for _, c := range []struct {
		name string
		q    shared.OneQuery
		want string
	}{
		{"each stream", shared.OneQuery{Metric: "CPU"}, `{"id":"1","series":[a+east[1 10 100] b+east[2 20 200] c+west[3 30 300] d+west[4 40 400]],"streams":4}`},
		{"by tag", shared.OneQuery{Metric: "cpu", Tags: zone("west")}, `{"id":"1","series":[c+west[3 30 300] d+west[4 40 400]],"streams":2}`},
		{"folded", shared.OneQuery{Metric: "cpu", GroupFunction: "average"}, `{"id":"1","series":[[2.5 25 250]],"streams":4}`},
		{"folded by zone", shared.OneQuery{Metric: "cpu", GroupFunction: "sum", GroupBy: []string{"zone"}}, `{"id":"1","series":[east[3 30 300] west[7 70 700]],"streams":4}`},
		{"none match", shared.OneQuery{Metric: "cpu", Tags: zone("north")}, `{"id":"1","series":[],"streams":0}`},
		{"what is dynamic", shared.OneQuery{Metric: "cpu", Tags: []tidemark.TagFilter{{Name: "zone", Dynamic: &yes}}}, `{"id":"1","series":[a+east[1 10 100] b+east[2 20 200]],"streams":2}`},
		{"not there", shared.OneQuery{Metric: "mem"}, `{"id":"1","series":[],"streams":0}`},
		{"a composite", shared.OneQuery{Composite: `sum(s("cpu", {"zone":"east"}))`}, `{"id":"1","series":[[3 30 300]],"streams":2,"period":60}`},
		{"a metric that is one", shared.OneQuery{Metric: "load"}, `{"id":"1","series":[[10 100 1000]],"streams":1}`},
		{"no such function", shared.OneQuery{Metric: "cpu", Summary: "median"}, `{"id":"1","series":[],"streams":0,"error":...`},
		{"an expression that ends early", shared.OneQuery{Composite: `sum(s("cpu", "*")`}, `{"id":"1","series":[],"streams":0,"error":{"message":"expected ',' or ')', found the end","offset":17,"length":0}}`},
		{"of what is not there", shared.OneQuery{Composite: `s("cpuu", "*")`}, `{"id":"1","series":[],"streams":0...`},
	} {
		q := &shared.ManyQueries{Start: apitest.Now - 180, End: apitest.Now, Resolution: 60, Dynamic: zone("east")}
		c.q.ID = "1"
		hold, err := w.Querier.Hold(t.Context(), w.Org)
		if err != nil {
			t.Fatal(err)
		}
		res, err := w.AnswerQuery(t.Context(), w.Org, q, &c.q, hold)
		hold.Release()
		got := brief(t, res)
		if begin, cut := strings.CutSuffix(c.want, "..."); err != nil || got != c.want && !(cut && strings.HasPrefix(got, begin)) {
			t.Errorf("%s: %s, %v, want %s", c.name, got, err, c.want)
		}
	}
}

// TestSummarize: more streams than are asked for are answered with a band, if
// each would be a line; no more, or groups, are answered as ever.
func TestSummarize(t *testing.T) {
	t.Parallel()
	w := measured(t)
	const each = `{"id":"1","series":[a+east[1 10 100] b+east[2 20 200] c+west[3 30 300] d+west[4 40 400]],"streams":4}`
	const band = `{"id":"1","series":[[1 10 100] [1 10 100] [3 30 300] [4 40 400] [4 40 400]],"streams":4`
	for _, c := range []struct {
		q    shared.OneQuery
		want string
	}{
		{shared.OneQuery{Metric: "cpu", Summarize: 4}, each},
		{shared.OneQuery{Metric: "cpu", Summarize: 3}, band + `}`},
		{shared.OneQuery{Metric: "cpu", Summarize: 1, GroupFunction: "sum", GroupBy: []string{"zone"}}, `{"id":"1","series":[east[3 30 300] west[7 70 700]],"streams":4}`},
		{shared.OneQuery{Composite: `s("cpu", "*")`, Summarize: 3}, band + `,"period":60}`},
		{shared.OneQuery{Metric: "mem", Summarize: 3}, `{"id":"1","series":[],"streams":0}`},
		{shared.OneQuery{Metric: "cpu", Summarize: -1}, `{"id":"1","series":[],"streams":0,"error":{"message":"summarize must be 0 to 2000","offset":0,"length":0}}`},
		{shared.OneQuery{Metric: "cpu", Summarize: 2001}, `{"id":"1","series":[],"streams":0,"error":{"message":"summarize must be 0 to 2000","offset":0,"length":0}}`},
	} {
		c.q.ID = "1"
		if got := brief(t, askFor(t, w, &shared.ManyQueries{Start: apitest.Now - 180, End: apitest.Now, Resolution: 60}, &c.q)); got != c.want {
			t.Errorf("%+v: %s, want %s", c.q, got, c.want)
		}
	}
	long := askFor(t, w, &shared.ManyQueries{Start: apitest.Now - 10_001, End: apitest.Now, Resolution: 1}, &shared.OneQuery{Metric: "cpu", Summarize: 3})
	if long.Error == nil || !strings.Contains(long.Error.Message, "at most 10000 steps") || len(long.Series) != 0 {
		t.Errorf("of too many steps: %+v", long)
	}
}

func askFor(t *testing.T, w *apitest.World, q *shared.ManyQueries, one *shared.OneQuery) shared.OneResult {
	t.Helper()
	hold, err := w.Querier.Hold(t.Context(), w.Org)
	if err != nil {
		t.Fatal(err)
	}
	defer hold.Release()
	res, err := w.AnswerQuery(t.Context(), w.Org, q, one, hold)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// brief is a result with its lines as tags and values.
func brief(t *testing.T, res shared.OneResult) string {
	t.Helper()
	var lines []string
	for _, s := range res.Series {
		tags := tidemark.MakeTags(s.Tags)
		var parts []string
		for _, tag := range tags {
			parts = append(parts, tag.Value)
		}
		lines = append(lines, strings.Join(parts, "+")+fmt.Sprint(s.Values))
		if len(s.Times) != len(s.Values) || len(s.Times) > 0 && s.Times[0] != apitest.Now-180 {
			t.Errorf("times %v", s.Times)
		}
	}
	res.Series = []shared.OneSeries{}
	text, err := json.Marshal(res)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Replace(string(text), `"series":[]`, `"series":[`+strings.Join(lines, " ")+`]`, 1)
}

// TestQueriesOfBrokenStorage: what is our own fault is no answer to a query.
func TestQueriesOfBrokenStorage(t *testing.T) {
	t.Parallel()
	w := measured(t)
	hold, err := w.Querier.Hold(t.Context(), w.Org)
	if err != nil {
		t.Fatal(err)
	}
	defer hold.Release()
	if err := w.Store.Close(); err != nil {
		t.Fatal(err)
	}
	_, err = w.AnswerQuery(t.Context(), w.Org, &shared.ManyQueries{End: apitest.Now, Resolution: 60}, &shared.OneQuery{Metric: "cpu"}, hold)
	if err == nil || tidemark.KindOf(err) != tidemark.Internal {
		t.Errorf("got %v", err)
	}
}

// TestCountStreams: the streams of a metric that a filter picks, however its
// name is written.
func TestCountStreams(t *testing.T) {
	t.Parallel()
	w := measured(t)
	for _, c := range []struct {
		metric string
		filter tsdb.Filter
		want   int
	}{{"cpu", tsdb.Filter{}, 4}, {"CPU", tsdb.TagIs("zone", "east"), 2}, {"mem", tsdb.Filter{}, 0}} {
		if got := w.CountStreams(t.Context(), w.Org, c.metric, c.filter); got != c.want {
			t.Errorf("%s: %d, want %d", c.metric, got, c.want)
		}
	}
	if got := w.CountStreams(t.Context(), w.Org+1, "cpu", tsdb.Filter{}); got != 0 {
		t.Errorf("another organization has %d", got)
	}
}

// TestEvaluated: the series of an expression come as JSON with what was asked;
// what is wrong is said of its field.
func TestEvaluated(t *testing.T) {
	t.Parallel()
	w := measured(t)
	c := w.Client([]rest.Route{rest.On("GET /v1/measurements", tidemark.View, func(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
		return w.Evaluated(r, who, "series", func(out *jsonout.Writer, one *query.Series) { out.Value(one.Values) })
	})})
	const at = "GET /v1/measurements?duration=180&resolution=60"
	c.Check(t,
		apitest.Exchange{Request: at + `&compose=sum(s("cpu","*"))`, Want: `200 {"compose":"sum(s(\"cpu\",\"*\"))","resolution":60,"series":[[10,100,1000]]}`},
		apitest.Exchange{Request: at + `&compose=s("cpu",{"zone":"west"})`, Want: `200 {"compose":"s(\"cpu\",{\"zone\":\"west\"})","resolution":60,"series":[[3,30,300],[4,40,400]]}`},
		apitest.Exchange{Request: at + `&compose=s("mem","*")`, Want: `200 {"compose":"s(\"mem\",\"*\")","resolution":60,"series":[]}`},
		apitest.Exchange{Request: at, Want: `400 {"errors":{"params":{"compose":["is not present"]}}}`},
		apitest.Exchange{Request: at + `&compose=sum(`, Want: `400 {"errors":{"params":{"compose":["at offset 4: ...`},
		apitest.Exchange{Request: `GET /v1/measurements?compose=s("cpu","*")`, Want: `400 {"errors":{"params":{"resolution":["is not present"],"start_time":["is required unless duration is given"]}}}`},
	)
	if l := w.Querier.Load(); l.Queries != 0 || l.Points != 0 {
		t.Errorf("after all answers %+v are held", l)
	}
}

// TestDrafts: an alert that is not saved is read as one that is, name or no
// name; what a path names is the service, and none is a new one.
func TestDrafts(t *testing.T) {
	t.Parallel()
	read := func(body string) (*tidemark.Alert, error) {
		return shared.ReadDraft(httptest.NewRequest("POST", "/ui/api/alerts/test", strings.NewReader(body)))
	}
	a, err := read(`{"conditions":[{"type":"above","metric_name":"cpu","threshold":1}]}`)
	if err != nil || a.Name != "draft" || !a.Active || len(a.Conditions) != 1 {
		t.Errorf("%+v, %v", a, err)
	}
	for body, want := range map[string]string{
		`{"name":"","conditions":[{"type":"above","metric_name":"cpu","threshold":1}]}`: "400 invalid parameters; name is not present",
		`{"conditions":[{"type":"above","metric_name":"cpu"}]}`:                         "400 invalid parameters; conditions.threshold ...",
		`[]`: "400 the body must be an object", `{"conditions":5}`: "400 invalid parameters; conditions must be an array",
	} {
		_, err := read(body)
		if got := apitest.Said(err); got != want && !(strings.HasSuffix(want, "...") && strings.HasPrefix(got, strings.TrimSuffix(want, "..."))) {
			t.Errorf("%s: %s, want %s", body, got, want)
		}
	}
	w := apitest.New(t)
	hook := &tidemark.Service{Type: "webhook", Title: "hook", Settings: tidemark.Settings{"url": "https://example.org/"}}
	if err := w.Store.CreateService(t.Context(), w.Org, tidemark.ServerActor(), hook); err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]string{"": "0 ", "1": "1 hook", "2": "404", "x": "404"} {
		r := httptest.NewRequest("POST", "/", nil)
		r.SetPathValue("id", id)
		v, err := w.ServiceOrNew(r, w.Org)
		got := apitest.Said(err)
		if err == nil {
			got = fmt.Sprint(v.ID, " ", v.Title)
		}
		if !strings.HasPrefix(got, want) || err == nil && v.Settings == nil {
			t.Errorf("%q: %s, want %s", id, got, want)
		}
	}
	hook.Title = ""
	if got := apitest.Said(w.CheckService(t.Context(), hook)); got != "400 invalid parameters; title is not present" {
		t.Errorf("got %s", got)
	}
}

// TestPictures: a picture is kept by the browser for a day; one that is not
// drawn yet is not there, and links open for as long as they say.
func TestPictures(t *testing.T) {
	t.Parallel()
	rep, err := shared.ImageOf(&tidemark.Snapshot{Image: []byte("png")})
	var b strings.Builder
	if err != nil || rep.Stream(&b) != nil || b.String() != "png" || rep.Kind != "image/png" || rep.Header["Cache-Control"] != "private, max-age=86400" {
		t.Errorf("%+v, %v", rep, err)
	}
	if _, err := shared.ImageOf(&tidemark.Snapshot{}); tidemark.KindOf(err) != tidemark.NotFound {
		t.Errorf("one that is not drawn: %v", err)
	}
	if got := apitest.New(t).OpenSince(); got != apitest.Now-30*24*3600 {
		t.Errorf("links open since %d", got)
	}
}

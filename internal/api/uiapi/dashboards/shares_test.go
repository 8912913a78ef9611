package dashboards

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/apitest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
)

// spaced is a client of a world with a space of one chart, that shows cpu by a
// tag which viewers choose, and a clock.
func spaced(t *testing.T) (*apitest.World, *apitest.Client, *int64) {
	t.Helper()
	now := int64(apitest.Now)
	w, _, c := newClient(t, func(o *shared.Options) { o.Now = func() time.Time { return time.Unix(now, 0) } })
	w.Record(t, "cpu", map[string]string{"zone": "east"}, apitest.Now-60, 1)
	w.Record(t, "cpu", map[string]string{"zone": "west"}, apitest.Now-60, 2)
	w.Record(t, "salary", map[string]string{"zone": "west"}, apitest.Now-60, 3)
	c.Check(t,
		apitest.Exchange{Request: "POST /v1/spaces", Body: `{"name":"Wall"}`, Want: `201 {...`},
		apitest.Exchange{Request: "POST /v1/spaces/1/charts", Body: `{"name":"c","streams":[{"metric":"cpu","group_function":"breakout","tags":[{"name":"zone","dynamic":true}]}]}`, Want: `201 {...`},
		apitest.Exchange{Request: "POST /v1/annotations/deploys", Body: `{"title":"v1"}`, Want: `201 {...`},
		apitest.Exchange{Request: "POST /v1/annotations/private", Body: `{"title":"hush"}`, Want: `201 {...`},
		apitest.Exchange{Request: "PUT /ui/api/spaces/1/layout", Body: `{"annotations":["deploys","gone"],"default_tags":[{"name":"zone","values":["east"]}]}`, Want: `200 {"version":3}`},
	)
	return w, c, &now
}

// share makes a link to the space and returns the key that it ends in.
func share(t *testing.T, c *apitest.Client, body string) string {
	t.Helper()
	return shareAt(t, c, "/ui/api/spaces/1/shares", body)
}

// shareAt makes a link and returns what follows /s/ in it.
func shareAt(t *testing.T, c *apitest.Client, path, body string) string {
	t.Helper()
	rec := c.Ask("POST "+path, body)
	var v newShare
	if err := json.Unmarshal(rec.Body.Bytes(), &v); rec.Code != 201 || err != nil || !strings.HasPrefix(v.URL, "http://example.com/s/") {
		t.Fatalf("%d %s, %v", rec.Code, rec.Body, err)
	}
	return strings.TrimPrefix(v.URL, "http://example.com/s/")
}

// TestSharedSpaces: whoever has a link sees the space, the data of its charts and
// its annotations, and nothing else, until it expires.
func TestSharedSpaces(t *testing.T) {
	t.Parallel()
	w, c, now := spaced(t)
	key := share(t, c, `{"name":"office","expires_in":86400}`)
	*now += touchEvery
	c.Who = tidemark.Identity{} // nobody
	query := func(chart int, dynamic string) apitest.Exchange {
		return apitest.Exchange{Request: "POST /ui/api/shared/" + key + "/query", Body: fmt.Sprintf(`{"start":4000060700,"end":4000060800,"resolution":60,"chart":%d,"dynamic":%s}`, chart, dynamic)}
	}
	both, east, none := query(1, "[]"), query(1, `[{"name":"zone","values":["east"]}]`), query(2, "[]")
	both.Want = `200 {"resolution":60,"results":[` + "\n" + `{"id":"0","series":[{"metric":"cpu","tags":{"zone":"east"},"times":[4000060740],"values":[1]},{"metric":"cpu","tags":{"zone":"west"},...`
	east.Want = `200 {"resolution":60,"results":[` + "\n" + `{"id":"0","series":[{"metric":"cpu","tags":{"zone":"east"},"times":[4000060740],"values":[1]}],"streams":1}` + "\n]}"
	none.Want = apitest.NotFound
	c.Check(t, both, east, none,
		apitest.Exchange{Request: "GET /ui/api/shared/" + key, Want: `200 {"annotations":["deploys","gone"],"charts":[{"id":1,...`},
		apitest.Exchange{Request: "GET /ui/api/shared/" + key + "/annotations", Want: `200 {"events":[{"id":1,"title":"v1",...`},
		apitest.Exchange{Request: "GET /ui/api/shared/" + key + "/annotations?start_time=x", Want: `400 {"errors":{"params":{"start_time":["is not a number"]}}}`},
		apitest.Exchange{Request: "GET /ui/api/shared/other", Want: apitest.NotFound}, apitest.Exchange{Request: "GET /ui/api/shared/other/annotations", Want: apitest.NotFound},
		apitest.Exchange{Request: "POST /ui/api/shared/other/query", Body: `{}`, Want: apitest.NotFound},
		apitest.Exchange{Request: "POST /ui/api/shared/" + key + "/query", Body: strings.Repeat(" ", 17<<10) + `{}`, Want: `413 {...`},
	)
	if got := c.Says("GET /ui/api/shared/"+key+"/annotations", ""); strings.Contains(got, "hush") {
		t.Errorf("annotations of others: %s", got)
	}
	found, err := w.Store.Shares(t.Context(), w.Org, 1, *now)
	if err != nil || len(found) != 1 || found[0].LastOpenedAt != *now {
		t.Errorf("%+v, %v", found, err)
	}
	*now += 86400
	for _, request := range []string{"GET /ui/api/shared/" + key, "GET /ui/api/shared/" + key + "/annotations", "POST /ui/api/shared/" + key + "/query"} {
		c.Check(t, apitest.Exchange{Request: request, Body: `{"chart":1}`, Want: apitest.NotFound})
	}
}

// TestSharedPlaylists: whoever has a link to a playlist sees its spaces, those
// that are there, and no other; a link to a space is one of a single space.
func TestSharedPlaylists(t *testing.T) {
	t.Parallel()
	_, c, _ := spaced(t)
	c.Check(t,
		apitest.Exchange{Request: "POST /v1/spaces", Body: `{"name":"Doomed"}`, Want: `201 {...`},
		apitest.Exchange{Request: "POST /v1/spaces", Body: `{"name":"Private"}`, Want: `201 {...`},
		apitest.Exchange{Request: "POST /ui/api/playlists", Body: `{"name":"Office","spaces":[{"space":1,"seconds":30,"range":"-1h"},{"space":2,"seconds":60}]}`, Want: `201 {...`},
		apitest.Exchange{Request: "DELETE /v1/spaces/2", Want: "204"},
	)
	wall := shareAt(t, c, "/ui/api/playlists/1/shares", `{"name":"office","expires_in":86400}`)
	key, isWall := strings.CutSuffix(wall, wallForm)
	if !isWall {
		t.Errorf("the link ends in %s", wall)
	}
	single := share(t, c, `{"name":"one","expires_in":86400}`)
	c.Who = tidemark.Identity{} // nobody
	path := "/ui/api/shared/" + key
	query := `{"start":4000060700,"end":4000060800,"resolution":60,"chart":1,"space":`
	c.Check(t,
		apitest.Exchange{Request: "GET " + path + "/playlist", Want: `200 {"expires_at":4000147200,"name":"Office","org":"Shop","spaces":[` +
			`{"space":1,"seconds":30,"range":"-1h","name":"Wall","gone":false},{"space":2,"seconds":60,"range":"","name":"","gone":true}]}`},
		apitest.Exchange{Request: "GET /ui/api/shared/" + single + "/playlist", Want: `200 {"expires_at":4000147200,"name":"","org":"Shop","spaces":[` +
			`{"space":1,"seconds":0,"range":"","name":"Wall","gone":false}]}`},
		apitest.Exchange{Request: "GET " + path + "?space=1", Want: `200 {"annotations":["deploys","gone"],"charts":[{"id":1,...`},
		apitest.Exchange{Request: "GET " + path, Want: apitest.NotFound}, apitest.Exchange{Request: "GET " + path + "?space=2", Want: apitest.NotFound}, apitest.Exchange{Request: "GET " + path + "?space=3", Want: apitest.NotFound},
		apitest.Exchange{Request: "GET " + path + "?space=x", Want: `400 {"errors":{"params":{"space":["is not a number"]}}}`},
		apitest.Exchange{Request: "GET /ui/api/shared/" + single + "?space=1", Want: `200 {"annotations":["deploys","gone"],...`},
		apitest.Exchange{Request: "GET /ui/api/shared/" + single + "?space=3", Want: apitest.NotFound},
		apitest.Exchange{Request: "POST " + path + "/query", Body: query + `1}`, Want: `200 {"resolution":60,"results":[` + "\n" + `{"id":"0","series":[{"metric":"cpu",...`},
		apitest.Exchange{Request: "POST " + path + "/query", Body: query + `3}`, Want: apitest.NotFound},
		apitest.Exchange{Request: "GET " + path + "/annotations?space=1", Want: `200 {"events":[{"id":1,"title":"v1",...`},
		apitest.Exchange{Request: "GET " + path + "/annotations?space=3", Want: apitest.NotFound},
	)
}

// TestSharedDistributions: a heatmap of distributions is one through a link too,
// of the streams that its viewers may look at, once for each value of a tag if
// it is repeated.
func TestSharedDistributions(t *testing.T) {
	t.Parallel()
	_, c, _ := spaced(t)
	const streams = `"streams":[{"metric":"cpu","tags":[{"name":"zone","dynamic":true}]}]`
	c.Check(t,
		apitest.Exchange{Request: "POST /v1/spaces/1/charts", Body: `{"name":"d",` + streams + `,"attributes":{"kind":"heatmap","rows":"distribution"}}`, Want: `201 {...`},
		apitest.Exchange{Request: "POST /v1/spaces/1/charts", Body: `{"name":"e",` + streams + `,"attributes":{"kind":"heatmap","rows":"distribution","repeat":"zone","percentiles":[100]}}`, Want: `201 {...`},
	)
	all, locked := share(t, c, `{"name":"all","expires_in":3600}`), share(t, c, `{"name":"west","expires_in":3600,"locked_tags":[{"name":"zone","values":["west"]}]}`)
	c.Who = tidemark.Identity{} // nobody
	query := func(key string, chart int, want string) apitest.Exchange {
		return apitest.Exchange{Request: "POST /ui/api/shared/" + key + "/query", Body: fmt.Sprintf(`{"start":4000060680,"end":4000060800,"resolution":60,"chart":%d}`, chart), Want: `200 {"resolution":60,"results":[` + "\n" + `{"id":"0","series":[` + want}
	}
	const point = `"times":[4000060740],"values":[1],"low":`
	c.Check(t,
		query(all, 2, `{"metric":"cpu","tags":{},`+point+`1,"high":1.0200...`),
		query(locked, 2, `{"metric":"cpu","tags":{},`+point+`2,"high":2.0400...`),
		query(all, 3, `{"metric":"cpu","tags":{"zone":"east"},`+point+`1,"high":1.0200...`),
		query(locked, 3, `{"metric":"cpu","tags":{"zone":"west"},`+point+`2,"high":2.0400...`),
	)
	const highest = `{"metric":"cpu","tags":{"zone":"west"},"values":[2],"percentile":100}`
	if got := c.Says("POST /ui/api/shared/"+locked+"/query", `{"start":4000060680,"end":4000060800,"resolution":60,"chart":3}`); !strings.Contains(got, highest) {
		t.Errorf("percentiles of the chart: %s", got)
	}
}

// TestLockedShares: viewers of a link with locked tags cannot look at others.
func TestLockedShares(t *testing.T) {
	t.Parallel()
	_, c, _ := spaced(t)
	key := share(t, c, `{"name":"east","expires_in":3600,"locked_tags":[{"name":"zone","values":["east"]}]}`)
	for _, dynamic := range []string{`[]`, `[{"name":"zone","values":["west"]}]`, `null`} {
		got := c.Says("POST /ui/api/shared/"+key+"/query", `{"start":4000060700,"end":4000060800,"resolution":60,"chart":1,"dynamic":`+dynamic+`}`)
		if !strings.Contains(got, "east") || strings.Contains(got, "west") {
			t.Errorf("%s: %s", dynamic, got)
		}
	}
}

// TestLinksOfSpaces: only the answer that makes a link has it; links are of
// spaces that exist, and last as long as they may.
func TestLinksOfSpaces(t *testing.T) {
	t.Parallel()
	_, c, now := spaced(t)
	key := share(t, c, `{"name":"office","expires_in":3600}`)
	if got := c.Says("GET /ui/api/spaces/1/shares", ""); !strings.Contains(got, `"name":"office"`) || strings.Contains(got, key) {
		t.Errorf("shown as %s", got)
	}
	c.Check(t,
		apitest.Exchange{Request: "POST /ui/api/spaces/2/shares", Body: `{"name":"n","expires_in":3600}`, Want: apitest.NotFound},
		apitest.Exchange{Request: "POST /ui/api/spaces/1/shares", Body: `{"name":"n"}`, Want: `400 {"errors":{"params":{...`},
		apitest.Exchange{Request: "POST /ui/api/spaces/1/shares", Body: `{"name":"n","expires_in":-5}`, Want: `400 {"errors":{"params":{...`},
		apitest.Exchange{Request: "GET /ui/api/spaces/2/shares", Want: apitest.NotFound}, apitest.Exchange{Request: "GET /ui/api/spaces/x/shares", Want: apitest.NotFound},
	)
	*now += 3600
	c.Check(t, apitest.Exchange{Request: "GET /ui/api/spaces/1/shares", Want: `200 {"shares":[]}`})
}

// TestSpacesAsDocuments: a space that is exported and imported, or duplicated, is
// the same space with another id; what is no such document is refused whole.
func TestSpacesAsDocuments(t *testing.T) {
	t.Parallel()
	w, c, _ := spaced(t)
	doc := c.Ask("GET /ui/api/spaces/1/export", "").Body.String()
	c.Check(t,
		apitest.Exchange{Request: "POST /ui/api/spaces/import", Body: doc, Want: `201 {"id":2,"name":"Wall"}`},
		apitest.Exchange{Request: "POST /ui/api/spaces/1/duplicate", Body: `{"name":"Copy"}`, Want: `201 {"id":3,"name":"Copy"}`},
		apitest.Exchange{Request: "POST /ui/api/spaces/1/duplicate", Body: `{"name":""}`, Want: `400 {"errors":{"params":{"name":[...`},
		apitest.Exchange{Request: "POST /ui/api/spaces/9/duplicate", Body: `{"name":"n"}`, Want: apitest.NotFound}, apitest.Exchange{Request: "GET /ui/api/spaces/9/export", Want: apitest.NotFound},
		apitest.Exchange{Request: "POST /ui/api/spaces/import", Body: `{"name":"n"}`, Want: `400 {"errors":{"params":{"tidemark_space":["must be 1: this is not an exported space"]}}}`},
		apitest.Exchange{Request: "POST /ui/api/spaces/import", Body: `{"tidemark_space":1,"name":"n","charts":[{"name":"c","streams":[{"composite":"s("}]}]}`, Want: `400 {"errors":{"params":{...`},
		apitest.Exchange{Request: "POST /ui/api/spaces/import", Body: `{"tidemark_space":1,"name":"n","layout":[{"chart":"x"}]}`, Want: `400 {...`},
	)
	for _, id := range []string{"2", "3"} {
		again := c.Ask("GET /ui/api/spaces/"+id+"/export", "").Body.String()
		strip := strings.NewReplacer(`"id":2`, `"id":1`, `"id":3`, `"id":1`, `"Copy"`, `"Wall"`)
		if strip.Replace(again) != doc {
			t.Errorf("%s became %s", doc, again)
		}
	}
	if _, n, err := w.Store.Spaces(t.Context(), w.Org, tidemark.Page{Length: 10}); err != nil || n.Total != 3 {
		t.Errorf("%d spaces, %v: what was refused is there", n.Total, err)
	}
}

// ownOfSpaces is what the list of spaces says of the one who asks for it.
func ownOfSpaces(t *testing.T, c *apitest.Client) string {
	t.Helper()
	var list struct {
		Spaces []struct {
			Name     string
			OpenedAt int64 `json:"opened_at"`
			Pin      int
			Pinned   bool
		}
	}
	if err := json.Unmarshal(c.Ask("GET /ui/api/spaces", "").Body.Bytes(), &list); err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, s := range list.Spaces {
		fmt.Fprintf(&all, "%s opened %d pin %d %t; ", s.Name, s.OpenedAt, s.Pin, s.Pinned)
	}
	return all.String()
}

// TestSpacesOnPages: pins and what somebody opened are their own.
func TestSpacesOnPages(t *testing.T) {
	t.Parallel()
	w, c, _ := spaced(t)
	c.Check(t,
		apitest.Exchange{Request: "POST /v1/spaces", Body: `{"name":"Attic"}`, Want: `201 {...`},
		apitest.Exchange{Request: "PUT /ui/api/pins", Body: `{"spaces":[1]}`, Want: "204"},
		apitest.Exchange{Request: "PUT /ui/api/spaces/2/opened", Want: "204"},
		apitest.Exchange{Request: "PUT /ui/api/spaces/9/opened", Want: apitest.NotFound}, apitest.Exchange{Request: "PUT /ui/api/spaces/x/layout", Body: `{}`, Want: apitest.NotFound},
	)
	if got, want := ownOfSpaces(t, c), "Attic opened 4000060800 pin 0 false; Wall opened 0 pin 1 true; "; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	c.Who, _ = w.Person(t, "ben@example.org", tidemark.ViewOnly)
	if got, want := ownOfSpaces(t, c), "Attic opened 0 pin 0 false; Wall opened 0 pin 0 false; "; got != want {
		t.Errorf("another's: %s, want %s", got, want)
	}
}

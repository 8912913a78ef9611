package dashboards

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/alerting"
	"github.com/tidemark-metrics/tidemark/internal/api/apitest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/query"
)

// TestTemplatesAreWhole: every file is offered, under a title of its own, and
// what it says can be read.
func TestTemplatesAreWhole(t *testing.T) {
	t.Parallel()
	files, err := fs.Glob(templateFiles, "templates/*.json")
	if err != nil || len(files) != len(templateNames) {
		t.Fatalf("%d files of %d templates, %v", len(files), len(templateNames), err)
	}
	titles := make(map[string]bool)
	for _, name := range templateNames {
		tm, err := readTemplate(name)
		if err != nil {
			t.Fatal(err)
		}
		if tm.Name != name || titles[tm.Title] || len(tm.Needs) == 0 {
			t.Errorf("%s is called %s, has the title %q and needs %v", name, tm.Name, tm.Title, tm.Needs)
		}
		titles[tm.Title] = true
		for _, c := range tm.Charts {
			for i := range c.Streams {
				if text := strings.ReplaceAll(c.Streams[i].Composite, hostMark, "host"); text != "" {
					if _, err := query.Parse(text); err != nil {
						t.Errorf("%s, %s: %v", name, c.Name, err)
					}
				}
			}
		}
	}
}

// sent is the streams that a sender of a template would send, by metric: with
// each tag that a chart groups by, and each that it chooses.
func sent(tm *template, host string) map[string][]map[string]string {
	all := make(map[string][]map[string]string)
	for _, c := range tm.Charts {
		for i := range c.Streams {
			st := byHost(c.Streams[i], host)
			tags, chosen := map[string]string{}, map[string]string{}
			for _, f := range st.Tags {
				if f.Grouped != nil && *f.Grouped {
					tags[f.Name] = "one"
				} else {
					chosen[f.Name] = f.Values[0]
				}
			}
			for _, m := range regexp.MustCompile(`group_by\("([^"]+)"`).FindAllStringSubmatch(st.Composite, -1) {
				for name := range strings.SplitSeq(m[1], ",") {
					tags[name] = "one"
				}
			}
			for _, m := range regexp.MustCompile(`"([^"]+)": "([^"]+)"`).FindAllStringSubmatch(st.Composite, -1) {
				chosen[m[1]] = strings.TrimPrefix(m[2], "!") + map[bool]string{true: "-not"}[m[2][0] == '!']
			}
			for _, metric := range readBy(&c.Streams[i]) {
				metric = strings.ReplaceAll(metric, "*", "one")
				own := maps.Clone(tags)
				maps.Copy(own, chosen)
				all[metric] = append(all[metric], own)
			}
		}
	}
	return all
}

// TestTemplatesShowWhatArrives: of what its senders send, each space that is
// made shows something in every chart, by the tag that names the sender, and
// without one.
func TestTemplatesShowWhatArrives(t *testing.T) {
	t.Parallel()
	for _, name := range templateNames {
		tm, err := readTemplate(name)
		if err != nil {
			t.Fatal(err)
		}
		hosts := append(slices.Clone(tm.Host), "")
		for _, host := range hosts {
			t.Run(name+" by "+host, func(t *testing.T) {
				t.Parallel()
				again, _ := readTemplate(name) // byHost writes to its tags
				w, s, c := newClient(t)
				for metric, streams := range sent(again, host) {
					for _, tags := range streams {
						w.Record(t, metric, maps.Collect(withAny(tags)), apitest.Now-240, 1, 2, 3, 4)
					}
				}
				var made templateMade
				rec := c.Ask("POST /ui/api/templates/"+name, "")
				if err := json.Unmarshal(rec.Body.Bytes(), &made); err != nil || rec.Code != 201 {
					t.Fatalf("%d %s", rec.Code, rec.Body)
				}
				charts, err := s.Store.Charts(t.Context(), w.Org, made.Space)
				if err != nil || len(charts) != len(tm.Charts) {
					t.Fatalf("%d of %d charts, %v", len(charts), len(tm.Charts), err)
				}
				for _, one := range charts {
					for i := range one.Streams {
						showsSomething(t, c, one.Name, &one.Streams[i])
					}
				}
			})
		}
	}
}

// withAny has a tag, since nothing is recorded without one.
func withAny(tags map[string]string) func(yield func(string, string) bool) {
	all := maps.Clone(tags)
	if len(all) == 0 {
		all["any"] = "one"
	}
	return maps.All(all)
}

func showsSomething(t *testing.T, c *apitest.Client, chart string, st *tidemark.ChartStream) {
	t.Helper()
	q := shared.OneQuery{ID: "a", Metric: st.Metric, Composite: st.Composite}
	if st.Metric != "" {
		q.Tags = slices.DeleteFunc(slices.Clone(st.Tags), func(f tidemark.TagFilter) bool { return f.Grouped != nil && *f.Grouped })
		q.GroupFunction = "sum"
		for _, f := range st.Tags {
			if f.Grouped != nil && *f.Grouped {
				q.GroupBy = append(q.GroupBy, f.Name)
			}
		}
	}
	body, _ := json.Marshal(q)
	span := fmt.Sprintf(`"start":%d,"end":%d,"resolution":60`, apitest.Now-300, apitest.Now)
	var a queryAnswer
	rec := c.Ask("POST /ui/api/query", `{`+span+`,"queries":[`+string(body)+`]}`)
	if err := json.Unmarshal(rec.Body.Bytes(), &a); err != nil || len(a.Results) != 1 {
		t.Fatalf("%v: %s", err, rec.Body)
	}
	if r := a.Results[0]; r.Error != nil || len(r.Series) == 0 || len(r.Series[0].Values) == 0 {
		t.Errorf("%s shows nothing of %s%s: %+v", chart, st.Metric, st.Composite, r)
	} else if tags := r.Series[0].Tags; slices.ContainsFunc(q.GroupBy, func(by string) bool { return tags[by] == "" }) {
		t.Errorf("%s has %v", chart, tags)
	}
}

// TestTemplateOffers: what arrives is offered with how many send it, whichever
// of its senders they are; a space of that title is named.
func TestTemplateOffers(t *testing.T) {
	t.Parallel()
	w, _, c := newClient(t)
	for _, host := range []string{"web-1", "web-2"} {
		w.Record(t, "nginx_connections_active", map[string]string{"instance": host}, apitest.Now-60, 1)
	}
	w.Record(t, "system.load1", map[string]string{"source": "web-1"}, apitest.Now-60, 1)
	c.Check(t,
		apitest.Exchange{Request: "GET /ui/api/templates", Want: `200 {"templates":[` +
			`{"about":"Telegraf sends what its hosts do","hosts":1,"made":false,"name":"telegraf","space":0,"title":"Telegraf hosts"},` +
			`{"about":"nginx is watched","hosts":2,"made":false,"name":"nginx","space":0,"title":"nginx"}]}`},
		apitest.Exchange{Request: "POST /ui/api/templates/nginx", Want: `201 {"alerts":[],"space":1}`},
		apitest.Exchange{Request: "GET /ui/api/templates", Want: `200 {"templates":[` +
			`{"about":"Telegraf sends what its hosts do","hosts":1,"made":false,"name":"telegraf","space":0,"title":"Telegraf hosts"},` +
			`{"about":"nginx is watched","hosts":2,"made":true,"name":"nginx","space":1,"title":"nginx"}]}`},
		apitest.Exchange{Request: "POST /v1/spaces/1/charts", Body: `{"name":"Mine","type":"line","streams":[]}`, Want: `201 {"id":2,...`},
		apitest.Exchange{Request: "GET /ui/api/templates", Want: `200 {"templates":[` +
			`{"about":"Telegraf sends what its hosts do","hosts":1,"made":false,"name":"telegraf","space":0,"title":"Telegraf hosts"},` +
			`{"about":"nginx is watched","hosts":2,"made":false,"name":"nginx","space":1,"title":"nginx"}]}`},
		apitest.Exchange{Request: "POST /ui/api/templates/redis", Want: `400 {"errors":{"request":["nothing arrives yet that this space is made of: there is no metric redis.used_memory or redis_connected_clients or redis.clients.connected"]}}`},
	)
	charts, err := w.Store.Charts(t.Context(), w.Org, 1)
	if err != nil || len(charts) != 2 || charts[0].Name != "Connections" || len(charts[0].Streams) != 1 || charts[0].Streams[0].Tags[0].Name != "instance" {
		t.Errorf("the space has %+v, %v", charts, err)
	}
}

// TestServerTemplate: with the space about the server come the alerts on what
// it records, to be switched on.
func TestServerTemplate(t *testing.T) {
	t.Parallel()
	w, _, c := newClient(t)
	for _, metric := range []string{alerting.MetricMemory, alerting.MetricDiskPercent, alerting.MetricErrors} {
		w.Record(t, metric, map[string]string{"server": "one"}, apitest.Now-60, 1)
	}
	c.Check(t,
		apitest.Exchange{Request: "GET /ui/api/templates", Want: `200 {"templates":[` +
			`{"about":"This server records how it does itself","hosts":1,"made":false,"name":"server","space":0,"title":"Tidemark server"}]}`},
		apitest.Exchange{Request: "POST /ui/api/templates/server", Want: `201 {"alerts":["tidemark.server.disk","tidemark.server.errors"],"space":1}`},
	)
	alerts, err := w.Store.AlertsOverview(t.Context(), w.Org)
	if err != nil || len(alerts) != 2 || alerts[0].Alert.Active {
		t.Errorf("the alerts are %+v, %v", alerts, err)
	}
}

// TestTemplatesByWildcard: senders that have their host in the names of metrics
// are known all the same, and others that look alike are not.
func TestTemplatesByWildcard(t *testing.T) {
	t.Parallel()
	w, s, c := newClient(t)
	w.Record(t, "carbon.agents.size", map[string]string{"any": "one"}, apitest.Now-60, 1)
	c.Check(t, apitest.Exchange{Request: "GET /ui/api/templates", Want: `200 {"templates":[]}`})
	for _, host := range []string{"web-1-a", "web-2-a"} {
		w.Record(t, "carbon.agents."+host+".metricsReceived", map[string]string{"any": "one"}, apitest.Now-60, 1)
	}
	c.Check(t,
		apitest.Exchange{Request: "GET /ui/api/templates", Want: `200 {"templates":[{"about":"carbon sends what it does","hosts":0,"made":false,"name":"graphite","space":0,"title":"Graphite"}]}`},
		apitest.Exchange{Request: "POST /ui/api/templates/graphite", Want: `201 {"alerts":[],"space":1}`},
	)
	charts, err := s.Store.Charts(t.Context(), w.Org, 1)
	if err != nil || len(charts) != 1 || charts[0].Name != "Points received" || len(charts[0].Streams) != 1 {
		t.Errorf("the space has %+v, %v", charts, err)
	}
}

package movein_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/movein"
	"github.com/tidemark-metrics/tidemark/internal/query"
)

// TestGrafana: panels with a counterpart become charts, the others are named.
func TestGrafana(t *testing.T) {
	s := start(t)
	objects, err := movein.ReadGrafana("testdata/grafana/shop.json", "testdata/grafana/graphite.json")
	ok(t, err)
	report, err := objects.Make(t.Context(), s.Client, false)
	ok(t, err)
	golden(t, "grafana.golden", told(report)+"\n"+s.has(t)+s.layouts(t))
	before := s.has(t)
	again, err := objects.Make(t.Context(), s.Client, false)
	ok(t, err)
	if d := cmp.Diff(before, s.has(t)); d != "" || again.Count(movein.Made) > 0 {
		t.Errorf("another import changed (-before +after):\n%s", d)
	}
}

// layouts are where the charts of all spaces are.
func (s *server) layouts(t *testing.T) string {
	t.Helper()
	spaces, err := s.Spaces().List(t.Context())
	ok(t, err)
	var b strings.Builder
	for _, space := range spaces {
		var layout tidemark.Layout
		ok(t, s.Do(t.Context(), http.MethodGet, fmt.Sprintf("/admin/spaces/%d/layout", space.ID), nil, &layout))
		fmt.Fprintf(&b, "layout of %s: sections %+v\n", *space.Name, layout.Sections)
		for _, p := range layout.Places {
			fmt.Fprintf(&b, "  %+v\n", p)
		}
	}
	return b.String()
}

func TestFromPromQL(t *testing.T) {
	for expr, want := range map[string]string{
		`up`:                              `s("up", "*")`,
		`up{job="a",host!="b"}`:           `s("up", {"host": "!b", "job": "a"})`,
		`up{host=~"web.*|db\\.1"}`:        `s("up", {"host": ["web*", "db.1"]})`,
		`up{host=~".*",dc!~"a|b"}`:        `s("up", {"dc": ["!a", "!b"]})`,
		`up{route="/a/{id}"}`:             `s("up", {"route": "/a/_x7b_id_x7d_"})`,
		`up{host=~"$host",dc="[[d]]"}`:    `s("up", {"dc": "%", "host": "%"})`,
		`rate(a_total[5m])`:               `rate(derive(s("a_total", "*", {function: "last"})))`,
		`increase(a_total[$__range])`:     `derive(s("a_total", "*", {function: "last"}))`,
		`max_over_time(a[1h])`:            `s("a", "*", {function: "max"})`,
		`sum(a)`:                          `sum(s("a", "*"))`,
		`avg by (b, a) (x)`:               `group_by("a,b", mean(s("x", "*")))`,
		`sum by (h) (a) / sum by (h) (b)`: `group_by("h", divide([sum(s("a", "*")), sum(s("b", "*"))]))`,
		`sum(a) - sum(b)`:                 `subtract([sum(s("a", "*")), sum(s("b", "*"))])`,
		`max(sum by (h) (a))`:             `max(group_by("h", sum(s("a", "*"))))`,
		`a * 100`:                         `scale(s("a", "*"), {factor: "100"})`,
		`a / 1024 + 1`:                    `add(scale(s("a", "*"), {factor: "1/1024"}), {value: "1"})`,
		`a - -3`:                          `add(s("a", "*"), {value: "3"})`,
		`2 * a`:                           `scale(s("a", "*"), {factor: "2"})`,
		`1 - sum(a)`:                      `subtract([constant(1), sum(s("a", "*"))])`,
		`-a`:                              `scale(s("a", "*"), {factor: "-1"})`,
		`topk(3, a)`:                      `top(s("a", "*"), {count: "3"})`,
		`abs(ceil(a))`:                    `abs(ceiling(s("a", "*")))`,
		`a offset 1h`:                     `timeshift("3600s", s("a", "*"))`,
	} {
		got, err := movein.FromPromQL(expr)
		if err != nil || got != want {
			t.Errorf("%s is %s, %v; want %s", expr, got, err, want)
			continue
		}
		if _, err := query.Parse(got); err != nil {
			t.Errorf("%s: %v", got, err)
		}
	}
	for expr, reason := range map[string]string{
		`sum(`:                           "cannot be read",
		`{job="a"}`:                      "without the name",
		`{__name__=~"a.*"}`:              "chosen by a pattern",
		`up{host=~"a[0-9]+"}`:            "regular expression",
		`up{host=""}`:                    "cannot be said",
		`up{host="a-$b"}`:                "variable within",
		`a / b`:                          "matched by their tags",
		`sum by (x) (a) / sum(b)`:        "matched by their tags",
		`1 / a`:                          "several series",
		`a > 5`:                          "operator >",
		`sum without (x) (a)`:            "without tags",
		`count(a)`:                       "count has no counterpart",
		`quantile(0.9, a)`:               "quantile has no counterpart",
		`predict_linear(a[1h], 3600)`:    "predict_linear",
		`rate(sum(a)[5m:1m])`:            "rate has no counterpart",
		`time()`:                         "time has no counterpart",
		`histogram_quantile(0.9, a)`:     "histogram_quantile",
		`sum by (a) (sum by (a, b) (x))`: "groups of groups",
		`absent(a)`:                      "absent has no counterpart",
		`5`:                              "scalar has no counterpart",
	} {
		got, err := movein.FromPromQL(expr)
		if err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%s is %s, %v; want something about %q", expr, got, err, reason)
		}
	}
}

func TestFromGraphite(t *testing.T) {
	for target, want := range map[string]string{
		"a.b-c.*":                              `s("a.b-c.*", "*")`,
		"aliasByNode(averageSeries(a.*.b), 1)": `mean(s("a.*.b", "*"))`,
		"scale(nonNegativeDerivative(a), 8)":   `scale(derive(s("a", "*")), {factor: "8"})`,
	} {
		if got, _, err := movein.FromGraphite(target); err != nil || got != want {
			t.Errorf("%s is %s, %v; want %s", target, got, err, want)
		}
	}
	if _, name, _ := movein.FromGraphite(`alias(sum(a), "all, of (it)")`); name != "all, of (it)" {
		t.Errorf("the name is %q", name)
	}
	for target, reason := range map[string]string{"a.{b,c}": "path", "summarize(a, '1h')": "summarize", "sum(a": "cannot be read", "sumSeries(a, b)": "sumSeries"} {
		_, _, err := movein.FromGraphite(target)
		wantError(t, err, reason)
	}
}

func TestReadGrafanaRefuses(t *testing.T) {
	for text, reason := range map[string]string{"x": "is no dashboard", `{"panels":[]}`: "has no title"} {
		path := filepath.Join(t.TempDir(), "x.json")
		ok(t, os.WriteFile(path, []byte(text), 0o600))
		_, err := movein.ReadGrafana(path)
		wantError(t, err, reason)
	}
}

// TestRateIsARate: a counter that grows by 60 a minute in two streams grows by
// 2 a second.
func TestRateIsARate(t *testing.T) {
	s := start(t)
	var items []string
	for i := range int64(10) {
		for _, host := range []string{"a", "b"} {
			items = append(items, fmt.Sprintf(`{"name":"orders_total","value":%d,"time":%d,"tags":{"host":%q}}`, 60*i, ago(600)+60*i, host))
		}
	}
	s.record(t, `{"measurements":[`+strings.Join(items, ",")+`]}`)
	text, err := movein.FromPromQL("sum(rate(orders_total[5m]))")
	ok(t, err)
	got := strings.Fields(s.values(t, text, ago(540), 60))
	if len(got) < 5 {
		t.Fatalf("%v", got)
	}
	for _, point := range got {
		if !strings.HasSuffix(point, "=2") {
			t.Errorf("%s, want 2", point)
		}
	}
}

// TestPanels: of a panel becomes what charts have, and everything else is
// listed with its reason.
func TestPanels(t *testing.T) {
	t.Parallel()
	panel := func(fields string) string {
		return `{"title":"D","panels":[{"id":1,"title":"P","targets":[{"expr":"up","legendFormat":"all"}],` + fields + `}]}`
	}
	for text, want := range map[string]string{
		panel(`"type":"timeseries"`): `{"name":"P","streams":[{"composite":"s(\"up\", \"*\")","name":"all"}],"type":"line"}`,
		panel(`"type":"timeseries","fieldConfig":{"defaults":{"custom":{"stacking":{"mode":"percent"},"axisLabel":"req","scaleDistribution":{"type":"log"}},"min":-1,"max":5,"unit":"reqps"}}`):                                                                                              `{"label":"req","max":5,"min":-1,"name":"P","streams":[{"composite":"s(\"up\", \"*\")","name":"all","units_short":"req/s"}],"type":"stacked","use_log_yaxis":true}`,
		panel(`"type":"stat","options":{"reduceOptions":{"calcs":["lastNotNull"]}},"fieldConfig":{"defaults":{"thresholds":{"steps":[{"color":"green","value":null},{"color":"dark-orange","value":5},{"color":"red"},{"color":"#fff","value":7},{"color":"semi-dark-red","value":9.5}]}}}`): `{"name":"P","streams":[{"composite":"s(\"up\", \"*\")","name":"all"}],"thresholds":[{"operator":">","type":"yellow","value":5},{"operator":">","type":"red","value":9.5}],"type":"bignumber","use_last_value":true}`,
		panel(`"type":"gauge","stack":true,"options":{"reduceOptions":{"calcs":["mean"]}}`): `{"attributes":{"kind":"gauge","value":"mean"},"name":"P","streams":[{"composite":"s(\"up\", \"*\")","name":"all"}],"type":"bignumber"}`,
		panel(`"type":"gauge","options":{"reduceOptions":{"calcs":["p95"]}}`):               `{"attributes":{"kind":"gauge"},"name":"P","streams":[{"composite":"s(\"up\", \"*\")","name":"all"}],"type":"bignumber"} panel "P" of "D": there is no number p95 of a range;`,
		panel(`"type":"bargauge"`):                                                              `{"attributes":{"kind":"table","top":100},"name":"P","streams":[{"composite":"s(\"up\", \"*\")","name":"all"}],"type":"line"}`,
		panel(`"type":"state-timeline"`):                                                        `{"attributes":{"kind":"heatmap","rows":"streams"},"name":"P","streams":[{"composite":"s(\"up\", \"*\")","name":"all"}],"type":"line"}`,
		panel(`"type":"heatmap","options":{"calculate":true}`):                                  `{"attributes":{"kind":"heatmap","rows":"values"},"name":"P","streams":[{"composite":"s(\"up\", \"*\")","name":"all"}],"type":"line"}`,
		panel(`"type":"timeseries","fieldConfig":{"defaults":{"custom":{"drawStyle":"bars"}}}`): `{"attributes":{"kind":"bar"},"name":"P","streams":[{"composite":"s(\"up\", \"*\")","name":"all"}],"type":"stacked"}`,
		panel(`"type":"timeseries","fieldConfig":{"defaults":{"unit":"suffix: jobs","custom":{"thresholdsStyle":{"mode":"line"}},"thresholds":{"mode":"percentage","steps":[{"color":"green"},{"color":"rgb(200, 10, 10)","value":80}]},"max":50}}`): `{"max":50,"name":"P","streams":[{"composite":"s(\"up\", \"*\")","name":"all","units_short":"jobs"}],"thresholds":[{"operator":">","type":"red","value":40}],"type":"line"}`,
		panel(`"type":"timeseries","repeat":"host","fieldConfig":{"defaults":{"unit":"furlong"}}`): `{"name":"P","streams":[{"composite":"s(\"up\", \"*\")","name":"all"}],"type":"line"} panel "P" of "D": is not repeated by host, which is no tag of its queries;panel "P" of "D": its unit furlong has no counterpart;`,
		panel(`"type":"logs"`): `panel "P" of "D": panels of type logs have no counterpart;`,
		panel(`"type":"graph","span":"4","links":[{"url":"https://example.org/${x}"},{"url":"https://example.org/"}]`):                                                                                                                                  `{"attributes":{"links":[{"title":"https://example.org/","url":"https://example.org/"}]},"name":"P","streams":[{"composite":"s(\"up\", \"*\")","name":"all"}],"type":"line"} dashboard "D": a span that is a string cannot be read: it is left out;panel "P" of "D": its link "https://example.org/${x}" is left out: it has variables that are no tags;`,
		`{"title":"D","panels":[{"type":"text","title":"P","mode":"html","content":"b: x"},{"type":"annolist","title":"E"}]}`:                                                                                                                           `{"attributes":{"kind":"text","text":"b: x"},"name":"P","streams":[],"type":"line"} {"attributes":{"kind":"events"},"name":"E","streams":[],"type":"line"} panel "P" of "D": HTML stays text: write it as Markdown;panel "E" of "D": its annotations are not imported: it shows the annotation streams that the space shows;`,
		`{"title":"D","panels":[{"type":"row","repeat":"host"},{"type":"graph","title":"P","targets":[{"expr":"max by (dc) (load{host=~\"$host\"})"}]},{"type":"graph","title":"Q","targets":[{"expr":"max(sum by (dc) (load{host=\"${host}\"}))"}]}]}`: `{"attributes":{"repeat":"host"},"name":"P","streams":[{"composite":"group_by(\"dc,host\", max(s(\"load\", {\"host\": \"%\"})))"}],"type":"line"} {"name":"Q","streams":[{"composite":"max(group_by(\"dc\", sum(s(\"load\", {\"host\": \"%\"}))))"}],"type":"line"} panel "Q" of "D": is not repeated by host: a query groups within groups, or has no tags;`,
		`{"title":"D","panels":[{"type":"heatmap","title":"P","targets":[{"refId":"A","expr":"sum(rate(a[5m]))"},{"refId":"B","expr":"sum(a) / sum(b)"}]}]}`:                                                                                            `{"attributes":{"kind":"heatmap","rows":"distribution"},"name":"P","streams":[{"metric":"a","tags":[]}],"type":"line"} panel "P" of "D", query B: a distribution of 2 metrics has no counterpart;`,
		`{"dashboard":{"title":"D","panels":[{"type":"graph","title":"P","targets":[{"expr":"a","hide":true,"legendFormat":"{{host}}"},{"expr":"b","legendFormat":"__auto"}]}]}}`:                                                                       `{"name":"P","streams":[{"composite":"s(\"a\", \"*\")","hidden":true},{"composite":"s(\"b\", \"*\")"}],"type":"line"}`,
		`{"title":"D","panels":[{"type":"graph","title":"P","datasource":{"type":"loki"},"targets":[{"refId":"L","query":"{}"},{"refId":"M","datasource":"My Influx"},{"expr":"a >"}]}]}`:                                                               `panel "P" of "D", query L: queries of loki have no counterpart;panel "P" of "D", query M: queries of My Influx have no counterpart;panel "P" of "D", query 3: cannot be read: 1:4: parse error: unexpected end of input;panel "P" of "D": nothing that it asks for has a counterpart;`,
		`{"title":"D","panels":[{"type":"graph","title":"P","targets":[{}]},{"type":"row","title":"R"},{"type":"row"}]}`:                                                                                                                                `panel "P" of "D", query 1: queries of an unknown source have no counterpart;panel "P" of "D": nothing that it asks for has a counterpart;`,
		`{"title":"D","panels":[{"type":"graph","title":"P","targets":[{"refId":"A","target":"scale(a, many)"},{"expr":"topk(0.5, a)","refId":"B"}]}]}`:                                                                                                 `panel "P" of "D", query A: has no counterpart: at offset 28: factor of scale must be a number, or a fraction such as "1/1024", not "many";panel "P" of "D", query B: has no counterpart: at offset 25: count of top must be a whole number from 1 to 100000, not "0.5";panel "P" of "D": nothing that it asks for has a counterpart;`,
	} {
		objects, err := movein.ReadGrafana(filepath.Join(write(t, map[string]string{"d.json": text}), "d.json"))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		var got strings.Builder
		for _, c := range objects.Spaces[0].Charts {
			body, err := json.Marshal(c.Body)
			ok(t, err)
			got.WriteString(strings.ReplaceAll(string(body), `\u003e`, ">") + " ")
		}
		for _, m := range objects.Missing {
			got.WriteString(m.What + ": " + m.Why + ";")
		}
		if d := cmp.Diff(want, strings.TrimSpace(got.String())); d != "" {
			t.Errorf("%s (-want +got):\n%s", text, d)
		}
	}
}

// TestPanelsInOrder: charts stand in a space as the panels did on the page, also
// those in rows that are folded.
func TestPanelsInOrder(t *testing.T) {
	t.Parallel()
	one := func(title string, x, y int) string {
		return fmt.Sprintf(`{"type":"graph","title":%q,"gridPos":{"x":%d,"y":%d},"targets":[{"expr":"up"}]}`, title, x, y)
	}
	text := `{"title":"D","panels":[` + one("last", 0, 20) + `,` + one("right", 12, 0) + `,` + one("left", 0, 0) + `,{"type":"row","gridPos":{"y":8},"panels":[` + one("folded", 0, 9) + `,` + one("folded too", 0, 9) + `]}]}`
	objects, err := movein.ReadGrafana(filepath.Join(write(t, map[string]string{"d.json": text}), "d.json"))
	ok(t, err)
	var got []string
	for _, c := range objects.Spaces[0].Charts {
		got = append(got, c.Name)
	}
	if d := cmp.Diff([]string{"left", "right", "folded", "folded too", "last"}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	_, err = movein.ReadGrafana("testdata/nowhere.json")
	wantError(t, err, "no such file")
}

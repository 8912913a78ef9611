package movein_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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
	golden(t, "grafana.golden", told(report)+"\n"+s.has(t))
	before := s.has(t)
	again, err := objects.Make(t.Context(), s.Client, false)
	ok(t, err)
	if d := cmp.Diff(before, s.has(t)); d != "" || again.Count(movein.Made) > 0 {
		t.Errorf("another import changed (-before +after):\n%s", d)
	}
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
		panel(`"type":"stat","options":{"reduceOptions":{"calcs":["lastNotNull"]}},"fieldConfig":{"defaults":{"thresholds":{"steps":[{"color":"green","value":null},{"color":"dark-orange","value":5},{"color":"red"},{"color":"#f00","value":7},{"color":"semi-dark-red","value":9.5}]}}}`): `{"name":"P","streams":[{"composite":"s(\"up\", \"*\")","name":"all"}],"thresholds":[{"operator":">","type":"yellow","value":5},{"operator":">","type":"red","value":9.5}],"type":"bignumber","use_last_value":true}`,
		panel(`"type":"gauge","stack":true,"options":{"reduceOptions":{"calcs":["mean"]}}`): `{"name":"P","streams":[{"composite":"s(\"up\", \"*\")","name":"all"}],"type":"bignumber"}`,
		panel(`"type":"bargauge"`): `{"name":"P","streams":[{"composite":"s(\"up\", \"*\")","name":"all"}],"type":"line"} panel "P" of "D": there are no bars: it is drawn as lines;`,
		panel(`"type":"table"`):    `panel "P" of "D": panels of type table have no counterpart;`,
		`{"dashboard":{"title":"D","panels":[{"type":"graph","title":"P","targets":[{"expr":"a","hide":true,"legendFormat":"{{host}}"},{"expr":"b","legendFormat":"__auto"}]}]}}`:         `{"name":"P","streams":[{"composite":"s(\"a\", \"*\")","hidden":true},{"composite":"s(\"b\", \"*\")"}],"type":"line"}`,
		`{"title":"D","panels":[{"type":"graph","title":"P","datasource":{"type":"loki"},"targets":[{"refId":"L","query":"{}"},{"refId":"M","datasource":"My Influx"},{"expr":"a >"}]}]}`: `panel "P" of "D", query L: queries of loki have no counterpart;panel "P" of "D", query M: queries of My Influx have no counterpart;panel "P" of "D", query 3: cannot be read: 1:4: parse error: unexpected end of input;panel "P" of "D": nothing that it asks for has a counterpart;`,
		`{"title":"D","panels":[{"type":"graph","title":"P","targets":[{}]},{"type":"row","title":"R"},{"type":"row"}]}`:                                                                  `panel "P" of "D", query 1: queries of an unknown source have no counterpart;panel "P" of "D": nothing that it asks for has a counterpart;row "R" of "D": spaces have no rows: its panels follow those before it;`,
		`{"title":"D","panels":[{"type":"graph","title":"P","targets":[{"refId":"A","target":"scale(a, many)"},{"expr":"topk(0.5, a)","refId":"B"}]}]}`:                                   `panel "P" of "D", query A: has no counterpart: at offset 28: factor of scale must be a number, or a fraction such as "1/1024", not "many";panel "P" of "D", query B: has no counterpart: at offset 25: count of top must be a whole number from 1 to 100000, not "0.5";panel "P" of "D": nothing that it asks for has a counterpart;`,
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

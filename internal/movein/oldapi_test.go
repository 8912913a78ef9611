package movein_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidemark-metrics/tidemark/internal/movein"
)

// write writes files below a directory of the test, and returns that.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		ok(t, os.MkdirAll(filepath.Dir(path), 0o700))
		ok(t, os.WriteFile(path, []byte(text), 0o600))
	}
	return dir
}

// listed is what is to be made, in short.
func listed(o *movein.Objects) (all []string) {
	for kind, list := range map[string][]*movein.Object{"metric": o.Metrics, "service": o.Services, "space": o.Spaces, "alert": o.Alerts} {
		for _, one := range list {
			all = append(all, strings.TrimSpace(kind+" "+one.Name+" "+one.Old))
			for _, c := range one.Charts {
				all = append(all, fmt.Sprintf("chart %s in %s: %v", c.Name, one.Name, c.Body["type"]))
			}
		}
	}
	for _, m := range o.Missing {
		all = append(all, "missing "+m.What+": "+m.Why)
	}
	return all
}

// TestOneThingByItself: an answer that is one object is told by what it has,
// and a chart that says its own space is put there.
func TestOneThingByItself(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"metric":  {map[string]string{"a.json": `{"name":"cpu","type":"gauge","period":60}`}, []string{"metric cpu"}},
		"service": {map[string]string{"a.json": `{"id":5,"type":"mail","settings":{},"title":"Ops"}`}, []string{"service Ops 5"}},
		"alert":   {map[string]string{"a.json": `{"id":6,"name":"high","version":2,"conditions":[]}`}, []string{"alert high 6"}},
		"alert of version 1": {
			map[string]string{"a.json": `{"id":6,"name":"high","version":"1","conditions":[]}`},
			[]string{`missing alert "high": is of version 1, with thresholds of its own: create it again`},
		},
		"chart and space": {
			map[string]string{"chart.json": `{"id":8,"name":"Load","space_id":"7","streams":[]}`, "space.json": `{"id":7,"name":"Hosts"}`},
			[]string{"space Hosts 7", "chart Load in Hosts: line"},
		},
		"a space with its charts": {
			map[string]string{"space.json": `{"id":7,"name":"Hosts","charts":[{"id":8,"name":"Load","chart_type":"stacked","streams":[]},{"id":9},3]}`},
			[]string{"space Hosts 7", "chart Load in Hosts: stacked"},
		},
		"the same on two pages": {
			map[string]string{
				"1.json": `{"query":{"found":2},"metrics":[{"name":"CPU"},{"name":"load"}]}`, "2.json": `{"query":{"found":"2"},"metrics":[{"name":"cpu"},7]}`,
			},
			[]string{"metric CPU", "metric load"},
		},
		"a page too few": {
			map[string]string{"1.json": `{"query":{"found":3},"alerts":[{"name":"a","conditions":[]}],"links":[]}`},
			[]string{"alert a", "missing alerts: 1 of 3: pages are missing"},
		},
		"a service within an alert": {
			map[string]string{"1.json": `{"id":1,"name":"a","conditions":[7,{"type":"above"}],"services":[{"id":2,"type":"mail","title":"Ops","settings":{}},{"id":3},4]}`},
			[]string{"service Ops 2", "alert a 1"},
		},
		"a chart of nowhere": {
			map[string]string{"1.json": `{"charts":[{"id":1,"name":"Stray","space_id":99,"streams":[]}]}`},
			[]string{`missing chart "Stray": nothing says in which of the spaces it is`},
		},
		"a list of names beside": {
			map[string]string{"1.json": `{"spaces":[],"colours":["red"]}`},
			nil,
		},
		"not JSON by its name": {map[string]string{"1.json": `{"metrics":[]}`, "notes.txt": "nothing"}, nil},
	} {
		objects, err := movein.ReadOldAPI(write(t, c.files))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := listed(objects)
		if name == "a list of names beside" {
			if len(got) != 1 || !strings.HasPrefix(got[0], "missing colours: 1 in ") {
				t.Errorf("%s: %v", name, got)
			}
			continue
		}
		if d := cmp.Diff(sorted(c.want), sorted(got)); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

// TestAnswersInARow: two answers in one file are an error, since only the
// first would be read.
func TestAnswersInARow(t *testing.T) {
	t.Parallel()
	dir := write(t, map[string]string{"all.json": `{"metrics":[{"name":"a"}]}` + "\n" + `{"metrics":[{"name":"b"}]}`})
	_, err := movein.ReadOldAPI(dir)
	wantError(t, err, "all.json: is no JSON: there is something after its end, at byte 28: put each answer into a file of its own")
	_, err = movein.ReadTokens(filepath.Join(dir, "all.json"))
	wantError(t, err, "there is something after its end")
}

// TestStreamsOfOldCharts: a stream of a composite that is a metric counts as
// the metric, and what charts had beyond ours is left behind.
func TestStreamsOfOldCharts(t *testing.T) {
	t.Parallel()
	objects, err := movein.ReadOldAPI(write(t, map[string]string{"spaces/7/charts.json": `[
		{"id":1,"name":"A","type":"heatmap","min":0,"label":null,"enable_format":true,"streams":[
			{"id":3,"metric":"cpu","composite":"s(\"cpu\",\"*\")","color":"#fff","units_short":null},{"composite":"s(\"b\",\"*\")"},4]}, 5]`, "spaces.json": `{"spaces":[{"id":7,"name":"Hosts"}]}`}))
	ok(t, err)
	want := map[string]any{"name": "A", "type": "line", "min": "0", "streams": []any{
		map[string]any{"metric": "cpu", "color": "#fff"}, map[string]any{"composite": `s("b","*")`},
	}}
	chart := objects.Spaces[0].Charts[0].Body
	chart["min"] = fmt.Sprint(chart["min"])
	if d := cmp.Diff(want, chart); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if d := cmp.Diff([]movein.Missing{{What: `chart "A"`, Why: "there are no charts of type heatmap: it is drawn as lines"}}, objects.Missing); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestTokensOfSpreadsheets: a file that a spreadsheet or a person wrote is read
// whatever the case of its headings and roles, and what stands before them.
func TestTokensOfSpreadsheets(t *testing.T) {
	t.Parallel()
	value := strings.Repeat("6e0d3a1f", 8)
	for name, text := range map[string]string{
		"a spreadsheet":    "\xef\xbb\xbfName, Role ,TOKEN\nedge,Record Only, " + value + "\n",
		"any order":        "token,name,role,seen\n" + value + ",edge,recorder,never\n",
		"JSON":             "\n [{\"name\":\"edge\",\"role\":\"RECORDER\",\"token\":\"" + value + "\",\"active\":true}]",
		"JSON with a mark": "\xef\xbb\xbf{\"api_tokens\":[{\"name\":\"edge\",\"role\":\"recorder\",\"value\":\"" + value + "\"}]}",
	} {
		tokens, err := movein.ReadTokens(filepath.Join(write(t, map[string]string{"tokens": text}), "tokens"))
		if err != nil || len(tokens) != 1 {
			t.Errorf("%s: %d tokens, %v", name, len(tokens), err)
			continue
		}
		want := map[string]any{"name": "edge", "role": "recorder", "import_token": value}
		if d := cmp.Diff(want, tokens[0].Body); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
	path := filepath.Join(write(t, map[string]string{"tokens": ""}), "tokens")
	if _, err := movein.ReadTokens(path); err == nil || err.Error() != path+": is neither JSON nor CSV with a line of headings: unexpected EOF" {
		t.Errorf("an empty file: %v", err)
	}
	if tokens, err := movein.ReadTokens(filepath.Join(write(t, map[string]string{"t": "name,role,value\n"}), "t")); err != nil || len(tokens) > 0 {
		t.Errorf("headings alone: %v, %v", tokens, err)
	}
}

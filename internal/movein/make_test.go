package movein_test

import (
	"errors"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidemark-metrics/tidemark/internal/movein"
)

// everything is one object of each kind.
func everything() *movein.Objects {
	type body = map[string]any
	chart := &movein.Object{Old: "5", Name: "Load", Body: body{"name": "Load", "type": "line", "streams": []any{body{"metric": "cpu"}}}}
	return &movein.Objects{
		Metrics:  []*movein.Object{{Name: "cpu", Body: body{"name": "cpu", "type": "gauge"}}},
		Services: []*movein.Object{{Old: "2", Name: "Ops", Body: body{"type": "mail", "title": "Ops", "settings": body{"addresses": "ops@example.org"}}}},
		Spaces:   []*movein.Object{{Old: "3", Name: "Hosts", Charts: []*movein.Object{chart}}},
		Alerts: []*movein.Object{{Old: "4", Name: "high", Body: body{
			"name": "high", "services": []any{"2"}, "conditions": []any{body{"type": "above", "metric_name": "load", "threshold": 1}},
		}}},
		Tokens: []*movein.Object{{Name: "edge", Body: body{"name": "edge", "role": "recorder", "import_token": strings.Repeat("6e0d3a1f", 8)}}},
	}
}

// TestRefusedSpace: charts of a space that was refused are refused as well, in
// a dry run as in the import, and never said to be made.
func TestRefusedSpace(t *testing.T) {
	t.Parallel()
	s := start(t)
	for _, dry := range []bool{true, false} {
		objects := everything()
		objects.Spaces[0].Name = strings.Repeat("x", 300)
		report, err := objects.Make(t.Context(), s.Client, dry)
		ok(t, err)
		refused := map[string]string{}
		for _, o := range report.Outcomes {
			if o.Did == movein.Refused {
				refused[o.Kind] = o.Why
			}
		}
		if len(refused) != 2 || !strings.Contains(refused["space"], "name") || !strings.HasSuffix(refused["chart"], "its space was refused") {
			t.Errorf("dry %v: refused %v", dry, refused)
		}
		if _, there := report.NewID("chart", "5"); there {
			t.Errorf("dry %v: the chart has an id", dry)
		}
	}
}

// TestRefusedByTheServer: what the server refuses is in the report with its
// reason, and the rest is made all the same.
func TestRefusedByTheServer(t *testing.T) {
	t.Parallel()
	s := start(t)
	objects := everything()
	objects.Metrics[0].Body["period"] = -5
	objects.Services[0].Body["settings"] = map[string]any{}
	objects.Spaces[0].Charts[0].Body["streams"] = "none"
	objects.Tokens[0].Body["role"] = "owner"
	report, err := objects.Make(t.Context(), s.Client, false)
	ok(t, err)
	got := map[string]string{}
	for _, o := range report.Outcomes {
		got[o.Kind+" "+o.Name] = o.Did
	}
	want := map[string]string{
		"metric cpu": movein.Refused, "service Ops": movein.Refused, "space Hosts": movein.Made, "chart Hosts / Load": movein.Refused,
		"metric load": movein.Made, "alert high": movein.Made, "token edge": movein.Refused,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s\n%s", d, told(report))
	}
	if want := []movein.Missing{{What: `alert "high"`, Why: "service 2 was not imported: the alert is made without it"}}; cmp.Diff(want, report.Missing) != "" {
		t.Errorf("missing: %v", report.Missing)
	}
}

// TestMakeStops: a server that does not answer ends the import with an error
// that says at what, and after every such end another import goes on: all is
// made, once.
func TestMakeStops(t *testing.T) {
	t.Parallel()
	s := start(t)
	made := map[string]int{}
	run := func() (*movein.Report, error) {
		report, err := everything().Make(t.Context(), s.Client, false)
		for _, o := range report.Outcomes {
			if o.Did == movein.Made {
				made[o.Kind+" "+o.Name]++
			}
		}
		return report, err
	}
	for _, c := range []struct{ request, want string }{ // in the order of the requests
		{"GET /v1/metrics/cpu", `metric "cpu": `},
		{"PUT /v1/metrics/cpu", `metric "cpu": `},
		{"GET /v1/services", ""},
		{"POST /v1/services", `service "Ops": `},
		{"GET /v1/spaces", ""},
		{"POST /v1/spaces", `space "Hosts": `},
		{"GET /v1/spaces/1/charts", ""},
		{"POST /v1/spaces/1/charts", `chart "Hosts / Load": `},
		{"GET /v1/alerts", ""},
		{"GET /v1/metrics/load", ""},
		{"PUT /v1/metrics/load", `metric "load": `},
		{"POST /v1/alerts", `alert "high": `},
		{"GET /v1/api_tokens", ""},
		{"POST /v1/api_tokens", `token "edge": `},
	} {
		s.before = func(r *http.Request) error {
			if r.Method+" "+r.URL.Path == c.request {
				return errCut
			}
			return nil
		}
		if _, err := run(); !errors.Is(err, errCut) || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: error %v", c.request, err)
		}
	}
	s.before = nil
	_, err := run()
	ok(t, err)
	want := map[string]int{"metric cpu": 1, "service Ops": 1, "space Hosts": 1, "chart Hosts / Load": 1, "metric load": 1, "alert high": 1, "token edge": 1}
	if d := cmp.Diff(want, made); d != "" {
		t.Errorf("made (-want +got):\n%s", d)
	}
	report, err := run()
	ok(t, err)
	if report.Count(movein.There) != 6 || len(report.Outcomes) != 6 {
		t.Errorf("in the end\n%s", told(report))
	}
}

// TestStateOfTerraform: addresses, flags and lists of a state are read as both
// providers write them, and the commands survive a shell.
func TestStateOfTerraform(t *testing.T) {
	t.Parallel()
	path := filepath.Join(write(t, map[string]string{"state": `{"version":4,"serial":"7","resources":[
		{"mode":"data","type":"librato_space","name":"x","instances":[{"attributes":{"id":"1","name":"x"}}]},
		{"mode":"managed","type":"librato_space","name":"hosts","instances":[{"index_key":"it's","attributes":{"id":"1","name":"Hosts"}},{"index_key":3,"attributes":{"id":"2","name":"More"}},{}]},
		{"mode":"managed","type":"librato_snapshot","name":"s","instances":[]},
		{"mode":"managed","type":"librato_space_chart","name":"c","instances":[{"attributes":{"id":"5","name":"C","space_id":9}}]},
		{"mode":"managed","type":"librato_service","name":"m","instances":[{"attributes":{"id":"6","type":"mail","title":"M","settings":"{"}}]},
		{"mode":"managed","type":"librato_alert","name":"a","instances":[{"attributes":{"id":"7","name":"a","active":false,"attributes":[{"runbook_url":"https://example.org"}],
			"condition":[{"type":"below","metric_name":"m","threshold":0,"duration":0,"detect_reset":true,"summary_function":"derivative","tag":[{"name":"h","values":["a"],"grouped":true},7]},{"type":"absent","metric_name":"m","threshold":0},5]}}]},7]}`}), "state")
	state, err := movein.ReadState(path)
	ok(t, err)
	wantMissing := []movein.Missing{
		{What: "librato_space.hosts", Why: "its state has no attributes"},
		{What: "librato_snapshot.s", Why: "resources of type librato_snapshot have no counterpart"},
		{What: "librato_service.m", Why: "its settings are no JSON"},
		{What: "librato_space_chart.c", Why: "its space 9 is not in the state"},
	}
	if d := cmp.Diff(wantMissing, state.Missing); d != "" {
		t.Errorf("missing (-want +got):\n%s", d)
	}
	alert := state.Alerts[0].Body
	condition := alert["conditions"].([]any)[0].(map[string]any)
	if alert["active"] != false || alert["attributes"].(map[string]any)["runbook_url"] == nil || len(alert["conditions"].([]any)) != 2 || condition["detect_reset"] != true || condition["duration"] != nil || condition["threshold"] == nil {
		t.Errorf("the alert is %v", alert)
	}
	if absent := alert["conditions"].([]any)[1].(map[string]any); absent["threshold"] != nil {
		t.Errorf("absent has a threshold: %v", absent)
	}
	report := &movein.Report{Outcomes: []movein.Outcome{{Kind: "space", Old: "1", New: 11}, {Kind: "space", Old: "2", New: 12}, {Kind: "chart", Old: "5", New: 15}}}
	want := []string{
		`terraform state rm 'librato_space.hosts["it'\''s"]'`, `terraform import 'librato_space.hosts["it'\''s"]' 11`,
		`terraform state rm 'librato_space.hosts[3]'`, `terraform import 'librato_space.hosts[3]' 12`,
	}
	if d := cmp.Diff(want, state.Commands(report)); d != "" {
		t.Errorf("commands (-want +got):\n%s", d)
	}
	adjusted, err := state.Adjust(report)
	if err != nil || !strings.Contains(string(adjusted), `"serial": 8`) || !strings.Contains(string(adjusted), `"id": "15"`) {
		t.Errorf("%s, %v", adjusted, err)
	}
	path = filepath.Join(write(t, map[string]string{"state": `{"version":4}`}), "state")
	state, err = movein.ReadState(path)
	ok(t, err)
	_, err = state.Adjust(&movein.Report{})
	wantError(t, err, "the state has no serial")
}

package movein_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/client"
	"github.com/tidemark-metrics/tidemark/internal/movein"
)

const pagerKey = "0123456789abcdefsecret"

// furnish gives a server's organization one of everything.
func furnish(t *testing.T, s *server) {
	t.Helper()
	ctx, at := t.Context(), ago(3600)
	s.record(t, fmt.Sprintf(`{"time":%d,"tags":{"host":"a"},"measurements":[{"name":"good","value":9},{"name":"all","value":10},{"name":"load","value":1.5}]}`, at))
	mail, err := s.Services().Create(ctx, map[string]any{"type": "mail", "title": "Ops", "settings": map[string]string{"addresses": "ops@example.org"}})
	ok(t, err)
	pager, err := s.Services().Create(ctx, map[string]any{"type": "pagerduty", "title": "Page", "settings": map[string]string{
		"service_key": pagerKey, "event_type": "trigger", "description": "x"}})
	ok(t, err)
	alert, err := s.Alerts().Create(ctx, map[string]any{
		"name": "load.high", "services": []int64{mail.ID, pager.ID}, "severity": "critical", "labels": map[string]string{"team": "web"},
		"conditions": []map[string]any{{"type": "above", "metric_name": "load", "threshold": 3.25, "duration": 60}},
		"escalation": []map[string]any{{"after_seconds": 600, "services": []int64{mail.ID}}},
	})
	ok(t, err)
	space, err := s.Spaces().Create(ctx, map[string]any{"name": "Web"})
	ok(t, err)
	var places []map[string]any
	for i, name := range []string{"Load", "All"} {
		c, err := s.CreateChart(ctx, space.ID, map[string]any{"name": name, "type": "stacked", "streams": []map[string]any{{"metric": "load", "name": "l", "color": "#ff0000"}}})
		ok(t, err)
		places = append(places, map[string]any{"chart": c.ID, "col": 6 * i, "row": 0, "width": 6, "height": 2})
	}
	ok(t, s.Do(ctx, http.MethodPut, fmt.Sprintf("/admin/spaces/%d/layout", space.ID), map[string]any{"layout": places, "default_tags": []any{}, "annotations": []string{"deploys"}}, nil))
	_, err = s.Objectives().Create(ctx, map[string]any{"name": "answers", "good_metric": "good", "total_metric": "all", "target": 99.5, "days": 7})
	ok(t, err)
	_, err = s.Maintenance().Create(ctx, map[string]any{"name": "upgrade", "starts_at": 1 << 39, "ends_at": 1<<39 + 3600, "covers": map[string]any{"alerts": []int64{alert.ID}}})
	ok(t, err)
	for _, check := range []map[string]any{
		{"name": "site", "kind": "http", "target": "https://example.org/", "services": []int64{mail.ID}}, {"name": "job", "kind": "heartbeat", "every": 3600},
	} {
		ok(t, s.Do(ctx, http.MethodPost, "/admin/checks", check, nil))
	}
	_, err = s.Annotate(ctx, "deploys", &tidemark.AnnotationEvent{Title: "v2", StartTime: at, Links: []tidemark.Link{}})
	ok(t, err)
	_, err = s.CreateUser(ctx, client.NewUser{Email: "ann@example.org", Name: "Ann", Password: "correct horse battery", Role: tidemark.Member})
	ok(t, err)
}

func exportOrg(t *testing.T, s *server, dir string, resume bool) (*movein.ExportedOrganization, error) {
	t.Helper()
	org := &tidemark.Org{ID: s.org, Name: "harbour"}
	return movein.ExportOrganization{Server: s.Client, Org: org, Dir: dir, Resume: resume, Progress: silent}.Run(t.Context())
}

// TestOrganization: what an organization has is in another server after an
// export and an import, but for secrets and people; a second import changes
// nothing.
func TestOrganization(t *testing.T) {
	t.Parallel()
	from, to, dir := start(t), start(t), filepath.Join(t.TempDir(), "out")
	furnish(t, from)
	done, err := exportOrg(t, from, dir, false)
	ok(t, err)
	want := &movein.ExportedOrganization{Organization: "harbour", Directory: dir, Members: 1, Services: 2, Spaces: 1, Charts: 2, Alerts: 3, Objectives: 1,
		Maintenance: 1, Checks: 2, Metrics: done.Metrics, Lines: 3, Annotations: 1}
	if diff := cmp.Diff(want, done); diff != "" || done.Metrics < 3 {
		t.Error(diff)
	}
	noSecret(t, dir)

	o, lines, err := movein.ReadOrganization(dir)
	ok(t, err)
	_, err = to.Services().Create(t.Context(), map[string]any{"type": "pagerduty", "title": "Page", "settings": map[string]string{
		"service_key": "another", "event_type": "trigger", "description": "x"}})
	ok(t, err)
	dry, err := o.Objects().Make(t.Context(), to.Client, true)
	ok(t, err)
	if n := dry.Count(movein.Refused); n > 0 || dry.Count(movein.Made) < 8 {
		t.Errorf("%+v", dry.Outcomes)
	}
	_, err = movein.Restore{Server: to.Client, Path: lines, Progress: silent}.Run(t.Context())
	ok(t, err)
	report, err := o.Objects().Make(t.Context(), to.Client, false)
	ok(t, err)
	if n := report.Count(movein.Refused); n > 0 {
		t.Errorf("%+v", report.Outcomes)
	}
	said := fmt.Sprint(report.Missing)
	for _, part := range []string{"ann@example.org", "is to be invited as member", "jobs have to call a new address"} {
		if !strings.Contains(said, part) {
			t.Errorf("the report has no %q: %s", part, said)
		}
	}

	second := filepath.Join(t.TempDir(), "again")
	_, err = exportOrg(t, to, second, false)
	ok(t, err)
	if diff := cmp.Diff(plain(t, dir), plain(t, second)); diff != "" {
		t.Error(diff)
	}
	again, err := o.Objects().Make(t.Context(), to.Client, false)
	ok(t, err)
	if n := again.Count(movein.Made); n > 0 {
		t.Errorf("a second import made %+v", again.Outcomes)
	}
}

// noSecret fails if a secret is in an export.
func noSecret(t *testing.T, dir string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "organization.json"))
	ok(t, err)
	if strings.Contains(string(text), pagerKey) || !strings.Contains(string(text), `"left_out": [`) {
		t.Errorf("the secret of a service: %s", text)
	}
	for _, e := range []string{"organization.json", "measurements.jsonl.gz", "export.json"} {
		if info, err := os.Stat(filepath.Join(dir, e)); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", e, info, err)
		}
	}
}

// plain is what an export holds without what differs between servers: ids,
// times, people, and which charts and alerts ids are of.
func plain(t *testing.T, dir string) any {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "organization.json"))
	ok(t, err)
	var v map[string]any
	ok(t, json.Unmarshal(text, &v))
	delete(v, "exported_at")
	delete(v, "members")
	return stripped(v)
}

func stripped(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range []string{"id", "created_at", "updated_at", "updated_by", "created_by", "alert", "chart"} {
			delete(v, key)
		}
		for key, part := range v {
			v[key] = stripped(part)
		}
		if list, isList := v["alerts"].([]any); isList && v["all"] != nil { // of a maintenance window
			v["alerts"] = len(list)
		}
		if list, isList := v["services"].([]any); isList && v["after_seconds"] != nil {
			v["services"] = len(list)
		}
	case []any:
		for i := range v {
			v[i] = stripped(v[i])
		}
		slices.SortStableFunc(v, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) }) // the newest come first
	}
	return v
}

// TestOrganizationInterrupted: an export that was interrupted is not taken for
// a complete one, and is gone on with.
func TestOrganizationInterrupted(t *testing.T) {
	t.Parallel()
	s, dir := start(t), filepath.Join(t.TempDir(), "out")
	furnish(t, s)
	s.before = func(r *http.Request) error {
		if r.URL.Path == "/admin/measurements" && r.URL.Query().Get("metric") == "load" {
			return errors.New("the line is cut")
		}
		return nil
	}
	_, err := exportOrg(t, s, dir, false)
	wantError(t, err, "the line is cut")
	_, _, err = movein.ReadOrganization(dir)
	wantError(t, err, "no complete export")
	_, err = exportOrg(t, s, dir, false)
	wantError(t, err, "is not empty")
	s.before = nil
	_, err = exportOrg(t, s, dir, true)
	ok(t, err)
	if _, _, err = movein.ReadOrganization(dir); err != nil {
		t.Error(err)
	}
	_, err = exportOrg(t, s, dir, true)
	wantError(t, err, "is complete")
	_, err = exportOrg(t, s, t.TempDir(), true)
	wantError(t, err, "nothing to resume")

	for _, name := range []string{"organization.json", "measurements.jsonl.gz"} {
		damaged := filepath.Join(t.TempDir(), "damaged")
		ok(t, os.CopyFS(damaged, os.DirFS(dir)))
		f, err := os.OpenFile(filepath.Join(damaged, name), os.O_APPEND|os.O_WRONLY, 0)
		ok(t, err)
		_, err = f.WriteString("x")
		ok(t, errors.Join(err, f.Close()))
		_, _, err = movein.ReadOrganization(damaged)
		wantError(t, err, name+" is damaged")
	}
}

// TestMaintenanceOfNoAlerts: a window whose alerts were not imported is refused:
// without them, its tags would cover all alerts.
func TestMaintenanceOfNoAlerts(t *testing.T) {
	t.Parallel()
	s := start(t)
	window := map[string]any{"name": "upgrade", "starts_at": 1 << 39, "ends_at": 1<<39 + 3600,
		"covers": map[string]any{"alerts": []int64{5}, "tags": map[string]string{"site": "ams"}}}
	all := movein.Objects{Maintenance: []*movein.Object{{Name: "upgrade", Body: window}}}
	report, err := all.Make(t.Context(), s.Client, false)
	ok(t, err)
	if report.Count(movein.Refused) != 1 || !strings.Contains(report.Outcomes[0].Why, "none of its alerts was imported") {
		t.Errorf("%+v", report.Outcomes)
	}
}

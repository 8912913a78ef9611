package movein_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/movein"
)

var update = flag.Bool("update", false, "write golden files")

// golden compares text with a file.
func golden(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		ok(t, os.WriteFile(path, []byte(text), 0o644))
	}
	want, err := os.ReadFile(path)
	ok(t, err)
	if d := cmp.Diff(string(want), text); d != "" {
		t.Errorf("%s (-want +got):\n%s", name, d)
	}
}

// told is a report as a text.
func told(r *movein.Report) string {
	var b strings.Builder
	for _, o := range r.Outcomes {
		fmt.Fprintf(&b, "%s %s (%s -> %d): %s %s\n", o.Kind, o.Name, o.Old, o.New, o.Did, o.Why)
	}
	for _, m := range r.Missing {
		fmt.Fprintf(&b, "missing %s: %s\n", m.What, m.Why)
	}
	return b.String()
}

// has returns what a server has, as the API answers it.
func (s *server) has(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	show := func(path string) {
		var answer any
		ok(t, s.Do(t.Context(), http.MethodGet, path, nil, &answer))
		text, err := json.MarshalIndent(withoutTimes(answer), "", "  ")
		ok(t, err)
		fmt.Fprintf(&b, "GET %s\n%s\n", path, text)
	}
	for _, path := range []string{"/v1/metrics", "/v1/services", "/v1/spaces", "/v1/alerts"} {
		show(path)
	}
	spaces, err := s.Spaces().List(t.Context())
	ok(t, err)
	for _, space := range spaces {
		show(fmt.Sprintf("/v1/spaces/%d/charts", space.ID))
	}
	return b.String()
}

// withoutTimes takes out what differs from run to run.
func withoutTimes(v any) any {
	switch v := v.(type) {
	case map[string]any:
		delete(v, "created_at")
		delete(v, "updated_at")
		for key := range v {
			v[key] = withoutTimes(v[key])
		}
	case []any:
		for i := range v {
			v[i] = withoutTimes(v[i])
		}
	}
	return v
}

// TestOldAPI: a dry run changes nothing and says what an import then does;
// another import changes nothing either.
func TestOldAPI(t *testing.T) {
	s := start(t)
	objects, err := movein.ReadOldAPI("testdata/old")
	ok(t, err)
	empty := s.has(t)
	dry, err := objects.Make(t.Context(), s.Client, true)
	ok(t, err)
	golden(t, "old.dry.golden", told(dry))
	if d := cmp.Diff(empty, s.has(t)); d != "" {
		t.Errorf("a dry run changed (-before +after):\n%s", d)
	}
	done, err := objects.Make(t.Context(), s.Client, false)
	ok(t, err)
	golden(t, "old.golden", told(done)+"\n"+s.has(t))
	if dry.Count(movein.Made) != done.Count(movein.Made) || dry.Count(movein.Refused) != done.Count(movein.Refused) {
		t.Errorf("a dry run said other things than the import did:\n%s\n%s", told(dry), told(done))
	}
	before := s.has(t)
	again, err := objects.Make(t.Context(), s.Client, false)
	ok(t, err)
	if d := cmp.Diff(before, s.has(t)); d != "" || again.Count(movein.Made)+again.Count(movein.Filled) > 0 {
		t.Errorf("another import did %s and changed (-before +after):\n%s", told(again), d)
	}
}

// TestOldAPIGivesWhatIsLacking: what somebody set here stays.
func TestOldAPIGivesWhatIsLacking(t *testing.T) {
	s := start(t)
	ok(t, s.PutMetric(t.Context(), "checkout.latency", map[string]any{"type": "gauge", "description": "ours", "attributes": map[string]any{"color": "#000000"}}))
	objects, err := movein.ReadOldAPI("testdata/old/metrics-1.json")
	ok(t, err)
	report, err := objects.Make(t.Context(), s.Client, false)
	ok(t, err)
	if report.Count(movein.Filled) != 1 || !strings.Contains(told(report), "2 of 3: pages are missing") {
		t.Errorf("%s", told(report))
	}
	m, err := s.Metric(t.Context(), "checkout.latency")
	ok(t, err)
	if *m.Description != "ours" || m.Attributes["color"] != "#000000" || *m.Period != 60 || m.Unit() != "ms" {
		t.Errorf("%+v", m)
	}
}

func TestReadOldAPIRefuses(t *testing.T) {
	for text, reason := range map[string]string{
		`nonsense`: "is no JSON",
		`7`:        "is no answer of the API",
		`[]`:       "is a bare list",
		`{}`:       "has neither metrics",
	} {
		path := filepath.Join(t.TempDir(), "x.json")
		ok(t, os.WriteFile(path, []byte(text), 0o600))
		_, err := movein.ReadOldAPI(path)
		wantError(t, err, reason)
	}
	_, err := movein.ReadOldAPI("testdata/nowhere")
	wantError(t, err, "no such file")
}

// TestTokens: agents that had a token have it still, with its role.
func TestTokens(t *testing.T) {
	s := start(t)
	objects := &movein.Objects{}
	for _, file := range []string{"testdata/tokens.csv", "testdata/tokens.json"} {
		tokens, err := movein.ReadTokens(file)
		ok(t, err)
		objects.Tokens = append(objects.Tokens, tokens...)
	}
	for range 2 {
		report, err := objects.Make(t.Context(), s.Client, false)
		ok(t, err)
		if report.Count(movein.Refused) != 1 || !strings.Contains(told(report), "shorter than 16") {
			t.Errorf("%s", told(report))
		}
	}
	tokens, err := s.Tokens().List(t.Context())
	ok(t, err)
	if len(tokens) != 3 {
		t.Errorf("%d tokens, want 3", len(tokens))
	}
	who, err := s.auth.Identify(context.Background(), "6e0d3a1f6e0d3a1f6e0d3a1f6e0d3a1f6e0d3a1f6e0d3a1f6e0d3a1f6e0d91c4", netip.Addr{}.String())
	ok(t, err)
	if who.Role != tidemark.RecordOnly || who.Name != "edge collectors" {
		t.Errorf("%+v", who)
	}
	_, err = s.auth.Identify(context.Background(), "99bb3a1f6e0d3a1f6e0d3a1f6e0d3a1f6e0d3a1f6e0d3a1f6e0d3a1f6e0d91c6", "")
	if tidemark.KindOf(err) != tidemark.Unauthenticated {
		t.Errorf("an inactive token: %v", err)
	}
}

func TestReadTokensRefuses(t *testing.T) {
	for text, reason := range map[string]string{
		"":                                   "neither JSON nor CSV",
		"name,role\nx,admin\n":               "token 1: value: is missing",
		"name,role,value\n,admin,x\n":        "token 1: name: is missing",
		"name,role,value\nx,owner,y\n":       `role: "owner" is none of`,
		`{"tokens":[]}`:                      "has no list of tokens",
		`[1]`:                                "that is no token",
		`[{"name":"x","role":"admin","va`:    "is no JSON",
		"name,role,value\nx,admin\n":         "neither JSON nor CSV",
		`[{"name":"x","role":"","value":1}]`: "role",
	} {
		path := filepath.Join(t.TempDir(), "tokens")
		ok(t, os.WriteFile(path, []byte(text), 0o600))
		_, err := movein.ReadTokens(path)
		wantError(t, err, reason)
	}
}

// TestTerraform: what a state has is made, and the state adjusted to it.
func TestTerraform(t *testing.T) {
	s := start(t)
	// So that new ids differ from old ones and from one another.
	_, err := s.Spaces().Create(t.Context(), map[string]any{"name": "Before"})
	ok(t, err)
	state, err := movein.ReadState("testdata/state.tfstate")
	ok(t, err)
	report, err := state.Make(t.Context(), s.Client, false)
	ok(t, err)
	adjusted, err := state.Adjust(report)
	ok(t, err)
	golden(t, "terraform.golden", told(report)+strings.Join(state.Commands(report), "\n")+"\n\n"+s.has(t)+"\n"+string(adjusted)+"\n")
	// Terraform goes on with it: nothing is to be made.
	path := filepath.Join(t.TempDir(), "new.tfstate")
	ok(t, os.WriteFile(path, adjusted, 0o600))
	state, err = movein.ReadState(path)
	ok(t, err)
	report, err = state.Make(t.Context(), s.Client, false)
	ok(t, err)
	for _, o := range report.Outcomes {
		if o.Did != movein.There || o.Kind != "metric" && o.Old != fmt.Sprint(o.New) {
			t.Errorf("%+v", o)
		}
	}
}

func TestReadStateRefuses(t *testing.T) {
	for text, reason := range map[string]string{
		"x":             "is no state",
		`[]`:            "is no state",
		`{"version":3}`: "version 3",
	} {
		path := filepath.Join(t.TempDir(), "x.tfstate")
		ok(t, os.WriteFile(path, []byte(text), 0o600))
		_, err := movein.ReadState(path)
		wantError(t, err, reason)
	}
}

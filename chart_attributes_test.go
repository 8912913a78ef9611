package tidemark

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestChartAttributes(t *testing.T) {
	t.Parallel()
	link := func(title, url any) []any { return []any{map[string]any{"title": title, "url": url}} }
	band := func(from, to, kind any) []any { return []any{map[string]any{"from": from, "to": to, "type": kind}} }
	for _, c := range []struct {
		key string
		v   any
		ok  bool
	}{
		{"kind", "table", true}, {"kind", "pie", false}, {"kind", 5.0, false},
		{"text", "# Hello", true}, {"text", []any{"a"}, false},
		{"top", 6.0, true}, {"top", int64(6), true}, {"top", json.Number("6"), true}, {"top", json.Number("x"), false}, {"top", 0.0, false}, {"top", 1.5, false}, {"top", "6", false},
		{"sort", 0.0, true}, {"sort", 200.0, false},
		{"order", "lowest", true}, {"order", "", false},
		{"value", "mean", true}, {"value", "median", false},
		{"rows", "values", true}, {"rows", "distribution", true}, {"rows", "hosts", false},
		{"layers", "both", true}, {"layers", "all", false},
		{"percentiles", []any{50.0, int64(0), json.Number("99.9"), 100.0}, true}, {"percentiles", []any{}, true},
		{"percentiles", []any{101.0}, false}, {"percentiles", []any{-1.0}, false}, {"percentiles", []any{"p50"}, false}, {"percentiles", 50.0, false},
		{"percentiles", []any{50.0, 50.0}, false}, {"percentiles", []any{1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0}, false},
		{"color_by", "count", true}, {"color_by", "value", false},
		{"color_scale", "sqrt", true}, {"color_scale", "log", false},
		{"show", "all", true}, {"show", "some", false},
		{"find", "team:checkout", true}, {"find", true, false},
		{"repeat", "host", true}, {"repeat", "no tag!", false},
		{"links", link("Runbook", "https://wiki.example.org/{host}?a={region}"), true},
		{"links", link("Here", "/spaces/3?tag.host={host}"), true},
		{"links", link("Elsewhere", "//example.org"), false},
		{"links", link("Script", "javascript:alert(1)"), false},
		{"links", link("Slash", "/\\example.org"), false},
		{"links", link("", "https://example.org"), false}, {"links", "https://example.org", false}, {"links", []any{"a"}, false},
		{"bands", band(1.0, int64(2), "green"), true}, {"bands", band(2.0, 1.0, "red"), false},
		{"bands", band(nil, 1.0, "red"), false}, {"bands", band(0.0, 1.0, "blue"), false}, {"bands", make([]any, 21), false},
		{"own", map[string]any{"any": []any{"thing"}}, true},
	} {
		chart := &Chart{Type: "line", Attributes: map[string]any{c.key: c.v}}
		err := chart.Validate()
		var e *Error
		if c.ok != (err == nil) || !c.ok && (!errors.As(err, &e) || e.Fields["attributes."+c.key] == nil) {
			t.Errorf("%s %v: got %v, want ok %v", c.key, c.v, err, c.ok)
		}
	}
}

// TestDistributionOfChart: only a heatmap shows distributions, and only one that
// is to; a repeated chart has a tag.
func TestDistributionOfChart(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		attributes map[string]any
		shows      bool
		by         []string
	}{
		{nil, false, nil},
		{map[string]any{"kind": "heatmap", "rows": "distribution"}, true, nil},
		{map[string]any{"kind": "heatmap", "rows": "distribution", "repeat": "host"}, true, []string{"host"}},
		{map[string]any{"kind": "heatmap", "rows": "values", "repeat": nil}, false, nil},
		{map[string]any{"kind": "table", "rows": "distribution"}, false, nil},
	} {
		chart := &Chart{Type: "line", Attributes: c.attributes}
		if got := chart.ShowsDistribution(); got != c.shows {
			t.Errorf("%v: shows a distribution: %v", c.attributes, got)
		}
		if diff := cmp.Diff(c.by, chart.RepeatedBy()); diff != "" {
			t.Errorf("%v (-want +got):\n%s", c.attributes, diff)
		}
	}
}

func TestPercentilesOfChart(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		attributes map[string]any
		want       []float64
	}{
		{nil, []float64{50, 95, 99}},
		{map[string]any{"percentiles": []any{99.9, json.Number("50")}}, []float64{99.9, 50}},
		{map[string]any{"percentiles": []any{}}, []float64{}},
	} {
		if diff := cmp.Diff(c.want, (&Chart{Attributes: c.attributes}).Percentiles()); diff != "" {
			t.Errorf("%v (-want +got):\n%s", c.attributes, diff)
		}
	}
}

func TestChartAttributesChange(t *testing.T) {
	t.Parallel()
	stored := map[string]any{"kind": "table", "top": 6.0, "own": "kept"}
	for name, c := range map[string]struct {
		change ChartUpdate
		want   map[string]any
	}{
		"of nothing":               {ChartUpdate{}, stored},
		"of one":                   {ChartUpdate{Attributes: Some(map[string]any{"top": 9.0})}, map[string]any{"kind": "table", "top": 9.0, "own": "kept"}},
		"that clears":              {ChartUpdate{Attributes: Some(map[string]any{"top": nil})}, map[string]any{"kind": "table", "own": "kept"}},
		"of the same type":         {ChartUpdate{Type: Some("line")}, stored},
		"of the type":              {ChartUpdate{Type: Some("stacked")}, map[string]any{"top": 6.0, "own": "kept"}},
		"of the type by old names": {ChartUpdate{ChartType: Some("bignumber")}, map[string]any{"top": 6.0, "own": "kept"}},
		"of type and kind":         {ChartUpdate{Type: Some("bignumber"), Attributes: Some(map[string]any{"kind": "gauge"})}, map[string]any{"kind": "gauge", "top": 6.0, "own": "kept"}},
	} {
		chart := &Chart{Type: "line", Attributes: stored}
		c.change.Apply(chart)
		if diff := cmp.Diff(c.want, chart.Attributes); diff != "" {
			t.Errorf("a change %s (-want +got):\n%s", name, diff)
		}
	}
	if len(stored) != 3 {
		t.Error("a change reached into the map that it was given")
	}
}

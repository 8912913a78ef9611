package movein

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark-metrics/tidemark/internal/query"
)

// dashboard is what is read of a dashboard of Grafana, of versions 8 to 11.
type dashboard struct {
	Title  string
	Panels []panel
	Rows   []struct { // of very old ones
		Title  string
		Panels []panel
	}
}

type panel struct {
	ID         json.Number
	Title      string
	Type       string
	GridPos    struct{ X, Y int }
	Datasource json.RawMessage
	Targets    []target
	Panels     []panel // of a row that is folded
	Stack      bool    // of the old graph
	Options    struct {
		ReduceOptions struct{ Calcs []string }
	}
	FieldConfig struct {
		Defaults struct {
			Unit       string
			Min, Max   *float64
			Thresholds struct {
				Steps []struct {
					Color string
					Value *float64
				}
			}
			Custom struct {
				AxisLabel         string
				Stacking          struct{ Mode string }
				ScaleDistribution struct{ Type string }
			}
		}
	}
}

type target struct {
	Expr         string          // of Prometheus
	Target       string          // of Graphite
	Query        json.RawMessage // of others
	LegendFormat string
	RefID        string
	Hide         bool
	Datasource   json.RawMessage
}

// ReadGrafana reads dashboards, as Grafana exports them or as its API answers
// them. Each becomes a space, each panel with a counterpart a chart in it.
func ReadGrafana(paths ...string) (*Objects, error) {
	all := &Objects{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		var file struct {
			dashboard
			Dashboard *dashboard
		}
		if err := json.Unmarshal(text, &file); err != nil {
			return nil, fmt.Errorf("%s: is no dashboard: %w", path, err)
		}
		d := &file.dashboard
		if file.Dashboard != nil {
			d = file.Dashboard
		}
		if d.Title == "" {
			return nil, fmt.Errorf("%s: is no dashboard: it has no title", path)
		}
		all.dashboard(d)
	}
	return all, nil
}

func (o *Objects) dashboard(d *dashboard) {
	space := &Object{Name: d.Title}
	o.Spaces = append(o.Spaces, space)
	panels := slices.Clone(d.Panels)
	for _, r := range d.Rows {
		o.row(d, r.Title)
		panels = append(panels, r.Panels...)
	}
	slices.SortStableFunc(panels, func(a, b panel) int { return cmp.Or(a.GridPos.Y-b.GridPos.Y, a.GridPos.X-b.GridPos.X) })
	for i := range panels {
		p := &panels[i]
		if p.Type != "row" {
			o.panel(d, space, p)
			continue
		}
		o.row(d, p.Title)
		for j := range p.Panels {
			o.panel(d, space, &p.Panels[j])
		}
	}
}

func (o *Objects) row(d *dashboard, title string) {
	if title != "" {
		o.miss(fmt.Sprintf("row %q of %q", title, d.Title), "spaces have no rows: its panels follow those before it")
	}
}

// panelKinds are the kinds of panel that have a counterpart.
var panelKinds = map[string]string{
	"timeseries": "line", "graph": "line", "stat": "bignumber", "singlestat": "bignumber", "gauge": "bignumber", "bargauge": "line",
}

// panel makes a chart of a panel, if it has a counterpart.
func (o *Objects) panel(d *dashboard, space *Object, p *panel) {
	what := fmt.Sprintf("panel %q of %q", p.Title, d.Title)
	kind := panelKinds[p.Type]
	if kind == "" {
		o.miss(what, "panels of type %s have no counterpart", p.Type)
		return
	}
	if p.Type == "bargauge" {
		o.miss(what, "there are no bars: it is drawn as lines")
	}
	if c := p.FieldConfig.Defaults.Custom; kind == "line" && (p.Stack || c.Stacking.Mode == "normal" || c.Stacking.Mode == "percent") {
		kind = "stacked"
	}
	streams := []any{}
	for i := range p.Targets {
		t := &p.Targets[i]
		s, err := p.stream(t)
		if err != nil {
			o.miss(what+", query "+cmp.Or(t.RefID, strconv.Itoa(i+1)), "%v", err)
			continue
		}
		streams = append(streams, s)
	}
	if len(streams) == 0 {
		o.miss(what, "nothing that it asks for has a counterpart")
		return
	}
	space.Charts = append(space.Charts, &Object{Old: p.ID.String(), Name: p.Title, Body: p.chart(kind, streams)})
}

// stream makes a stream of a query.
func (p *panel) stream(t *target) (body, error) {
	text, name := "", t.LegendFormat
	var err error
	switch {
	case t.Expr != "":
		text, err = FromPromQL(t.Expr)
	case t.Target != "":
		var alias string
		text, alias, err = FromGraphite(t.Target)
		name = cmp.Or(alias, name)
	default:
		return nil, fmt.Errorf("queries of %s have no counterpart", p.source(t))
	}
	if err != nil {
		return nil, err
	}
	if _, err := query.Parse(text); err != nil {
		return nil, fmt.Errorf("has no counterpart: %w", err)
	}
	s := body{"composite": text}
	if name != "" && !strings.Contains(name, "{{") && !strings.HasPrefix(name, "__") {
		s["name"] = name
	}
	if t.Hide {
		s["hidden"] = true
	}
	if unit := units[p.FieldConfig.Defaults.Unit]; unit != "" {
		s["units_short"] = unit
	}
	return s, nil
}

// source names what a query is asked of.
func (p *panel) source(t *target) string {
	for _, raw := range []json.RawMessage{t.Datasource, p.Datasource} {
		var source struct{ Type string }
		var name string
		if json.Unmarshal(raw, &source) == nil && source.Type != "" {
			return source.Type
		}
		if json.Unmarshal(raw, &name) == nil && name != "" {
			return name
		}
	}
	return "an unknown source"
}

// units are what people read for units of Grafana.
var units = map[string]string{
	"percent": "%", "s": "s", "ms": "ms", "µs": "µs", "ns": "ns", "bytes": "B", "decbytes": "B", "bits": "bit", "Bps": "B/s", "binBps": "B/s", "bps": "bit/s",
	"reqps": "req/s", "ops": "ops/s", "hertz": "Hz", "celsius": "°C",
}

// chart is the body of the chart of a panel.
func (p *panel) chart(kind string, streams []any) body {
	f := &p.FieldConfig.Defaults
	b := body{"name": p.Title, "type": kind, "streams": streams}
	if f.Min != nil {
		b["min"] = *f.Min
	}
	if f.Max != nil {
		b["max"] = *f.Max
	}
	if f.Custom.AxisLabel != "" {
		b["label"] = f.Custom.AxisLabel
	}
	if f.Custom.ScaleDistribution.Type == "log" {
		b["use_log_yaxis"] = true
	}
	if kind != "bignumber" {
		return b
	}
	thresholds := []any{}
	for _, s := range f.Thresholds.Steps {
		if c := colourOf(s.Color); c != "" && s.Value != nil {
			thresholds = append(thresholds, body{"operator": ">", "value": *s.Value, "type": c})
		}
	}
	if len(thresholds) > 0 {
		b["thresholds"] = thresholds
	}
	if slices.ContainsFunc(p.Options.ReduceOptions.Calcs, func(c string) bool { return strings.HasPrefix(c, "last") }) {
		b["use_last_value"] = true
	}
	return b
}

// colourOf is the colour of ours that is nearest to one of Grafana, or "".
func colourOf(c string) string {
	switch {
	case strings.Contains(c, "red"):
		return "red"
	case strings.Contains(c, "yellow") || strings.Contains(c, "orange"):
		return "yellow"
	}
	return ""
}

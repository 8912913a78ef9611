package ingest

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"slices"

	"github.com/tidemark-metrics/tidemark"
)

// maxAgent is how much of a user agent is kept.
const maxAgent = 255

// describe makes the metric that it would create. What it says of the metric
// and makes no sense is left out rather than held against the measurement:
// the data is worth more than its colour.
func (d *intake) describe(it *item) *tidemark.Metric {
	if d.points != nil {
		return d.describePoint(&d.points[it.extra])
	}
	m := &tidemark.Metric{Name: string(it.name.of(d.arena)), Type: tidemark.Gauge, Attributes: make(map[string]any)}
	var about extra
	if it.extra >= 0 {
		about = d.extras[it.extra]
	}
	if about.kind != "" {
		m.Type = about.kind
	}
	tree := about.tree
	if tree == nil {
		tree = d.parseExtra(&about)
	}
	if attrs, ok := tree["attributes"].(map[string]any); ok {
		takeAttributes(m, attrs)
	}
	m.DisplayName = validText(m, tree["display_name"], func(m *tidemark.Metric) **string { return &m.DisplayName })
	m.Description = validText(m, tree["description"], func(m *tidemark.Metric) **string { return &m.Description })
	takePeriod(m, tree["period"])
	if it.isDist {
		m.Attributes["distribution"] = true
	}
	if d.agent != "" {
		takeAttributes(m, map[string]any{"created_by_ua": cut(d.agent, maxAgent)})
	}
	return m
}

// parseExtra reads the properties that were only stepped over.
func (d *intake) parseExtra(e *extra) map[string]any {
	period := e.period
	if period.empty() {
		period = d.period
	}
	tree := make(map[string]any)
	for name, raw := range map[string]span{
		"attributes": e.attributes, "display_name": e.displayName, "description": e.description, "period": period,
	} {
		if raw.empty() {
			continue
		}
		dec := json.NewDecoder(bytes.NewReader(raw.of(d.b)))
		dec.UseNumber()
		var v any
		if dec.Decode(&v) == nil {
			tree[name] = v
		}
	}
	return tree
}

// takeAttributes sets the attributes that leave m valid, with the types that
// the known ones have whatever they were sent as.
func takeAttributes(m *tidemark.Metric, attrs map[string]any) {
	for _, key := range slices.Sorted(maps.Keys(attrs)) {
		v := coerce(key, attrs[key])
		if v == nil {
			continue
		}
		m.Attributes[key] = v
		if m.Validate() != nil {
			delete(m.Attributes, key)
		}
	}
}

func coerce(key string, v any) any {
	switch key {
	case "display_min", "display_max":
		f, ok := toFloat(v)
		if !ok {
			return nil
		}
		return f
	case "aggregate", "display_stacked", "gap_detection", "distribution":
		switch v {
		case true, "true", "1", json.Number("1"):
			return true
		case false, "false", "0", json.Number("0"):
			return false
		}
		return nil
	}
	if n, ok := v.(json.Number); ok {
		if i, err := n.Int64(); err == nil {
			return i
		}
		f, ok := toFloat(n)
		if !ok {
			return nil
		}
		return f
	}
	return v
}

// toFloat reads a number of any of the types that trees of JSON and forms have.
func toFloat(v any) (float64, bool) {
	var f float64
	ok := true
	switch v := v.(type) {
	case json.Number:
		f, ok = parseNumber([]byte(v))
	case string:
		f, ok = parseNumber([]byte(v))
	case float64:
		f = v
	case int64:
		f = float64(v)
	case int:
		f = float64(v)
	default:
		return 0, false
	}
	return f, ok && !math.IsNaN(f) && !math.IsInf(f, 0)
}

// takePeriod sets the period if it leaves m valid.
func takePeriod(m *tidemark.Metric, v any) {
	f, ok := toFloat(v)
	if !ok || f < 1 || f > tidemark.MaxResolution {
		return
	}
	period := int64(f)
	m.Period = &period
	if m.Validate() != nil {
		m.Period = nil
	}
}

// validText returns v if it is a text that leaves m valid.
func validText(m *tidemark.Metric, v any, at func(*tidemark.Metric) **string) *string {
	text, ok := v.(string)
	if !ok || text == "" {
		return nil
	}
	try := *m
	*at(&try) = &text
	if try.Validate() != nil {
		return nil
	}
	return &text
}

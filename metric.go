package tidemark

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// The types a metric can have. Counter is the old service's; it behaves as a
// gauge.
const (
	Gauge     = "gauge"
	Counter   = "counter"
	Composite = "composite"
)

// Metric is a named set of streams, or a composite: an expression over others.
type Metric struct {
	Name        string         `json:"name"`
	DisplayName *string        `json:"display_name"`
	Type        string         `json:"type"`
	Description *string        `json:"description"`
	Period      *int64         `json:"period"`
	SourceLag   *int64         `json:"source_lag"`
	Composite   string         `json:"composite,omitempty"`
	Attributes  map[string]any `json:"attributes"` // never nil; unknown keys are kept
	CreatedAt   int64          `json:"-"`
	UpdatedAt   int64          `json:"-"`
}

// Folds reports whether the measurements of one period become one summary,
// and the length of that period: the metric's own, as near as folding allows.
func (m *Metric) Folds() (bool, int64) {
	fold, _ := m.Attributes["aggregate"].(bool)
	if m.Period == nil || *m.Period == 0 {
		return fold, DefaultPeriod
	}
	return fold, min(max(*m.Period, MinFoldPeriod), MaxFoldPeriod)
}

// Summary returns the function that summarizes m where a query names none:
// "mean", "sum", "count", "min", "max" or whatever else its attributes say.
func (m *Metric) Summary() string {
	s, _ := m.Attributes["summarize_function"].(string)
	if s == "" || s == "average" {
		return "mean"
	}
	return s
}

// maxUnits is how long the units of a metric may be, in characters. They stand
// beside every value, and in the sentence of every alert on the metric.
var maxUnits = map[string]int{"display_units_short": 32, "display_units_long": 255}

// Unit is the unit of m's values in short, or "". One that was stored before
// units were bounded is cut.
func (m *Metric) Unit() string {
	unit, _ := m.Attributes["display_units_short"].(string)
	return cut(unit, maxUnits["display_units_short"])
}

// CutUnits cuts units that were stored before units were bounded, so that m
// can be changed otherwise.
func (m *Metric) CutUnits() {
	for key, most := range maxUnits {
		if unit, ok := m.Attributes[key].(string); ok {
			m.Attributes[key] = cut(unit, most)
		}
	}
}

var colour = regexp.MustCompile(`^#?([0-9A-Fa-f]{6}|[0-9A-Fa-f]{3})$`)

// Validate reports what is wrong with m, or nil. That a composite's
// expression makes sense is for anyone who knows the language to check.
func (m *Metric) Validate() error {
	var p Problems
	p.Check(IsMetricName(m.Name), "name", "must be 1 to %d letters, digits and . : - _", MaxName)
	p.Check(m.Type == Gauge || m.Type == Counter || m.Type == Composite, "type", "must be gauge, counter or composite")
	p.Check(m.Type != Composite || strings.TrimSpace(m.Composite) != "", "composite", "is not present")
	p.Check(m.Type == Composite || m.Composite == "", "composite", "is only for metrics of type composite")
	optionalText(&p, "display_name", m.DisplayName, maxTitle)
	optionalText(&p, "description", m.Description, maxText)
	p.Check(len(m.Composite) <= maxText, "composite", "is longer than %d characters", maxText)
	if m.Period != nil {
		p.Check(*m.Period >= 0 && *m.Period <= MaxResolution, "period", "must be 0 to %d seconds", MaxResolution)
	}
	validateAttributes(&p, m.Attributes)
	return p.Err()
}

func optionalText(p *Problems, field string, s *string, most int) {
	if s != nil {
		p.Text(field, *s, 0, most)
	}
}

// maxAttributes bounds what a metric carries of keys that mean nothing to us.
const maxAttributes = 64

// summarizeFunctions are the values of attributes.summarize_function.
var summarizeFunctions = append([]string{"average", "mean", "sum", "count", "min", "max", "last", "stddev", "derivative"}, Percentiles...)

func validateAttributes(p *Problems, attrs map[string]any) {
	p.Check(len(attrs) <= maxAttributes, "attributes", "has more than %d keys", maxAttributes)
	for key, v := range attrs {
		field := "attributes." + key
		checkAttribute(p, field, v)
		switch key {
		case "color":
			s, ok := v.(string)
			p.Check(v == nil || ok && colour.MatchString(s), field, "must be a colour such as #52D74C")
		case "display_units_short", "display_units_long":
			s, _ := v.(string)
			p.Check(isScalar(v), field, "must be a text")
			p.Check(utf8.RuneCountInString(s) <= maxUnits[key], field, "is longer than %d characters", maxUnits[key])
		case "summarize_function":
			s, ok := v.(string)
			p.Check(v == nil || ok && slices.Contains(summarizeFunctions, s), field, "must be average, sum, count, min or max")
		case "display_min", "display_max":
			_, isFloat := v.(float64)
			_, isInt := v.(int64)
			p.Check(v == nil || isFloat || isInt, field, "is not a number")
		case "display_transform", "created_by_ua":
			p.Check(isScalar(v), field, "must be a text")
		case "aggregate", "display_stacked", "gap_detection", "distribution":
			_, ok := v.(bool)
			p.Check(v == nil || ok, field, "must be true or false")
		}
	}
}

// checkAttribute bounds one attribute. What means nothing to us may be
// anything: clients keep things of their own there.
func checkAttribute(p *Problems, field string, v any) {
	if text, ok := v.(string); ok {
		p.Text(field, text, 0, maxText)
	}
	if !isScalar(v) {
		text, err := json.Marshal(v)
		p.Check(err == nil && len(text) <= maxText, field, "is longer than %d characters", maxText)
	}
}

// isScalar reports whether an attribute is neither an object nor a list.
func isScalar(v any) bool {
	switch v.(type) {
	case nil, string, bool, float64, int64:
		return true
	}
	return false
}

// MetricUpdate is a change to a metric. Attributes are merged into those
// there are; a null attribute is cleared.
type MetricUpdate struct {
	Type        Opt[string]         `json:"type"`
	DisplayName Opt[string]         `json:"display_name"`
	Description Opt[string]         `json:"description"`
	Period      Opt[int64]          `json:"period"`
	SourceLag   Opt[int64]          `json:"source_lag"`
	Composite   Opt[string]         `json:"composite"`
	Attributes  Opt[map[string]any] `json:"attributes"`
}

// Apply makes the change to m.
func (u MetricUpdate) Apply(m *Metric) {
	u.Type.To(&m.Type)
	u.DisplayName.ToPtr(&m.DisplayName)
	u.Description.ToPtr(&m.Description)
	u.Period.ToPtr(&m.Period)
	u.SourceLag.ToPtr(&m.SourceLag)
	u.Composite.To(&m.Composite)
	m.Attributes = maps.Clone(m.Attributes) // the caller's map may be shared
	if m.Attributes == nil {
		m.Attributes = make(map[string]any)
	}
	for key, v := range u.Attributes.V {
		if v == nil {
			delete(m.Attributes, key)
			continue
		}
		m.Attributes[key] = v
	}
}

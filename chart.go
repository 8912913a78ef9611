package tidemark

import (
	"slices"
	"strconv"
)

const (
	maxStreams    = 200
	maxThresholds = 100
)

// Chart is a picture of streams, in a space. What was never set is left out
// of answers.
type Chart struct {
	ID           int64         `json:"id"`
	Name         string        `json:"name"`
	Type         string        `json:"type"` // line, stacked or bignumber
	Streams      []ChartStream `json:"streams"`
	Min          *float64      `json:"min,omitempty"`
	Max          *float64      `json:"max,omitempty"`
	Label        *string       `json:"label,omitempty"`
	RelatedSpace *int64        `json:"related_space,omitempty"`
	Thresholds   []Threshold   `json:"thresholds"`
	UseLogYAxis  *bool         `json:"use_log_yaxis,omitempty"`
	UseLastValue *bool         `json:"use_last_value,omitempty"`

	Attributes map[string]any `json:"attributes,omitempty"` // what it shows beyond its type; unknown keys are kept
}

// NewChart returns a chart with the defaults of one that says nothing.
func NewChart() *Chart { return &Chart{Type: "line", Streams: []ChartStream{}} }

// Threshold colours a number, or is a line in a chart.
type Threshold struct {
	Operator string  `json:"operator"`
	Value    float64 `json:"value"`
	Type     string  `json:"type"`
}

// ChartStream is one set of lines in a chart: the streams of a metric, a composite,
// or the events of an annotation stream.
type ChartStream struct {
	ID                 int64       `json:"id"`
	Metric             string      `json:"metric,omitempty"`
	Type               string      `json:"type,omitempty"`
	Source             *string     `json:"source,omitempty"`
	Tags               []TagFilter `json:"tags,omitempty"`
	Composite          string      `json:"composite,omitempty"`
	GroupFunction      *string     `json:"group_function,omitempty"`
	GroupBy            *string     `json:"group_by,omitempty"`
	SummaryFunction    *string     `json:"summary_function,omitempty"`
	DownsampleFunction *string     `json:"downsample_function,omitempty"`
	Color              *string     `json:"color,omitempty"`
	Name               *string     `json:"name,omitempty"`
	UnitsShort         *string     `json:"units_short,omitempty"`
	UnitsLong          *string     `json:"units_long,omitempty"`
	Min                *float64    `json:"min,omitempty"`
	Max                *float64    `json:"max,omitempty"`
	TransformFunction  *string     `json:"transform_function,omitempty"`
	Period             *int64      `json:"period,omitempty"`
	SplitAxis          *bool       `json:"split_axis,omitempty"`
	GapDetection       *bool       `json:"gap_detection,omitempty"`
	Position           *int64      `json:"position,omitempty"`
	Hidden             *bool       `json:"hidden,omitempty"`     // kept, but not drawn
	Thresholds         []Threshold `json:"thresholds,omitempty"` // of its column in a table
}

// ResourceID is the last segment of the chart's URL.
func (c *Chart) ResourceID() string { return strconv.FormatInt(c.ID, 10) }

// Validate reports what is wrong with c, or nil.
func (c *Chart) Validate() error {
	var p Problems
	p.Text("name", c.Name, 0, maxTitle)
	p.Check(slices.Contains([]string{"line", "stacked", "bignumber"}, c.Type), "type", "must be line, stacked or bignumber")
	optionalText(&p, "label", c.Label, maxTitle)
	p.Check(len(c.Streams) <= maxStreams, "streams", "has more than %d entries", maxStreams)
	for i := range c.Streams {
		p.Add("streams.", c.Streams[i].Validate())
	}
	validateThresholds(&p, c.Thresholds)
	if c.Min != nil && c.Max != nil {
		p.Check(*c.Min < *c.Max, "min", "is not below max")
	}
	validateChartAttributes(&p, c.Attributes)
	return p.Err()
}

func validateThresholds(p *Problems, all []Threshold) {
	p.Check(len(all) <= maxThresholds, "thresholds", "has more than %d entries", maxThresholds)
	for _, t := range all {
		p.Check(t.Operator == ">" || t.Operator == "<" || t.Operator == "=", "thresholds.operator", "must be >, < or =")
		p.Check(t.Type == "red" || t.Type == "yellow", "thresholds.type", "must be red or yellow")
	}
}

var groupFunctions = []string{"", "average", "mean", "sum", "min", "max", "count", "breakout", "derivative", "last", "stddev"}

// Validate reports what is wrong with s, or nil.
func (s *ChartStream) Validate() error {
	var p Problems
	p.Check(s.Metric != "" || s.Composite != "", "metric", "is not present")
	p.Text("metric", s.Metric, 0, MaxName)
	p.Check(len(s.Composite) <= maxText, "composite", "is longer than %d characters", maxText)
	for field, f := range map[string]*string{
		"group_function": s.GroupFunction, "summary_function": s.SummaryFunction, "downsample_function": s.DownsampleFunction,
	} {
		isPercentile := field == "summary_function" && f != nil && slices.Contains(Percentiles, *f)
		p.Check(f == nil || slices.Contains(groupFunctions, *f) || isPercentile, field, "is not a function")
	}
	for field, f := range map[string]*string{
		"name": s.Name, "units_short": s.UnitsShort, "units_long": s.UnitsLong, "source": s.Source, "group_by": s.GroupBy,
	} {
		optionalText(&p, field, f, maxTitle)
	}
	p.Check(s.Color == nil || *s.Color == "" || colour.MatchString(*s.Color), "color", "must be a colour such as #52D74C")
	p.Check(s.TransformFunction == nil || *s.TransformFunction == "" || len(*s.TransformFunction) <= maxTitle && isTransform(*s.TransformFunction),
		"transform_function", "must be linear in x, and may use p, numbers and + - * / ( )")
	p.Check(s.Period == nil || *s.Period >= 0 && *s.Period <= MaxResolution, "period", "must be 0 to %d seconds", MaxResolution)
	p.TagFilters("tags", s.Tags)
	validateThresholds(&p, s.Thresholds)
	return p.Err()
}

// ChartUpdate is a partial change: what is left out stays; streams, if given,
// replace all there are.
type ChartUpdate struct {
	Name         Opt[string]        `json:"name"`
	Type         Opt[string]        `json:"type"`
	ChartType    Opt[string]        `json:"chart_type"` // what old clients call type
	Streams      Opt[[]ChartStream] `json:"streams"`
	Min          Opt[float64]       `json:"min"`
	Max          Opt[float64]       `json:"max"`
	Label        Opt[string]        `json:"label"`
	RelatedSpace Opt[int64]         `json:"related_space"`
	Thresholds   Opt[[]Threshold]   `json:"thresholds"`
	Threshold    Opt[[]Threshold]   `json:"threshold"` // as one client spells it
	UseLogYAxis  Opt[bool]          `json:"use_log_yaxis"`
	UseLastValue Opt[bool]          `json:"use_last_value"`

	Attributes Opt[map[string]any] `json:"attributes"` // merged; a null one is cleared
}

// Apply makes the change to c.
func (u ChartUpdate) Apply(c *Chart) {
	u.Name.To(&c.Name)
	was := c.Type
	u.ChartType.To(&c.Type)
	u.Type.To(&c.Type)
	switch {
	case u.Attributes.Set:
		c.setAttributes(u.Attributes.V)
	case c.Type != was && c.Attributes[chartKind] != nil:
		c.setAttributes(map[string]any{chartKind: nil}) // who knows types alone wants this one to be seen
	}
	if u.Streams.Set {
		c.Streams = append([]ChartStream{}, u.Streams.V...)
	}
	u.Min.ToPtr(&c.Min)
	u.Max.ToPtr(&c.Max)
	u.Label.ToPtr(&c.Label)
	u.RelatedSpace.ToPtr(&c.RelatedSpace)
	for _, t := range []Opt[[]Threshold]{u.Threshold, u.Thresholds} {
		if t.Set {
			c.Thresholds = t.V
		}
	}
	u.UseLogYAxis.ToPtr(&c.UseLogYAxis)
	u.UseLastValue.ToPtr(&c.UseLastValue)
}

// ChartKey names one chart of one space.
type ChartKey struct{ Space, Chart int64 }

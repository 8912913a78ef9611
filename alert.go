package tidemark

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
)

// The kinds of condition.
const (
	Above  = "above"
	Below  = "below"
	Absent = "absent"
)

const (
	defaultRearm = 600
	maxRearm     = 30 * 24 * 3600
	minDuration  = 60
	maxDuration  = 3600
	// What one alert may hold; far above anything seen, and still bounded.
	maxConditions = 100
	maxServices   = 100
	maxTagFilters = 50
	maxTagValues  = 1000
)

// Alert watches metrics and tells services when its conditions hold.
type Alert struct {
	ID             int64          `json:"id"`
	Name           string         `json:"name"`
	Description    *string        `json:"description"`
	Conditions     []Condition    `json:"conditions"`
	Services       []*Service     `json:"services"`
	Attributes     map[string]any `json:"attributes"` // never nil; kept as sent
	Active         bool           `json:"active"`
	CreatedAt      int64          `json:"created_at"`
	UpdatedAt      int64          `json:"updated_at"`
	Version        int            `json:"version"`
	RearmSeconds   Seconds        `json:"rearm_seconds"`
	RearmPerSignal bool           `json:"rearm_per_signal"`
	MD             bool           `json:"md"` // the conditions use tags; always so here

	// What the original does not have is left out where it is not set.
	Severity   string            `json:"severity,omitempty"`
	Labels     map[string]string `json:"labels,omitempty"`
	Escalation []EscalationStep  `json:"escalation,omitempty"`

	// ServiceIDs are the services to attach. Reading an alert fills Services
	// and ServiceIDs alike; writing looks at ServiceIDs alone.
	ServiceIDs []int64 `json:"-"`
}

// NewAlert returns an alert with the defaults of those that say nothing.
func NewAlert() *Alert {
	return &Alert{
		Conditions: []Condition{}, Services: []*Service{}, Attributes: map[string]any{},
		Active: true, Version: 2, RearmSeconds: defaultRearm, MD: true,
	}
}

// Condition holds when streams of a metric have been on the wrong side of a
// threshold, or silent, for a while. What was not given stays nil and is not
// sent back: clients compare what they read with what they wrote.
type Condition struct {
	ID              int64       `json:"id"`
	Type            string      `json:"type"`
	MetricName      string      `json:"metric_name"`
	Source          *string     `json:"source"`
	Threshold       *float64    `json:"threshold,omitempty"`
	Duration        *Seconds    `json:"duration,omitempty"`
	SummaryFunction *string     `json:"summary_function,omitempty"`
	DetectReset     *bool       `json:"detect_reset,omitempty"`
	Against         *Against    `json:"against,omitempty"`
	Tags            []TagFilter `json:"tags"`
}

// MarshalJSON leaves detect_reset out where it means nothing: a client that
// always sends it cannot read it back on other conditions.
func (c Condition) MarshalJSON() ([]byte, error) {
	type plain Condition
	if c.SummaryFunction == nil || *c.SummaryFunction != "derivative" {
		c.DetectReset = nil
	}
	return json.Marshal(plain(c))
}

// TagFilter narrows a metric to some of its streams by one tag, and says
// whether streams are looked at per value of it. Values may hold * and may
// start with ! for "anything but"; no values means that the tag is there.
type TagFilter struct {
	Name    string   `json:"name"`
	Values  []string `json:"values,omitempty"`
	Grouped *bool    `json:"grouped,omitempty"`
	Dynamic *bool    `json:"dynamic,omitempty"`
}

// IsGrouped reports whether streams are grouped by the tag.
func (f *TagFilter) IsGrouped() bool { return f.Grouped != nil && *f.Grouped }

// IsDynamic reports whether the values come from a filter on the page.
func (f *TagFilter) IsDynamic() bool { return f.Dynamic != nil && *f.Dynamic }

// runbookURL is the attribute that says where people read what to do.
const runbookURL = "runbook_url"

// RunbookURL is where people read what to do, or "".
func (a *Alert) RunbookURL() string {
	url, _ := a.Attributes[runbookURL].(string)
	return url
}

// ResourceID is the last segment of the alert's URL.
func (a *Alert) ResourceID() string { return strconv.FormatInt(a.ID, 10) }

var alertName = regexp.MustCompile(`^[A-Za-z0-9.:_ -]{1,255}$`)

// IsAlertName reports whether s can name an alert.
func IsAlertName(s string) bool { return alertName.MatchString(s) }

// Validate reports what is wrong with a, or nil. Whether the metrics and
// services it names exist is for the store to say.
func (a *Alert) Validate() error {
	var p Problems
	if a.Name == "" {
		p.Check(false, "name", "is not present")
	} else {
		p.Check(alertName.MatchString(a.Name), "name", "must be 1 to %d letters, digits, blanks and . : - _", MaxName)
	}
	optionalText(&p, "description", a.Description, maxText)
	p.Check(a.RearmSeconds >= 0 && a.RearmSeconds <= maxRearm, "rearm_seconds", "must be 0 to %d", maxRearm)
	p.Check(a.RearmSeconds%60 == 0, "rearm_seconds", "must be a multiple of 60")
	p.Check(a.Version == 2, "version", "must be 2")
	p.Check(len(a.Conditions) <= maxConditions, "conditions", "has more than %d entries", maxConditions)
	p.Check(len(a.ServiceIDs) <= maxServices, "services", "has more than %d entries", maxServices)
	p.Check(len(a.Attributes) <= maxAttributes, "attributes", "has more than %d keys", maxAttributes)
	for key, v := range a.Attributes {
		checkAttribute(&p, "attributes."+key, v)
	}
	if url, there := a.Attributes[runbookURL]; there {
		_, isText := url.(string)
		p.Check(isText, "attributes."+runbookURL, "must be a text")
	}
	a.validateWork(&p)
	for i := range a.Conditions {
		p.Add("conditions.", a.Conditions[i].Validate())
	}
	return p.Err()
}

// summaryFunctions are what a condition may look at.
var summaryFunctions = append([]string{"", "min", "max", "average", "mean", "sum", "count", "last", "stddev", "derivative", "absolute_value"}, Percentiles...)

// Validate reports what is wrong with c, or nil.
func (c *Condition) Validate() error {
	var p Problems
	switch c.Type {
	case Above, Below:
		p.Check(c.Threshold != nil, "threshold", "is not present")
	case Absent:
		p.Check(c.Duration != nil && *c.Duration != 0, "duration", "must be set")
	case "":
		p.Check(false, "type", "is not present")
	default:
		p.Check(false, "type", "must be above, below or absent")
	}
	if c.MetricName == "" {
		p.Check(false, "metric_name", "is not present")
	} else {
		p.Check(IsMetricName(c.MetricName), "metric_name", "is invalid")
	}
	if c.Duration != nil && *c.Duration != 0 {
		p.Check(*c.Duration >= minDuration && *c.Duration <= maxDuration, "duration", "must be %d to %d seconds", minDuration, maxDuration)
	}
	if c.SummaryFunction != nil {
		p.Check(slices.Contains(summaryFunctions, *c.SummaryFunction), "summary_function",
			"must be min, max, average, sum, count or derivative")
	}
	if c.Against != nil {
		c.Against.validate(&p, c)
	}
	optionalText(&p, "source", c.Source, MaxTagValue)
	p.TagFilters("tags", c.Tags)
	return p.Err()
}

// TagFilters checks the filters that were given as field.
func (p *Problems) TagFilters(field string, tags []TagFilter) {
	p.Check(len(tags) <= maxTagFilters, field, "has more than %d entries", maxTagFilters)
	for _, f := range tags {
		p.Text(field, f.Name, 1, MaxTagName)
		p.Check(len(f.Values) <= maxTagValues, field, "has more than %d values", maxTagValues)
		for _, v := range f.Values {
			p.Text(field, v, 0, MaxTagValue)
		}
	}
}

// AlertUpdate is a change to an alert. Fields left out stay as they are, but
// for two: conditions left out are removed, and so are attributes' keys.
type AlertUpdate struct {
	Name           Opt[string]         `json:"name"`
	Description    Opt[string]         `json:"description"`
	Conditions     Opt[[]Condition]    `json:"conditions"`
	Services       Opt[ServiceRefs]    `json:"services"`
	Attributes     Opt[map[string]any] `json:"attributes"`
	Active         Opt[bool]           `json:"active"`
	Version        Opt[int]            `json:"version"`
	RearmSeconds   Opt[Seconds]        `json:"rearm_seconds"`
	RearmPerSignal Opt[bool]           `json:"rearm_per_signal"`

	Severity   Opt[string]            `json:"severity"`
	Labels     Opt[map[string]string] `json:"labels"`
	Escalation Opt[[]EscalationStep]  `json:"escalation"`
}

// Apply makes the change to a.
func (u AlertUpdate) Apply(a *Alert) {
	u.Name.To(&a.Name)
	u.Description.ToPtr(&a.Description)
	before := a.Conditions
	a.Conditions = []Condition{}
	for _, c := range u.Conditions.V {
		if c.Tags == nil {
			c.Tags = []TagFilter{}
		}
		a.Conditions = append(a.Conditions, c)
	}
	keepAgainst(a.Conditions, before)
	if u.Services.Set {
		a.ServiceIDs = u.Services.V
	}
	if u.Attributes.Set {
		a.Attributes = map[string]any{}
		for key, v := range u.Attributes.V {
			if v != "" && v != nil {
				a.Attributes[key] = v
			}
		}
	}
	u.Active.To(&a.Active)
	u.Version.To(&a.Version)
	switch {
	case u.RearmSeconds.Set && u.RearmSeconds.Null:
		a.RearmSeconds = defaultRearm
	default:
		u.RearmSeconds.To(&a.RearmSeconds)
	}
	u.RearmPerSignal.To(&a.RearmPerSignal)
	u.applyWork(a)
}

// ServiceRefs are services as an alert names them: by id, or by an object
// that has one.
type ServiceRefs []int64

// ServiceRef attaches one service to an alert.
type ServiceRef struct {
	Service int64 `json:"service"`
}

// AttachmentKey names one service of one alert.
type AttachmentKey struct{ Alert, Service int64 }

package tidemark

import (
	"slices"
	"strconv"
	"strings"
)

// Objective is how many percent of what is counted are to be good over some
// days: of all requests, those that another metric counts as answered well; or
// of all values of a distribution, those that are small enough.
type Objective struct {
	ID          int64   `json:"id"`
	Name        string  `json:"name"`
	Description string  `json:"description"`
	Good        string  `json:"good_metric"` // "" of a distribution
	Total       string  `json:"total_metric"`
	Target      float64 `json:"target"` // percent
	Days        int     `json:"days"`   // the window, which ends now

	// Below makes total_metric a distribution whose values are good up to it.
	Below *float64 `json:"below"`
	// Tags pick the streams that count. With GroupBy every value of that tag
	// has a budget of its own; streams without it do not count.
	Tags    []TagFilter `json:"tags"`
	GroupBy string      `json:"group_by"`
	// Labels are what maintenance windows find it by, as alerts.
	Labels map[string]string `json:"labels"`
	// WithoutMaintenance leaves out what was counted in maintenance windows
	// that cover it.
	WithoutMaintenance bool `json:"without_maintenance"`

	CreatedAt int64  `json:"created_at"`
	UpdatedAt int64  `json:"updated_at"`
	CreatedBy string `json:"created_by"`
}

// objectiveDays are the windows that an objective can have.
var objectiveDays = []int{7, 28, 30, 90}

// ObjectiveDays returns the windows that an objective can have.
func ObjectiveDays() []int { return slices.Clone(objectiveDays) }

// NewObjective returns an objective with the defaults of those that say
// nothing.
func NewObjective() *Objective {
	return &Objective{Days: 28, Tags: []TagFilter{}, Labels: map[string]string{}}
}

// ResourceID is the last segment of the objective's URL.
func (o *Objective) ResourceID() string { return strconv.FormatInt(o.ID, 10) }

// Validate reports what is wrong with o, or nil. Whether the metrics it names
// exist is for the store to say.
func (o *Objective) Validate() error {
	var p Problems
	p.Text("name", o.Name, 1, maxTitle)
	p.Text("description", o.Description, 0, maxText)
	o.validateSource(&p)
	p.Check(o.Target > 0 && o.Target < 100, "target", "must be a percentage between 0 and 100")
	p.Check(slices.Contains(objectiveDays, o.Days), "days", "must be 7, 28, 30 or 90")
	return p.Err()
}

func (o *Objective) validateSource(p *Problems) {
	if o.Total == "" {
		p.Check(false, "total_metric", "is not present")
	} else {
		p.Check(IsMetricName(o.Total), "total_metric", "is invalid")
	}
	validateGood(p, o.Good, o.Below)
	p.Check(o.Good == "" || MetricKey(o.Good) != MetricKey(o.Total), "good_metric", "must be another metric than total_metric")
	p.TagFilters("tags", o.Tags)
	for i := range o.Tags {
		p.Check(!o.Tags[i].IsGrouped() && !o.Tags[i].IsDynamic(), "tags", "can only pick streams: group_by makes budgets of their own")
	}
	p.Check(o.GroupBy == "" || IsTagName(o.GroupBy), "group_by", "cannot be the name of a tag")
	checkLabels(p, "labels", o.Labels)
}

// validateGood checks how it is known what is good of all that is counted:
// another metric counts it, or its values are small enough.
func validateGood(p *Problems, metric string, below *float64) {
	switch {
	case below != nil && metric != "":
		p.Check(false, "good_metric", "does not go with below")
	case below == nil && metric == "":
		p.Check(false, "good_metric", "is not present")
	case below == nil:
		p.Check(IsMetricName(metric), "good_metric", "is invalid")
	}
}

// ObjectiveUpdate is a change to an objective. What is left out stays.
type ObjectiveUpdate struct {
	Name        Opt[string]  `json:"name"`
	Description Opt[string]  `json:"description"`
	Good        Opt[string]  `json:"good_metric"`
	Total       Opt[string]  `json:"total_metric"`
	Target      Opt[float64] `json:"target"`
	Days        Opt[int]     `json:"days"`

	Below              Opt[float64]           `json:"below"`
	Tags               Opt[[]TagFilter]       `json:"tags"`
	GroupBy            Opt[string]            `json:"group_by"`
	Labels             Opt[map[string]string] `json:"labels"`
	WithoutMaintenance Opt[bool]              `json:"without_maintenance"`
}

// Apply makes the change to o.
func (u ObjectiveUpdate) Apply(o *Objective) {
	u.Name.To(&o.Name)
	u.Description.To(&o.Description)
	u.Good.To(&o.Good)
	u.Total.To(&o.Total)
	u.Target.To(&o.Target)
	u.Days.To(&o.Days)
	u.Below.ToPtr(&o.Below)
	u.Tags.To(&o.Tags)
	u.GroupBy.To(&o.GroupBy)
	u.Labels.To(&o.Labels)
	u.WithoutMaintenance.To(&o.WithoutMaintenance)
}

// Normalize gives empty values one form, and names of tags the one that they
// are stored in.
func (o *Objective) Normalize() {
	if o.Tags == nil {
		o.Tags = []TagFilter{}
	}
	if o.Labels == nil {
		o.Labels = map[string]string{}
	}
	o.GroupBy = strings.ToLower(o.GroupBy)
}

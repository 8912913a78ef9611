package tidemark

import (
	"slices"
	"strconv"
)

// Objective is how many percent of what one metric counts another is to count
// over some days: of all requests, those that were answered well.
type Objective struct {
	ID          int64   `json:"id"`
	Name        string  `json:"name"`
	Description string  `json:"description"`
	Good        string  `json:"good_metric"`
	Total       string  `json:"total_metric"`
	Target      float64 `json:"target"` // percent
	Days        int     `json:"days"`   // the window, which ends now

	CreatedAt int64  `json:"created_at"`
	UpdatedAt int64  `json:"updated_at"`
	CreatedBy string `json:"created_by"`
}

// objectiveDays are the windows that an objective can have.
var objectiveDays = []int{7, 28, 30, 90}

// NewObjective returns an objective with the defaults of those that say
// nothing.
func NewObjective() *Objective { return &Objective{Days: 28} }

// ResourceID is the last segment of the objective's URL.
func (o *Objective) ResourceID() string { return strconv.FormatInt(o.ID, 10) }

// Validate reports what is wrong with o, or nil. Whether the metrics it names
// exist is for the store to say.
func (o *Objective) Validate() error {
	var p Problems
	p.Text("name", o.Name, 1, maxTitle)
	p.Text("description", o.Description, 0, maxText)
	for field, name := range map[string]string{"good_metric": o.Good, "total_metric": o.Total} {
		if name == "" {
			p.Check(false, field, "is not present")
			continue
		}
		p.Check(IsMetricName(name), field, "is invalid")
	}
	p.Check(o.Good == "" || MetricKey(o.Good) != MetricKey(o.Total), "good_metric", "must be another metric than total_metric")
	p.Check(o.Target > 0 && o.Target < 100, "target", "must be a percentage between 0 and 100")
	p.Check(slices.Contains(objectiveDays, o.Days), "days", "must be 7, 28, 30 or 90")
	return p.Err()
}

// ObjectiveUpdate is a change to an objective. What is left out stays.
type ObjectiveUpdate struct {
	Name        Opt[string]  `json:"name"`
	Description Opt[string]  `json:"description"`
	Good        Opt[string]  `json:"good_metric"`
	Total       Opt[string]  `json:"total_metric"`
	Target      Opt[float64] `json:"target"`
	Days        Opt[int]     `json:"days"`
}

// Apply makes the change to o.
func (u ObjectiveUpdate) Apply(o *Objective) {
	u.Name.To(&o.Name)
	u.Description.To(&o.Description)
	u.Good.To(&o.Good)
	u.Total.To(&o.Total)
	u.Target.To(&o.Target)
	u.Days.To(&o.Days)
}

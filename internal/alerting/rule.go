package alerting

import (
	"math"
	"slices"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// minute is what windows begin and end at.
const minute = 60

// rule is a condition, made ready for evaluating.
type rule struct {
	id        int64
	metric    string // as the condition names it
	kind      string // above, below or absent
	threshold float64
	duration  int64 // seconds; 0 is at once
	function  string
	reset     bool // of derivatives: a drop is a restart, and counts 0
	// suspended is when maintenance keeps the alert from being evaluated, and
	// span for how long a reading is.
	suspended intervals
	span      int64
}

func newRule(c *tidemark.Condition) rule {
	r := rule{id: c.ID, metric: c.MetricName, kind: c.Type, function: c.Function(), reset: c.DetectsReset()}
	if c.Threshold != nil {
		r.threshold = *c.Threshold
	}
	if c.Against != nil && c.Against.IsDistance() {
		r.kind = tidemark.Above // further on the wrong side, whichever that is
	}
	if c.Against != nil && c.Against.Kind == tidemark.AgainstBudget {
		r.function = "sum" // of what was counted
	}
	if c.Duration != nil {
		r.duration = int64(*c.Duration)
	}
	return r
}

// isWindowed reports whether every measurement of a while must violate.
func (r *rule) isWindowed() bool { return r.duration > 0 && r.kind != tidemark.Absent }

// violates compares strictly: a value at the threshold is fine.
func (r *rule) violates(v float64) bool {
	switch r.kind {
	case tidemark.Above:
		return v > r.threshold
	case tidemark.Below:
		return v < r.threshold
	}
	return false
}

// worse reports whether a is further beyond the threshold than b.
func (r *rule) worse(a, b float64) bool {
	switch r.kind {
	case tidemark.Above:
		return a > b
	case tidemark.Below:
		return a < b
	}
	return false
}

// engineFunctions are the functions that make one reading of the
// measurements at one time.
var engineFunctions = map[string]tsdb.Function{
	"average": tsdb.Mean, "min": tsdb.Min, "max": tsdb.Max, "sum": tsdb.Sum, "count": tsdb.Count,
	"last": tsdb.Last, "stddev": tsdb.StdDev, "derivative": tsdb.Last, "absolute_value": tsdb.Mean,
}

// engineFunction is what to ask an engine for, so that read can make a value
// of it.
func (r *rule) engineFunction() tsdb.Function {
	if _, ok := tidemark.Quantile(r.function); ok {
		return tsdb.Percentile
	}
	return engineFunctions[r.function]
}

// quantile is what of the values a percentile is, and 0 for other functions.
func (r *rule) quantile() float64 {
	q, _ := tidemark.Quantile(r.function)
	return q
}

// groupFunction is what makes one reading of those of a group's streams.
func (r *rule) groupFunction() tsdb.GroupFunction {
	switch r.function {
	case "min":
		return tsdb.GroupMin
	case "max":
		return tsdb.GroupMax
	case "sum", "count", "derivative":
		return tsdb.GroupSum
	}
	if r.engineFunction() == tsdb.Percentile {
		return tsdb.GroupMerge // of all values of the group
	}
	return tsdb.GroupMean
}

// filterOf returns what picks the streams that a condition looks at.
func filterOf(c *tidemark.Condition) tsdb.Filter {
	byTags := query.FilterOf(c.Tags, nil)
	// Conditions of the old kind name a source, which is a tag here.
	if c.Source == nil || *c.Source == "" || *c.Source == "*" {
		return byTags
	}
	return tsdb.AllOf(byTags, tsdb.TagIs("source", strings.ToLower(*c.Source)))
}

// groupsOf returns the tags that a condition's streams are grouped by.
func groupsOf(c *tidemark.Condition) []string {
	var names []string
	for i := range c.Tags {
		if name := strings.ToLower(c.Tags[i].Name); c.Tags[i].IsGrouped() && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// absolute is the value of a reading under the function of that name.
func absolute(v float64) float64 { return math.Abs(v) }

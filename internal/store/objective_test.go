package store_test

import (
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// TestObjectives writes, changes and deletes objectives, whose metrics must
// exist, and finds all of it in the audit log.
func TestObjectives(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		must(s.EnsureMetrics(ctx, org, []*tidemark.Metric{{Name: "all", Type: tidemark.Gauge}, {Name: "good", Type: tidemark.Gauge}}))(t)
		v := &tidemark.Objective{Name: "Answers", Good: "good", Total: "all", Target: 99.9, Days: 28}
		ok(t, s.CreateObjective(ctx, org, operator, v))
		checkFields(t, s.CreateObjective(ctx, org, operator, &tidemark.Objective{Name: "answers", Good: "good", Total: "all", Target: 99, Days: 7}), "name", "is already taken")
		checkFields(t, s.CreateObjective(ctx, org, operator, &tidemark.Objective{Name: "x", Good: "nope", Total: "all", Target: 99, Days: 7}), "good_metric", "nope does not exist")
		changed, err := s.UpdateObjective(ctx, org, operator, v.ID, func(o *tidemark.Objective) { o.Target = 99.5 })
		ok(t, err)
		same(t, "target", 99.5, changed.Target)
		checkFields(t, errOf(s.UpdateObjective(ctx, org, operator, v.ID, func(o *tidemark.Objective) { o.Total = "nope" })), "total_metric", "nope does not exist")
		must(s.EnsureMetrics(ctx, org, []*tidemark.Metric{{Name: "both", Type: tidemark.Composite, Composite: `s("all")`}}))(t)
		limit := 300.0
		slow := &tidemark.Objective{
			Name: "Fast", Total: "all", Below: &limit, Target: 99, Days: 7, Tags: []tidemark.TagFilter{{Name: "dc", Values: []string{"eu"}}},
			GroupBy: "Host", Labels: map[string]string{"team": "shop"}, WithoutMaintenance: true,
		}
		ok(t, s.CreateObjective(ctx, org, operator, slow))
		same(t, "of a distribution", slow, must(s.Objective(ctx, org, slow.ID))(t))
		same(t, "group", "host", slow.GroupBy)
		checkFields(t, errOf(s.UpdateObjective(ctx, org, operator, slow.ID, func(o *tidemark.Objective) { o.Total = "both" })), "total_metric", "both is a composite, which has no distribution")
		other, err := s.UpdateObjective(ctx, org, operator, slow.ID, func(o *tidemark.Objective) {
			o.Below, o.Good, o.Tags, o.GroupBy, o.Labels, o.WithoutMaintenance = nil, "good", nil, "", nil, false
		})
		ok(t, err)
		same(t, "of two metrics", other, must(s.Objective(ctx, org, slow.ID))(t))
		ok(t, s.DeleteObjective(ctx, org, operator, slow.ID))
		ok(t, s.DeleteObjective(ctx, org, operator, v.ID))
		var did []string
		for _, e := range must(s.AuditLog(ctx, org, tidemark.AuditQuery{Action: "objective.*"}))(t) {
			did = append(did, e.Action)
		}
		same(t, "audit log", []string{"objective.delete", "objective.delete", "objective.update", "objective.create", "objective.update", "objective.create"}, did)
	})
}

// TestGoodMetricExists: what an error budget counts as good must exist, as
// every other metric of a condition.
func TestGoodMetricExists(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		must(s.EnsureMetrics(ctx, org, []*tidemark.Metric{{Name: "all", Type: tidemark.Gauge}}))(t)
		target := 99.9
		c := above("all", 14)
		c.Against = &tidemark.Against{Kind: tidemark.AgainstBudget, Period: 3600, Good: "nope", Objective: &target}
		checkFields(t, s.CreateAlert(ctx, org, operator, newAlert("burns", c)), "conditions.good_metric", "nope does not exist")
		must(s.EnsureMetrics(ctx, org, []*tidemark.Metric{{Name: "both", Type: tidemark.Composite, Composite: `s("all")`}}))(t)
		c.MetricName, c.Against = "both", &tidemark.Against{Kind: tidemark.AgainstBudget, Period: 3600, Below: &target, Objective: &target}
		checkFields(t, s.CreateAlert(ctx, org, operator, newAlert("burns", c)), "conditions.metric_name", "both is a composite, which has no distribution")
	})
}

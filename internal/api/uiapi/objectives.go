package uiapi

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/query"
)

const (
	// shownDays is how many days an objective is shown by day.
	shownDays = 90
	// keptWindows is of how many windows before now a preview says whether the
	// objective would have been met.
	keptWindows = 6
	hour        = 3600
	fiveMinutes = 300
)

// objectiveList is the objectives of an organization and how they do.
type objectiveList struct {
	Objectives []objectiveSummary `json:"objectives"`
}

// objectiveSummary is an objective in a list.
type objectiveSummary struct {
	*tidemark.Objective
	State    string   `json:"state" wire:"met|at risk|missed|no data"`
	Achieved *float64 `json:"achieved"` // percent
	Left     *float64 `json:"left"`     // percent of the error budget
}

// objectiveDetail is an objective, how it does, and the alerts that watch how
// fast its budget burns.
type objectiveDetail struct {
	Objective tidemark.Objective       `json:"objective"`
	Status    tidemark.ObjectiveStatus `json:"status"`
	Alerts    []coveredAlert           `json:"alerts"`
}

// objectivePreview is how an objective would do, and in how many of the last
// windows it would have been met.
type objectivePreview struct {
	Status tidemark.ObjectiveStatus `json:"status"`
	Met    int                      `json:"met"`
	Of     int                      `json:"of"`
}

// objectives answers GET /ui/api/objectives.
func (s *API) objectives(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	all, err := rest.Every(r.Context(), who.Org, s.Store.Objectives)
	if err != nil {
		return rest.Reply{}, err
	}
	list := objectiveList{Objectives: []objectiveSummary{}}
	for _, o := range all {
		status, err := s.statusOf(r.Context(), who.Org, o, o.Days, time.UTC)
		if err != nil {
			return rest.Reply{}, err
		}
		list.Objectives = append(list.Objectives, objectiveSummary{o, status.State, status.Achieved, status.Left})
	}
	return rest.OK(list), nil
}

// objective answers GET /ui/api/objectives/{id}.
func (s *API) objective(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := rest.ByID(r)
	if err != nil {
		return rest.Reply{}, err
	}
	zone, err := zoneOf(r)
	if err != nil {
		return rest.Reply{}, err
	}
	o, err := s.Store.Objective(r.Context(), who.Org, id)
	if err != nil {
		return rest.Reply{}, err
	}
	status, err := s.statusOf(r.Context(), who.Org, o, shownDays, zone)
	if err != nil {
		return rest.Reply{}, err
	}
	alerts, err := rest.Every(r.Context(), who.Org, s.Store.Alerts)
	return rest.OK(objectiveDetail{*o, *status, burnAlerts(o, alerts)}), err
}

// zoneOf returns the time zone that days are those of.
func zoneOf(r *http.Request) (*time.Location, error) {
	name := r.URL.Query().Get("zone")
	zone, err := time.LoadLocation(name)
	if err != nil || name == "Local" {
		return nil, tidemark.InvalidField("zone", "must be the name of a time zone, such as Europe/Berlin")
	}
	return zone, nil
}

// burnAlerts returns the alerts that watch how fast the budget of o burns.
func burnAlerts(o *tidemark.Objective, alerts []*tidemark.Alert) []coveredAlert {
	found := []coveredAlert{}
	for _, a := range alerts {
		if slices.ContainsFunc(a.Conditions, func(c tidemark.Condition) bool {
			g := c.Against
			return g != nil && g.Kind == tidemark.AgainstBudget && tidemark.MetricKey(c.MetricName) == tidemark.MetricKey(o.Total) &&
				tidemark.MetricKey(g.Good) == tidemark.MetricKey(o.Good)
		}) {
			found = append(found, coveredAlert{a.ID, a.Name})
		}
	}
	return found
}

// previewObjective answers POST /ui/api/objectives/preview.
func (s *API) previewObjective(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	var u tidemark.ObjectiveUpdate
	if err := rest.ReadInto(r, &u); err != nil {
		return rest.Reply{}, err
	}
	o := tidemark.NewObjective()
	u.Apply(o)
	o.Name = "preview"
	if err := o.Validate(); err != nil {
		return rest.Reply{}, err
	}
	status, err := s.statusOf(r.Context(), who.Org, o, shownDays, time.UTC)
	if err != nil {
		return rest.Reply{}, err
	}
	now := s.Now().Unix()
	days, err := s.tallies(r.Context(), who.Org, o, now-keptWindows*int64(o.Days)*shared.DaySeconds, now, shared.DaySeconds)
	if err != nil {
		return rest.Reply{}, err
	}
	v := objectivePreview{Status: *status}
	v.Met, v.Of = o.Kept(days, now, keptWindows)
	return rest.OK(v), nil
}

// statusOf returns how an objective does now.
func (s *API) statusOf(ctx context.Context, org tidemark.OrgID, o *tidemark.Objective, days int, zone *time.Location) (*tidemark.ObjectiveStatus, error) {
	now := s.Now().Unix()
	hours, err := s.tallies(ctx, org, o, now-int64(max(days, o.Days)+1)*shared.DaySeconds, now, hour)
	if err != nil {
		return nil, err
	}
	longest := tidemark.BurnWindows[len(tidemark.BurnWindows)-1].Long
	recent, err := s.tallies(ctx, org, o, now-longest, now, fiveMinutes)
	if err != nil {
		return nil, err
	}
	return o.StatusOf(hours, recent, now, zone, days), nil
}

// tallies counts what was good and all there was, in steps of [start, end).
// What is not there was not counted: the metric of an objective may be gone.
func (s *API) tallies(ctx context.Context, org tidemark.OrgID, o *tidemark.Objective, start, end, step int64) (tidemark.Tallies, error) {
	start -= start % step
	good, err := s.sums(ctx, org, o.Good, start, end, step)
	if err != nil {
		return nil, err
	}
	total, err := s.sums(ctx, org, o.Total, start, end, step)
	if err != nil {
		return nil, err
	}
	var all tidemark.Tallies
	for at := start; at < end; at += step {
		if n, there := total[at]; there {
			all = append(all, tidemark.Tally{At: at, Good: good[at], Total: n})
		}
	}
	return all, nil
}

// sums are the sums of all streams of a metric, by step.
func (s *API) sums(ctx context.Context, org tidemark.OrgID, metric string, start, end, step int64) (map[int64]float64, error) {
	series, err := s.Querier.Select(ctx, org, query.Request{
		Metric: metric, Start: start, End: end - 1, Resolution: step, GroupBy: []string{"*"}, GroupFunction: "sum", Summary: "sum",
	})
	if err != nil && tidemark.KindOf(err) == tidemark.NotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	found := make(map[int64]float64)
	for one, err := range series {
		if err != nil {
			return nil, err
		}
		for i, at := range one.Times {
			found[at] += one.Values[i]
		}
	}
	return found, nil
}

package objectives

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
)

const (
	// shownDays is how many days an objective is shown by day.
	shownDays = 90
	// keptWindows is of how many windows before now a preview says whether the
	// objective would have been met.
	keptWindows = 6
	hour        = shared.HourSeconds
	fiveMinutes = 300
	minute      = 60
	// maxListedValues is how many values of a tag are listed, those with the least
	// budget left first.
	maxListedValues = 100
)

// objectiveList is the objectives of an organization and how they do.
type objectiveList struct {
	Objectives []objectiveSummary `json:"objectives"`
}

// objectiveSummary is an objective in a list. Of one that groups by a tag it
// says how the value does that has the least budget left.
type objectiveSummary struct {
	*tidemark.Objective
	State    string   `json:"state" wire:"met|at risk|missed|no data"`
	Achieved *float64 `json:"achieved"` // percent
	Left     *float64 `json:"left"`     // percent of the error budget
	Value    string   `json:"value"`
}

// objectiveDetail is an objective, how it does, and the alerts that watch how
// fast its budget burns.
type objectiveDetail struct {
	Objective tidemark.Objective       `json:"objective"`
	Status    tidemark.ObjectiveStatus `json:"status"`
	// State is the worst of all values of the tag that it groups by.
	State  string           `json:"state" wire:"met|at risk|missed|no data"`
	Values []objectiveValue `json:"values"`
	Of     int              `json:"of"` // how many values there are
	// LeftOut is how many seconds of maintenance are left out of the window.
	LeftOut int64       `json:"left_out"`
	Alerts  []burnAlert `json:"alerts"`
}

// objectiveValue is how an objective does for one value of its tag.
type objectiveValue struct {
	Value    string   `json:"value"`
	State    string   `json:"state" wire:"met|at risk|missed|no data"`
	Total    float64  `json:"total"`
	Bad      float64  `json:"bad"`
	Achieved *float64 `json:"achieved"` // percent
	Left     *float64 `json:"left"`     // percent of its error budget
}

// burnAlert is an alert on how fast a budget burns: over which longer window,
// and whom it notifies.
type burnAlert struct {
	ID       int64    `json:"id"`
	Name     string   `json:"name"`
	Period   int64    `json:"period"`
	Services []string `json:"services"`
}

// objectivePreview is how an objective would do, and in how many of the last
// windows it would have been met.
type objectivePreview struct {
	Status tidemark.ObjectiveStatus `json:"status"`
	Met    int                      `json:"met"`
	Of     int                      `json:"of"`
	Values int                      `json:"values"`
}

// objectives answers GET /ui/api/objectives.
func (s *API) objectives(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	all, err := rest.Every(r.Context(), who.Org, s.Store.Objectives)
	if err != nil {
		return rest.Reply{}, err
	}
	reader, err := s.newTallyReader(r.Context(), who.Org, shownDays, all...)
	if err != nil {
		return rest.Reply{}, err
	}
	list := objectiveList{Objectives: []objectiveSummary{}}
	for _, o := range all {
		found, err := reader.histories(r.Context(), o, o.Days)
		if err != nil {
			return rest.Reply{}, err
		}
		worst := objectiveValue{State: tidemark.ObjectiveNoData}
		if values := reader.values(o, found); len(values) > 0 {
			worst = values[0]
		}
		list.Objectives = append(list.Objectives, objectiveSummary{o, worst.State, worst.Achieved, worst.Left, worst.Value})
	}
	return rest.OK(list), nil
}

// values says how o does for each value of its tag, the worst first.
func (r *tallyReader) values(o *tidemark.Objective, found []*history) []objectiveValue {
	all := make([]objectiveValue, 0, len(found))
	for _, h := range found {
		s := o.StatusOf(h.hours, h.recent, r.now, time.UTC, 0)
		all = append(all, objectiveValue{h.value, s.State, s.Total, s.Bad, s.Achieved, s.Left})
	}
	slices.SortStableFunc(all, func(a, b objectiveValue) int {
		switch {
		case a.State != b.State && tidemark.Worse(a.State, b.State):
			return -1
		case a.State != b.State:
			return 1
		case a.Left == nil || b.Left == nil:
			return 0
		}
		return cmp.Compare(*a.Left, *b.Left)
	})
	return all
}

// objective answers GET /ui/api/objectives/{id}.
func (s *API) objective(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	view, err := s.objectiveView(r, who)
	if err != nil {
		return rest.Reply{}, err
	}
	o := view.objective
	values := view.reader.values(o, view.all)
	d := objectiveDetail{Objective: *o, Values: []objectiveValue{}, State: tidemark.ObjectiveNoData, LeftOut: view.leftOut()}
	d.Objective.Days = view.saved
	h := view.shown()
	d.Status = *o.StatusOf(h.hours, h.recent, view.reader.now, view.zone, shownDays)
	if len(values) > 0 {
		d.State = values[0].State
	}
	if o.GroupBy != "" {
		d.Values, d.Of = values[:min(len(values), maxListedValues)], len(values)
	}
	d.Alerts, err = s.burnAlerts(r.Context(), who.Org, o)
	return rest.OK(d), err
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
func (s *API) burnAlerts(ctx context.Context, org tidemark.OrgID, o *tidemark.Objective) ([]burnAlert, error) {
	alerts, err := rest.Every(ctx, org, s.Store.Alerts)
	if err != nil {
		return nil, err
	}
	found := []burnAlert{}
	for _, a := range alerts {
		i := slices.IndexFunc(a.Conditions, func(c tidemark.Condition) bool { return watchesBudget(&c, o) })
		if i < 0 {
			continue
		}
		b := burnAlert{ID: a.ID, Name: a.Name, Period: int64(a.Conditions[i].Against.Period), Services: []string{}}
		for _, v := range a.Services {
			b.Services = append(b.Services, titleOf(v))
		}
		found = append(found, b)
	}
	slices.SortStableFunc(found, func(a, b burnAlert) int { return cmp.Compare(a.Period, b.Period) })
	return found, nil
}

// watchesBudget reports whether a condition is about the budget of o.
func watchesBudget(c *tidemark.Condition, o *tidemark.Objective) bool {
	g := c.Against
	if g == nil || g.Kind != tidemark.AgainstBudget || tidemark.MetricKey(c.MetricName) != tidemark.MetricKey(o.Total) {
		return false
	}
	if o.Below != nil {
		return g.Below != nil && *g.Below == *o.Below
	}
	return tidemark.MetricKey(g.Good) == tidemark.MetricKey(o.Good)
}

func titleOf(s *tidemark.Service) string {
	return cmp.Or(s.Title, s.Type)
}

// previewObjective answers POST /ui/api/objectives/preview.
func (s *API) previewObjective(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	var u tidemark.ObjectiveUpdate
	if err := rest.ReadInto(r, &u); err != nil {
		return rest.Reply{}, err
	}
	o := tidemark.NewObjective()
	u.Apply(o)
	o.Normalize()
	o.Name = "preview"
	if err := o.Validate(); err != nil {
		return rest.Reply{}, err
	}
	days := max(shownDays, keptWindows*o.Days)
	reader, err := s.newTallyReader(r.Context(), who.Org, days, o)
	if err != nil {
		return rest.Reply{}, err
	}
	found, err := reader.histories(r.Context(), o, days)
	if err != nil {
		return rest.Reply{}, err
	}
	h := together(found)
	v := objectivePreview{Status: *o.StatusOf(h.hours, h.recent, reader.now, time.UTC, shownDays)}
	v.Met, v.Of = o.Kept(h.hours, reader.now, keptWindows)
	if o.GroupBy != "" {
		v.Values = len(found)
	}
	return rest.OK(v), nil
}

// together is what was counted of all values of a tag.
func together(all []*history) *history {
	if len(all) == 1 {
		return all[0]
	}
	var hours, recent []tidemark.Tallies
	for _, h := range all {
		hours, recent = append(hours, h.hours), append(recent, h.recent)
	}
	return &history{hours: tidemark.Together(hours), recent: tidemark.Together(recent)}
}

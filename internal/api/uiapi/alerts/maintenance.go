package alerts

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
)

const (
	// maxSpan is how much of a calendar is asked for at once, in seconds.
	maxSpan = 62 * shared.DaySeconds
	// nextWindows is how many of the next times a preview names.
	nextWindows = 3
)

// maintenanceList is the maintenance windows of an organization.
type maintenanceList struct {
	Windows []windowView `json:"windows"`
}

// windowView is a maintenance window in a calendar.
type windowView struct {
	*tidemark.Maintenance
	Occurrences []tidemark.Occurrence `json:"occurrences"` // in the time that was asked for
	Covered     int                   `json:"covered"`     // alerts that it has to do with
	On          bool                  `json:"on"`          // now
	Until       int64                 `json:"until"`       // if it is on
}

// maintenancePreview is what a window would do.
type maintenancePreview struct {
	Alerts []coveredAlert        `json:"alerts"` // that it has to do with
	Total  int                   `json:"total"`  // of alerts there are
	Next   []tidemark.Occurrence `json:"next"`
	Shifts []tidemark.Occurrence `json:"shifts"` // those of the next year in which clocks are changed
}

// coveredAlert is an alert that a maintenance window covers.
type coveredAlert struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

// maintenance answers GET /ui/api/maintenance: the windows that are on at some
// time from start to end, and those to come.
func (s *API) maintenance(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	var p tidemark.Problems
	now := s.Now().Unix()
	start := rest.QueryInt(&p, r, "start", now)
	end := rest.QueryInt(&p, r, "end", start+7*shared.DaySeconds)
	p.Check(start >= 0 && end > start && end < rest.MaxSeconds, "end", "must be after start")
	p.Check(end-start <= maxSpan, "end", "is more than %d days after start", maxSpan/shared.DaySeconds)
	if err := p.Err(); err != nil {
		return rest.Reply{}, err
	}
	windows, err := s.Store.WindowsIn(r.Context(), who.Org, min(start, now))
	if err != nil {
		return rest.Reply{}, err
	}
	alerts, err := rest.Every(r.Context(), who.Org, s.Store.Alerts)
	if err != nil {
		return rest.Reply{}, err
	}
	list := maintenanceList{Windows: []windowView{}}
	for _, m := range windows {
		v := windowView{Maintenance: m, Occurrences: append([]tidemark.Occurrence{}, m.Between(start, end)...), Covered: len(coveredBy(m, alerts))}
		if o, on := m.Now(now); on {
			v.On, v.Until = true, o.End
		}
		list.Windows = append(list.Windows, v)
	}
	return rest.OK(list), nil
}

// previewMaintenance answers POST /ui/api/maintenance/preview.
func (s *API) previewMaintenance(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	var u tidemark.MaintenanceUpdate
	if err := rest.ReadInto(r, &u); err != nil {
		return rest.Reply{}, err
	}
	m := tidemark.NewMaintenance()
	u.Apply(m)
	m.Name = "preview"
	if err := m.Validate(); err != nil {
		return rest.Reply{}, err
	}
	v, err := s.previewOf(r.Context(), who.Org, m)
	return rest.OK(v), err
}

// splitBody is a change to one time of a window that repeats, or to that one
// and all after it.
type splitBody struct {
	Start  int64                      `json:"start"` // when that time begins
	Later  bool                       `json:"later"`
	Window tidemark.MaintenanceUpdate `json:"window"` // the window in its place
}

// splitMaintenance answers POST /ui/api/maintenance/:id/split.
func (s *API) splitMaintenance(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := rest.ByID(r)
	if err != nil {
		return rest.Reply{}, err
	}
	var body splitBody
	if err := rest.ReadInto(r, &body); err != nil {
		return rest.Reply{}, err
	}
	m := tidemark.NewMaintenance()
	body.Window.Apply(m)
	if err := s.Store.SplitMaintenance(r.Context(), who.Org, who.Actor(), id, tidemark.Split{Start: body.Start, Later: body.Later}, m); err != nil {
		return rest.Reply{}, err
	}
	return rest.Created(m, "/v1/maintenance/"+m.ResourceID()), nil
}

func (s *API) previewOf(ctx context.Context, org tidemark.OrgID, m *tidemark.Maintenance) (*maintenancePreview, error) {
	alerts, err := rest.Every(ctx, org, s.Store.Alerts)
	if err != nil {
		return nil, err
	}
	now := s.Now().Unix()
	v := &maintenancePreview{Alerts: coveredBy(m, alerts), Total: len(alerts), Next: []tidemark.Occurrence{}, Shifts: []tidemark.Occurrence{}}
	for _, o := range m.Between(max(now, m.StartsAt), max(now, m.StartsAt)+366*shared.DaySeconds) {
		if len(v.Next) < nextWindows {
			v.Next = append(v.Next, o)
		}
		if o.Shift != 0 {
			v.Shifts = append(v.Shifts, o)
		}
	}
	return v, nil
}

// coveredBy returns the alerts that a window has to do with, by name.
func coveredBy(m *tidemark.Maintenance, alerts []*tidemark.Alert) []coveredAlert {
	found := []coveredAlert{}
	for _, a := range alerts {
		if m.Covers.Concerns(a) {
			found = append(found, coveredAlert{a.ID, a.Name})
		}
	}
	slices.SortFunc(found, func(a, b coveredAlert) int { return cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
	return found
}

package objectives

import (
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
)

// objectiveView is an objective as somebody looks at it: maybe over another
// window than its own, maybe one value of its tag.
type objectiveView struct {
	objective *tidemark.Objective // with the days of the view
	saved     int                 // its own days
	zone      *time.Location
	value     *string // nil for all values together
	reader    *tallyReader
	all       []*history
}

// objectiveView reads what a request asks for.
func (s *API) objectiveView(r *http.Request, who tidemark.Identity) (*objectiveView, error) {
	id, err := rest.ByID(r)
	if err != nil {
		return nil, err
	}
	v := new(objectiveView)
	if v.zone, err = zoneOf(r); err != nil {
		return nil, err
	}
	if v.objective, err = s.Store.Objective(r.Context(), who.Org, id); err != nil {
		return nil, err
	}
	v.saved = v.objective.Days
	if err := v.ask(r); err != nil {
		return nil, err
	}
	days := max(shownDays, v.objective.Days)
	if v.reader, err = s.newTallyReader(r.Context(), who.Org, days, v.objective); err != nil {
		return nil, err
	}
	v.all, err = v.reader.histories(r.Context(), v.objective, days)
	return v, err
}

// ask takes the window and the value that the request asks for.
func (v *objectiveView) ask(r *http.Request) error {
	q := r.URL.Query()
	if text := q.Get("days"); text != "" {
		days, err := strconv.Atoi(text)
		if err != nil || !slices.Contains(tidemark.ObjectiveDays(), days) {
			return tidemark.InvalidField("days", "must be 7, 28, 30 or 90")
		}
		v.objective.Days = days
	}
	if value := q.Get("value"); value != "" {
		if v.objective.GroupBy == "" {
			return tidemark.InvalidField("value", "goes with objectives that group by a tag only")
		}
		v.value = &value
	}
	return nil
}

// shown is what was counted of the value that is asked for.
func (v *objectiveView) shown() *history {
	if v.value == nil {
		return together(v.all)
	}
	i := slices.IndexFunc(v.all, func(h *history) bool { return h.value == *v.value })
	if i < 0 {
		return &history{value: *v.value}
	}
	return v.all[i]
}

// begin is when the window began.
func (v *objectiveView) begin() int64 {
	return v.reader.now - int64(v.objective.Days)*shared.DaySeconds
}

// leftOut is how many seconds of the window are left out as maintenance, of
// the value that is shown.
func (v *objectiveView) leftOut() int64 {
	tags := tidemark.FixedTags(v.objective.Tags)
	if v.value != nil {
		tags = tags.With(v.reader.tagOf(v.objective, *v.value))
	}
	n := int64(0)
	for _, i := range tidemark.LeftOut(v.reader.windowsOf(v.objective), tags, v.begin(), v.reader.now) {
		n += max(0, min(i[1], v.reader.now)-max(i[0], v.begin()))
	}
	return n
}

package objectives

import (
	"cmp"
	"context"
	"net/http"
	"slices"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

const (
	// maxSpendings is how many times are listed that spent the budget, and
	// maxSpenders how many streams or values.
	maxSpendings = 8
	maxSpenders  = 10
	// maxNarrow is how long a time may be that is looked at minute by minute.
	maxNarrow = 2 * shared.DaySeconds
	// maxNamed is how many incidents and annotations are named with a time.
	maxNamed = 5
)

// budgetSpent is what spent the budget of an objective: which times, and which
// values of its tag or which streams. These are left out where there are too
// many to look at, or where what is good is not counted by the same streams.
type budgetSpent struct {
	Times    []spentTime `json:"times"`
	By       string      `json:"by"` // a tag, or ""
	Spenders []spender   `json:"spenders"`
}

// spentTime is a time in which the budget was spent, and what happened then.
type spentTime struct {
	tidemark.Spending
	Incidents   []spentIncident   `json:"incidents"`
	Annotations []spentAnnotation `json:"annotations"`
}

type spentIncident struct {
	ID    int64  `json:"id"`
	Alert int64  `json:"alert_id"`
	Name  string `json:"name"`
}

type spentAnnotation struct {
	ID     int64  `json:"id"`
	Stream string `json:"stream"`
	Title  string `json:"title"`
	At     int64  `json:"at"`
}

// spender is a stream, or a value of the tag that an objective groups by. Spent
// is how many percent of the whole budget it spent.
type spender struct {
	Name  string  `json:"name"`
	Total float64 `json:"total"`
	Bad   float64 `json:"bad"`
	Spent float64 `json:"spent"`
}

// objectiveSpent answers GET /ui/api/objectives/{id}/spent.
func (s *API) objectiveSpent(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	v, err := s.objectiveView(r, who)
	if err != nil {
		return rest.Reply{}, err
	}
	h := v.shown()
	found := budgetSpent{Times: []spentTime{}, Spenders: []spender{}}
	times, err := v.times(r.Context(), h)
	if err != nil {
		return rest.Reply{}, err
	}
	for _, one := range times {
		found.Times = append(found.Times, spentTime{one, []spentIncident{}, []spentAnnotation{}})
	}
	if err := s.nameTimes(r.Context(), who.Org, found.Times); err != nil {
		return rest.Reply{}, err
	}
	if found.By, found.Spenders, err = v.spenders(r.Context(), h); err != nil {
		return rest.Reply{}, err
	}
	return rest.OK(found), nil
}

// times finds the times that spent most, to the minute.
func (v *objectiveView) times(ctx context.Context, h *history) ([]tidemark.Spending, error) {
	var times []tidemark.Spending
	for _, one := range v.objective.Spendings(h.hours, v.begin(), v.reader.now, hour, maxSpendings+maxSpendings/2) {
		narrowed, spends, err := v.narrow(ctx, one)
		if err != nil {
			return nil, err
		}
		if spends {
			times = append(times, narrowed)
		}
	}
	return tidemark.MostSpent(times, maxSpendings), nil
}

// narrow looks at a time minute by minute, as far as minutes are kept of it. It
// reports whether it spent more than its share.
func (v *objectiveView) narrow(ctx context.Context, s tidemark.Spending) (tidemark.Spending, bool, error) {
	tiers := v.reader.api.Engine.Tiers()
	if s.End-s.Start > maxNarrow || len(tiers) > 1 && s.Start < v.reader.now-tiers[1].Retention {
		s, spends := v.objective.Narrow(s, nil, hour)
		return s, spends, nil
	}
	fine, err := v.reader.tallies(ctx, v.objective, s.Start, s.End, minute)
	if err != nil {
		return s, false, err
	}
	var of []tidemark.Tallies
	for value, t := range fine {
		if v.value == nil || value == *v.value {
			of = append(of, t)
		}
	}
	s, spends := v.objective.Narrow(s, tidemark.Together(of), minute)
	return s, spends, nil
}

// nameTimes finds the incidents and annotations of each time, or of shortly
// before it.
func (s *API) nameTimes(ctx context.Context, org tidemark.OrgID, times []spentTime) error {
	if len(times) == 0 {
		return nil
	}
	first := slices.MinFunc(times, func(a, b spentTime) int { return cmp.Compare(a.Start, b.Start) }).Start - shared.CausedWithin
	incidents, err := s.Store.IncidentsSince(ctx, org, first)
	if err != nil {
		return err
	}
	alerts, err := rest.Every(ctx, org, s.Store.Alerts)
	if err != nil {
		return err
	}
	names := make(map[int64]string)
	for _, a := range alerts {
		names[a.ID] = a.Name
	}
	for i := range times {
		t := &times[i]
		for _, in := range incidents {
			open := in.ClearedAt == nil || *in.ClearedAt > t.Start
			if name, ok := names[in.Alert]; ok && open && in.TriggeredAt < t.End && in.TriggeredAt >= t.Start-shared.CausedWithin && len(t.Incidents) < maxNamed {
				t.Incidents = append(t.Incidents, spentIncident{in.ID, in.Alert, name})
			}
		}
		events, err := s.Store.EventsBetween(ctx, org, t.Start-shared.CausedWithin, t.End, maxNamed)
		if err != nil {
			return err
		}
		for _, e := range events {
			t.Annotations = append(t.Annotations, spentAnnotation{e.ID, e.Stream, e.Title, e.StartTime})
		}
	}
	return nil
}

// spenders returns the values of the tag, or the streams, that spent most.
func (v *objectiveView) spenders(ctx context.Context, h *history) (by string, all []spender, err error) {
	total, _ := h.hours.Between(v.begin(), v.reader.now)
	budget := (1 - v.objective.Target/100) * total
	if budget <= 0 {
		return "", []spender{}, nil
	}
	if v.objective.GroupBy != "" && v.value == nil {
		by = v.objective.GroupBy
		for _, one := range v.all {
			total, bad := one.hours.Between(v.begin(), v.reader.now)
			all = append(all, spender{Name: one.value, Total: total, Bad: bad})
		}
	} else if all, err = v.streams(ctx); err != nil {
		return "", nil, err
	}
	all = slices.DeleteFunc(all, func(s spender) bool { return s.Bad <= 0 })
	slices.SortStableFunc(all, func(a, b spender) int {
		return cmp.Or(cmp.Compare(b.Bad, a.Bad), cmp.Compare(a.Name, b.Name))
	})
	all = append([]spender{}, all[:min(len(all), maxSpenders)]...)
	for i := range all {
		all[i].Spent = 100 * all[i].Bad / budget
	}
	return by, all, nil
}

// streams counts each stream of what is shown, hour by hour. There are none
// where what is good is counted by other streams than all there is.
func (v *objectiveView) streams(ctx context.Context) ([]spender, error) {
	o := v.objective
	total, err := v.ofStreams(ctx, o.Total)
	if err != nil {
		return nil, err
	}
	good := total
	if o.Below == nil {
		if good, err = v.ofStreams(ctx, o.Good); err != nil {
			return nil, err
		}
		for name := range good {
			if total[name] == nil {
				return nil, nil
			}
		}
	}
	var all []spender
	for name, counted := range total {
		s := spender{Name: name, Total: counted.all}
		n := counted.upTo
		if o.Below == nil {
			n = 0
			if good[name] != nil {
				n = good[name].all
			}
		}
		s.Bad = max(0, counted.all-n)
		all = append(all, s)
	}
	return all, nil
}

// streamCount is what was counted of one stream.
type streamCount struct{ all, upTo float64 }

// ofStreams counts a metric by stream over the window.
func (v *objectiveView) ofStreams(ctx context.Context, metric string) (map[string]*streamCount, error) {
	o, r := v.objective, v.reader
	step := r.stepOf(o, v.begin(), r.now, hour)
	filter := query.FilterOf(o.Tags, nil)
	if v.value != nil {
		filter = tsdb.AllOf(filter, tsdb.TagIs(o.GroupBy, *v.value))
	}
	series, err := r.api.Querier.Select(ctx, r.org, query.Request{
		Metric: metric, Start: v.begin() / hour * hour, End: r.now - 1, Resolution: step, Filter: filter, Summary: "sum", Distributions: o.Below != nil,
	})
	if kind := tidemark.KindOf(err); err != nil && (kind == tidemark.NotFound || kind == tidemark.TooLarge) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	found := make(map[string]*streamCount)
	windows := r.windowsOf(o)
	for one, err := range series {
		if err != nil && tidemark.KindOf(err) == tidemark.TooLarge {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		found[tidemark.StreamName(one.Tags)] = countStream(one, o.Below, tidemark.LeftOut(windows, one.Tags, v.begin(), r.now), step)
	}
	return found, nil
}

func countStream(s *tsdb.Series, limit *float64, out []tidemark.Interval, step int64) *streamCount {
	all, upTo := s.Clone(), &tsdb.Series{}
	if limit != nil {
		all, upTo = s.CountUpTo(*limit)
	}
	c := new(streamCount)
	for i, at := range all.Times {
		if tidemark.IsLeftOut(out, at, at+step) {
			continue
		}
		c.all += all.Values[i]
		if limit != nil {
			c.upTo += upTo.Values[i]
		}
	}
	return c
}

package query_test

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
)

const (
	changesOrg   = tidemark.OrgID(1)
	changesStart = int64(1_700_000_400) // a multiple of 600
	changesEnd   = changesStart + 1800
	changesWeek  = int64(7 * 86400)
)

// world is streams, as a test writes them and as a plain model reads them.
type world map[string]map[int64]float64

// fill gives a stream a value for each minute of [from, to).
func (w world) fill(stream string, from, to int64, at func(t int64) float64) {
	if w[stream] == nil {
		w[stream] = map[int64]float64{}
	}
	for t := from; t < to; t += 60 {
		w[stream][t] = at(t)
	}
}

// querier answers from an engine with the streams of w. A stream is called
// metric/host.
func (w world) querier(t *testing.T, l query.Limits) *query.Querier {
	t.Helper()
	engine := memory.New()
	b := &tsdb.Batch{}
	for name, values := range w {
		var metric, host string
		if _, err := fmt.Sscanf(name, "%s %s", &metric, &host); err != nil {
			t.Fatal(err)
		}
		for at, v := range values {
			b.Add(metric, tidemark.Tags{{Name: "host", Value: host}}, at, v)
		}
	}
	if err := engine.Write(t.Context(), changesOrg, b); err != nil {
		t.Fatal(err)
	}
	return query.New(query.Options{Engine: engine, Limits: l})
}

func asked(change ...func(*query.ChangeRequest)) query.ChangeRequest {
	r := query.ChangeRequest{
		Start: changesStart, End: changesEnd, Against: query.AgainstBefore, Resolution: 60, Now: changesEnd, Most: 100, Time: time.Minute,
	}
	for _, c := range change {
		c(&r)
	}
	return r
}

func flat(v float64) func(int64) float64 { return func(int64) float64 { return v } }

// jump is before, and from the start of the range on after.
func jump(before, after float64) func(int64) float64 {
	return func(t int64) float64 {
		if t >= changesStart {
			return after
		}
		return before
	}
}

func namesOf(c *query.Changes) (names []string) {
	for _, one := range c.Changes {
		host, _ := one.Tags.Get("host")
		names = append(names, one.Metric+" "+host)
	}
	return names
}

// TestChanges: what jumps comes first, what appears or stops is found, what is
// always like this is not, nor what happens every week.
func TestChanges(t *testing.T) {
	w := world{}
	from := changesStart - 3600
	w.fill("errors a", from, changesEnd, jump(1, 40))
	w.fill("orders a", from, changesEnd, jump(100, 55))
	w.fill("steady a", from, changesEnd, flat(7))
	w.fill("appears a", changesStart+60, changesEnd, flat(3))
	w.fill("stops a", from, changesStart, flat(3))
	w.fill("stopped_before a", from, changesStart-2400, flat(3))
	w.fill("backup a", from, changesEnd, jump(1, 40))
	w.fill("backup a", changesStart-changesWeek, changesEnd-changesWeek, flat(40))
	w.fill("late a", from, changesEnd, func(t int64) float64 { return jump(1, 40)(t - 600) })
	w.fill("counter a", from, changesEnd, func(t int64) float64 {
		return float64(t-from) + 9*float64(max(0, t-changesStart))
	})
	w.fill("even_counter a", from, changesEnd, func(t int64) float64 { return float64(t - from) })
	w.fill("sparse a", changesEnd-120, changesEnd, flat(1))
	found, err := w.querier(t, query.Limits{}).Changes(t.Context(), changesOrg, asked())
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"stops a", "appears a", "errors a", "counter a", "orders a", "late a"}
	if got := namesOf(found); !slices.Equal(got, want) {
		t.Errorf("found %v, want %v", got, want)
	}
	if found.Streams != 11 || found.Metrics != 11 || found.Found != len(want) || found.Sparse != 1 || found.Cut != "" || found.Step != 60 {
		t.Errorf("found %+v", found)
	}
	for _, c := range found.Changes {
		switch {
		case c.Metric == "errors" && (c.Before != 1 || c.During != 40 || c.Begins != 0 || c.Rate),
			c.Metric == "late" && c.Begins != 600,
			c.Metric == "appears" && (!math.IsNaN(c.Before) || c.Begins != 60),
			c.Metric == "stops" && (!math.IsNaN(c.During) || c.Begins != 0),
			c.Metric == "counter" && (!c.Rate || c.Before != 1 || c.During != 10):
			t.Errorf("%+v", c)
		}
	}
}

// TestChangesAgainst: compared with a week before, that week alone counts.
func TestChangesAgainst(t *testing.T) {
	for against, by := range map[string]int64{query.AgainstWeek: changesWeek, query.AgainstDay: 86400} {
		w := world{}
		w.fill("same a", changesStart-by, changesEnd-by, flat(40))
		w.fill("same a", changesStart-3600, changesEnd, jump(1, 40))
		w.fill("other a", changesStart-by, changesEnd-by, flat(10))
		w.fill("other a", changesStart-3600, changesEnd, flat(40))
		found, err := w.querier(t, query.Limits{}).Changes(t.Context(), changesOrg, asked(func(r *query.ChangeRequest) { r.Against = against }))
		if err != nil {
			t.Fatal(err)
		}
		if got := namesOf(found); !slices.Equal(got, []string{"other a"}) || found.Changes[0].Before != 10 {
			t.Errorf("%s: found %v", against, found)
		}
	}
}

// TestChangesModel: the ranking of random streams is that of docs/reading.md,
// done plainly.
func TestChangesModel(t *testing.T) {
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 1))
		w := world{}
		for i := range 40 {
			base, noise, by := random.Float64()*100, random.Float64()*10, random.Float64()*100-50
			at := changesStart + random.Int64N(40)*60 - 1200
			name := fmt.Sprintf("m%d h%d", i%5, i)
			w.fill(name, changesStart-3600, changesEnd, func(t int64) float64 {
				v := base + noise*random.NormFloat64()
				if t >= at {
					v += by
				}
				return v
			})
			if i%3 == 0 {
				w.fill(name, changesStart-changesWeek, changesEnd-changesWeek, func(int64) float64 { return base + by/2 + noise*random.NormFloat64() })
			}
		}
		found, err := w.querier(t, query.Limits{}).Changes(t.Context(), changesOrg, asked())
		if err != nil {
			t.Fatal(err)
		}
		if got, want := namesOf(found), w.modelled(); !slices.Equal(got, want) {
			t.Errorf("seed %d: found %v, want %v", seed, got, want)
		}
	}
}

// modelled is the ranking of w by its definition.
func (w world) modelled() (names []string) {
	type scored struct {
		name      string
		fit       int
		deviation float64
	}
	var all []scored
	for name, values := range w {
		before, during := part(values, changesStart-3600, changesStart), part(values, changesStart, changesEnd)
		mb, md := middle(before), middle(during)
		deviation := off(before, md)
		if week := part(values, changesStart-changesWeek, changesEnd-changesWeek); len(week) >= 3 {
			deviation = min(deviation, off(week, md))
		}
		begins, ok := int64(0), false
		for at := changesStart - 1800; at < changesEnd && !ok; at += 60 {
			if v := values[at]; (md-mb)*(v-mb) > (md-mb)*(md-mb)/2 {
				begins, ok = at-changesStart, true
			}
		}
		if !ok || deviation < 3 {
			continue
		}
		near := max(0, 1-math.Abs(float64(begins))/1800)
		all = append(all, scored{name, int(math.Round(100 * deviation / (deviation + 3) * (1 + near) / 2)), deviation})
	}
	slices.SortFunc(all, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.fit, a.fit), cmp.Compare(b.deviation, a.deviation), cmp.Compare(a.name, b.name))
	})
	for _, s := range all {
		names = append(names, s.name)
	}
	return names
}

func part(values map[int64]float64, from, to int64) (found []float64) {
	for t, v := range values {
		if t >= from && t < to {
			found = append(found, v)
		}
	}
	return found
}

func middle(values []float64) float64 {
	s := slices.Sorted(slices.Values(values))
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}

// off is how many spreads now is from the values.
func off(values []float64, now float64) float64 {
	m := middle(values)
	var distances []float64
	for _, v := range values {
		distances = append(distances, math.Abs(v-m))
	}
	return math.Abs(now-m) / max(1.4826*middle(distances), 0.02*max(math.Abs(now), math.Abs(m)))
}

// TestChangesAreBounded: limits cut the reading short and are named; a request
// that nobody waits for ends.
func TestChangesAreBounded(t *testing.T) {
	w := world{}
	for i := range 20 {
		w.fill(fmt.Sprintf("m h%02d", i), changesStart-3600, changesEnd, jump(1, 40))
	}
	few := func(r *query.ChangeRequest) { r.Most = 3 }
	for name, test := range map[string]struct {
		limits query.Limits
		change func(*query.ChangeRequest)
		want   query.Changes
	}{
		"all":     {query.Limits{}, few, query.Changes{Found: 20, Streams: 20, Metrics: 1, Step: 60}},
		"streams": {query.Limits{Series: 5}, few, query.Changes{Found: 5, Streams: 5, Metrics: 1, Step: 60, Cut: "streams"}},
		"points":  {query.Limits{Points: 450}, few, query.Changes{Found: 5, Streams: 5, Metrics: 1, Step: 60, Cut: "points"}},
		"time":    {query.Limits{}, func(r *query.ChangeRequest) { r.Time = -time.Hour }, query.Changes{Step: 60, Cut: "time"}},
		"without": {query.Limits{}, func(r *query.ChangeRequest) { r.Without = []string{"m"} }, query.Changes{Step: 60}},
	} {
		r := asked(test.change)
		found, err := w.querier(t, test.limits).Changes(t.Context(), changesOrg, r)
		if err != nil {
			t.Fatal(err)
		}
		if len(found.Changes) != min(3, test.want.Found) {
			t.Errorf("%s: %d changes", name, len(found.Changes))
		}
		if found.Changes = nil; fmt.Sprint(*found) != fmt.Sprint(test.want) {
			t.Errorf("%s: found %+v, want %+v", name, *found, test.want)
		}
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.querier(t, query.Limits{}).Changes(gone, changesOrg, asked()); err == nil {
		t.Error("goes on for nobody")
	}
}

// TestChangesRefused: what makes no sense is refused by its field.
func TestChangesRefused(t *testing.T) {
	q := world{}.querier(t, query.Limits{})
	for field, change := range map[string]func(*query.ChangeRequest){
		"start":      func(r *query.ChangeRequest) { r.End = r.Start },
		"end":        func(r *query.ChangeRequest) { r.End = r.Start + 120 },
		"resolution": func(r *query.ChangeRequest) { r.Resolution = 0 },
		"against":    func(r *query.ChangeRequest) { r.Against = "year" },
	} {
		_, err := q.Changes(t.Context(), changesOrg, asked(change))
		if tidemark.KindOf(err) != tidemark.Invalid {
			t.Errorf("%s: %v", field, err)
		}
	}
}

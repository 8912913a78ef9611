package org

import (
	"encoding/json"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/apitest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
)

// TestPastOfLimits: what was used in the last 30 days comes with the limits, and
// when a limit is reached, unless it is already; nobody sees another's.
func TestPastOfLimits(t *testing.T) {
	t.Parallel()
	w, _, c := newClient(t)
	const day, today = shared.DaySeconds, apitest.Now / shared.DaySeconds * shared.DaySeconds
	for ago := range int64(40) {
		use := map[tidemark.LimitName]int64{tidemark.LimitAlerts: 1900 - 10*ago, tidemark.LimitSpaces: 3}
		if err := w.Store.AddLimitUse(t.Context(), w.Org, today-ago*day, use); err != nil {
			t.Fatal(err)
		}
	}
	past := func() map[tidemark.LimitName]limitPast {
		t.Helper()
		var v limitList
		if err := json.Unmarshal(c.Ask("GET /ui/api/limits", "").Body.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		all := make(map[tidemark.LimitName]limitPast)
		for _, p := range v.Past {
			all[p.Name] = p
		}
		return all
	}
	got := past()
	alerts, spaces := got[tidemark.LimitAlerts], got[tidemark.LimitSpaces]
	if len(alerts.Days) != 30 || alerts.Days[29] != (tidemark.LimitDay{Day: today, Use: 1900}) || alerts.ReachesAt == nil || *alerts.ReachesAt != today+10*day {
		t.Errorf("alerts: %+v", alerts)
	}
	if len(spaces.Days) != 30 || spaces.ReachesAt != nil || len(got) != 2 {
		t.Errorf("spaces: %+v of %d", spaces, len(got))
	}
	w.Limits.Granted(w.Org, tidemark.LimitRate, 1)
	w.Limits.TakeFlows(0)
	list, err := w.LimitsOf(t.Context(), w.Org)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range list {
		if l.Name == tidemark.LimitRate && (l.Use == nil || *l.Use != 1) {
			t.Errorf("measurements a second: %v", l.Use)
		}
	}
	other, err := w.Store.CreateOrg(t.Context(), tidemark.ServerActor(), "Other")
	if err != nil {
		t.Fatal(err)
	}
	c.Who.Org = other.ID
	if got := past(); len(got) != 0 {
		t.Errorf("another organization sees %v", got)
	}
}

// TestNoForecastAtTheLimit: what is reached is not still to be reached.
func TestNoForecastAtTheLimit(t *testing.T) {
	t.Parallel()
	const day = shared.DaySeconds
	days := map[tidemark.LimitName][]tidemark.LimitDay{}
	for i := range int64(14) {
		days["alerts"] = append(days["alerts"], tidemark.LimitDay{Day: i * day, Use: 10 * i})
	}
	for use, want := range map[int64]bool{149: true, 150: false, 200: false} {
		past := pastOf([]tidemark.LimitUse{{Name: "alerts", Limit: 150, Use: &use}, {Name: "spaces", Limit: 5}}, days, 14*day)
		if len(past) != 1 || (past[0].ReachesAt != nil) != want {
			t.Errorf("with %d of 150: %+v", use, past)
		}
	}
}

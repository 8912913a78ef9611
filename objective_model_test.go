package tidemark

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// drawTallies draws what was counted in steps of some seconds up to now, with
// gaps.
func drawTallies(t *rapid.T, now, span, step int64) (all Tallies) {
	for at := now - span; at < now; at += step * rapid.SampledFrom([]int64{1, 1, 1, 5, 40}).Draw(t, "gap") {
		total := float64(rapid.IntRange(0, 1000).Draw(t, "total"))
		all = append(all, Tally{At: at, Total: total, Good: total - float64(rapid.IntRange(-5, int(total/10)).Draw(t, "bad"))})
	}
	return all
}

// count is Between, step by step.
func count(all Tallies, start, end int64) (total, bad float64) {
	for _, s := range all {
		if s.At >= start && s.At < end {
			total += s.Total
			bad += max(0, s.Total-s.Good)
		}
	}
	return total, bad
}

// TestStatusAddsUp: the figures of an objective agree with each other: the line
// ends where the budget is, days sum up to the window, and its state follows
// from what is left and how fast it burns.
func TestStatusAddsUp(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		o := &Objective{Name: "x", Good: "g", Total: "t", Days: rapid.SampledFrom(objectiveDays).Draw(t, "days"), Target: rapid.SampledFrom([]float64{90, 99, 99.9}).Draw(t, "target")}
		now := rapid.Int64Range(1_700_000_000, 1_700_000_000+90000).Draw(t, "now")
		hours := drawTallies(t, now/3600*3600, int64(o.Days+3)*daySeconds, 6*3600)
		recent := drawTallies(t, now/300*300, 3*daySeconds, 1800)
		s := o.StatusOf(hours, recent, now, time.FixedZone("", 5*3600), o.Days+5)
		total, bad := count(hours, now-int64(o.Days)*daySeconds, now)
		if s.Total != total || s.Bad != bad {
			t.Fatalf("%v of %v, want %v of %v", s.Bad, s.Total, bad, total)
		}
		if total == 0 {
			if s.State != ObjectiveNoData || s.Left != nil || s.Days == nil || s.Line == nil {
				t.Fatalf("without data: %+v", s)
			}
			return
		}
		last := s.Line[len(s.Line)-1]
		if s.Line[0].Left != 100 || last.At != now || !near(last.Left, *s.Left) {
			t.Fatalf("the line goes from %v to %v, %v is left", s.Line[0], last, *s.Left)
		}
		spent, counted := 0.0, 0.0
		for i, d := range s.Days {
			counted += d.Total
			spent += d.Spent
			if i > 0 && d.At-s.Days[i-1].At != daySeconds {
				t.Fatalf("day %d begins at %d, the one before at %d", i, d.At, s.Days[i-1].At)
			}
		}
		if counted < total || !near(spent, 100) && s.Bad > 0 && spent < 100-*s.Left-1e-6 {
			t.Fatalf("days have %v of %v, and spend %v, %v is left", counted, total, spent, *s.Left)
		}
		checkState(t, o, s)
	})
}

func checkState(t *rapid.T, o *Objective, s *ObjectiveStatus) {
	burning := false
	for _, b := range s.Burn {
		burning = burning || b.Rate != nil && *b.Rate > b.Limit
	}
	want := ObjectiveMet
	switch {
	case *s.Left < 0:
		want = ObjectiveMissed
	case burning:
		want = ObjectiveAtRisk
	}
	if s.State != want || (*s.Left < 0) != (100-*s.Achieved > 100-o.Target+1e-9) && !near(*s.Left, 0) || s.MayFail < 0 {
		t.Fatalf("%s with %v %% left and %v %% achieved of %v", s.State, *s.Left, *s.Achieved, o.Target)
	}
}

// TestBurnRates: a budget burns as fast as the lower of both windows says, so
// that neither errors of long ago nor those of a moment alone wake anybody.
func TestBurnRates(t *testing.T) {
	t.Parallel()
	const now = 1_700_000_100
	o := &Objective{Target: 99} // one in a hundred may fail
	for _, tt := range []struct {
		name        string
		long, short Tally // of the hour before the last five minutes, and of these
		want        float64
	}{
		{"as fast in both", Tally{Good: 80, Total: 100}, Tally{Good: 80, Total: 100}, 20},
		{"over since", Tally{Good: 50, Total: 100}, Tally{Good: 100, Total: 100}, 0},
		{"just begun", Tally{Good: 1000, Total: 1000}, Tally{Good: 0, Total: 100}, 100. / 1100 * 100},
		{"more good than there was", Tally{Good: 150, Total: 100}, Tally{Good: 90, Total: 100}, 5},
	} {
		tt.long.At, tt.short.At = now-3600, now-300
		rate := o.burnRates(Tallies{tt.long, tt.short}, now)[0].Rate
		if rate == nil || !near(*rate, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, rate, tt.want)
		}
	}
	if rates := o.burnRates(Tallies{{At: now - 3601, Total: 5}}, now); rates[0].Rate != nil || rates[1].Rate == nil || *rates[1].Rate != 0 {
		t.Errorf("of what was before the window: %+v", rates)
	}
}

// TestObjectiveStates: a budget that is spent to the last is not overspent, and
// one that is overspent is missed however slowly it burns.
func TestObjectiveStates(t *testing.T) {
	t.Parallel()
	slow, fast := BurnRate{BurnWindow: BurnWindows[0], Rate: new(14.0)}, BurnRate{BurnWindow: BurnWindows[0], Rate: new(14.1)}
	for _, tt := range []struct {
		left float64
		burn []BurnRate
		want string
	}{
		{100, nil, ObjectiveMet}, {0, []BurnRate{slow}, ObjectiveMet}, {-0.001, []BurnRate{slow}, ObjectiveMissed}, {50, []BurnRate{{}, slow, fast}, ObjectiveAtRisk}, {-1, []BurnRate{fast}, ObjectiveMissed},
	} {
		if got := stateOf(tt.left, tt.burn); got != tt.want {
			t.Errorf("%v %% left: %s, want %s", tt.left, got, tt.want)
		}
	}
}

// TestBetweenIsTheModel: the search for the first step finds what looking at all
// of them does.
func TestBetweenIsTheModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		all := drawTallies(t, 10_000, 10_000, 100)
		start := rapid.Int64Range(-100, 10_100).Draw(t, "start")
		end := rapid.Int64Range(-100, 10_100).Draw(t, "end")
		total, bad := all.Between(start, end)
		if wantTotal, wantBad := count(all, start, end); total != wantTotal || bad != wantBad {
			t.Fatalf("%v and %v, want %v and %v", total, bad, wantTotal, wantBad)
		}
	})
}

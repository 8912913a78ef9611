package tidemark_test

import (
	"math"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

// TestForecastLimit: use that rises is said to reach its limit, whatever a few
// odd days say; what is steady, goes up and down, made one step or is too young
// is not.
func TestForecastLimit(t *testing.T) {
	t.Parallel()
	const day, today = 24 * 3600, 20_000 * 24 * 3600
	daysOf := func(n int, use func(ago int) int64) (days []tidemark.LimitDay) {
		for ago := n; ago >= 0; ago-- { // today too, with nonsense
			days = append(days, tidemark.LimitDay{Day: today - int64(ago)*day, Use: use(ago)})
		}
		days[len(days)-1].Use = 1
		return days
	}
	rising := func(ago int) int64 { return int64(1000 - 10*ago) }
	for name, tt := range map[string]struct {
		days  []tidemark.LimitDay
		limit int64
		want  int64 // 0 for no forecast
	}{
		"rises by 10 a day":   {daysOf(14, rising), 1120, 12},
		"half as many days":   {daysOf(7, rising), 1120, 12},
		"too few days":        {daysOf(6, rising), 1120, 0},
		"days without a use":  {append(daysOf(14, rising)[:5], daysOf(14, rising)[9:]...), 1120, 12},
		"rose before, at 100": {daysOf(29, func(ago int) int64 { return 1000 - 100*int64(max(0, ago-14)) }), 1120, 0},
		"two odd days": {daysOf(14, func(ago int) int64 {
			if ago == 3 || ago == 9 {
				return 100_000
			}
			return rising(ago)
		}), 1120, 12},
		"steady":      {daysOf(14, func(int) int64 { return 1000 }), 1120, 0},
		"falls":       {daysOf(14, func(ago int) int64 { return int64(10 * ago) }), 1120, 0},
		"up and down": {daysOf(14, func(ago int) int64 { return int64(1000 + 100*(ago%2)) }), 1120, 0},
		"one step":    {daysOf(14, func(ago int) int64 { return map[bool]int64{true: 1000, false: 500}[ago < 4] }), 1120, 0},
		"one step up": {daysOf(14, func(ago int) int64 { return map[bool]int64{true: 1000, false: 500}[ago < 8] }), 1120, 0},
		"far ahead":   {daysOf(14, rising), 2000, 0},
		"at once":     {daysOf(14, rising), 991, 1},
		"no limit":    {daysOf(14, rising), 0, 0},
		"no days":     {nil, 10, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, ok := tidemark.ForecastLimit(tt.days, tt.limit, today)
			if got != tt.want || ok != (tt.want > 0) {
				t.Errorf("in %d days, %v; want %d", got, ok, tt.want)
			}
		})
	}
}

// TestFlows: what flows is counted since it was last asked, with what other
// servers report.
func TestFlows(t *testing.T) {
	t.Parallel()
	l := tidemark.NewLimits(nil)
	if l.FlowsOf(1) != nil {
		t.Error("known before it was ever counted")
	}
	l.Granted(1, tidemark.LimitRate, 600)
	l.Granted(2, tidemark.LimitRequests, 90)
	if rates := l.TakeFlows(time.Minute); rates[1][tidemark.LimitRate] != 10 || rates[2][tidemark.LimitRequests] != 1.5 {
		t.Errorf("%v", rates)
	}
	if got := l.FlowsOf(2); got[tidemark.LimitRequests] != 2 || got[tidemark.LimitRate] != 0 || len(got) != 2 {
		t.Errorf("%v", got)
	}
	l.SetOthers([]tidemark.LimitRates{{1: {tidemark.LimitRate: 3}}, {1: {tidemark.LimitRate: 4}}})
	l.Granted(1, tidemark.LimitRate, 60)
	if rates := l.TakeFlows(time.Minute); math.Abs(rates[1][tidemark.LimitRate]-8) > 1e-9 || len(rates) != 1 {
		t.Errorf("%v", rates)
	}
	if rates := l.TakeGranted(time.Second); len(rates) != 0 { // 60 of 200,000 matter to nobody
		t.Errorf("%v", rates)
	}
}

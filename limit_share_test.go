package tidemark_test

import (
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

// TestLimitShares lets servers tell each other, a round at a time, what they
// let through of what is wanted of each: together it is the limit, whoever is
// wanted most, and one who is wanted alone has nearly all.
func TestLimitShares(t *testing.T) {
	t.Parallel()
	const limit = 600
	for name, tt := range map[string]struct {
		wanted []float64 // a second, of each server
		want   []float64 // what each lets through in the end
	}{
		"alone":           {[]float64{1000}, []float64{600}},
		"one of three":    {[]float64{1000, 0, 0}, []float64{600, 0, 0}},
		"all of three":    {[]float64{1000, 1000, 1000}, []float64{200, 200, 200}},
		"two of three":    {[]float64{1000, 1000, 0}, []float64{300, 300, 0}},
		"much and little": {[]float64{1000, 100}, []float64{500, 100}},
		"within":          {[]float64{250, 250}, []float64{250, 250}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			servers := make([]*tidemark.Limits, len(tt.wanted))
			for i := range servers {
				servers[i] = tidemark.NewLimits(map[tidemark.LimitName]int64{tidemark.LimitRate: limit})
			}
			got := make([]float64, len(servers))
			for range 40 {
				rates := make([]tidemark.LimitRates, len(servers))
				for i, s := range servers {
					got[i] = min(tt.wanted[i], float64(s.Share(1, tidemark.LimitRate)))
					s.Granted(1, tidemark.LimitRate, int64(3*got[i]))
					rates[i] = s.TakeGranted(3 * time.Second)
				}
				for i, s := range servers {
					var others []tidemark.LimitRates
					others = append(others, rates[:i]...)
					s.SetOthers(append(others, rates[i+1:]...))
				}
			}
			for i := range got {
				if got[i] < tt.want[i]*0.98 || got[i] > tt.want[i]*1.02 {
					t.Errorf("server %d lets %v through, want %v", i, got[i], tt.want[i])
				}
			}
		})
	}
}

// TestLimitShare: what is under way at a time is divided evenly, one at least;
// what is no limit stays none.
func TestLimitShare(t *testing.T) {
	t.Parallel()
	l := tidemark.NewLimits(map[tidemark.LimitName]int64{tidemark.LimitQueries: 7, tidemark.LimitListeners: 2, tidemark.LimitRequests: 0})
	check := func(name tidemark.LimitName, want int64) {
		t.Helper()
		if got := l.Share(1, name); got != want {
			t.Errorf("the share of %s is %d, want %d", name, got, want)
		}
	}
	check(tidemark.LimitQueries, 7)
	l.SetOthers(make([]tidemark.LimitRates, 2))
	check(tidemark.LimitQueries, 3)
	check(tidemark.LimitListeners, 1)
	check(tidemark.LimitRequests, 0)
	check(tidemark.LimitRate, 200_000) // all while others use nothing
	l.SetOrgs(map[tidemark.OrgID]map[tidemark.LimitName]int64{1: {tidemark.LimitQueries: 30}})
	check(tidemark.LimitQueries, 10)
	l.SetOthers(nil)
	check(tidemark.LimitQueries, 30)
	var none *tidemark.Limits
	if got := none.Share(1, tidemark.LimitQueries); got != 64 {
		t.Errorf("the share of the defaults is %d", got)
	}
}

// TestGrantedIsBounded: only what matters is reported.
func TestGrantedIsBounded(t *testing.T) {
	t.Parallel()
	l := tidemark.NewLimits(map[tidemark.LimitName]int64{tidemark.LimitRequests: 1000})
	l.SetOthers(make([]tidemark.LimitRates, 1))
	for org := range tidemark.OrgID(3000) {
		l.Granted(org, tidemark.LimitRequests, int64(org))
	}
	rates := l.TakeGranted(time.Second)
	if len(rates) != 2000 || rates[2999][tidemark.LimitRequests] != 2999 || rates[5] != nil {
		t.Errorf("%d organizations are reported, %v of the last", len(rates), rates[2999])
	}
	if rates := l.TakeGranted(time.Second); len(rates) != 0 {
		t.Errorf("%d organizations are reported though nothing happened", len(rates))
	}
}

package tidemark

import (
	"math"
	"strings"
	"testing"
	"time"
)

// TestObjectiveStatus: of 1000 an hour one in a thousand may fail.
func TestObjectiveStatus(t *testing.T) {
	t.Parallel()
	now := at(t, "2026-11-18T12:00:00Z")
	o := &Objective{Name: "x", Good: "good", Total: "all", Target: 99.9, Days: 7}
	if err := o.Validate(); err != nil {
		t.Fatal(err)
	}
	var hours, recent Tallies
	for h := now - 7*daySeconds; h < now; h += 3600 {
		hours = append(hours, Tally{At: h, Good: 1000, Total: 1000})
	}
	for m := now - 3*daySeconds; m < now; m += 300 {
		recent = append(recent, Tally{At: m, Good: 1000. / 12, Total: 1000. / 12})
	}
	quiet := o.StatusOf(hours, recent, now, time.UTC, 10)
	if quiet.State != ObjectiveMet || *quiet.Left != 100 || quiet.Lasts != nil || *quiet.HourRate != 0 {
		t.Errorf("without errors: %+v", quiet)
	}
	if n := len(quiet.Days); n != 10 || quiet.Days[0].Total != 0 || quiet.Days[n-1].Total != 12000 || quiet.Days[n-2].Total != 24000 {
		t.Errorf("days: %+v", quiet.Days)
	}
	// 84 of the 168 that may fail did, in the last hour: 5 min and 1 h burn
	// 84 times as fast as allowed.
	hours[len(hours)-1].Good -= 84
	for i := range 12 {
		recent[len(recent)-1-i].Good -= 7
	}
	s := o.StatusOf(hours, recent, now, time.UTC, 10)
	if s.State != ObjectiveAtRisk || !near(*s.Left, 50) || !near(s.MayFail, 84) || !near(*s.HourRate, 84) || !near(*s.Lasts, 3600) || !near(*s.Burn[0].Rate, 84) {
		t.Errorf("at risk: %+v", s)
	}
	if silent := o.StatusOf(hours, recent[:len(recent)-1], now, time.UTC, 10); *silent.Burn[0].Rate != 0 {
		t.Errorf("burns %v times while nothing is counted", *silent.Burn[0].Rate)
	}
	if first, last := s.Line[0], s.Line[len(s.Line)-1]; first.Left != 100 || !near(last.Left, 50) || last.At != now {
		t.Errorf("line from %v to %v", first, last)
	}
	if d := s.Days[9]; !near(d.Spent, 50) || !near(d.Bad, 84) {
		t.Errorf("today: %+v", d)
	}
	hours[0].Good -= 100
	if s := o.StatusOf(hours, recent, now, time.UTC, 10); s.State != ObjectiveMissed || *s.Left >= 0 {
		t.Errorf("missed: %+v", s)
	}
	if met, of := o.Kept(hours, now, 6); met != 0 || of != 1 {
		t.Errorf("met %d of %d", met, of)
	}
	if met, of := o.Kept(hours, now+86400, 6); met != 1 || of != 2 {
		t.Errorf("a day later: met %d of %d", met, of)
	}
	if s := o.StatusOf(nil, nil, now, time.UTC, 10); s.State != ObjectiveNoData || s.Achieved != nil || s.Burn[0].Rate != nil {
		t.Errorf("without data: %+v", s)
	}
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-6*max(1, math.Abs(b)) }

func TestObjectiveRefusals(t *testing.T) {
	t.Parallel()
	o := &Objective{Name: "x", Good: "All", Total: "all", Target: 100, Days: 8}
	err := o.Validate()
	if err == nil {
		t.Fatal("nothing is wrong")
	}
	for _, field := range []string{"good_metric", "target", "days"} {
		if !strings.Contains(err.Error(), field) {
			t.Errorf("%q does not name %s", err, field)
		}
	}
}

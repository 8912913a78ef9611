package demo

import (
	"math"
	"testing"
)

const made = 1_794_700_000

// TestTrouble walks through the week before the demo was made and two weeks
// after: anyone who comes finds an alert that fires, nothing is measured that
// cannot be, and the same time gives the same values after a restart.
func TestTrouble(t *testing.T) {
	t.Parallel()
	tr, again := troubles{made: made}, troubles{made: made}
	lines, same := tr.streams(), again.streams()
	calm, quiet := 0, 0
	for at := int64(made) - 7*86400; at < made+14*86400; at += 300 {
		if at >= made && tr.size(at) < 0.25 {
			calm++
			if !tr.isHanging(at) {
				quiet++
			}
		}
		for i := range lines {
			m, ok := lines[i].at(at)
			if twin, _ := same[i].at(at); ok && twin.Value != m.Value {
				t.Fatalf("%s at %d: %v, and after a restart %v", m.Name, at, m.Value, twin.Value)
			}
			if ok && (m.Value < 0 || math.IsInf(m.Value, 0)) {
				t.Fatalf("%s%v is %v at %d", m.Name, m.Tags, m.Value, at)
			}
		}
	}
	// The worker rests 25 minutes of every 26 hours; the latency is fine for
	// more than half of the time.
	if looks := 14 * 86400 / 300; calm < looks/2 || calm > looks*9/10 || quiet > looks/40 {
		t.Errorf("of %d looks the latency was fine in %d, and nothing fired in %d", looks, calm, quiet)
	}
	if tr.size(made) < 0.3 || !tr.isHanging(made) {
		t.Errorf("when the demo is made, the trouble is %v and the worker hangs is %v", tr.size(made), tr.isHanging(made))
	}
}

// TestEvents asks for the events of one time at once and piece by piece, as a
// running demo does: each comes once.
func TestEvents(t *testing.T) {
	t.Parallel()
	d := &demo{troubles: troubles{made: made}}
	from, to := int64(made)-86400, int64(made)+3*86400
	all := append(d.deploys(from, to), d.failovers(from, to)...)
	seen := make(map[string]int)
	count := 0
	for at := from; at < to; at += 10 {
		for _, e := range append(d.deploys(at, at+10), d.failovers(at, at+10)...) {
			seen[e.Title]++
			count++
		}
	}
	if count != len(all) || count < 20 {
		t.Errorf("%d events at once, %d one after the other", len(all), count)
	}
	if seen["deploy checkout 4.18.1"] != 1 || seen["db-01 failover"] < 5 {
		t.Errorf("events: %v", seen)
	}
}

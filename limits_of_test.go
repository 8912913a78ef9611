package tidemark

import (
	"strings"
	"sync"
	"testing"
)

// TestLimitTable: every limit can be found by its name, says what it counts and
// what happens.
func TestLimitTable(t *testing.T) {
	t.Parallel()
	seen := make(map[LimitName]bool)
	for _, l := range LimitTable {
		if seen[l.Name] || l.Unit == "" || l.Title == "" || l.Effect == "" || l.Kind == Internal {
			t.Errorf("limit %+v is there twice or says too little", l)
		}
		seen[l.Name] = true
		if got, ok := LimitCalled(l.Name); !ok || got.Name != l.Name {
			t.Errorf("%s is not found", l.Name)
		}
	}
	if _, ok := LimitCalled("patience"); ok {
		t.Error("a limit that is none is found")
	}
}

// TestLimitsOf: an organization's own value before the server's before the
// default; 0 is none.
func TestLimitsOf(t *testing.T) {
	t.Parallel()
	l := NewLimits(map[LimitName]int64{LimitAlerts: 7, LimitSpaces: 0})
	l.SetOrgs(map[OrgID]map[LimitName]int64{2: {LimitAlerts: 3}, 3: {LimitAlerts: 0}})
	for _, c := range []struct {
		org  OrgID
		name LimitName
		want int64
	}{{1, LimitAlerts, 7}, {2, LimitAlerts, 3}, {3, LimitAlerts, 0}, {2, LimitSpaces, 0}, {2, LimitTokens, 1000}, {1, "patience", 0}} {
		if got := l.Of(c.org, c.name); got != c.want {
			t.Errorf("%s of %d is %d, want %d", c.name, c.org, got, c.want)
		}
	}
	if l.Server(LimitAlerts) != 7 || l.Owners(LimitAlerts) != 2 || l.Owners(LimitTokens) != 0 || NewLimits(nil).Owners(LimitAlerts) != 0 {
		t.Error("the server's value, or how many have their own, is wrong")
	}
	var none *Limits
	if none.Of(1, LimitAlerts) != 2000 || none.Refused(LimitAlerts) != 0 || none.Check(1, LimitAlerts, 2000) != nil || none.Check(1, LimitAlerts, 2001) == nil {
		t.Error("without limits the defaults do not hold")
	}
	other := l.With(map[OrgID]map[LimitName]int64{1: {LimitAlerts: 1}})
	if other.Of(1, LimitAlerts) != 1 || other.Of(2, LimitAlerts) != 7 || l.Of(2, LimitAlerts) != 3 {
		t.Error("other organizations' values changed those of the first, or the server's are lost")
	}
}

// TestLimitCheck: what is at the limit passes, what is over it is refused with
// the name, the value and how to raise it, and counted.
func TestLimitCheck(t *testing.T) {
	t.Parallel()
	l := NewLimits(map[LimitName]int64{LimitAlerts: 7, LimitMetrics: 0})
	if err := l.Check(1, LimitAlerts, 7); err != nil {
		t.Errorf("at the limit: %v", err)
	}
	if err := l.Check(1, LimitMetrics, 1<<60); err != nil {
		t.Errorf("without a limit: %v", err)
	}
	for name, want := range map[LimitName][]string{
		LimitAlerts:      {"limit alerts", "7 alerts", "tidemark org limits ORGANIZATION alerts=NUMBER"},
		LimitQueryMemory: {"limit query_memory", "setting limits.query_memory"},
		LimitConditions:  {"limit conditions", "the same on every server"},
	} {
		err := l.Check(1, name, 1<<40)
		one, _ := LimitCalled(name)
		if KindOf(err) != one.Kind || l.Refused(name) != 1 {
			t.Errorf("%s: %v, refused %d times", name, err, l.Refused(name))
		}
		for _, part := range want {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%v does not say %q", err, part)
			}
		}
	}
	l.Count("patience")
	if l.Refused("patience") != 0 {
		t.Error("refusals of what is no limit are counted")
	}
}

// TestLimitUses: every limit is listed, with what is used where that is
// counted, and whether the organization has its own.
func TestLimitUses(t *testing.T) {
	t.Parallel()
	l := NewLimits(nil)
	l.SetOrgs(map[OrgID]map[LimitName]int64{1: {LimitAlerts: 5}})
	var none *Limits
	for _, limits := range []*Limits{l, none} {
		list := limits.Uses(1, map[LimitName]int64{LimitAlerts: 0})
		if len(list) != len(LimitTable) {
			t.Fatalf("%d limits are listed, want %d", len(list), len(LimitTable))
		}
		for _, u := range list {
			if counted := u.Name == LimitAlerts; counted != (u.Use != nil) || u.Own != (counted && limits != nil) {
				t.Errorf("%+v", u)
			}
			if u.Own && (u.Limit != 5 || u.Default != 2000) {
				t.Errorf("%+v", u)
			}
		}
	}
}

// TestLimitsAtOnce: values change while others ask for them.
func TestLimitsAtOnce(t *testing.T) {
	t.Parallel()
	l := NewLimits(nil)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := range 200 {
				l.SetOrgs(map[OrgID]map[LimitName]int64{1: {LimitAlerts: int64(i%2 + 1)}})
				if n := l.Of(1, LimitAlerts); n != 1 && n != 2 {
					t.Errorf("the limit is %d", n)
				}
				_ = l.Check(1, LimitAlerts, 3)
			}
		})
	}
	wg.Wait()
	if n := l.Refused(LimitAlerts); n != 800 {
		t.Errorf("%d refusals were counted, want 800", n)
	}
}

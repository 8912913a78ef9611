package tidemark

import "testing"

// TestMaintainedChecks: a check is in maintenance while windows cover its alert
// in all its places.
func TestMaintainedChecks(t *testing.T) {
	t.Parallel()
	window := func(id int64, covers Covers) *Maintenance {
		return &Maintenance{ID: id, Name: "upgrade", StartsAt: 100, EndsAt: new(int64(200)), Covers: covers}
	}
	all := window(1, Covers{All: true})
	place := func(id int64, name string) *Maintenance {
		return window(id, Covers{Tags: map[string]string{"place": name}})
	}
	for name, c := range map[string]struct {
		windows []*Maintenance
		kind    string
		now     int64
		want    int64 // the window, 0 for none
	}{
		"none":                 {nil, CheckHTTP, 150, 0},
		"all":                  {[]*Maintenance{all}, CheckHTTP, 150, 1},
		"over":                 {[]*Maintenance{all}, CheckHTTP, 200, 0},
		"not yet":              {[]*Maintenance{all}, CheckHTTP, 99, 0},
		"one of two places":    {[]*Maintenance{place(2, "server")}, CheckHTTP, 150, 0},
		"both by themselves":   {[]*Maintenance{place(2, "server"), place(3, "web-01")}, CheckHTTP, 150, 2},
		"the check by its tag": {[]*Maintenance{window(4, Covers{Tags: map[string]string{"check": "Shop"}})}, CheckHTTP, 150, 4},
		"a heartbeat":          {[]*Maintenance{window(5, Covers{Tags: map[string]string{"check": "shop"}})}, CheckHeartbeat, 150, 5},
		"a heartbeat's place":  {[]*Maintenance{place(6, "server")}, CheckHeartbeat, 150, 0},
	} {
		check := &Check{Name: "Shop", Kind: c.kind, Places: []string{PlaceServer, "agent:Web-01"}, Results: []CheckResult{{Place: PlaceServer}, {Place: "Web-01"}}}
		check.Maintain(c.windows, c.now)
		var got int64
		if check.Maintenance != nil {
			got = check.Maintenance.ID
			if check.Maintenance.Until != 200 || check.Maintenance.Name != "upgrade" {
				t.Errorf("%s: %+v", name, check.Maintenance)
			}
		}
		if got != c.want {
			t.Errorf("%s: window %d, want %d", name, got, c.want)
		}
	}
}

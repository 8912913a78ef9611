package tidemark

import (
	"slices"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // so that zones are known on every machine
)

func at(t *testing.T, text string) int64 {
	t.Helper()
	v, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return v.Unix()
}

// TestMaintenanceByTheClock: a window that repeats goes by the clocks of its
// zone, also on the days on which they are changed.
func TestMaintenanceByTheClock(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, from, to, days string
		start, end           string // to look in
		wantStart, wantEnd   string
		shift                int64
	}{
		{"winter", "02:00", "03:30", "mon", "2026-01-05T00:00:00Z", "2026-01-06T00:00:00Z", "2026-01-05T01:00:00Z", "2026-01-05T02:30:00Z", 0},
		{"summer", "02:00", "03:30", "mon", "2026-07-06T00:00:00Z", "2026-07-07T00:00:00Z", "2026-07-06T00:00:00Z", "2026-07-06T01:30:00Z", 0},
		{"set ahead: 02:00 never comes", "02:00", "03:30", "sun", "2026-03-29T00:00:00Z", "2026-03-29T12:00:00Z", "2026-03-29T01:00:00Z", "2026-03-29T01:30:00Z", -3600},
		{"set ahead within it", "01:00", "04:00", "sun", "2026-03-29T00:00:00Z", "2026-03-29T12:00:00Z", "2026-03-29T00:00:00Z", "2026-03-29T02:00:00Z", -3600},
		{"set back: 02:30 comes twice", "02:30", "03:30", "sun", "2026-10-25T00:00:00Z", "2026-10-25T12:00:00Z", "2026-10-25T00:30:00Z", "2026-10-25T02:30:00Z", 3600},
		{"set back: it ends twice", "01:00", "02:30", "sun", "2026-10-24T12:00:00Z", "2026-10-25T12:00:00Z", "2026-10-24T23:00:00Z", "2026-10-25T01:30:00Z", 3600},
		{"over midnight", "22:00", "00:30", "tue", "2026-11-17T00:00:00Z", "2026-11-18T12:00:00Z", "2026-11-17T21:00:00Z", "2026-11-17T23:30:00Z", 0},
	} {
		m := &Maintenance{Name: "x", StartsAt: 1, Repeat: &Repeat{Days: []string{tt.days}, From: tt.from, To: tt.to, Zone: "Europe/Berlin"}, Covers: Covers{All: true}}
		if err := m.Validate(); err != nil {
			t.Fatal(err)
		}
		want := Occurrence{at(t, tt.wantStart), at(t, tt.wantEnd), tt.shift}
		got := m.Between(at(t, tt.start), at(t, tt.end))
		if len(got) != 1 || got[0] != want {
			t.Errorf("%s: %v, want %v", tt.name, got, want)
			continue
		}
		if _, on := m.Now(want.Start - 1); on {
			t.Errorf("%s: on before it starts", tt.name)
		}
		if o, on := m.Now(want.End - 1); !on || o != want {
			t.Errorf("%s: not on until it ends: %v", tt.name, o)
		}
		if _, on := m.Now(want.End); on {
			t.Errorf("%s: on after it ends", tt.name)
		}
		if next := m.NextChange(want.Start - 3600); next != want.Start {
			t.Errorf("%s: next change %d, want %d", tt.name, next, want.Start)
		}
		if next := m.NextChange(want.Start); next != want.End {
			t.Errorf("%s: next change in it %d, want %d", tt.name, next, want.End)
		}
	}
}

// TestMaintenanceSkips: a window that repeats leaves out the days it is told
// to, and the night that begins on one of them with it.
func TestMaintenanceSkips(t *testing.T) {
	t.Parallel()
	r := &Repeat{Days: Days, From: "23:00", To: "01:00", Zone: "Europe/Berlin", Skip: []string{"2026-12-24"}}
	m := &Maintenance{Name: "x", StartsAt: 1, Repeat: r, Covers: Covers{All: true}}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	got := m.Between(at(t, "2026-12-23T12:00:00Z"), at(t, "2026-12-26T12:00:00Z"))
	if len(got) != 2 || got[0].Start != at(t, "2026-12-23T22:00:00Z") || got[1].Start != at(t, "2026-12-25T22:00:00Z") {
		t.Errorf("%v", got)
	}
	r.Skip = []string{"24 December"}
	if err := m.Validate(); err == nil || !strings.Contains(err.Error(), "skip") {
		t.Errorf("a day that is none: %v", err)
	}
}

// TestMaintenanceEveryFourWeeks counts weeks from the one in which the window
// begins, on whichever day that is and through a change of clocks.
func TestMaintenanceEveryFourWeeks(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	m := &Maintenance{
		StartsAt: time.Date(2027, 3, 4, 0, 0, 0, 0, berlin).Unix(), // a Thursday
		Repeat:   &Repeat{Days: []string{"mon", "sat"}, From: "02:00", To: "04:00", Zone: "Europe/Berlin", Weeks: 4},
	}
	var got []string
	for _, o := range m.Between(m.StartsAt, m.StartsAt+9*7*daySeconds) {
		got = append(got, time.Unix(o.Start, 0).In(berlin).Format("2006-01-02 15:04"))
	}
	want := []string{"2027-03-06 02:00", "2027-03-29 02:00", "2027-04-03 02:00", "2027-04-26 02:00", "2027-05-01 02:00"}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestMaintenanceBounds(t *testing.T) {
	t.Parallel()
	end := int64(1_800_000_000)
	m := &Maintenance{StartsAt: end - 30*86400, EndsAt: &end, Repeat: &Repeat{Days: Days, From: "10:00", To: "11:00", Zone: "UTC"}}
	all := m.Between(0, end*2)
	if len(all) != 30 || all[0].Start < m.StartsAt || all[29].Start >= end {
		t.Errorf("%d occurrences, from %v to %v", len(all), all[0], all[len(all)-1])
	}
	once := &Maintenance{StartsAt: 100, EndsAt: &end}
	if next := once.NextChange(50); next != 100 {
		t.Errorf("next %d", next)
	}
	if next := once.NextChange(end); next != 0 {
		t.Errorf("after its end, next %d", next)
	}
	endless := &Maintenance{Name: "x", StartsAt: 100, Covers: Covers{All: true}}
	if endless.Validate() == nil {
		t.Error("a window that never ends and does not repeat is taken")
	}
}

// TestMaintenanceCovers: labels must all be there; with tags, all that
// violates must have them.
func TestMaintenanceCovers(t *testing.T) {
	t.Parallel()
	a := &Alert{ID: 7, Labels: map[string]string{"team": "db", "tier": "1"}}
	bad := []Violation{{Stream: "host=db-1,region=eu"}, {Stream: "host=web-1,region=eu"}}
	window := func(id int64, c Covers) *Maintenance {
		end := int64(100)
		return &Maintenance{ID: id, StartsAt: 1, EndsAt: &end, Covers: c}
	}
	for _, tt := range []struct {
		covers   []Covers
		concerns bool
		window   int64
	}{
		{[]Covers{{All: true}}, true, 1},
		{[]Covers{{Alerts: []int64{7}}}, true, 1},
		{[]Covers{{Alerts: []int64{8}}}, false, 0},
		{[]Covers{{Labels: map[string]string{"team": "db"}}}, true, 1},
		{[]Covers{{Labels: map[string]string{"team": "db", "tier": "2"}}}, false, 0},
		{[]Covers{{Tags: map[string]string{"region": "eu"}}}, true, 1},
		{[]Covers{{Tags: map[string]string{"host": "db-1"}}}, true, 0},
		{[]Covers{{Alerts: []int64{8}, Tags: map[string]string{"region": "eu"}}}, false, 0},
		{[]Covers{{Tags: map[string]string{"host": "db-1"}}, {Tags: map[string]string{"host": "web-1"}}}, true, 1},
	} {
		var windows []*Maintenance
		for i, c := range tt.covers {
			if m := window(int64(i+1), c); m.Covers.Concerns(a) {
				windows = append(windows, m)
			}
		}
		got := MaintenanceOf(windows, bad, 50)
		if (len(windows) > 0) != tt.concerns || (got.Window != nil) != (tt.window != 0) || got.Window != nil && got.Window.ID != tt.window {
			t.Errorf("%+v: concerns %v, window %+v", tt.covers, len(windows) > 0, got.Window)
		}
		if after := MaintenanceOf(windows, bad, 100); after.Window != nil {
			t.Errorf("%+v covers it after its end", tt.covers)
		}
	}
}

// TestSuspended joins what windows suspend, and knows no others.
func TestSuspended(t *testing.T) {
	t.Parallel()
	window := func(from, to int64, suspends bool) *Maintenance {
		return &Maintenance{StartsAt: from, EndsAt: &to, Suspends: suspends}
	}
	all := []*Maintenance{window(500, 600, true), window(100, 200, true), window(150, 300, true), window(300, 310, true), window(350, 450, false)}
	want := []Interval{{100, 310}, {500, 600}}
	if got := Suspended(all, 0, 1000); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := Suspended(all, 310, 500); len(got) != 0 {
		t.Errorf("between them %v", got)
	}
	if !MaintenanceOf(all, nil, 150).Suspended || MaintenanceOf(all, nil, 400).Suspended {
		t.Error("MaintenanceOf takes the wrong one for suspending")
	}
}

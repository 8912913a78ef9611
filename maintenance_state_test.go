package tidemark

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestMaintenanceState: of windows that cover all that violates the one counts
// that ends last; windows that do so only together count until one of them ends;
// and what nobody covers stays loud.
func TestMaintenanceState(t *testing.T) {
	t.Parallel()
	window := func(id, end int64, tags map[string]string) *Maintenance {
		return &Maintenance{ID: id, StartsAt: 100, EndsAt: &end, Covers: Covers{All: tags == nil, Tags: tags}}
	}
	tag := func(name, value string) map[string]string { return map[string]string{name: value} }
	db, web := Violation{Stream: "host=db-1,region=eu"}, Violation{Stream: "host=web-1,region=eu"}
	for _, tt := range []struct {
		name       string
		windows    []*Maintenance
		violations []Violation
		window     int64
		want       MaintenanceState // without the window
	}{
		{name: "no windows", violations: []Violation{db}},
		{name: "nothing violates", windows: []*Maintenance{window(1, 300, nil)}, window: 1, want: MaintenanceState{Until: 300, On: []int64{1}}},
		{name: "nothing violates that could have the tag", windows: []*Maintenance{window(1, 300, tag("host", "db-1"))}, want: MaintenanceState{On: []int64{1}}},
		{name: "over", windows: []*Maintenance{window(1, 200, nil)}, violations: []Violation{db}},
		{name: "the one that ends last", windows: []*Maintenance{window(1, 300, nil), window(2, 900, nil), window(3, 600, nil)}, violations: []Violation{db}, window: 2,
			want: MaintenanceState{Until: 900, On: []int64{1, 2, 3}, Muted: map[string]bool{db.Stream: true}}},
		{name: "one of two streams", windows: []*Maintenance{window(1, 300, tag("host", "db-1"))}, violations: []Violation{db, web},
			want: MaintenanceState{On: []int64{1}, Muted: map[string]bool{db.Stream: true}}},
		{name: "each a stream", windows: []*Maintenance{window(1, 900, tag("host", "db-1")), window(2, 300, tag("host", "web-1"))}, violations: []Violation{db, web}, window: 1,
			want: MaintenanceState{Until: 300, On: []int64{1, 2}, Muted: map[string]bool{db.Stream: true, web.Stream: true}}},
		{name: "each a stream, and one that is over", windows: []*Maintenance{window(9, 150, nil), window(1, 300, tag("host", "db-1")), window(2, 900, tag("host", "web-1"))},
			violations: []Violation{db, web}, window: 1, want: MaintenanceState{Until: 300, On: []int64{1, 2}, Muted: map[string]bool{db.Stream: true, web.Stream: true}}},
	} {
		got := MaintenanceOf(tt.windows, tt.violations, 200)
		id := int64(0)
		if got.Window != nil {
			id = got.Window.ID
		}
		got.Window = nil
		if diff := cmp.Diff(tt.want, got); diff != "" || id != tt.window {
			t.Errorf("%s: window %d, want %d; %s", tt.name, id, tt.window, diff)
		}
	}
}

// TestCoversStream: a stream is covered if it has all of the tags, in whichever
// case people wrote them: streams have theirs in lower case.
func TestCoversStream(t *testing.T) {
	t.Parallel()
	const stream = "host=db-1,region=eu"
	for _, tt := range []struct {
		tags map[string]string
		want bool
	}{
		{nil, true},
		{map[string]string{"host": "db-1"}, true},
		{map[string]string{"host": "db-1", "region": "eu"}, true},
		{map[string]string{"Host": "DB-1"}, true},
		{map[string]string{"host": "db-1", "region": "us"}, false},
		{map[string]string{"host": "db"}, false},
		{map[string]string{"zone": "a"}, false},
		{map[string]string{"db-1": "host"}, false},
	} {
		c := Covers{Tags: tt.tags}
		if got := c.CoversStream(stream); got != tt.want {
			t.Errorf("%v covers %s: %v", tt.tags, stream, got)
		}
		if got := c.CoversStream(UnassignedName); got != (len(tt.tags) == 0) {
			t.Errorf("%v covers a stream without tags: %v", tt.tags, got)
		}
	}
}

// TestMaintenanceNormalize: what was left out is written as empty, not as null,
// and what was given stays.
func TestMaintenanceNormalize(t *testing.T) {
	t.Parallel()
	m := NewMaintenance()
	m.Normalize()
	checkJSON(t, m.Covers, `{"all":false,"alerts":[],"labels":{},"tags":{}}`)
	m.Covers = Covers{Alerts: []int64{3}, Labels: map[string]string{"team": "db"}, Tags: map[string]string{"host": "a"}}
	m.Normalize()
	checkJSON(t, m.Covers, `{"all":false,"alerts":[3],"labels":{"team":"db"},"tags":{"host":"a"}}`)
}

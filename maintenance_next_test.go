package tidemark

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// drawnZone is five hours ahead of UTC all year, so that a plain model can say
// what its clocks show.
const (
	drawnZone   = "Etc/GMT-5"
	drawnOffset = 5 * 3600
)

// drawRepeat draws a window that repeats by clocks that are never changed.
func drawRepeat(t *rapid.T) *Maintenance {
	clock := func(label string) string {
		return fmt.Sprintf("%02d:%02d", rapid.IntRange(0, 23).Draw(t, label+" hour"), rapid.SampledFrom([]int{0, 1, 30, 59}).Draw(t, label+" minute"))
	}
	const starts = 1_767_571_200 // 2026-01-05, a Monday
	r := &Repeat{
		Days: rapid.SliceOfNDistinct(rapid.SampledFrom(Days), 1, 7, rapid.ID[string]).Draw(t, "days"),
		From: clock("from"), To: clock("to"), Zone: drawnZone, Weeks: rapid.IntRange(0, 5).Draw(t, "weeks"),
	}
	for range rapid.IntRange(0, 6).Draw(t, "skipped") {
		day := time.Unix(starts, 0).UTC().AddDate(0, 0, rapid.IntRange(0, 40).Draw(t, "skip"))
		r.Skip = append(r.Skip, day.Format(time.DateOnly))
	}
	m := &Maintenance{Name: "x", StartsAt: starts + rapid.Int64Range(0, 20*daySeconds).Draw(t, "starts"), Repeat: r, Covers: Covers{All: true}}
	if rapid.Bool().Draw(t, "ends") {
		m.EndsAt = new(m.StartsAt + rapid.Int64Range(1, 60*daySeconds).Draw(t, "ends after"))
	}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	return m
}

// isOn is the model: it asks of today and yesterday whether the window began
// on that day and is not over.
func isOn(m *Maintenance, now int64) bool {
	r := m.Repeat
	from, _ := minuteOf(r.From)
	to, _ := minuteOf(r.To)
	if to <= from {
		to += 24 * 60
	}
	firstDay := (m.StartsAt + drawnOffset) / daySeconds
	firstMonday := firstDay - (firstDay+3)%7 // 1970 began on a Thursday
	today := (now + drawnOffset) / daySeconds
	for _, day := range []int64{today, today - 1} {
		midnight := day*daySeconds - drawnOffset
		begins, ends := midnight+int64(from)*60, midnight+int64(to)*60
		date := time.Unix(day*daySeconds, 0).UTC()
		switch {
		case now < begins || now >= ends, begins < m.StartsAt, m.EndsAt != nil && begins >= *m.EndsAt:
		case !slices.Contains(r.Days, Days[(day+4)%7]), slices.Contains(r.Skip, date.Format("2006-01-02")):
		case r.Weeks > 1 && (day-firstMonday)/7%int64(r.Weeks) != 0:
		default:
			return true
		}
	}
	return false
}

// TestMaintenanceIsTheModel: a window is on at a second if and only if the
// clocks of its zone say so, whatever it repeats by.
func TestMaintenanceIsTheModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := drawRepeat(t)
		at := m.StartsAt + rapid.Int64Range(-2*daySeconds, 70*daySeconds).Draw(t, "at")
		for _, o := range append(m.Between(at, at+9*daySeconds), Occurrence{Start: at, End: at + 60}) {
			for _, now := range []int64{o.Start - 1, o.Start, o.End - 1, o.End} {
				if _, on := m.Now(now); on != isOn(m, now) {
					t.Fatalf("%s: on is %v", time.Unix(now, 0).UTC(), on)
				}
			}
		}
	})
}

// TestNextChangeIsTheFirst: between now and the next change the window stays as
// it is, and at the change it does not; if there is none, it never is on again.
func TestNextChangeIsTheFirst(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := drawRepeat(t)
		now := m.StartsAt + rapid.Int64Range(-20*daySeconds, 70*daySeconds).Draw(t, "now")
		next := m.NextChange(now)
		end := next
		if next == 0 {
			end = now + 500*daySeconds
		}
		for _, o := range m.Between(now+1, end) {
			if o.Start > now || next == 0 {
				t.Fatalf("next change %d, but it is on from %d to %d", next, o.Start, o.End)
			}
		}
		if next != 0 && isOn(m, next) == isOn(m, next-1) && !touches(m, next) {
			t.Fatalf("nothing changes at %d", next)
		}
	})
}

// touches reports whether one time that m is on follows another at once.
func touches(m *Maintenance, at int64) bool {
	before, on := m.Now(at - 1)
	after, still := m.Now(at)
	return on && still && before.End == at && after.Start == at
}

// TestNextChangeAfterALongRest: a window that rests for more than a week, by its
// weeks or by the days it leaves out, is not taken for one that is over.
func TestNextChangeAfterALongRest(t *testing.T) {
	t.Parallel()
	monday := at(t, "2026-01-05T00:00:00Z")
	for _, tt := range []struct {
		name   string
		repeat Repeat
		now    int64
		want   string // "" for never
	}{
		{"every four weeks", Repeat{Days: []string{"mon"}, Weeks: 4}, monday + 4*3600, "2026-02-02T02:00:00Z"},
		{"every 52 weeks", Repeat{Days: []string{"mon"}, Weeks: 52}, monday + 4*3600, "2027-01-04T02:00:00Z"},
		{"three Mondays left out", Repeat{Days: []string{"mon"}, Skip: []string{"2026-01-12", "2026-01-19", "2026-01-26"}}, monday + 4*3600, "2026-02-02T02:00:00Z"},
		{"both", Repeat{Days: []string{"mon"}, Weeks: 2, Skip: []string{"2026-01-19"}}, monday + 4*3600, "2026-02-02T02:00:00Z"},
		{"while it is on", Repeat{Days: []string{"mon"}, Weeks: 4}, monday + 2*3600, "2026-01-05T03:00:00Z"},
		{"before it begins at all", Repeat{Days: []string{"fri"}}, monday - 100*daySeconds, "2026-01-09T02:00:00Z"},
	} {
		tt.repeat.From, tt.repeat.To, tt.repeat.Zone = "02:00", "03:00", "UTC"
		m := &Maintenance{Name: tt.name, StartsAt: monday, Repeat: &tt.repeat, Covers: Covers{All: true}}
		if err := m.Validate(); err != nil {
			t.Fatal(err)
		}
		if got, want := m.NextChange(tt.now), at(t, tt.want); got != want {
			t.Errorf("%s: %s, want %s", tt.name, time.Unix(got, 0).UTC(), tt.want)
		}
		m.EndsAt = new(monday + daySeconds)
		if got := m.NextChange(*m.EndsAt); got != 0 {
			t.Errorf("%s: after its end it changes at %s", tt.name, time.Unix(got, 0).UTC())
		}
	}
}

package tidemark

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestScheduleByTheClock: a schedule goes by the clocks of its zone, also on
// the days on which they are changed, and by the last day of short months.
func TestScheduleByTheClock(t *testing.T) {
	t.Parallel()
	daily := Schedule{Every: EveryDay}
	weekly := Schedule{Every: EveryWeek, Weekday: "mon"}
	monthly := func(day int) Schedule { return Schedule{Every: EveryMonth, Day: day} }
	for _, tt := range []struct {
		name     string
		schedule Schedule
		time     string
		zone     string
		after    string
		want     string
	}{
		{"winter", daily, "09:00", "Europe/Berlin", "2026-01-05T00:00:00Z", "2026-01-05T08:00:00Z"},
		{"summer", daily, "09:00", "Europe/Berlin", "2026-07-05T00:00:00Z", "2026-07-05T07:00:00Z"},
		{"at that very time, the next", daily, "09:00", "Europe/Berlin", "2026-07-05T07:00:00Z", "2026-07-06T07:00:00Z"},
		{"a second before", daily, "09:00", "Europe/Berlin", "2026-07-05T06:59:59Z", "2026-07-05T07:00:00Z"},
		{"over the change ahead, 23 hours", daily, "09:00", "Europe/Berlin", "2026-03-28T08:00:00Z", "2026-03-29T07:00:00Z"},
		{"over the change back, 25 hours", daily, "09:00", "Europe/Berlin", "2026-10-24T07:00:00Z", "2026-10-25T08:00:00Z"},
		{"set ahead: 02:30 never comes", daily, "02:30", "Europe/Berlin", "2026-03-28T12:00:00Z", "2026-03-29T01:30:00Z"},
		{"and the day after", daily, "02:30", "Europe/Berlin", "2026-03-29T01:30:00Z", "2026-03-30T00:30:00Z"},
		{"set back: 02:30 comes twice", daily, "02:30", "Europe/Berlin", "2026-10-24T12:00:00Z", "2026-10-25T00:30:00Z"},
		{"but counts once", daily, "02:30", "Europe/Berlin", "2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"},
		{"set ahead at midnight", daily, "00:00", "America/Asuncion", "2024-10-05T12:00:00Z", "2024-10-06T04:00:00Z"},
		{"half an hour", daily, "02:15", "Australia/Lord_Howe", "2026-10-03T00:00:00Z", "2026-10-03T15:45:00Z"},
		{"a day that a zone left out", daily, "09:00", "Pacific/Apia", "2011-12-29T20:00:00Z", "2011-12-30T19:00:00Z"},
		{"and once only", daily, "09:00", "Pacific/Apia", "2011-12-30T19:00:00Z", "2011-12-31T19:00:00Z"},
		{"on Mondays", weekly, "00:30", "Europe/Berlin", "2026-11-17T00:00:00Z", "2026-11-22T23:30:00Z"},
		{"on the first", monthly(1), "09:00", "UTC", "2026-12-01T09:00:00Z", "2027-01-01T09:00:00Z"},
		{"on the 31st, in January", monthly(31), "09:00", "UTC", "2027-01-01T00:00:00Z", "2027-01-31T09:00:00Z"},
		{"in February", monthly(31), "09:00", "UTC", "2027-01-31T09:00:00Z", "2027-02-28T09:00:00Z"},
		{"in a leap year", monthly(30), "09:00", "UTC", "2028-02-01T09:00:00Z", "2028-02-29T09:00:00Z"},
		{"in April", monthly(31), "09:00", "UTC", "2027-04-01T09:00:00Z", "2027-04-30T09:00:00Z"},
		{"over the change of clocks", monthly(29), "02:30", "Europe/Berlin", "2026-03-01T00:00:00Z", "2026-03-29T01:30:00Z"},
	} {
		s := tt.schedule
		s.Time, s.Zone = tt.time, tt.zone
		if err := s.Validate(); err != nil {
			t.Fatal(err)
		}
		next := s.Next(at(t, tt.after))
		if next != at(t, tt.want) {
			t.Errorf("%s: %s, want %s", tt.name, time.Unix(next, 0).UTC().Format(time.RFC3339), tt.want)
		}
		if last := s.Last(next); last != next {
			t.Errorf("%s: at its own time the last is %d, want %d", tt.name, last, next)
		}
	}
	if broken := (&Schedule{Every: "year", Time: "09:00", Zone: "UTC"}); broken.Next(0) != 0 || broken.Last(0) != 0 {
		t.Error("a schedule that is not valid has times")
	}
}

// drawSchedule draws a schedule by clocks that are changed now and then.
func drawSchedule(t *rapid.T) *Schedule {
	return &Schedule{
		Every:   rapid.SampledFrom([]string{EveryDay, EveryWeek, EveryMonth}).Draw(t, "every"),
		Weekday: rapid.SampledFrom(Days).Draw(t, "weekday"), Day: rapid.IntRange(1, 31).Draw(t, "day"),
		Time: fmt.Sprintf("%02d:%02d", rapid.IntRange(0, 23).Draw(t, "hour"), rapid.SampledFrom([]int{0, 15, 30, 59}).Draw(t, "minute")),
		Zone: rapid.SampledFrom([]string{"UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "America/Asuncion"}).Draw(t, "zone"),
	}
}

// TestScheduleIsInOrder: no time of a schedule lies between a moment and the
// next one, whichever way it is asked for, and each is a time that clocks show
// or, where they never do, one within the change after it.
func TestScheduleIsInOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := drawSchedule(t)
		now := rapid.Int64Range(1_700_000_000, 1_900_000_000).Draw(t, "now")
		next, last := s.Next(now), s.Last(now)
		if last > now || next <= now || next-last > (longestWait+1)*daySeconds {
			t.Fatalf("%+v: %d is between %d and %d", s, now, last, next)
		}
		between := rapid.Int64Range(last, next-1).Draw(t, "between")
		if s.Next(between) != next || s.Last(between) != last {
			t.Fatalf("%+v: at %d %d and %d, at %d %d and %d", s, now, last, next, between, s.Last(between), s.Next(between))
		}
		zone, err := time.LoadLocation(s.Zone)
		if err != nil {
			t.Fatal(err)
		}
		shown := time.Unix(next, 0).In(zone)
		if shown.Format("15:04") == s.Time {
			return
		}
		_, before := time.Unix(next-daySeconds, 0).In(zone).Zone()
		if _, after := shown.Zone(); after <= before {
			t.Fatalf("%+v is at %s, though clocks were not set ahead", s, shown)
		}
	})
}

// TestScheduleForgetsWhatItDoesNotUse: a day of the week is kept of a weekly
// schedule alone.
func TestScheduleForgetsWhatItDoesNotUse(t *testing.T) {
	t.Parallel()
	for every, want := range map[string]Schedule{
		EveryDay: {Every: EveryDay}, EveryWeek: {Every: EveryWeek, Weekday: "tue"}, EveryMonth: {Every: EveryMonth, Day: 5},
	} {
		s := Schedule{Every: every, Weekday: "tue", Day: 5}
		if s.Normalize(); s != want {
			t.Errorf("%s: %+v, want %+v", every, s, want)
		}
	}
}

// TestRangeAt: ranges end now, but for yesterday; days are those of the zone.
func TestRangeAt(t *testing.T) {
	t.Parallel()
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ text, now, start, end string }{
		{"", "2026-11-17T12:00:00Z", "2026-11-17T06:00:00Z", "2026-11-17T12:00:00Z"},
		{"-30m", "2026-11-17T12:00:00Z", "2026-11-17T11:30:00Z", "2026-11-17T12:00:00Z"},
		{"-2h", "2026-11-17T12:00:00Z", "2026-11-17T10:00:00Z", "2026-11-17T12:00:00Z"},
		{"-7d", "2026-11-17T12:00:00Z", "2026-11-10T12:00:00Z", "2026-11-17T12:00:00Z"},
		{"-4w", "2026-11-17T12:00:00Z", "2026-10-20T12:00:00Z", "2026-11-17T12:00:00Z"},
		{"today", "2026-11-16T23:30:00Z", "2026-11-16T23:00:00Z", "2026-11-16T23:30:00Z"},
		{"today", "2026-11-16T23:00:00Z", "2026-11-16T22:59:00Z", "2026-11-16T23:00:00Z"},
		{"yesterday", "2026-11-16T23:30:00Z", "2026-11-15T23:00:00Z", "2026-11-16T23:00:00Z"},
		{"yesterday", "2026-03-30T10:00:00Z", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"},
	} {
		start, end := RangeAt(tt.text, at(t, tt.now), berlin)
		if start != at(t, tt.start) || end != at(t, tt.end) {
			t.Errorf("%q at %s: %s to %s", tt.text, tt.now, time.Unix(start, 0).UTC(), time.Unix(end, 0).UTC())
		}
	}
}

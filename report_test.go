package tidemark

import (
	"slices"
	"strings"
	"testing"
)

func newReport() *Report {
	return &Report{
		ID: 5, Space: 1, Name: "Weekly", Range: "-7d", Services: []int64{1, 2},
		Schedule: Schedule{Every: EveryDay, Time: "09:00", Zone: "Europe/Berlin"},
	}
}

// TestReport: a report has a name, a schedule and somebody to send it to.
func TestReport(t *testing.T) {
	checkRefusals(t, newReport, (*Report).Validate, []refusal[Report]{
		{"no name", func(r *Report) { r.Name = "" }, "name"},
		{"no rhythm", func(r *Report) { r.Schedule.Every = "hour" }, "schedule.every"},
		{"a week without a day", func(r *Report) { r.Schedule.Every = EveryWeek }, "schedule.weekday"},
		{"Tuesdays", func(r *Report) { r.Schedule.Every, r.Schedule.Weekday = EveryWeek, "tue" }, ""},
		{"no day of a week", func(r *Report) { r.Schedule.Every, r.Schedule.Weekday = EveryWeek, "Tuesday" }, "schedule.weekday"},
		{"a month without a day", func(r *Report) { r.Schedule.Every = EveryMonth }, "schedule.day"},
		{"the last day", func(r *Report) { r.Schedule.Every, r.Schedule.Day = EveryMonth, 31 }, ""},
		{"the 32nd", func(r *Report) { r.Schedule.Every, r.Schedule.Day = EveryMonth, 32 }, "schedule.day"},
		{"no time", func(r *Report) { r.Schedule.Time = "" }, "schedule.time"},
		{"a short time", func(r *Report) { r.Schedule.Time = "9:00" }, "schedule.time"},
		{"24 o'clock", func(r *Report) { r.Schedule.Time = "24:00" }, "schedule.time"},
		{"no zone", func(r *Report) { r.Schedule.Zone = "" }, "schedule.zone"},
		{"the server's zone", func(r *Report) { r.Schedule.Zone = "Local" }, "schedule.zone"},
		{"a zone that there is not", func(r *Report) { r.Schedule.Zone = "Europe/Atlantis" }, "schedule.zone"},
		{"the usual range", func(r *Report) { r.Range = "" }, ""},
		{"no range", func(r *Report) { r.Range = "7d" }, "range"},
		{"a filter without a name", func(r *Report) { r.Tags = []TagFilter{{}} }, "tags"},
		{"nobody", func(r *Report) { r.Services = nil }, "services"},
		{"one of them twice", func(r *Report) { r.Services = []int64{1, 2, 1} }, "services"},
		{"as many as there may be", func(r *Report) { r.Services = numbered(20) }, ""},
		{"too many", func(r *Report) { r.Services = numbered(21) }, "services"},
	})
}

func numbered(n int64) (ids []int64) {
	for id := range n {
		ids = append(ids, id+1)
	}
	return ids
}

// TestReportIsLateForAnHour: one that was due while no server ran is sent up
// to an hour later; after that it is said that it was not, and the next comes.
func TestReportIsLateForAnHour(t *testing.T) {
	t.Parallel()
	due, next := at(t, "2026-10-25T08:00:00Z"), at(t, "2026-10-26T08:00:00Z")
	r := newReport()
	if r.Plan(at(t, "2026-10-24T07:00:00Z")); r.DueAt != due {
		t.Fatalf("due at %d, want %d", r.DueAt, due)
	}
	for _, now := range []int64{due, due + 3600} {
		if r.IsMissed(now) || r.Slot(now) != due {
			t.Errorf("%d seconds late it is not sent, or for %d", now-due, r.Slot(now))
		}
	}
	late := due + 3601
	if !r.IsMissed(late) {
		t.Error("it is sent more than an hour late")
	}
	r.Miss(late)
	if r.DueAt != next || r.Problem != "Not sent on 25 October 2026, 09:00 CET: no server was running." {
		t.Errorf("due at %d: %s", r.DueAt, r.Problem)
	}
	if r.Sent(next + 5); r.Problem != "" || r.SentAt != next+5 || r.DueAt != at(t, "2026-10-27T08:00:00Z") {
		t.Errorf("after it was sent %+v", r.ReportState)
	}
	if two := next + 2*daySeconds + 60; r.IsMissed(two) || r.Slot(two) != next+2*daySeconds {
		t.Errorf("after days without a server that for %d is sent", r.Slot(two))
	}
}

// TestReportThatFails is tried again within its hour, and keeps the reason.
func TestReportThatFails(t *testing.T) {
	t.Parallel()
	due := at(t, "2026-11-17T08:00:00Z")
	r := newReport()
	r.Plan(due - 1)
	tries := 0
	for now := due; r.DueAt <= now; now = r.DueAt {
		if r.IsMissed(now) {
			t.Fatalf("try %d is missed", tries)
		}
		r.Fail(now, strings.Repeat("é", 600))
		if tries++; tries > 20 || len([]rune(r.Problem)) != 501 {
			t.Fatalf("try %d: %q", tries, r.Problem)
		}
		if r.DueAt > due+ReportLate {
			break
		}
	}
	if tries != 13 || r.DueAt != due+daySeconds {
		t.Errorf("%d tries, then due %d seconds later", tries, r.DueAt-due)
	}
	r.DueAt = due + 300 // no server ran for the rest of the hour
	r.Problem = "too much to read"
	if r.Miss(due + 7200); r.Problem != "too much to read" || r.DueAt != due+daySeconds {
		t.Errorf("%+v", r.ReportState)
	}
}

// TestReportAskedFor is sent whatever its schedule says, and changes nothing of
// when it is next due.
func TestReportAskedFor(t *testing.T) {
	t.Parallel()
	due := at(t, "2026-11-17T08:00:00Z")
	asked := due - 7200
	r := newReport()
	r.Plan(due - 1)
	r.AskedAt = asked
	if r.IsMissed(asked+5) || r.Slot(asked+5) != asked {
		t.Errorf("what was asked for is sent for %d", r.Slot(asked+5))
	}
	if r.Fail(asked+5, "no"); r.AskedAt != 0 || r.DueAt != due || r.Problem != "no" {
		t.Errorf("after a failure %+v", r.ReportState)
	}
	r.AskedAt = asked
	if r.Sent(asked + 5); r.AskedAt != 0 || r.DueAt != due || r.SentAt != asked+5 {
		t.Errorf("after it was sent %+v", r.ReportState)
	}
	r.Paused, r.AskedAt = true, asked
	r.Plan(asked)
	if r.Sent(asked + 5); r.DueAt != 0 {
		t.Errorf("one that is paused is due at %d", r.DueAt)
	}
	start, end := r.Shown(due)
	if end != due || start != due-7*daySeconds || r.DeliveryKey(due) != "tidemark-report-5-1794902400" {
		t.Errorf("%d to %d with the key %s", start, end, r.DeliveryKey(due))
	}
}

// TestReportGivesUp: what cannot be sent waits for its next time.
func TestReportGivesUp(t *testing.T) {
	t.Parallel()
	due := at(t, "2026-11-17T08:00:00Z")
	r := newReport()
	r.Plan(due - 1)
	if r.GiveUp(due, "nobody is there"); r.DueAt != due+daySeconds || r.Problem != "nobody is there" || r.SentAt != 0 {
		t.Errorf("%+v", r.ReportState)
	}
	r.AskedAt = due + 60
	if r.GiveUp(due+60, "still nobody"); r.AskedAt != 0 || r.DueAt != due+daySeconds || r.Problem != "still nobody" {
		t.Errorf("%+v", r.ReportState)
	}
	r.DueAt, r.AskedAt = due+daySeconds, due+daySeconds+5
	if r.GiveUp(due+daySeconds+5, "nobody"); r.AskedAt != 0 || r.DueAt != due+2*daySeconds {
		t.Errorf("asked for when it was due: %+v", r.ReportState)
	}
}

// TestWhenOfReports: the time that a picture shows is said by the clocks of its
// zone.
func TestWhenOfReports(t *testing.T) {
	t.Parallel()
	slot := at(t, "2026-10-25T08:00:00Z")
	for shown, want := range map[string]string{
		"-1d": "24 Oct 2026, 10:00 – 25 Oct 2026, 09:00 CET", "today": "25 Oct 2026, 00:00 – 09:00 CET", "-30m": "25 Oct 2026, 08:30 – 09:00 CET",
		"yesterday": "24 Oct 2026, 00:00 – 25 Oct 2026, 00:00 CEST",
	} {
		r := newReport()
		r.Range = shown
		if got := NewReportNotice(1, r, "space", slot).Report.When(); got != want {
			t.Errorf("%s: %s, want %s", shown, got, want)
		}
	}
	if got := (&ReportNotice{Start: 0, End: 60, Zone: "Nowhere"}).When(); got != "1 Jan 1970, 00:00 – 00:01 UTC" {
		t.Error(got)
	}
}

// TestReportUpdate: what is left out stays.
func TestReportUpdate(t *testing.T) {
	t.Parallel()
	r := newReport()
	ReportUpdate{Paused: Opt[bool]{Set: true, V: true}, Services: Opt[[]int64]{Set: true, V: []int64{7}}}.Apply(r)
	if !r.Paused || !slices.Equal(r.Services, []int64{7}) || r.Name != "Weekly" || r.Range != "-7d" || r.Schedule.Time != "09:00" {
		t.Errorf("changed to %+v", r)
	}
	r.Services = nil
	if r.Normalize(); r.Services == nil {
		t.Error("services are null")
	}
}

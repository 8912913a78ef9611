package store_test

import (
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// newReport is sent every day at nine in the morning.
func newReport(space int64, services ...int64) *tidemark.Report {
	return &tidemark.Report{
		Space: space, Name: "Daily", Range: "-1d", Services: services,
		Schedule: tidemark.Schedule{Every: tidemark.EveryDay, Time: "09:00", Zone: "UTC"},
	}
}

const (
	nine = 1_794_906_000 // 17 Nov 2026 09:00 UTC
	day  = 24 * 3600
)

func addServiceOf(t *testing.T, s *store.Store, org tidemark.OrgID, kind string, settings map[string]string) int64 {
	t.Helper()
	v := &tidemark.Service{Type: kind, Title: kind, Settings: settings}
	ok(t, s.CreateService(t.Context(), org, operator, v))
	return v.ID
}

func addMailbox(t *testing.T, s *store.Store, org tidemark.OrgID) int64 {
	t.Helper()
	return addServiceOf(t, s, org, "mail", map[string]string{"addresses": "ann@example.org"})
}

// sendReport sends the only report that is due.
func sendReport(t *testing.T, s *store.Store, now int64) {
	t.Helper()
	lease, _, err := s.TakeLease(t.Context(), store.Lease{Name: "reports", Holder: "a"}, time.Hour)
	ok(t, err)
	due := must(s.DueReports(t.Context(), now, 10))(t)
	if len(due) != 1 {
		t.Fatalf("due are %+v", due)
	}
	sent := *due[0]
	sent.Sent(now)
	ok(t, s.FinishReport(t.Context(), lease, due[0], &sent, []byte("png"), tidemark.NewReportNotice(sent.Org, &sent.Report, "space", now)))
}

// TestReports: a space has its own, sent to services of its organization that
// can show a picture; a service that was deleted stays in its place, and the
// audit log has what became of them.
func TestReports(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx, other := t.Context(), addOrg(t, s, "other")
		first, second, theirs := addSpace(t, s, org, "first"), addSpace(t, s, org, "second"), addSpace(t, s, other, "theirs")
		mail, chat, abroad := addMailbox(t, s, org), addServiceOf(t, s, org, "slack", map[string]string{"url": "https://chat.example.org/x"}), addMailbox(t, s, other)
		pager := addServiceOf(t, s, org, "victorops", map[string]string{"api_key": "k"})

		v := newReport(first.ID, mail, chat)
		v.Tags, v.Schedule.Weekday = []tidemark.TagFilter{{Name: "region", Values: []string{"eu"}}}, "mon"
		ok(t, s.CreateReport(ctx, org, operator, v, nine-1))
		same(t, "reports", []*tidemark.Report{v}, must(s.Reports(ctx, org, first.ID))(t))
		same(t, "report", v, must(s.Report(ctx, org, v.ID))(t))
		same(t, "of another space", 0, len(must(s.Reports(ctx, org, second.ID))(t)))
		if v.CreatedBy != operator.String() || v.DueAt != nine || v.Schedule.Weekday != "" {
			t.Errorf("made as %+v", v)
		}
		wantKind(t, "of no space", tidemark.NotFound, errOf(s.Reports(ctx, org, theirs.ID)))
		wantKind(t, "for the space of others", tidemark.NotFound, s.CreateReport(ctx, org, operator, newReport(theirs.ID, mail), nine))
		checkFields(t, s.CreateReport(ctx, org, operator, newReport(first.ID, abroad), nine), "services", "3 does not exist")
		checkFields(t, s.CreateReport(ctx, org, operator, newReport(first.ID, pager), nine), "services", "cannot be of type victorops, which shows no pictures")
		checkFields(t, s.CreateReport(ctx, org, operator, newReport(first.ID), nine), "services", "must have a service")

		ok(t, s.DeleteService(ctx, org, operator, chat))
		change := func(now int64, f func(*tidemark.Report)) error {
			return errOf(s.UpdateReport(ctx, org, operator, v.ID, f, now))
		}
		checkFields(t, change(nine, func(r *tidemark.Report) { r.Services = append(r.Services, pager) }), "services", "cannot be of type victorops, which shows no pictures")
		ok(t, change(nine, func(r *tidemark.Report) { r.Name, r.Space, r.DueAt, r.CreatedBy = "Morning", second.ID, 7, "me" }))
		kept := must(s.Report(ctx, org, v.ID))(t)
		if kept.Name != "Morning" || kept.Space != first.ID || kept.DueAt != nine || kept.CreatedBy != operator.String() || len(kept.Services) != 2 {
			t.Errorf("changed to %+v", kept)
		}
		ok(t, change(nine+60, func(r *tidemark.Report) { r.Paused = true }))
		same(t, "due while paused", int64(0), must(s.Report(ctx, org, v.ID))(t).DueAt)
		ok(t, change(nine+60, func(r *tidemark.Report) { r.Paused, r.Schedule.Time = false, "10:00" }))
		same(t, "due by the new time", int64(nine+3600), must(s.Report(ctx, org, v.ID))(t).DueAt)

		wantKind(t, "of another organization", tidemark.NotFound, s.DeleteReport(ctx, other, operator, v.ID))
		ok(t, s.SendReportNow(ctx, org, operator, v.ID, nine+70))
		wantKind(t, "twice", tidemark.Conflict, s.SendReportNow(ctx, org, operator, v.ID, nine+71))
		ok(t, s.DeleteReport(ctx, org, operator, v.ID))
		var did []string
		for _, e := range must(s.AuditLog(ctx, org, tidemark.AuditQuery{Action: "report.*"}))(t) {
			did = append(did, e.Action)
		}
		same(t, "audit log", []string{"report.delete", "report.send", "report.update", "report.update", "report.update", "report.create"}, did)

		gone := newReport(second.ID, mail)
		ok(t, s.CreateReport(ctx, org, operator, gone, nine))
		ok(t, s.DeleteSpace(ctx, org, operator, second.ID))
		wantKind(t, "of a space that is gone", tidemark.NotFound, errOf(s.Report(ctx, org, gone.ID)))
	})
}

// TestReportLimit: an organization has as many as it may.
func TestReportLimit(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		s.SetLimits(tidemark.NewLimits(map[tidemark.LimitName]int64{tidemark.LimitReports: 1}))
		space, mail := addSpace(t, s, org, "space"), addMailbox(t, s, org)
		ok(t, s.CreateReport(t.Context(), org, operator, newReport(space.ID, mail), nine))
		wantKind(t, "the second", tidemark.Forbidden, s.CreateReport(t.Context(), org, operator, newReport(space.ID, mail), nine))
	})
}

// TestFinishReport: what is sent waits in the queue of notifications, once for
// each service that is there, with its picture; what changed meanwhile, or is
// done by a server that lost its lease, is not.
func TestFinishReport(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		space, mail, gone := addSpace(t, s, org, "space"), addMailbox(t, s, org), addMailbox(t, s, org)
		v := newReport(space.ID, mail, gone)
		ok(t, s.CreateReport(ctx, org, operator, v, nine-1))
		ok(t, s.DeleteService(ctx, org, operator, gone))
		lease, _, err := s.TakeLease(ctx, store.Lease{Name: "reports", Holder: "a"}, time.Hour)
		ok(t, err)
		same(t, "due a second before", 0, len(must(s.DueReports(ctx, nine-1, 10))(t)))
		due := must(s.DueReports(ctx, nine, 10))(t)
		if len(due) != 1 || due[0].Org != org || due[0].ID != v.ID {
			t.Fatalf("due are %+v", due)
		}
		sent := *due[0]
		sent.Sent(nine + 2)
		n := tidemark.NewReportNotice(org, &sent.Report, "space", nine)
		lost := lease
		lost.Fence--
		wantKind(t, "without the lease", tidemark.Conflict, s.FinishReport(ctx, lost, due[0], &sent, []byte("png"), n))
		for range 2 { // the second finds it sent
			ok(t, s.FinishReport(ctx, lease, due[0], &sent, []byte("png"), n))
		}
		same(t, "the picture", []byte("png"), must(s.ReportPicture(ctx, org, v.ID, nine))(t))
		kept := must(s.Report(ctx, org, v.ID))(t)
		same(t, "its state", tidemark.ReportState{DueAt: nine + day, SentAt: nine + 2}, kept.ReportState)
		queue := must(s.TakeDue(ctx, tidemark.DueQuery{Now: nine + 2, Until: nine + 30, Limit: 10}))(t)
		if len(queue) != 1 || queue[0].Service != mail || queue[0].Kind != tidemark.NoticeReport || queue[0].Notice.Report == nil || queue[0].Notice.Report.ID != v.ID {
			t.Fatalf("in the queue are %+v", queue)
		}
		same(t, "key", v.DeliveryKey(nine), queue[0].Key)

		ok(t, s.SendReportNow(ctx, org, operator, v.ID, nine+100))
		asked := must(s.DueReports(ctx, nine+100, 10))(t)
		if len(asked) != 1 || asked[0].AskedAt != nine+100 {
			t.Fatalf("asked for are %+v", asked)
		}
		failed := *asked[0]
		failed.Fail(nine+101, "too much to read")
		ok(t, s.FinishReport(ctx, lease, asked[0], &failed, nil, nil))
		same(t, "after a failure", tidemark.ReportState{DueAt: nine + day, SentAt: nine + 2, Problem: "too much to read"}, must(s.Report(ctx, org, v.ID))(t).ReportState)
		same(t, "due once it failed", 0, len(must(s.DueReports(ctx, nine+200, 10))(t)))
	})
}

// TestDueReportsTakeTurns: of each organization there is one, so that one with
// many is not before others; asked for come first where they wait for longer.
func TestDueReportsTakeTurns(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx, other := t.Context(), addOrg(t, s, "other")
		var ids []int64
		for _, o := range []tidemark.OrgID{org, org, org, other} {
			v := newReport(addSpace(t, s, o, "space").ID, addMailbox(t, s, o))
			ok(t, s.CreateReport(ctx, o, operator, v, nine-1))
			ids = append(ids, v.ID)
		}
		due := func(now int64, limit int) (list []int64) {
			for _, v := range must(s.DueReports(ctx, now, limit))(t) {
				list = append(list, v.ID)
			}
			return list
		}
		same(t, "one of each", []int64{ids[0], ids[3]}, due(nine, 10))
		same(t, "at most", []int64{ids[0]}, due(nine, 1))
		ok(t, s.SendReportNow(ctx, org, operator, ids[2], nine-10))
		same(t, "asked for before the others were due", []int64{ids[2], ids[3]}, due(nine, 10))
		same(t, "asked for", []int64{ids[2]}, due(nine-5, 10))
	})
}

// TestUndeliveredReport: a report says which service did not get it, until it is
// sent again; one that another got stands in for nobody.
func TestUndeliveredReport(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		mail, other := addMailbox(t, s, org), addMailbox(t, s, org)
		v := newReport(addSpace(t, s, org, "space").ID, mail)
		ok(t, s.CreateReport(ctx, org, operator, v, nine-1))
		problem := func() string { return must(s.Report(ctx, org, v.ID))(t).Problem }
		sent := func(now int64) int64 {
			sendReport(t, s, now)
			queue := must(s.TakeDue(ctx, tidemark.DueQuery{Now: now, Until: now + 30, Limit: 10}))(t)
			return queue[len(queue)-1].ID
		}
		fail := func(delivery int64, answer string) {
			ok(t, s.Finish(ctx, &tidemark.Outcome{
				Delivery: delivery, Status: tidemark.DeliveryFailed, Fallback: other, Attempt: tidemark.Attempt{At: nine + 60, Answer: answer},
			}))
		}
		first := sent(nine)
		fail(first, "550 no such user")
		same(t, "problem", "mail: 550 no such user", problem())
		list, _, err := s.ServiceDeliveries(ctx, org, other, tidemark.Page{Length: 10})
		ok(t, err)
		same(t, "to another service", 0, len(list))
		second := sent(nine + day)
		same(t, "problem once it is sent again", "", problem())
		ok(t, s.RetryDelivery(ctx, org, operator, first, nine+day))
		fail(first, "550 still no such user")
		same(t, "problem of an earlier one", "", problem())
		ok(t, s.DeleteService(ctx, org, operator, mail))
		fail(second, "the service was deleted")
		same(t, "problem of a service that is gone", "", problem())
	})
}

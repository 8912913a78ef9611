package store_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// ann is who changes things in these tests.
var ann = tidemark.PersonActor("ann@example.org", "192.0.2.7")

// step is an operation, and the entries of the audit log that it must leave: action,
// what was and what is, as JSON.
type step struct {
	name string
	do   func() error
	want [][3]string
}

func (st step) check(t *testing.T, log []*tidemark.AuditEntry) {
	t.Helper()
	var got [][3]string
	for _, v := range slices.Backward(log) {
		if v.Actor != "user:ann@example.org" || v.Address != "192.0.2.7" || v.Object == "" || v.At == 0 {
			t.Errorf("%s: entry %+v", st.name, v)
		}
		got = append(got, [3]string{v.Action, text(v.Before), text(v.After)})
	}
	same(t, st.name, st.want, got)
}

func text(fields map[string]any) string {
	if fields == nil {
		return ""
	}
	b, _ := json.Marshal(fields)
	return string(b)
}

// TestAudited: an operation and its entry are one transaction, with what changed and
// nothing else.
func TestAudited(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		b := furnish(t, s, org)
		var seen []*tidemark.AuditEntry
		s.WatchAudit(func(v *tidemark.AuditEntry) { seen = append(seen, v) })
		for _, st := range append(wishesOfThings(t, s, org, &b), wishesOfPeople(t, s, org, &b)...) {
			seen = nil
			last := int64(0)
			if log := must(s.AuditLog(t.Context(), org, tidemark.AuditQuery{Length: 1}))(t); len(log) > 0 {
				last = log[0].ID
			}
			ok(t, st.do())
			log := must(s.AuditLog(t.Context(), org, tidemark.AuditQuery{}))(t)
			log = log[:max(slices.IndexFunc(log, func(v *tidemark.AuditEntry) bool { return v.ID <= last }), 0)]
			st.check(t, log)
			slices.Reverse(seen)
			same(t, st.name+": what was told", text(map[string]any{"log": log}), text(map[string]any{"log": append([]*tidemark.AuditEntry{}, seen...)}))
		}
	})
}

func wishesOfThings(t *testing.T, s *store.Store, org tidemark.OrgID, b *belongings) []step {
	ctx := t.Context()
	attachment := tidemark.AttachmentKey{Alert: b.alert.ID, Service: b.service.ID}
	return []step{
		{"rename a service", func() error {
			return errOf(s.UpdateService(ctx, org, ann, b.service.ID, func(v *tidemark.Service) { v.Title = "night" }))
		}, [][3]string{{"service.update", `{"title":"ops"}`, `{"title":"night"}`}}},
		{"change nothing", func() error {
			return errOf(s.UpdateService(ctx, org, ann, b.service.ID, func(v *tidemark.Service) {}))
		}, nil},
		{"change an alert", func() error {
			return errOf(s.UpdateAlert(ctx, org, ann, b.alert.ID, func(v *tidemark.Alert) { v.RearmSeconds = 300 }))
		}, [][3]string{{"alert.update", `{"rearm_seconds":600}`, `{"rearm_seconds":300}`}}},
		{"detach a service", func() error { return s.DetachService(ctx, org, ann, attachment) },
			[][3]string{{"alert.update", `{"services":[` + id(b.service.ID) + `]}`, `{"services":[]}`}}},
		{"attach a service", func() error { return s.AttachService(ctx, org, ann, attachment) },
			[][3]string{{"alert.update", `{"services":[]}`, `{"services":[` + id(b.service.ID) + `]}`}}},
		{"attach it again", func() error { return s.AttachService(ctx, org, ann, attachment) }, nil},
		{"comment", func() error {
			return s.CommentIncident(ctx, org, ann, b.incident, &tidemark.IncidentNote{At: 40, Text: "hm"})
		}, [][3]string{{"alert.comment", "", ""}}},
		{"acknowledge", func() error { return s.AcknowledgeAlert(ctx, org, ann, b.alert.ID, &tidemark.IncidentNote{At: 40}) },
			[][3]string{{"alert.acknowledge", "", ""}}},
		{"resolve", func() error { return s.ResolveAlert(ctx, org, ann, b.alert.ID, 50) }, [][3]string{{"alert.resolve", "", ""}}},
		{"snooze", func() error {
			return s.SnoozeAlert(ctx, org, ann, b.alert.ID, &tidemark.Snooze{StartsAt: 1 << 39, Note: "night"})
		}, [][3]string{{"alert.snooze", "", ""}}},
		{"resume", func() error { return s.ResumeAlert(ctx, org, ann, b.alert.ID) }, [][3]string{{"alert.resume", "", ""}}},
		{"undo a snooze that is gone", func() error { return s.UndoSnoozes(ctx, org, ann, b.alert.ID, []int64{1}) }, nil},
		{"resume again", func() error { return s.ResumeAlert(ctx, org, ann, b.alert.ID) }, nil},
		{"rename a space", func() error {
			return errOf(s.UpdateSpace(ctx, org, ann, b.space.ID, func(v *tidemark.Space) { v.Name = new("shop") }))
		}, [][3]string{{"space.update", `{"name":"x"}`, `{"name":"shop"}`}}},
		{"name a version", func() error {
			return s.NameVersion(ctx, org, ann, spaceKey(b.space.ID), 1, "before sale")
		}, [][3]string{{"version.name", "", ""}}},
		{"name it so again", func() error {
			return s.NameVersion(ctx, org, ann, spaceKey(b.space.ID), 1, "before sale")
		}, nil},
		{"name a chart", func() error {
			return errOf(s.UpdateChart(ctx, org, ann, b.chart, func(v *tidemark.Chart) { v.Name = "load" }))
		}, [][3]string{{"chart.update", `{"name":""}`, `{"name":"load"}`}}},
		{"delete a chart", func() error { return s.DeleteChart(ctx, org, ann, b.chart) },
			[][3]string{{"chart.delete", `{"name":"load","streams":[{"id":1,"metric":"cpu"}],"thresholds":[],"type":"line"}`, ""}}},
		{"describe a metric", func() error {
			_, _, err := s.PutMetric(ctx, org, ann, "cpu", func(m *tidemark.Metric) { m.Description = new("busy") })
			return err
		}, [][3]string{{"metric.update", `{"description":null}`, `{"description":"busy"}`}}},
		{"make a metric", func() error {
			_, _, err := s.PutMetric(ctx, org, ann, "disk", func(m *tidemark.Metric) { m.Period = new(int64(60)) })
			return err
		}, [][3]string{{"metric.create", "", `{"attributes":{},"description":null,"display_name":null,"name":"disk","period":60,"source_lag":null,"type":"gauge"}`}}},
		{"describe metrics", func() error {
			return errOf(s.UpdateMetrics(ctx, org, ann, []string{"*"}, []string{b.composite}, func(m *tidemark.Metric) { m.DisplayName = new("D") }))
		}, [][3]string{{"metric.update", `{"display_name":null}`, `{"display_name":"D"}`}, {"metric.update", `{"display_name":null}`, `{"display_name":"D"}`}, {"metric.update", `{"display_name":null}`, `{"display_name":"D"}`}}},
		{"delete metrics", func() error { return s.DeleteMetrics(ctx, org, ann, []string{"disk", "nothing"}) },
			[][3]string{{"metric.delete", `{"attributes":{},"description":null,"display_name":"D","name":"disk","period":60,"source_lag":null,"type":"gauge"}`, ""}}},
		{"delete a stream", func() error { return s.DeleteStream(ctx, org, ann, "releases") },
			[][3]string{{"annotations.delete", `{"display_name":null,"name":"releases"}`, ""}}},
		{"revoke a share", func() error { return s.DeleteShare(ctx, org, ann, b.share.ID) },
			[][3]string{{"share.delete", `{"expires_at":1000,"locked_tags":null,"name":"wall","playlist":0,"space":` + id(b.space.ID) + `}`, ""}}},
		{"delete a snapshot", func() error { return s.DeleteSnapshot(ctx, org, ann, b.snapshot.ID) },
			[][3]string{{"snapshot.delete", `{"duration":0,"end_time":0,"subject":{}}`, ""}}},
		{"name the organization", func() error {
			return errOf(s.UpdateOrg(ctx, org, ann, func(o *tidemark.Org) { o.Name, o.AlertsBeforeMetrics = "Shop", true }))
		}, [][3]string{{"org.rename", `{"name":"test"}`, `{"name":"Shop"}`}, {"org.update", `{"alerts_before_metrics":false}`, `{"alerts_before_metrics":true}`}}},
	}
}

func wishesOfPeople(t *testing.T, s *store.Store, org tidemark.OrgID, b *belongings) []step {
	ctx := t.Context()
	bob := addUser(t, s, "bob@example.net")
	session := &tidemark.Session{User: b.user.ID, Org: org, ExpiresAt: 1 << 39}
	passkey := &tidemark.Passkey{User: b.user.ID, Name: "Phone", Credential: "c1", Data: "{}"}
	return []step{
		{"add a member", func() error { return errOf(s.AddMember(ctx, org, ann, bob.ID, tidemark.ViewOnly)) },
			[][3]string{{"member.add", "", `{"role":"viewer"}`}}},
		{"change a role", func() error { return s.SetMemberRole(ctx, org, ann, bob.ID, tidemark.Member) },
			[][3]string{{"member.update", `{"role":"viewer"}`, `{"role":"member"}`}}},
		{"admit with another role", func() error { return s.Admit(ctx, org, ann, bob, tidemark.ViewOnly) },
			[][3]string{{"user.claim", "", ""}, {"member.update", `{"role":"member"}`, `{"role":"viewer"}`}}},
		{"remove a member", func() error { return s.RemoveMember(ctx, org, ann, bob.ID) },
			[][3]string{{"member.remove", `{"role":"viewer"}`, ""}}},
		{"sign in", func() error { return s.CreateSession(ctx, ann, session, "session-hash", "password") }, [][3]string{{"session.open", "", ""}}},
		{"sign out", func() error { return s.DeleteSession(ctx, ann, b.user.ID, session.ID) }, [][3]string{{"session.end", "", ""}}},
		{"change profile", func() error {
			return s.ChangeProfile(ctx, ann, b.user.ID, store.Profile{Name: tidemark.Some("Ann"), PasswordHash: "password-hash"})
		}, [][3]string{{"password.change", "", ""}, {"user.update", `{"name":"N. N."}`, `{"name":"Ann"}`}}},
		{"ask for a new password", func() error { return s.CreateResetKey(ctx, ann, b.user.ID, 1000, "reset-hash") }, [][3]string{{"password.ask", "", ""}}},
		{"reset it", func() error { return s.ResetPassword(ctx, ann, "reset-hash", 5, "other-hash") }, [][3]string{{"password.reset", "", ""}}},
		{"add an app", func() error {
			return errors.Join(s.BeginTOTP(ctx, b.user.ID, "SEED"), s.ConfirmTOTP(ctx, ann, b.user.ID, 7, []string{"code-hash"}))
		}, [][3]string{{"second_factor.add", "", ""}}},
		{"use a code", func() error { return errOf(s.UseRecoveryCode(ctx, ann, b.user.ID, "code-hash")) }, [][3]string{{"second_factor.recover", "", ""}}},
		{"make codes", func() error { return s.ReplaceRecoveryCodes(ctx, ann, b.user.ID, []string{"x", "y"}) }, [][3]string{{"second_factor.codes", "", ""}}},
		{"add a passkey", func() error { return s.CreatePasskey(ctx, ann, passkey, nil) }, [][3]string{{"second_factor.add", "", ""}}},
		{"rename it", func() error { return s.RenamePasskey(ctx, ann, b.user.ID, passkey.ID, "Laptop") }, [][3]string{{"second_factor.rename", "", ""}}},
		{"demand a second factor", func() error { return s.DemandSecondFactor(ctx, org, ann, b.user.ID, true) },
			[][3]string{{"org.update", `{"second_factor":false}`, `{"second_factor":true}`}}},
		{"remove an app", func() error { return s.DeleteTOTP(ctx, ann, b.user.ID) }, [][3]string{{"second_factor.remove", "", ""}}},
		{"reset all", func() error { return s.ResetSecondFactor(ctx, ann, b.user.ID) }, [][3]string{{"second_factor.reset", "", ""}}},
		{"take an invitation back", func() error { return s.DeleteInvitation(ctx, org, ann, b.invitation.ID) }, [][3]string{{"member.uninvite", "", ""}}},
	}
}

// TestAuditHoldsNoSecret changes secrets of every kind and looks for them in
// the log: only that they are there and that they changed may be.
func TestAuditHoldsNoSecret(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		furnish(t, s, org)
		v := &tidemark.Service{Type: "slack", Title: "chat", Settings: map[string]string{"url": "https://hooks.slack.com/services/T0/B0/s3cretOne"}}
		ok(t, s.CreateService(ctx, org, ann, v))
		must(s.UpdateService(ctx, org, ann, v.ID, func(v *tidemark.Service) {
			v.Settings = map[string]string{"url": "https://hooks.slack.com/services/T0/B0/s3cretTwo"}
		}))(t)
		ok(t, s.DeleteService(ctx, org, ann, v.ID))
		token, secret := addToken(t, s, org, "agent")
		other := tidemark.NewSecret()
		must(s.RotateToken(ctx, org, ann, token.ID, other, 0))(t)
		ok(t, s.CreateShare(ctx, org, ann, &tidemark.Share{Space: 1, Name: "wall", ExpiresAt: 1000}, "share-s3cret"))
		log := must(s.AuditLog(ctx, org, tidemark.AuditQuery{}))(t)
		all := text(map[string]any{"log": log})
		for _, s := range []string{"s3cret", secret.Reveal(), other.Reveal(), secret.Hash(), other.Hash()} {
			if strings.Contains(all, s) {
				t.Errorf("the audit log holds %s", s)
			}
		}
		updates := must(s.AuditLog(ctx, org, tidemark.AuditQuery{Action: "service.update"}))(t)
		same(t, "a replaced secret", []string{`{"settings.url":"set"}`, `{"settings.url":"replaced"}`}, []string{text(updates[0].Before), text(updates[0].After)})
	})
}

// TestAuditIsBounded: whoever writes much fills no more than a little of the
// log.
func TestAuditIsBounded(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		attributes := map[string]any{}
		for i := range 20 {
			attributes["a"+id(int64(i))] = strings.Repeat("ü", 1000)
		}
		_, _, err := s.PutMetric(t.Context(), org, ann, "cpu", func(m *tidemark.Metric) { m.Attributes, m.Description = attributes, new("busy") })
		ok(t, err)
		v := must(s.AuditLog(t.Context(), org, tidemark.AuditQuery{}))(t)[0]
		if n := len(text(v.After)); n > 8<<10 || !strings.Contains(text(v.After), "(cut)") || v.After["description"] != "busy" {
			t.Errorf("%d bytes: %.200s", n, text(v.After))
		}
	})
}

// TestAuditNeedsActor: what nobody answers for is not done.
func TestAuditNeedsActor(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		v := hook("ops")
		if err := s.CreateService(t.Context(), org, tidemark.Actor{}, v); err == nil {
			t.Error("nobody made a service")
		}
		if _, err := s.Service(t.Context(), org, v.ID); tidemark.KindOf(err) != tidemark.NotFound || err == nil {
			t.Errorf("the service is there: %v", err)
		}
	})
}

// TestImportSpace: all of a space or nothing of it.
func TestImportSpace(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		one, two := tidemark.NewChart(), tidemark.NewChart()
		one.ID, two.ID = 70, 80
		one.Streams = []tidemark.ChartStream{{ID: 5, Metric: "cpu"}}
		in := store.SpaceContents{Charts: []*tidemark.Chart{one, two}, Layout: tidemark.Layout{
			Places: []tidemark.GridPosition{{Chart: 80, Width: 4, Height: 4}, {Chart: 99, Row: 9, Width: 4, Height: 4}}, DefaultTags: []tidemark.TagFilter{}, Annotations: []string{"releases"},
		}}
		sp := &tidemark.Space{Name: new("shop")}
		ok(t, s.ImportSpace(ctx, org, ann, sp, in))
		got := must(s.Space(ctx, org, sp.ID))(t)
		same(t, "charts", []int64{one.ID, two.ID}, got.Charts)
		l := must(s.Layout(ctx, org, sp.ID))(t)
		same(t, "places", []tidemark.GridPosition{{Chart: two.ID, Width: 4, Height: 4}}, l.Places)
		checkList(t, auditAction, 1, 1, "space.import")(s.Audit(ctx, org, tidemark.Page{}))

		full := store.SpaceContents{Layout: in.Layout}
		for range 501 {
			full.Charts = append(full.Charts, tidemark.NewChart())
		}
		if err := s.ImportSpace(ctx, org, ann, &tidemark.Space{Name: new("full")}, full); tidemark.KindOf(err) != tidemark.Conflict {
			t.Errorf("too many charts: %v", err)
		}
		if all, _, err := s.Spaces(ctx, org, tidemark.Page{}); err != nil || len(all) != 1 {
			t.Errorf("%d spaces, %v, want one: half a space is worse than none", len(all), err)
		}
	})
}

// TestRefusedSignIns: they are counted by the minute, what was typed is not
// kept, and guessing fills nothing.
func TestRefusedSignIns(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		now := int64(1_800_000_000)
		s.SetClock(func() int64 { return now })
		u := addUser(t, s, "ann@example.org")
		must(s.AddMember(ctx, org, operator, u.ID, tidemark.FullAccess))(t)
		refuse := func(address string, user int64) {
			t.Helper()
			ok(t, s.RefuseSignIn(ctx, tidemark.VisitorActor(address), user, "password", "wrong password"))
		}
		counts := func(log []*tidemark.AuditEntry, err error) (n []int64) {
			t.Helper()
			ok(t, err)
			for _, v := range log {
				n = append(n, v.Count)
			}
			return n
		}
		q := tidemark.AuditQuery{Action: "session.refuse"}
		for range 3 {
			refuse("192.0.2.1", u.ID)
			refuse("192.0.2.2", u.ID)
			refuse("192.0.2.1", 0)
		}
		same(t, "of ann", []int64{3, 3}, counts(s.AuditLog(ctx, org, q)))
		same(t, "of nobody", []int64{3}, counts(s.ServerAudit(ctx, q)))
		now += 61
		refuse("192.0.2.1", u.ID)
		same(t, "a minute later", []int64{1, 3, 3}, counts(s.AuditLog(ctx, org, q)))
		for i := range 300 {
			refuse("2001:db8::"+id(int64(i)), 0)
		}
		log := must(s.ServerAudit(ctx, q))(t)
		if len(log) > 101 || log[0].Object != "several accounts" || log[0].Count < 190 {
			t.Errorf("%d entries, the last %+v", len(log), log[0])
		}
	})
}

// TestAuditQuery: entries are found by who, what, which and when, and read on
// from where one stopped.
func TestAuditQuery(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		now := int64(1000)
		s.SetClock(func() int64 { return now })
		first := addSpace(t, s, org, "shop")
		now = 2000
		must(s.UpdateSpace(t.Context(), org, ann, first.ID, func(v *tidemark.Space) { v.Name = new("100%_shop") }))(t)
		now = 3000
		addService(t, s, org, "ops")
		for name, c := range map[string]struct {
			q    tidemark.AuditQuery
			want []string
		}{
			"all":              {tidemark.AuditQuery{}, []string{"service.create", "space.update", "space.create"}},
			"by ann":           {tidemark.AuditQuery{Actor: "Ann@"}, []string{"space.update"}},
			"from an address":  {tidemark.AuditQuery{Actor: "192.0.2"}, []string{"space.update"}},
			"one action":       {tidemark.AuditQuery{Action: "space.create"}, []string{"space.create"}},
			"some actions":     {tidemark.AuditQuery{Action: "space.*"}, []string{"space.update", "space.create"}},
			"a thing":          {tidemark.AuditQuery{Object: "OPS"}, []string{"service.create"}},
			"signs are signs":  {tidemark.AuditQuery{Object: "0%_S"}, []string{"space.update"}},
			"since":            {tidemark.AuditQuery{Since: 2000}, []string{"service.create", "space.update"}},
			"until":            {tidemark.AuditQuery{Until: 2000}, []string{"space.create"}},
			"text":             {tidemark.AuditQuery{Text: "SHOP"}, []string{"space.update", "space.create"}},
			"together":         {tidemark.AuditQuery{Action: "space.*", Until: 2000, Object: "shop"}, []string{"space.create"}},
			"by address alone": {tidemark.AuditQuery{From: "192.0.2"}, []string{"space.update"}},
			"no address":       {tidemark.AuditQuery{From: "ann@"}, nil},
			"nothing like it":  {tidemark.AuditQuery{Actor: "bob"}, nil},
			"no such sign":     {tidemark.AuditQuery{Actor: "\x00"}, nil},
			"the first of all": {tidemark.AuditQuery{Length: 1}, []string{"service.create"}},
		} {
			var got []string
			for _, v := range must(s.AuditLog(t.Context(), org, c.q))(t) {
				got = append(got, v.Action)
			}
			same(t, name, c.want, got)
		}
		page := must(s.AuditLog(t.Context(), org, tidemark.AuditQuery{Length: 2}))(t)
		rest := must(s.AuditLog(t.Context(), org, tidemark.AuditQuery{Length: 2, Before: page[1].ID}))(t)
		if len(rest) != 1 || rest[0].Action != "space.create" {
			t.Errorf("after the first page: %+v", rest)
		}
	})
}

// TestServerAudit: what is about no organization is in a log of its own, and
// stays when an organization goes.
func TestServerAudit(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		gone := must(s.CreateOrg(ctx, ann, "Gone"))(t)
		ok(t, s.RecordBackup(ctx, ann, "/backup"))
		ok(t, s.DeleteOrg(ctx, gone.ID, ann))
		var got []string
		for _, v := range must(s.ServerAudit(ctx, tidemark.AuditQuery{Actor: "ann"}))(t) {
			got = append(got, v.Action+" "+v.Object)
		}
		object := `organization ` + id(int64(gone.ID)) + ` "Gone"`
		same(t, "log", []string{"org.delete " + object, "server.backup server", "org.create " + object}, got)
		if log := must(s.AuditLog(ctx, org, tidemark.AuditQuery{}))(t); len(log) != 0 {
			t.Errorf("an organization sees %+v", log)
		}
		if err := s.DeleteOrg(ctx, gone.ID, ann); tidemark.KindOf(err) != tidemark.NotFound || errors.Is(err, nil) {
			t.Errorf("deleted twice: %v", err)
		}
	})
}

func id(n int64) string { return strconv.FormatInt(n, 10) }

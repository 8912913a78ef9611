package store_test

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"reflect"
	"regexp"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// belongings are one of each thing an organization can have.
type belongings struct {
	token      *tidemark.Token
	service    *tidemark.Service
	alert      *tidemark.Alert
	space      *tidemark.Space
	chart      tidemark.ChartKey
	event      tidemark.EventKey
	link       tidemark.LinkKey
	job        *tidemark.Job
	snapshot   *tidemark.Snapshot
	user       *tidemark.User
	share      *tidemark.Share
	check      *tidemark.Check
	invitation *tidemark.Invitation
	delivery   *tidemark.Delivery
	window     *tidemark.Maintenance
	nightly    *tidemark.Maintenance
	objective  *tidemark.Objective
	view       *tidemark.AlertView
	query      *tidemark.SavedQuery
	drop       *tidemark.TagDrop
	playlist   *tidemark.Playlist
	report     *tidemark.Report
	device     *tidemark.Device
	composite  string
	incident   int64
	comment    int64
}

func furnish(t *testing.T, s *store.Store, org tidemark.OrgID) belongings {
	t.Helper()
	ctx := t.Context()
	var b belongings
	must(s.EnsureMetrics(ctx, org, []*tidemark.Metric{
		{Name: "cpu", Type: tidemark.Gauge, Attributes: map[string]any{"display_units_short": "%"}},
	}))(t)
	if _, _, err := s.PutSource(ctx, org, operator, "web", func(*tidemark.Source) {}); err != nil {
		t.Fatal(err)
	}
	b.token, _ = addToken(t, s, org, "edge")
	b.service = addService(t, s, org, "ops")
	b.alert = newAlert("high", above("cpu", 1))
	b.alert.ServiceIDs = []int64{b.service.ID}
	ok(t, s.CreateAlert(ctx, org, operator, b.alert))
	b.space = addSpace(t, s, org, "x")
	b.chart = tidemark.ChartKey{Space: b.space.ID, Chart: addChart(t, s, org, b.space.ID, tidemark.ChartStream{Metric: "cpu"}).ID}
	b.event = tidemark.EventKey{Stream: "releases", ID: addEvent(t, s, org, "releases", "one", "", 5).ID}
	b.link = tidemark.LinkKey{Event: b.event, Rel: "a"}
	ok(t, s.CreateLink(ctx, org, operator, b.event, &tidemark.Link{Rel: "a", Href: "/"}))
	b.job = &tidemark.Job{State: tidemark.JobQueued}
	ok(t, s.CreateJob(ctx, org, b.job))
	b.snapshot = &tidemark.Snapshot{Subject: json.RawMessage(`{}`)}
	ok(t, s.CreateSnapshot(ctx, org, operator, b.snapshot))
	b.user = addUser(t, s, "ann@example.org")
	must(s.AddMember(ctx, org, operator, b.user.ID, tidemark.FullAccess))(t)
	b.invitation = &tidemark.Invitation{Email: "bob@example.org", Role: tidemark.Member, ExpiresAt: 1000}
	ok(t, s.CreateInvitation(ctx, org, operator, b.invitation, "invited"))
	b.share = &tidemark.Share{Space: b.space.ID, Name: "wall", ExpiresAt: 1000}
	ok(t, s.CreateShare(ctx, org, operator, b.share, "hash"))
	b.check = tidemark.NewCheck()
	b.check.Name, b.check.Kind = "backup", tidemark.CheckHeartbeat
	ok(t, s.CreateCheck(ctx, org, operator, b.check, b.check.NewAlert(tidemark.CheckAlert{}), nil, "beat"))
	ok(t, s.SeePlace(ctx, org, &tidemark.Place{Name: "web-01"}))
	ok(t, s.SaveLayout(ctx, org, operator, b.space.ID, &tidemark.Layout{}))
	ok(t, s.SetPins(ctx, org, b.user.ID, []int64{b.space.ID}))
	ok(t, s.OpenSpace(ctx, org, b.user.ID, b.space.ID, 1000))
	ok(t, s.AddUsage(ctx, 5, map[tidemark.OrgID]int64{org: 7}))
	ok(t, s.AddLimitUse(ctx, org, 5, map[tidemark.LimitName]int64{tidemark.LimitStreams: 7}))
	ok(t, s.AddSenders(ctx, []*tidemark.TokenClient{{Token: b.token.ID, Day: 5, Sender: "web-01", Address: "10.20.0.1", LastAt: 5}}))
	ok(t, s.AddTokenUses(ctx, []*tidemark.TokenUse{{Token: b.token.ID, Noun: "spaces", Day: 1, Requests: 1}}))
	ok(t, s.SnoozeAlert(ctx, org, operator, b.alert.ID, &tidemark.Snooze{StartsAt: 1 << 39}))
	result := []tidemark.TestResult{{Service: b.service.ID}}
	ok(t, s.RecordTest(ctx, org, operator, tidemark.NewNotice(org, b.alert, nil), "key", result))
	deliveries, _, err := s.AlertDeliveries(ctx, org, b.alert.ID, tidemark.Page{})
	ok(t, err)
	b.delivery = deliveries[0]
	end := int64(1 << 39)
	b.window = &tidemark.Maintenance{Name: "upgrade", StartsAt: end - 3600, EndsAt: &end, Covers: tidemark.Covers{All: true}}
	ok(t, s.CreateMaintenance(ctx, org, operator, b.window))
	b.nightly = &tidemark.Maintenance{Name: "nightly", StartsAt: 1_800_230_400, Covers: tidemark.Covers{All: true},
		Repeat: &tidemark.Repeat{Days: tidemark.Days, From: "02:00", To: "03:00", Zone: "UTC"}}
	ok(t, s.CreateMaintenance(ctx, org, operator, b.nightly))
	b.objective = &tidemark.Objective{Name: "answers", Good: tidemark.MetricCheckUp, Total: "cpu", Target: 99, Days: 7}
	ok(t, s.CreateObjective(ctx, org, operator, b.objective))
	b.view = &tidemark.AlertView{Name: "firing", Filter: tidemark.AlertViewFilter{State: "firing"}}
	ok(t, s.CreateAlertView(ctx, org, operator, tidemark.Everybody, b.view))
	b.query = &tidemark.SavedQuery{Name: "latency", Search: "metric=latency"}
	ok(t, s.CreateSavedQuery(ctx, org, operator, b.query))
	b.drop = &tidemark.TagDrop{Metric: "latency", Tag: "session"}
	ok(t, s.CreateTagDrop(ctx, org, operator, b.drop))
	ok(t, s.AddSpellings(ctx, org, []*tidemark.Spelling{{Tag: "host", Text: "Web1"}}))
	b.playlist = &tidemark.Playlist{Name: "office", Spaces: []tidemark.PlaylistSpace{{Space: b.space.ID, Seconds: 30}}}
	ok(t, s.CreatePlaylist(ctx, org, operator, b.playlist))
	ok(t, s.CreateShare(ctx, org, operator, &tidemark.Share{Playlist: b.playlist.ID, Name: "office", ExpiresAt: 1000}, "hash of a playlist"))
	b.report = newReport(b.space.ID, addMailbox(t, s, org))
	ok(t, s.CreateReport(ctx, org, operator, b.report, nine-1))
	sendReport(t, s, nine)
	b.device = newDevice("phone")
	ok(t, s.CreateDevice(ctx, org, operator, b.user.ID, b.device))
	ok(t, s.CreateLimitRequest(ctx, org, operator, &tidemark.LimitRequest{Name: tidemark.LimitAlerts, Wanted: 20, Allowed: 10}))
	b.composite = "cpu.all"
	addComposite(t, s, org, b.composite, `sum(s("cpu"))`)
	ok(t, s.Editing(ctx, org, tidemark.VersionsOf(tidemark.AlertVersions, b.alert.ID), tidemark.Editor{Key: "a", Name: "ann@example.org"}, 1<<39))
	doomed := newAlert("doomed", above("cpu", 1))
	ok(t, s.CreateAlert(ctx, org, operator, doomed))
	ok(t, s.DeleteAlert(ctx, org, operator, doomed.ID))
	b.fire(t, s, org)
	return b
}

// fire opens an incident of the alert.
func (b *belongings) fire(t *testing.T, s *store.Store, org tidemark.OrgID) {
	t.Helper()
	change := &tidemark.StateChange{
		Org: org, Alert: b.alert, State: tidemark.AlertState{Firing: true, TriggeredAt: 5}, Now: 5,
		Transition: tidemark.AlertTransition{Kind: tidemark.Triggered}, Incident: &tidemark.Incident{Alert: b.alert.ID, TriggeredAt: 5},
	}
	ok(t, s.SaveStates(t.Context(), []*tidemark.StateChange{change}))
	if !change.Saved {
		t.Fatal("the state was not saved")
	}
	b.incident = change.Incident.ID
	said := &tidemark.IncidentNote{At: 5, Text: "look"}
	ok(t, s.CommentIncident(t.Context(), org, operator, b.incident, said))
	b.comment = said.ID
}

// everything is all that can be read of an organization.
func everything(t *testing.T, s *store.Store, org tidemark.OrgID) map[string]any {
	t.Helper()
	ctx := t.Context()
	all := map[string]any{}
	put := func(name string, v any, err error) { ok(t, err); all[name] = v }
	page := tidemark.Page{}
	v1, _, err := s.Tokens(ctx, org, page)
	put("tokens", v1, err)
	v2, _, err := s.Services(ctx, org, page)
	put("services", v2, err)
	v3, _, err := s.Alerts(ctx, org, page)
	put("alerts", v3, err)
	v4, _, err := s.Metrics(ctx, org, page)
	put("metrics", v4, err)
	v5, _, err := s.Audit(ctx, org, page)
	put("audit", v5, err)
	spaces, _, err := s.Spaces(ctx, org, page)
	put("spaces", spaces, err)
	for _, space := range spaces {
		charts, err := s.Charts(ctx, org, space.ID)
		put("charts of "+*space.Name, charts, err)
	}
	streams, _, err := s.AnnotationStreams(ctx, org, page)
	put("streams", streams, err)
	for _, stream := range streams {
		events, err := s.Events(ctx, org, stream.Name, tidemark.AnnotationEventQuery{})
		put("events of "+stream.Name, events, err)
	}
	checks, err := s.Checks(ctx, org)
	put("checks", checks, err)
	places, err := s.Places(ctx, org)
	put("places", places, err)
	sources, err := s.Sources(ctx, org)
	put("sources", sources, err)
	windows, _, err := s.MaintenanceWindows(ctx, org, page)
	put("maintenance", windows, err)
	objectives, _, err := s.Objectives(ctx, org, page)
	put("objectives", objectives, err)
	members, err := s.Members(ctx, org)
	put("members", members, err)
	requests, err := s.LimitRequests(ctx, org)
	put("requests for limits", requests, err)
	statuses, err := s.AlertStatuses(ctx, org, 0)
	put("statuses", statuses, err)
	for _, alert := range v3 {
		deliveries, _, err := s.AlertDeliveries(ctx, org, alert.ID, page)
		put("deliveries of "+alert.Name, deliveries, err)
		snoozes, err := s.Snoozes(ctx, org, alert.ID)
		put("snoozes of "+alert.Name, snoozes, err)
		incidents, _, err := s.Incidents(ctx, org, alert.ID, page)
		put("incidents of "+alert.Name, incidents, err)
	}
	for _, space := range spaces {
		shares, err := s.Shares(ctx, org, space.ID, 0)
		put("shares of "+*space.Name, shares, err)
		layout, err := s.Layout(ctx, org, space.ID)
		put("layout of "+*space.Name, layout, err)
	}
	for _, k := range []tidemark.VersionKey{tidemark.VersionsOfMetric("cpu.all"), tidemark.VersionsOf(tidemark.AlertVersions, v3[0].ID), tidemark.VersionsOf(tidemark.SpaceVersions, spaces[0].ID)} {
		versions, err := s.Versions(ctx, org, k, 0, 10)
		put("versions of "+k.ID, versions, err)
	}
	return all
}

var errEmpty = errors.New("empty")

// none is for lists: what another organization has must not be in them.
func none[T any](list []T, err error) error {
	if err == nil && len(list) == 0 {
		return errEmpty
	}
	return err
}

func noPage[T any](list []T, n tidemark.Counts, err error) error {
	if n != (tidemark.Counts{}) {
		return err
	}
	return none(list, err)
}

func noneIn[K comparable, V any](m map[K]V, err error) error {
	if err == nil && len(m) == 0 {
		return errEmpty
	}
	return err
}

func noneYielded[T any](seq iter.Seq2[T, error]) error {
	for _, err := range seq {
		return err
	}
	return errEmpty
}

// TestTenancy calls every method that takes an organization with the wrong
// one: what is asked for is not there, lists are empty, nothing changes. A
// method without a row here fails the test.
func TestTenancy(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		b := furnish(t, s, org)
		other := addOrg(t, s, "other")
		before := everything(t, s, org)
		calls := wrongOrg(t.Context(), s, other, b)
		for name, call := range calls {
			err := call()
			if err == nil || !errors.Is(err, errEmpty) && tidemark.KindOf(err) != tidemark.NotFound {
				t.Errorf("%s with another organization: %v, want not found or nothing", name, err)
			}
		}
		same(t, "what the organization has", before, everything(t, s, org))
		for name, call := range wrongOrg(t.Context(), s, org, b) {
			if writes.MatchString(name) {
				continue
			}
			if err := call(); err != nil {
				t.Errorf("%s with the right organization: %v", name, err)
			}
		}
		for m := range reflect.TypeFor[*store.Store]().Methods() {
			if takesOrg(m.Type) && calls[m.Name] == nil && !ownOnly[m.Name] {
				t.Errorf("%s takes an organization and is not tested here", m.Name)
			}
		}
	})
}

// writes matches the names of methods that change something.
var writes = regexp.MustCompile(`^(Update|Delete|Create|Set|Save|Remove|Rotate|Attach|Detach|Restore|StopEditing|Clear|Record|Retry|Reopen|Acknowledge|Resolve|Resume|SnoozeAlert|EndMember|Demand|ForgetDevice|SendReportNow)`)

func takesOrg(method reflect.Type) bool {
	return method.NumIn() > 2 && method.In(2) == reflect.TypeFor[tidemark.OrgID]()
}

// ownOnly are the methods that name nothing an organization has: they act on
// the organization itself, or add to it.
var ownOnly = map[string]bool{
	"LimitUse": true, "AddLimitUse": true, "SetOrgLimits": true, "CreateLimitRequest": true,
	"Org": true, "UpdateOrg": true, "DeleteOrg": true, "AddMember": true, "AddPerson": true, "Admit": true, "ImportSpace": true,
	"CreateToken": true, "CreateCheck": true, "CreateService": true, "CreateAlert": true, "CreateMaintenance": true, "CreateObjective": true, "CreateAlertView": true, "CreateSavedQuery": true, "CreateTagDrop": true, "CreatePlaylist": true, "CreateDevice": true, "CreateSpace": true, "CreateEvent": true,
	"CreateInvitation": true, "ClaimUser": true, "CreateJob": true, "CreateSnapshot": true, "EnsureMetrics": true, "PutMetric": true, "AddSpellings": true, "Editing": true, "PutSource": true,
	"Account": true, "SetPins": true, "SeePlace": true, "SetEngineMode": true, "DeleteEngineMetric": true, "RemovedGenerations": true,
	// Of a move of everything, which asks for one organization after the other.
	"ForgetMoved": true, "ForgetMovedPart": true, "MovedMetrics": true, "MovedParts": true, "SaveMovedParts": true,
}

func wrongOrg(ctx context.Context, s *store.Store, org tidemark.OrgID, b belongings) map[string]func() error {
	page := tidemark.Page{}
	attachment := tidemark.AttachmentKey{Alert: b.alert.ID, Service: b.service.ID}
	versions := tidemark.VersionsOf(tidemark.AlertVersions, b.alert.ID)
	return map[string]func() error{
		"Membership":       func() error { return errOf(s.Membership(ctx, org, b.user.ID)) },
		"Members":          func() error { return none(s.Members(ctx, org)) },
		"Invitations":      func() error { return none(s.Invitations(ctx, org, 0)) },
		"DeleteInvitation": func() error { return s.DeleteInvitation(ctx, org, operator, b.invitation.ID) },
		"RenewInvitation": func() error {
			return errOf(s.RenewInvitation(ctx, org, operator, b.invitation.ID, "other", false, 2000))
		},
		"SetMemberRole":      func() error { return s.SetMemberRole(ctx, org, operator, b.user.ID, tidemark.ViewOnly) },
		"EndMemberSessions":  func() error { return s.EndMemberSessions(ctx, org, operator, b.user.ID) },
		"DemandSecondFactor": func() error { return s.DemandSecondFactor(ctx, org, operator, b.user.ID, false) },
		"RemoveMember":       func() error { return s.RemoveMember(ctx, org, operator, b.user.ID) },
		"Audit":              func() error { return noPage(s.Audit(ctx, org, page)) },
		"AuditLog":           func() error { return none(s.AuditLog(ctx, org, tidemark.AuditQuery{})) },

		"Token":       func() error { return errOf(s.Token(ctx, org, b.token.ID)) },
		"Tokens":      func() error { return noPage(s.Tokens(ctx, org, page)) },
		"UpdateToken": func() error { return errOf(s.UpdateToken(ctx, org, operator, b.token.ID, func(*tidemark.Token) {})) },
		"RotateToken": func() error { return errOf(s.RotateToken(ctx, org, operator, b.token.ID, tidemark.NewSecret(), 0)) },
		"DeleteToken": func() error { return s.DeleteToken(ctx, org, operator, b.token.ID) },
		"AgeAlert":    func() error { return s.AgeAlert(ctx, org, b.alert.ID, 5) },
		"AgeToken":    func() error { return s.AgeToken(ctx, org, b.token.ID, 5) },

		"Metric":  func() error { return errOf(s.Metric(ctx, org, "cpu")) },
		"Metrics": func() error { return noPage(s.Metrics(ctx, org, page)) },
		"MetricsWithin": func() error {
			return noPage(s.MetricsWithin(ctx, org, page, func(*tidemark.Metric) bool { return true }))
		},
		"MetricsByName": func() error { return noneIn(s.MetricsByName(ctx, org, []string{"cpu"})) },
		"MetricNames":   func() error { return noneYielded(s.MetricNames(ctx, org)) },
		"EachMetric":    func() error { return noneYielded(s.EachMetric(ctx, org)) },
		"MatchMetrics":  func() error { return none(s.MatchMetrics(ctx, org, []string{"*"}, nil)) },
		"UpdateMetrics": func() error {
			return none(s.UpdateMetrics(ctx, org, operator, []string{"*"}, nil, func(*tidemark.Metric) {}))
		},
		"DeleteMetric":  func() error { return s.DeleteMetric(ctx, org, operator, "cpu") },
		"DeleteMetrics": func() error { return errors.Join(errEmpty, s.DeleteMetrics(ctx, org, operator, []string{"*"})) },

		"Source":       func() error { return errOf(s.Source(ctx, org, "web")) },
		"Sources":      func() error { return none(s.Sources(ctx, org)) },
		"DeleteSource": func() error { return s.DeleteSource(ctx, org, operator, "web") },

		"AnnotationStream":  func() error { return errOf(s.AnnotationStream(ctx, org, "releases")) },
		"AnnotationStreams": func() error { return noPage(s.AnnotationStreams(ctx, org, page)) },
		"UpdateStream": func() error {
			return errOf(s.UpdateStream(ctx, org, operator, "releases", func(*tidemark.AnnotationStream) {}))
		},
		"DeleteStream": func() error { return s.DeleteStream(ctx, org, operator, "releases") },
		"Event":        func() error { return errOf(s.Event(ctx, org, b.event)) },
		"Events":       func() error { return errOf(s.Events(ctx, org, "releases", tidemark.AnnotationEventQuery{})) },
		"UpdateEvent": func() error {
			return errOf(s.UpdateEvent(ctx, org, operator, b.event, func(*tidemark.AnnotationEvent) {}))
		},
		"DeleteEvent": func() error { return s.DeleteEvent(ctx, org, operator, b.event) },
		"CreateLink":  func() error { return s.CreateLink(ctx, org, operator, b.event, &tidemark.Link{Rel: "b", Href: "/"}) },
		"DeleteLink":  func() error { return s.DeleteLink(ctx, org, operator, b.link) },

		"Service":  func() error { return errOf(s.Service(ctx, org, b.service.ID)) },
		"Services": func() error { return noPage(s.Services(ctx, org, page)) },
		"UpdateService": func() error {
			return errOf(s.UpdateService(ctx, org, operator, b.service.ID, func(*tidemark.Service) {}))
		},
		"RotateSigning": func() error { return errOf(s.RotateSigning(ctx, org, operator, b.service.ID, 0)) },
		"DeleteService": func() error { return s.DeleteService(ctx, org, operator, b.service.ID) },

		"Alert":         func() error { return errOf(s.Alert(ctx, org, b.alert.ID)) },
		"AlertByName":   func() error { return errOf(s.AlertByName(ctx, org, b.alert.Name)) },
		"Alerts":        func() error { return noPage(s.Alerts(ctx, org, page)) },
		"SearchAlerts":  func() error { return none(s.SearchAlerts(ctx, org, "", 10)) },
		"UpdateAlert":   func() error { return errOf(s.UpdateAlert(ctx, org, operator, b.alert.ID, func(*tidemark.Alert) {})) },
		"DeleteAlert":   func() error { return s.DeleteAlert(ctx, org, operator, b.alert.ID) },
		"AttachService": func() error { return s.AttachService(ctx, org, operator, attachment) },
		"DetachService": func() error { return s.DetachService(ctx, org, operator, attachment) },
		"AlertStatus":   func() error { return errOf(s.AlertStatus(ctx, org, b.alert.ID)) },
		"AlertStatuses": func() error { return none(s.AlertStatuses(ctx, org, 0)) },

		"Versions":      func() error { return errOf(s.Versions(ctx, org, versions, 0, 10)) },
		"Version":       func() error { return errOf(s.Version(ctx, org, versions, 1)) },
		"LatestVersion": func() error { return errOf(s.LatestVersion(ctx, org, versions)) },
		"NameVersion":   func() error { return s.NameVersion(ctx, org, operator, versions, 1, "before sale") },
		"DeletedThings": func() error { return none(s.DeletedThings(ctx, org)) },
		"SavesBetween":  func() error { return none(s.SavesBetween(ctx, org, 0, 1<<40, 10)) },
		"Editors":       func() error { return none(s.Editors(ctx, org, versions, 5)) },
		"StopEditing":   func() error { return errors.Join(errEmpty, s.StopEditing(ctx, org, versions, "a")) },
		"ChartVersion":  func() error { return errOf(s.ChartVersion(ctx, org, b.chart.Chart, 1)) },
		"MetricVersion": func() error { return errOf(s.MetricVersion(ctx, org, b.composite, 1)) },
		"SpaceVersionCharts": func() error {
			return errOf(s.SpaceVersionCharts(ctx, org, b.space.ID, 2))
		},
		"RestoreAlert": func() error { return errOf(s.RestoreAlert(ctx, org, operator, b.alert.ID, 1)) },
		"RestoreChart": func() error { return errOf(s.RestoreChart(ctx, org, operator, b.chart.Chart, 1)) },
		"RestoreSpace": func() error { return errOf(s.RestoreSpace(ctx, org, operator, b.space.ID, 1)) },
		"RestoreMetric": func() error {
			_, _, err := s.RestoreMetric(ctx, org, operator, b.composite, 1)
			return err
		},

		"Space":        func() error { return errOf(s.Space(ctx, org, b.space.ID)) },
		"Spaces":       func() error { return noPage(s.Spaces(ctx, org, page)) },
		"UpdateSpace":  func() error { return errOf(s.UpdateSpace(ctx, org, operator, b.space.ID, func(*tidemark.Space) {})) },
		"OpenSpace":    func() error { return s.OpenSpace(ctx, org, b.user.ID, b.space.ID, 5) },
		"SpacesOpened": func() error { return noneIn(s.SpacesOpened(ctx, org, b.user.ID)) },
		"DeleteSpace":  func() error { return s.DeleteSpace(ctx, org, operator, b.space.ID) },
		"Chart":        func() error { return errOf(s.Chart(ctx, org, b.chart)) },
		"Charts":       func() error { return errOf(s.Charts(ctx, org, b.space.ID)) },
		"CreateChart":  func() error { return s.CreateChart(ctx, org, operator, b.space.ID, tidemark.NewChart()) },
		"UpdateChart":  func() error { return errOf(s.UpdateChart(ctx, org, operator, b.chart, func(*tidemark.Chart) {})) },
		"DeleteChart":  func() error { return s.DeleteChart(ctx, org, operator, b.chart) },

		"Job":               func() error { return errOf(s.Job(ctx, org, b.job.ID)) },
		"UpdateJob":         func() error { return errOf(s.UpdateJob(ctx, org, b.job.ID, func(*tidemark.Job) {})) },
		"Snapshot":          func() error { return errOf(s.Snapshot(ctx, org, b.snapshot.ID)) },
		"DeleteSnapshot":    func() error { return s.DeleteSnapshot(ctx, org, operator, b.snapshot.ID) },
		"SaveSnapshotImage": func() error { return s.SaveSnapshotImage(ctx, org, b.snapshot.ID, []byte("x")) },

		"WatchedAlert": func() error { return errOf(s.WatchedAlert(ctx, org, b.alert.ID)) },
		"AlertsVersionOf": func() error {
			version, err := s.AlertsVersionOf(ctx, org)
			if err == nil && version == 0 {
				return errEmpty
			}
			return err
		},
		"WatchedAlertsOf":  func() error { return none(s.WatchedAlertsOf(ctx, org)) },
		"ResolveAlert":     func() error { return s.ResolveAlert(ctx, org, operator, b.alert.ID, 5) },
		"AcknowledgeAlert": func() error { return s.AcknowledgeAlert(ctx, org, operator, b.alert.ID, &tidemark.IncidentNote{}) },
		"AcknowledgeIncident": func() error {
			return errOf(s.AcknowledgeIncident(ctx, org, operator, b.incident, &tidemark.IncidentNote{}))
		},
		"CommentIncident": func() error {
			return s.CommentIncident(ctx, org, operator, b.incident, &tidemark.IncidentNote{Text: "x"})
		},
		"ChangeComment": func() error {
			return s.ChangeComment(ctx, org, operator, b.incident, b.comment, &tidemark.IncidentNote{Text: "x"})
		},
		"ReopenAlert":        func() error { return s.ReopenAlert(ctx, org, operator, b.alert.ID, 5) },
		"Incident":           func() error { return errOf(s.Incident(ctx, org, b.incident)) },
		"IncidentDeliveries": func() error { return errOf(s.IncidentDeliveries(ctx, org, b.incident)) },
		"IncidentsBetween":   func() error { return none(s.IncidentsBetween(ctx, org, 0, 1<<40, 10)) },
		"Recipient":          func() error { return errOf(s.Recipient(ctx, org, b.device.ID)) },
		"Devices":            func() error { return none(s.Devices(ctx, org, b.user.ID)) },
		"DeviceService":      func() error { return errOf(s.DeviceService(ctx, org, b.user.ID, b.device.ID)) },
		"UpdateDevice": func() error {
			return errOf(s.UpdateDevice(ctx, org, operator, b.user.ID, b.device.ID, func(*tidemark.Device) {}))
		},
		"ForgetDevice":  func() error { return errors.Join(errEmpty, s.ForgetDevice(ctx, org, b.device.ID)) },
		"DeleteDevice":  func() error { return s.DeleteDevice(ctx, org, operator, b.user.ID, b.device.ID) },
		"Reports":       func() error { return none(s.Reports(ctx, org, b.space.ID)) },
		"Report":        func() error { return errOf(s.Report(ctx, org, b.report.ID)) },
		"ReportPicture": func() error { return errOf(s.ReportPicture(ctx, org, b.report.ID, nine)) },
		"CreateReport":  func() error { return s.CreateReport(ctx, org, operator, newReport(b.space.ID, b.service.ID), 5) },
		"UpdateReport": func() error {
			return errOf(s.UpdateReport(ctx, org, operator, b.report.ID, func(*tidemark.Report) {}, 5))
		},
		"DeleteReport":   func() error { return s.DeleteReport(ctx, org, operator, b.report.ID) },
		"SendReportNow":  func() error { return s.SendReportNow(ctx, org, operator, b.report.ID, 5) },
		"Playlists":      func() error { return none(s.Playlists(ctx, org)) },
		"Playlist":       func() error { return errOf(s.Playlist(ctx, org, b.playlist.ID)) },
		"PlaylistShares": func() error { return none(s.PlaylistShares(ctx, org, b.playlist.ID, 0)) },
		"UpdatePlaylist": func() error {
			return errOf(s.UpdatePlaylist(ctx, org, operator, b.playlist.ID, func(*tidemark.Playlist) {}))
		},
		"DeletePlaylist":   func() error { return s.DeletePlaylist(ctx, org, operator, b.playlist.ID) },
		"SavedQueries":     func() error { return none(s.SavedQueries(ctx, org)) },
		"DeleteSavedQuery": func() error { return s.DeleteSavedQuery(ctx, org, operator, b.query.ID) },
		"Spellings":        func() error { return none(s.Spellings(ctx, org, 0)) },
		"TagDrops":         func() error { return none(s.TagDrops(ctx, org)) },
		"DeleteTagDrop":    func() error { return s.DeleteTagDrop(ctx, org, operator, b.drop.ID) },
		"AlertViews":       func() error { return none(s.AlertViews(ctx, org, b.user.ID)) },
		"DeleteAlertView":  func() error { return s.DeleteAlertView(ctx, org, operator, tidemark.Everybody, b.view.ID) },
		"Objective":        func() error { return errOf(s.Objective(ctx, org, b.objective.ID)) },
		"Objectives":       func() error { return noPage(s.Objectives(ctx, org, page)) },
		"IncidentsDuring":  func() error { return none(s.IncidentsDuring(ctx, org, 0, 1<<40, 10)) },
		"UpdateObjective": func() error {
			return errOf(s.UpdateObjective(ctx, org, operator, b.objective.ID, func(*tidemark.Objective) {}))
		},
		"DeleteObjective":    func() error { return s.DeleteObjective(ctx, org, operator, b.objective.ID) },
		"Maintenance":        func() error { return errOf(s.Maintenance(ctx, org, b.window.ID)) },
		"MaintenanceWindows": func() error { return noPage(s.MaintenanceWindows(ctx, org, page)) },
		"WindowsIn":          func() error { return none(s.WindowsIn(ctx, org, 0)) },
		"UpdateMaintenance": func() error {
			return errOf(s.UpdateMaintenance(ctx, org, operator, b.window.ID, func(*tidemark.Maintenance) {}))
		},
		"SplitMaintenance": func() error {
			return s.SplitMaintenance(ctx, org, operator, b.nightly.ID, tidemark.Split{Start: b.nightly.StartsAt + 7200}, &tidemark.Maintenance{
				Name: "once", StartsAt: b.nightly.StartsAt, EndsAt: new(b.nightly.StartsAt + 60), Covers: tidemark.Covers{All: true},
			})
		},
		"DeleteMaintenance": func() error { return s.DeleteMaintenance(ctx, org, operator, b.window.ID) },
		"AlertUnits":        func() error { return noneIn(s.AlertUnits(ctx, org, b.alert)) },
		"Incidents":         func() error { return noPage(s.Incidents(ctx, org, b.alert.ID, page)) },
		"EventsBetween":     func() error { return none(s.EventsBetween(ctx, org, 0, 1<<40, 10)) },
		"IncidentsSince":    func() error { return none(s.IncidentsSince(ctx, org, 0)) },
		"LastFired":         func() error { return noneIn(s.LastFired(ctx, org)) },
		"Snoozes":           func() error { return none(s.Snoozes(ctx, org, b.alert.ID)) },
		"SnoozesOf":         func() error { return noneIn(s.SnoozesOf(ctx, org)) },
		"SnoozeAlert":       func() error { return s.SnoozeAlert(ctx, org, operator, b.alert.ID, &tidemark.Snooze{}) },
		"ResumeAlert":       func() error { return s.ResumeAlert(ctx, org, operator, b.alert.ID) },
		"UndoSnoozes":       func() error { return s.UndoSnoozes(ctx, org, operator, b.alert.ID, []int64{9999}) },

		"Delivery":          func() error { return errOf(s.Delivery(ctx, org, b.delivery.ID)) },
		"AlertDeliveries":   func() error { return noPage(s.AlertDeliveries(ctx, org, b.alert.ID, page)) },
		"ServiceDeliveries": func() error { return noPage(s.ServiceDeliveries(ctx, org, b.service.ID, page)) },
		"RetryDelivery":     func() error { return s.RetryDelivery(ctx, org, operator, b.delivery.ID, 5) },
		"RecordTest": func() error {
			return s.RecordTest(ctx, org, operator, tidemark.NewNotice(org, b.alert, nil), "key", []tidemark.TestResult{{Service: b.service.ID}})
		},

		"ChartByID":       func() error { return errOf(s.ChartByID(ctx, org, b.chart.Chart)) },
		"SenderAddresses": func() error { return none(s.SenderAddresses(ctx, org, 0)) },
		"AgentUses":       func() error { return none(s.AgentUses(ctx, org, 0)) },
		"TokenUses":       func() error { return none(s.TokenUses(ctx, org, b.token.ID, 0)) },
		"AlertsOverview":  func() error { return none(s.AlertsOverview(ctx, org)) },
		"UnitsOf":         func() error { return noneIn(s.UnitsOf(ctx, org)) },
		"CountFiring": func() error {
			n, err := s.CountFiring(ctx, org)
			return none(make([]int, n), err)
		},
		"SearchCharts": func() error { return none(s.SearchCharts(ctx, org, "cpu", 10)) },
		"ChartCounts":  func() error { return noneIn(s.ChartCounts(ctx, org)) },
		"MetricUses": func() error {
			spaces, alerts, err := s.MetricUses(ctx, org, "cpu")
			return none(append(spaces, alerts...), err)
		},
		"Checks": func() error { return none(s.Checks(ctx, org)) },
		"Check": func() error {
			_, err := s.Check(ctx, org, b.check.ID)
			return err
		},
		"UpdateCheck": func() error {
			_, err := s.UpdateCheck(ctx, org, operator, b.check.ID, func(*tidemark.Check) {})
			return err
		},
		"SaveCheckState":  func() error { return s.SaveCheckState(ctx, org, b.check.ID, tidemark.CheckState{}) },
		"SaveCheckResult": func() error { return s.SaveCheckResult(ctx, org, b.check.ID, tidemark.CheckResult{Place: "web-01"}) },
		"Places":          func() error { return none(s.Places(ctx, org)) },
		"Place": func() error {
			_, err := s.Place(ctx, org, "web-01")
			return err
		},
		"DeleteCheck": func() error { return s.DeleteCheck(ctx, org, operator, b.check.ID) },
		"Shares":      func() error { return none(s.Shares(ctx, org, b.space.ID, 0)) },
		"CreateShare": func() error {
			return s.CreateShare(ctx, org, operator, &tidemark.Share{Space: b.space.ID, Name: "x", ExpiresAt: 5}, "other")
		},
		"DeleteShare": func() error { return s.DeleteShare(ctx, org, operator, b.share.ID) },
		"SpaceAbout":  func() error { return errOf(s.SpaceAbout(ctx, org, b.space.ID)) },
		"SpacesAbout": func() error { return noneIn(s.SpacesAbout(ctx, org)) },
		"UpdateSpaceAbout": func() error {
			return s.UpdateSpaceAbout(ctx, org, operator, b.space.ID, func(*tidemark.SpaceAbout) {})
		},
		"Layout":        func() error { return errOf(s.Layout(ctx, org, b.space.ID)) },
		"SaveLayout":    func() error { return s.SaveLayout(ctx, org, operator, b.space.ID, &tidemark.Layout{}) },
		"Pins":          func() error { return none(s.Pins(ctx, org, b.user.ID)) },
		"Senders":       func() error { return errOf(s.Senders(ctx, org, b.token.ID, 0)) },
		"Usage":         func() error { return none(s.Usage(ctx, org, 0)) },
		"LimitDays":     func() error { return noneIn(s.LimitDays(ctx, org, 0)) },
		"LimitRequests": func() error { return none(s.LimitRequests(ctx, org)) },
		"ResolveLimitRequest": func() error {
			return s.ResolveLimitRequest(ctx, org, operator, tidemark.LimitAlerts, tidemark.LimitAnswer{Accept: true})
		},
	}
}

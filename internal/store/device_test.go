package store_test

import (
	"slices"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// newDevice is a device whose browser has the subscription called name.
func newDevice(name string) *tidemark.Device {
	return &tidemark.Device{Name: name, Severity: "all", Labels: map[string]string{}, Subscription: tidemark.Subscription{
		Endpoint: "https://push.example.org/" + name,
		P256DH:   "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
		Auth:     "BTBZMqHH6r4Tts7J_aSIgg",
	}}
}

func addPerson(t *testing.T, s *store.Store, org tidemark.OrgID, email string) int64 {
	t.Helper()
	user := addUser(t, s, email).ID
	must(s.AddMember(t.Context(), org, operator, user, tidemark.Member))(t)
	return user
}

// TestDevices: a device is its person's alone, keeps its subscription sealed,
// and is no service of the organization.
func TestDevices(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		ann, bob := addPerson(t, s, org, "ann@example.org"), addPerson(t, s, org, "bob@example.org")
		v := newDevice("phone")
		ok(t, s.CreateDevice(ctx, org, operator, ann, v))
		listed := *v
		listed.Subscription = tidemark.Subscription{}
		same(t, "devices", []*tidemark.Device{&listed}, must(s.Devices(ctx, org, ann))(t))
		same(t, "devices of another", 0, len(must(s.Devices(ctx, org, bob))(t)))
		same(t, "subscription", v.Subscription, tidemark.DeviceOf(must(s.Recipient(ctx, org, v.ID))(t)).Subscription)

		services, _, err := s.Services(ctx, org, tidemark.Page{})
		ok(t, err)
		same(t, "services", 0, len(services))
		_, err = s.Service(ctx, org, v.ID)
		wantKind(t, "as a service", tidemark.NotFound, err)
		wantKind(t, "deleted as a service", tidemark.NotFound, s.DeleteService(ctx, org, operator, v.ID))
		alert := newAlert("high", above("cpu", 1))
		alert.ServiceIDs = []int64{v.ID}
		wantKind(t, "of an alert", tidemark.Invalid, s.CreateAlert(ctx, org, operator, alert))
		use := must(s.LimitUse(ctx, org))(t)
		same(t, "services and devices", [2]int64{0, 1}, [2]int64{use[tidemark.LimitServices], use[tidemark.LimitDevices]})

		_, err = s.UpdateDevice(ctx, org, operator, bob, v.ID, func(*tidemark.Device) {})
		wantKind(t, "changed by another", tidemark.NotFound, err)
		changed := must(s.UpdateDevice(ctx, org, operator, ann, v.ID, func(d *tidemark.Device) {
			d.Severity, d.Cleared = tidemark.Critical, true
			d.Labels, d.Quiet = map[string]string{"team": "shop"}, &tidemark.QuietHours{From: "22:00", To: "07:00", Zone: "UTC"}
		}))(t)
		same(t, "as it is kept", changed.Quiet, must(s.Devices(ctx, org, ann))(t)[0].Quiet)
		same(t, "labels", changed.Labels, must(s.Devices(ctx, org, ann))(t)[0].Labels)
		same(t, "subscription after a change", v.Subscription, tidemark.DeviceOf(must(s.DeviceService(ctx, org, ann, v.ID))(t)).Subscription)
		same(t, "changed", "critical", must(s.Devices(ctx, org, ann))(t)[0].Severity)
		same(t, "cleared", true, changed.Cleared)
		wantKind(t, "deleted by another", tidemark.NotFound, s.DeleteDevice(ctx, org, operator, bob, v.ID))
		ok(t, s.DeleteDevice(ctx, org, operator, ann, v.ID))
		var did []string
		for _, e := range must(s.AuditLog(ctx, org, tidemark.AuditQuery{Action: "device.*"}))(t) {
			did = append(did, e.Action)
		}
		same(t, "audit log", []string{"device.delete", "device.update", "device.create"}, did)
	})
}

// TestOneBrowserOnePerson: whoever subscribes in a browser has it, and the same
// person has it in each of their organizations.
func TestOneBrowserOnePerson(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx, other := t.Context(), addOrg(t, s, "other")
		ann, bob := addPerson(t, s, org, "ann@example.org"), addPerson(t, s, org, "bob@example.org")
		must(s.AddMember(ctx, other, operator, ann, tidemark.Member))(t)
		ok(t, s.CreateDevice(ctx, org, operator, ann, newDevice("shared")))
		ok(t, s.CreateDevice(ctx, org, operator, ann, newDevice("shared")))
		ok(t, s.CreateDevice(ctx, other, operator, ann, newDevice("shared")))
		count := func() [3]int {
			return [3]int{len(must(s.Devices(ctx, org, ann))(t)), len(must(s.Devices(ctx, other, ann))(t)), len(must(s.Devices(ctx, org, bob))(t))}
		}
		same(t, "of ann in two organizations", [3]int{1, 1, 0}, count())
		ok(t, s.CreateDevice(ctx, org, operator, bob, newDevice("shared")))
		same(t, "bob's now", [3]int{0, 0, 1}, count())
		removed := func(org tidemark.OrgID) (by []string) {
			for _, e := range must(s.AuditLog(ctx, org, tidemark.AuditQuery{Action: "device.delete"}))(t) {
				by = append(by, e.Actor)
			}
			return by
		}
		same(t, "noted", []string{operator.String()}, removed(org))
		same(t, "noted elsewhere", []string{"server"}, removed(other))
	})
}

// TestDeviceLimits: a person has 20 devices, and an organization as many as its
// limit says.
func TestDeviceLimits(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		ann, bob := addPerson(t, s, org, "ann@example.org"), addPerson(t, s, org, "bob@example.org")
		s.SetLimits(tidemark.NewLimits(map[tidemark.LimitName]int64{tidemark.LimitDevices: 21}))
		for i := range 20 {
			ok(t, s.CreateDevice(ctx, org, operator, ann, newDevice(string(rune('a'+i)))))
		}
		wantKind(t, "one more of a person", tidemark.Forbidden, s.CreateDevice(ctx, org, operator, ann, newDevice("z")))
		ok(t, s.CreateDevice(ctx, org, operator, ann, newDevice("a"))) // takes its own place
		ok(t, s.CreateDevice(ctx, org, operator, bob, newDevice("y")))
		wantKind(t, "one more of the organization", tidemark.Forbidden, s.CreateDevice(ctx, org, operator, bob, newDevice("z")))
	})
}

// TestDevicesAreNotified: a change of state is delivered to the devices that
// asked for it, of people who are members.
func TestDevicesAreNotified(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		ann, bob := addPerson(t, s, org, "ann@example.org"), addPerson(t, s, org, "bob@example.org")
		service := addService(t, s, org, "ops")
		must(s.EnsureMetrics(ctx, org, []*tidemark.Metric{{Name: "cpu", Type: tidemark.Gauge}}))(t)
		all, loud, cleared, gone := newDevice("all"), newDevice("loud"), newDevice("cleared"), newDevice("gone")
		loud.Severity, cleared.Cleared = tidemark.Critical, true
		for _, v := range []*tidemark.Device{all, loud, cleared} {
			ok(t, s.CreateDevice(ctx, org, operator, ann, v))
		}
		ok(t, s.CreateDevice(ctx, org, operator, bob, gone))
		ok(t, s.RemoveMember(ctx, org, operator, bob))
		alert := newAlert("high", above("cpu", 1))
		alert.Severity, alert.ServiceIDs = tidemark.Warning, []int64{service.ID}
		ok(t, s.CreateAlert(ctx, org, operator, alert))

		fired := &tidemark.StateChange{
			Org: org, Alert: alert, State: tidemark.AlertState{Firing: true, TriggeredAt: 5}, Now: 5, Notice: tidemark.NewNotice(org, alert, nil),
			Transition: tidemark.AlertTransition{Kind: tidemark.Triggered, Notify: true}, Incident: &tidemark.Incident{Alert: alert.ID, TriggeredAt: 5},
		}
		fired.Notice.Kind = tidemark.NoticeTrigger
		ok(t, s.SaveStates(ctx, []*tidemark.StateChange{fired}))
		same(t, "of the trigger", []int64{service.ID, all.ID, cleared.ID}, recipients(t, s, org, alert.ID, tidemark.NoticeTrigger))

		over := &tidemark.StateChange{
			Org: org, Alert: alert, State: tidemark.AlertState{Revision: fired.State.Revision}, Now: 9, Notice: tidemark.NewNotice(org, alert, nil),
			Transition: tidemark.AlertTransition{Kind: tidemark.Cleared, Notify: true}, Incident: fired.Incident,
		}
		over.Notice.Kind = tidemark.NoticeClear
		ok(t, s.SaveStates(ctx, []*tidemark.StateChange{over}))
		same(t, "saved", true, over.Saved)
		same(t, "of the end", []int64{service.ID, cleared.ID}, recipients(t, s, org, alert.ID, tidemark.NoticeClear))

		ok(t, s.ForgetDevice(ctx, org, cleared.ID))
		ok(t, s.ForgetDevice(ctx, org, service.ID))
		same(t, "of the end, without the device", []int64{service.ID}, recipients(t, s, org, alert.ID, tidemark.NoticeClear))
	})
}

// recipients are those that deliveries of a kind go to.
func recipients(t *testing.T, s *store.Store, org tidemark.OrgID, alert int64, kind string) []int64 {
	t.Helper()
	found, _, err := s.AlertDeliveries(t.Context(), org, alert, tidemark.Page{})
	ok(t, err)
	var ids []int64
	for _, d := range found {
		if d.Kind == kind {
			ids = append(ids, d.Service)
		}
	}
	slices.Sort(ids)
	return ids
}

// TestPushKey: the first key stays, in secret.
func TestPushKey(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, _ tidemark.OrgID) {
		same(t, "first", "one", string(must(s.PushKey(t.Context(), []byte("one")))(t)))
		same(t, "again", "one", string(must(s.PushKey(t.Context(), []byte("two")))(t)))
	})
}

package store_test

import (
	"slices"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

func newCheck(name string) *tidemark.Check {
	v := tidemark.NewCheck()
	v.Name, v.Target = name, "https://example.org/"
	return v
}

func addCheck(t testing.TB, s *store.Store, org tidemark.OrgID, v *tidemark.Check, hash string) *tidemark.Check {
	t.Helper()
	ok(t, s.CreateCheck(t.Context(), org, operator, v, v.NewAlert(tidemark.CheckAlert{}), nil, hash))
	return v
}

// TestChecks: a check is made with its alert and the metric that it looks at,
// or neither; its name and kind stay, and its state is no change of it.
func TestChecks(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx, now := t.Context(), int64(1_800_000_000)
		s.SetClock(func() int64 { return now })
		v := addCheck(t, s, org, newCheck("Shop"), "")
		if v.ID == 0 || v.Alert == 0 || v.CreatedAt != now {
			t.Errorf("made %+v", v)
		}
		same(t, "alert", "Check: Shop", must(s.Alert(ctx, org, v.Alert))(t).Name)
		m := must(s.Metric(ctx, org, tidemark.MetricCheckUp))(t)
		same(t, "how its metric is summarized", map[string]any{"summarize_function": "min"}, m.Attributes)
		same(t, "Check", v, must(s.Check(ctx, org, v.ID))(t))

		checkFields(t, s.CreateCheck(ctx, org, operator, newCheck("Shop"), newCheck("Other").NewAlert(tidemark.CheckAlert{}), nil, ""), "name", "is already taken")
		wantKind(t, "the alert of a check that was refused", tidemark.NotFound, errOf(s.AlertByName(ctx, org, "Check: Other")))
		bad := newCheck("Bad")
		bad.Target = "example.org"
		checkFields(t, s.CreateCheck(ctx, org, operator, bad, bad.NewAlert(tidemark.CheckAlert{}), nil, ""), "target", "must begin with https:// or http://")

		changed := must(s.UpdateCheck(ctx, org, operator, v.ID, func(c *tidemark.Check) {
			c.Name, c.Kind, c.Every, c.Target = "Renamed", tidemark.CheckTCP, 120, "https://example.org/cart"
		}))(t)
		v.Every, v.Target = 120, "https://example.org/cart"
		same(t, "changed", v, changed)
		same(t, "saved", v, must(s.Check(ctx, org, v.ID))(t))
		checkFields(t, errOf(s.UpdateCheck(ctx, org, operator, v.ID, func(c *tidemark.Check) { c.Every = 29 })), "every", "must be 30 to 2678400 seconds")

		v.CheckState = tidemark.CheckState{RanAt: now + 5, StartedAt: now, Up: true, Duration: 0.25, Said: "200 OK: größe"}
		v.Results = []tidemark.CheckResult{{Place: "server", RanAt: now + 5, Up: true, Duration: 0.25, Said: "200 OK: größe"}}
		ok(t, s.SaveCheckState(ctx, org, v.ID, v.CheckState))
		same(t, "with its state", v, must(s.Check(ctx, org, v.ID))(t))
		must(s.UpdateCheck(ctx, org, operator, v.ID, func(c *tidemark.Check) { c.Up, c.Said = false, "made up" }))(t)
		same(t, "an update leaves the state", v, must(s.Check(ctx, org, v.ID))(t))
		ok(t, s.DeleteCheck(ctx, org, operator, v.ID))
		wantKind(t, "state of what is deleted", tidemark.NotFound, s.SaveCheckState(ctx, org, v.ID, tidemark.CheckState{}))
		wantKind(t, "delete twice", tidemark.NotFound, s.DeleteCheck(ctx, org, operator, v.ID))
		wantKind(t, "change what is deleted", tidemark.NotFound, errOf(s.UpdateCheck(ctx, org, operator, v.ID, func(*tidemark.Check) {})))
	})
}

// TestSilenceOfMovedChecks: what is not to run a check any more is not silent,
// and is heard of again when it comes back. A check that is switched off is not
// silent either, and one that is deleted takes its alerts along, with the end
// of what they were notified of.
func TestSilenceOfMovedChecks(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		ok(t, s.SeePlace(ctx, org, &tidemark.Place{Name: "Web-01"}))
		ok(t, s.SeePlace(ctx, org, &tidemark.Place{Name: "web-02", Tags: map[string]string{"dc": "ams"}}))
		v := newCheck("Shop")
		v.Places = []string{"agent:Web-01", "tag:dc=ams"}
		ok(t, s.CreateCheck(ctx, org, operator, v, v.NewAlert(tidemark.CheckAlert{}), v.NewSilenceAlert(nil), ""))
		made := must(s.Alert(ctx, org, v.Silence))(t).Conditions[0].Tags
		place := func(change func(*tidemark.Check), want ...tidemark.TagFilter) {
			t.Helper()
			must(s.UpdateCheck(ctx, org, operator, v.ID, change))(t)
			same(t, "what is looked at", slices.Concat(made, want), must(s.Alert(ctx, org, v.Silence))(t).Conditions[0].Tags)
		}
		to := func(places ...string) func(*tidemark.Check) { return func(c *tidemark.Check) { c.Places = places } }
		place(to("tag:dc=ams"), tidemark.TagFilter{Name: "place", Values: []string{"!web-01"}})
		place(to("agent:other"), tidemark.TagFilter{Name: "place", Values: []string{"!web-01", "!web-02"}})
		place(to("agent:WEB-01"), tidemark.TagFilter{Name: "place", Values: []string{"!web-02"}})
		place(to("agent:web-01", "agent:web-02"))
		place(func(c *tidemark.Check) { c.Every = 120 })

		isActive := func() bool { return must(s.Alert(ctx, org, v.Silence))(t).Active }
		place(func(c *tidemark.Check) { c.Active = false })
		same(t, "active while the check is off", false, isActive())
		place(func(c *tidemark.Check) { c.Active = true })
		same(t, "active", true, isActive())

		ok(t, s.DeleteAlert(ctx, org, operator, v.Silence))
		must(s.UpdateCheck(ctx, org, operator, v.ID, to("agent:web-02")))(t)
		ok(t, s.DeleteCheck(ctx, org, operator, v.ID))
		wantKind(t, "the alert of what is deleted", tidemark.NotFound, errOf(s.Alert(ctx, org, v.Alert)))
		noted := must(s.AuditLog(ctx, org, tidemark.AuditQuery{Length: 2}))(t)
		same(t, "audit", []string{"check.delete", "alert.delete"}, []string{noted[0].Action, noted[1].Action})
	})
}

// TestChecksOfAll: the one who runs checks gets the active ones of everybody,
// with whose they are; people get theirs by name.
func TestChecksOfAll(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx, other := t.Context(), addOrg(t, s, "other")
		zoo, ape := addCheck(t, s, org, newCheck("zoo"), ""), addCheck(t, s, org, newCheck("ape"), "")
		theirs := addCheck(t, s, other, newCheck("zoo"), "")
		must(s.UpdateCheck(ctx, org, operator, ape.ID, func(c *tidemark.Check) { c.Active = false }))(t)
		ape.Active = false
		same(t, "Checks", []*tidemark.Check{ape, zoo}, must(s.Checks(ctx, org))(t))
		zoo.Results, theirs.Results = nil, nil // that is for people
		same(t, "ActiveChecks", []*store.OrgCheck{{Org: org, Check: *zoo}, {Org: other, Check: *theirs}}, must(s.ActiveChecks(ctx))(t))
		same(t, "Checks of nobody", []*tidemark.Check{}, must(s.Checks(ctx, 999))(t))
	})
}

// TestHeartbeats: a heartbeat is found by the hash of its secret, wherever it
// is; what has no secret cannot be found without one.
func TestHeartbeats(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx, other := t.Context(), addOrg(t, s, "other")
		addCheck(t, s, org, newCheck("web"), "")
		beat := newCheck("backup")
		beat.Kind, beat.Target = tidemark.CheckHeartbeat, ""
		addCheck(t, s, other, beat, "HASH")
		beat.Results = nil
		same(t, "CheckByHash", &store.OrgCheck{Org: other, Check: *beat}, must(s.CheckByHash(ctx, "HASH"))(t))
		for _, hash := range []string{"", "hash", "HASH "} {
			wantKind(t, "hash "+hash, tidemark.NotFound, errOf(s.CheckByHash(ctx, hash)))
		}
		ok(t, s.DeleteCheck(ctx, other, operator, beat.ID))
		wantKind(t, "deleted", tidemark.NotFound, errOf(s.CheckByHash(ctx, "HASH")))
	})
}

// TestPlaces: agents are known by what they said last; what they found of a
// check is kept with it, the latest of each, until its places change.
func TestPlaces(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx, now := t.Context(), int64(1_800_000_000)
		s.SetClock(func() int64 { return now })
		other := addOrg(t, s, "other")
		ok(t, s.SeePlace(ctx, org, &tidemark.Place{Name: "web-02", Tags: map[string]string{"role": "web"}}))
		now += 5
		ok(t, s.SeePlace(ctx, org, &tidemark.Place{Name: "web-01"}))
		ok(t, s.SeePlace(ctx, org, &tidemark.Place{Name: "web-02", Tags: map[string]string{"role": "db"}}))
		web1, web2 := &tidemark.Place{Name: "web-01", Tags: map[string]string{}, SeenAt: now}, &tidemark.Place{Name: "web-02", Tags: map[string]string{"role": "db"}, SeenAt: now}
		same(t, "Places", []*tidemark.Place{web1, web2}, must(s.Places(ctx, org))(t))
		same(t, "Place", web2, must(s.Place(ctx, org, "web-02"))(t))
		wantKind(t, "Place of others", tidemark.NotFound, errOf(s.Place(ctx, other, "web-02")))
		checkFields(t, s.SeePlace(ctx, org, &tidemark.Place{Name: "Server"}), "name", "server is the server itself; set host of the agent")

		c := newCheck("shop")
		c.Places = []string{"agent:web-01", "tag:role=db"}
		addCheck(t, s, org, c, "")
		found := func(place string, at int64, up bool, took float64) tidemark.CheckResult {
			return tidemark.CheckResult{Place: place, RanAt: at, Up: up, Duration: took, Said: "said " + place}
		}
		late, down := found("web-01", now+60, true, 0.5), found("web-02", now+30, false, 0.1)
		ok(t, s.SaveCheckResult(ctx, org, c.ID, found("web-01", now, false, 1)))
		ok(t, s.SaveCheckResult(ctx, org, c.ID, late))
		ok(t, s.SaveCheckResult(ctx, org, c.ID, down))
		wantKind(t, "what is older", tidemark.NotFound, s.SaveCheckResult(ctx, org, c.ID, found("web-01", now, false, 1)))
		wantKind(t, "a check that is gone", tidemark.NotFound, s.SaveCheckResult(ctx, org, c.ID+100, late))
		got := must(s.Check(ctx, org, c.ID))(t)
		same(t, "results", []tidemark.CheckResult{late, down}, got.Results)
		same(t, "state", tidemark.CheckState{RanAt: now + 60, Up: false, Duration: 0.1, Said: "said web-02"}, got.CheckState)
		same(t, "Checks", []*tidemark.Check{got}, must(s.Checks(ctx, org))(t))

		moved := must(s.UpdateCheck(ctx, org, operator, c.ID, func(c *tidemark.Check) { c.Places = []string{"server"} }))(t)
		same(t, "results of places that it has no more", []tidemark.CheckResult{}, moved.Results)
	})
}

// TestForgottenPlaces: an agent that did not ask for a month makes room.
func TestForgottenPlaces(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx, now := t.Context(), int64(1_800_000_000)
		s.SetClock(func() int64 { return now })
		s.SetLimits(tidemark.NewLimits(map[tidemark.LimitName]int64{tidemark.LimitPlaces: 1}))
		see := func(name string) error { return s.SeePlace(ctx, org, &tidemark.Place{Name: name}) }
		ok(t, see("old"))
		ok(t, see("old"))
		wantKind(t, "one more", tidemark.TooMany, see("new"))
		now += 31 * 24 * 3600
		ok(t, see("new"))
		same(t, "places left", 1, len(must(s.Places(ctx, org))(t)))
	})
}

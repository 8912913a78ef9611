package store_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// TestLimits: of everything that an organization can have many of there is a
// most. The refusal names it and how to raise it; a value of the
// organization's own counts at once, and another organization's does not.
func TestLimits(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx, other := t.Context(), addOrg(t, s, "other")
		person, by := 0, tidemark.ServerActor()
		add := map[tidemark.LimitName]func(org tidemark.OrgID, i int) error{
			tidemark.LimitMetrics: func(org tidemark.OrgID, i int) error {
				return errOf(s.EnsureMetrics(ctx, org, []*tidemark.Metric{{Name: fmt.Sprintf("m%d", i), Type: tidemark.Gauge}}))
			},
			tidemark.LimitAnnotations: func(org tidemark.OrgID, i int) error {
				return s.CreateEvent(ctx, org, "deploys", &tidemark.AnnotationEvent{Title: "x", StartTime: 1})
			},
			tidemark.LimitAlerts: func(org tidemark.OrgID, i int) error {
				a := tidemark.NewAlert()
				a.Name, a.Conditions = fmt.Sprintf("a%d", i), []tidemark.Condition{}
				return s.CreateAlert(ctx, org, by, a)
			},
			tidemark.LimitServices: func(org tidemark.OrgID, i int) error {
				return s.CreateService(ctx, org, by, &tidemark.Service{Type: "mail", Title: "x", Settings: map[string]string{"addresses": "a@example.org"}})
			},
			tidemark.LimitSpaces: func(org tidemark.OrgID, i int) error {
				name := fmt.Sprintf("s%d", i)
				return s.CreateSpace(ctx, org, by, &tidemark.Space{Name: &name})
			},
			tidemark.LimitTokens: func(org tidemark.OrgID, i int) error {
				secret := tidemark.Secret(fmt.Sprintf("%032d-%d", i, org))
				return s.CreateToken(ctx, org, by, &tidemark.Token{Name: fmt.Sprintf("t%d", i), Role: tidemark.ViewOnly, Active: true}, secret)
			},
			tidemark.LimitSnapshots: func(org tidemark.OrgID, i int) error {
				return s.CreateSnapshot(ctx, org, by, &tidemark.Snapshot{Subject: []byte(`{}`)})
			},
			tidemark.LimitMembers: func(org tidemark.OrgID, i int) error {
				person++
				u := &tidemark.User{Email: fmt.Sprintf("p%d@example.org", person), Name: "P"}
				ok(t, s.CreateUser(ctx, by, u))
				return errOf(s.AddMember(ctx, org, by, u.ID, tidemark.ViewOnly))
			},
		}
		values := make(map[tidemark.LimitName]int64)
		for name := range add {
			values[name] = 2
		}
		limits := tidemark.NewLimits(values)
		s.SetLimits(limits)
		for name, one := range add {
			ok(t, one(org, 1))
			ok(t, one(org, 2))
			err := one(org, 3)
			if err == nil || !strings.Contains(err.Error(), "the limit "+string(name)+" is reached: 2 ") || !strings.Contains(err.Error(), "tidemark org limits") {
				t.Errorf("%s: the third is answered with %v", name, err)
			}
			if limits.Refused(name) != 1 {
				t.Errorf("%s: %d refusals are counted", name, limits.Refused(name))
			}
			ok(t, one(other, 4))
			three := int64(3)
			ok(t, s.SetOrgLimits(ctx, org, by, map[tidemark.LimitName]*int64{name: &three}))
			limits.SetOrgs(must(s.OrgLimits(ctx))(t))
			ok(t, one(org, 5))
			if one(org, 6) == nil {
				t.Errorf("%s: the fourth is taken where three are allowed", name)
			}
			if err := one(other, 7); err != nil {
				t.Errorf("%s: the second of the other: %v", name, err)
			}
			if one(other, 8) == nil {
				t.Errorf("%s: one organization's own value is another's too", name)
			}
		}
		use := must(s.LimitUse(ctx, org))(t)
		for name := range add {
			if use[name] != 3 {
				t.Errorf("%s: use is %d, want 3", name, use[name])
			}
		}
	})
}

// TestSetOrgLimits: only limits that an organization can have its own value
// of, with a number that makes sense, are taken; nil is the server's again.
func TestSetOrgLimits(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		minus, seven, huge := int64(-1), int64(7), int64(tidemark.MaxLimit+1)
		err := s.SetOrgLimits(t.Context(), org, tidemark.ServerActor(), map[tidemark.LimitName]*int64{"wishes": &seven, tidemark.LimitAlerts: &minus, tidemark.LimitSpaces: &huge, tidemark.LimitConditions: &seven})
		for _, want := range []string{"wishes is not a limit", "alerts must not be negative", "spaces must be at most 9007199254740992", "conditions cannot be set"} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v does not say that %s", err, want)
			}
		}
		ok(t, s.SetOrgLimits(t.Context(), org, tidemark.ServerActor(), map[tidemark.LimitName]*int64{tidemark.LimitAlerts: &seven, tidemark.LimitSpaces: &seven}))
		ok(t, s.SetOrgLimits(t.Context(), org, tidemark.ServerActor(), map[tidemark.LimitName]*int64{tidemark.LimitSpaces: nil}))
		same(t, "limits", map[tidemark.OrgID]map[tidemark.LimitName]int64{org: {tidemark.LimitAlerts: 7}}, must(s.OrgLimits(t.Context()))(t))
	})
}

// TestAnnotationBytes: an annotation is bounded when it is made and when it is
// changed.
func TestAnnotationBytes(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		s.SetLimits(tidemark.NewLimits(map[tidemark.LimitName]int64{tidemark.LimitAnnotationBytes: 100}))
		long := strings.Repeat("x", 100)
		v := &tidemark.AnnotationEvent{Title: "fine", StartTime: 1}
		ok(t, s.CreateEvent(t.Context(), org, "deploys", v))
		checkKinds(t, []wrong{
			{"make a long one", func() error {
				return s.CreateEvent(t.Context(), org, "deploys", &tidemark.AnnotationEvent{Title: "fine", Description: &long, StartTime: 1})
			}, tidemark.Invalid},
			{"make it long", func() error {
				return errOf(s.UpdateEvent(t.Context(), org, tidemark.ServerActor(), tidemark.EventKey{Stream: "deploys", ID: v.ID}, func(e *tidemark.AnnotationEvent) { e.Description = &long }))
			}, tidemark.Invalid},
		})
	})
}

// unlimited are the tables without a limit of their own, each with what bounds
// it instead.
var unlimited = map[string]string{
	"migrations":         "one row for each file of this program",
	"settings":           "written by the program alone, a fixed number",
	"sealed_settings":    "written by the program alone, a fixed number",
	"versions":           "one row for each topic of this program",
	"object_versions":    "as many for each thing as limits.versions says, and 4 MiB; of what is deleted pruned after 30 days",
	"moved_parts":        "one row for each metric and day while everything is moved, which the operator does; forgotten at the end",
	"editors":            "of pages that watch, whose number is limited; pruned after seconds",
	"orgs":               "made by the operator alone, and by people who sign in first",
	"org_limits":         "one row for each limit that the operator sets",
	"limit_requests":     "one row for each limit that an organization may ask for",
	"sequences":          "one row for each kind of thing of an organization",
	"users":              "members of organizations, whose number is limited",
	"token_secrets":      "two for each token, whose number is limited",
	"audit":              "pruned after 400 days; what writes to it is limited by requests a second",
	"annotation_streams": "at most one for each annotation, whose number is limited",
	"alert_services":     "at most 100 for each alert, whose number is limited",
	"alert_states":       "one for each alert, whose number is limited",
	"alert_views":        "50 for each member, whose number is limited, and 50 for everybody",
	"alert_snoozes":      "of alerts, whose number is limited; past ones are deleted",
	"jobs":               "one for each snapshot, whose number is limited; pruned after 30 days",
	"incident_notes":     "the latest 1000 of an incident; pruned with it",
	"incidents":          "of alerts, whose number is limited; pruned after alerting.keep",
	"deliveries":         "of incidents; pruned after alerting.keep",
	"delivery_attempts":  "of deliveries, a bounded number each",
	"sessions":           "of people who sign in, which is limited by address and account; pruned",
	"browsers":           "50 for each person; the oldest are forgotten",
	"one_time_keys":      "of people who ask for links, which is limited by address; pruned",
	"totp":               "one for each person",
	"recovery_codes":     "ten for each person",
	"passkeys":           "20 for each person",
	"report_pictures":    "one for each report, whose number is limited",
	"layouts":            "one for each space, whose number is limited",
	"pins":               "one for each member, whose number is limited",
	"senders":            "1000 for each token and day; pruned after 90 days",
	"token_uses":         "one for each token, route and day; pruned after 90 days",
	"usage_days":         "one for each organization and day",
	"limit_days":         "one for each organization, limit and day; pruned after 30 days",
	"space_openings":     "one for each member and space, whose numbers are limited",
	"engine_metrics":     "one for each metric, whose number is limited",
	"engine_samples":     "one for each organization",
	"engine_marks":       "one for each stage of the engine's work",
	"leases":             "one for each kind of work of the servers",
	"nodes":              "one for each server",
	"check_results":      "one for each check and place, whose numbers are limited",
	"spellings":          "at most tidemark.MaxSpellings of an organization, which those count who note them",
	"sources":            "one for each source that people describe: limited by requests a second",
}

// limited are the tables whose rows a limit of the organization counts.
var limited = map[string]tidemark.LimitName{
	"metrics": tidemark.LimitMetrics, "events": tidemark.LimitAnnotations, "alerts": tidemark.LimitAlerts, "services": tidemark.LimitServices,
	"spaces": tidemark.LimitSpaces, "charts": tidemark.LimitCharts, "shares": tidemark.LimitShares, "checks": tidemark.LimitChecks, "check_places": tidemark.LimitPlaces, "tokens": tidemark.LimitTokens,
	"objectives": tidemark.LimitObjectives, "saved_queries": tidemark.LimitSavedQueries, "tag_drops": tidemark.LimitTagDrops, "playlists": tidemark.LimitPlaylists, "reports": tidemark.LimitReports, "maintenance": tidemark.LimitMaintenance, "snapshots": tidemark.LimitSnapshots, "memberships": tidemark.LimitMembers, "invitations": tidemark.LimitMembers,
}

// TestEveryTableIsLimited: a new table is bounded by a limit, or there is a
// reason why it needs none.
func TestEveryTableIsLimited(t *testing.T) {
	t.Parallel()
	url := emptyURL(t, "sqlite")
	openStore(t, url)
	lines := schemaOf(t, "sqlite", strings.TrimPrefix(url, "sqlite:"), `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
	for _, table := range lines {
		if limit, has := limited[table]; has {
			if _, known := tidemark.LimitCalled(limit); !known {
				t.Errorf("%s: there is no limit %s", table, limit)
			}
		} else if unlimited[table] == "" {
			t.Errorf("%s: give it a limit in limit_table.go and in limited here, or a reason in unlimited", table)
		}
	}
	for table := range unlimited {
		if !slices.Contains(lines, table) {
			t.Errorf("there is no table %s any longer", table)
		}
	}
}

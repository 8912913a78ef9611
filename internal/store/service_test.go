package store_test

import (
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

func hook(title string) *tidemark.Service {
	return &tidemark.Service{Type: "webhook", Title: title, Settings: map[string]string{"url": "https://example.org/hook"}}
}

func addService(t testing.TB, s *store.Store, org tidemark.OrgID, title string) *tidemark.Service {
	t.Helper()
	v := hook(title)
	ok(t, s.CreateService(t.Context(), org, operator, v))
	return v
}

func serviceTitle(v *tidemark.Service) string { return v.Title }

func TestServices(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		slack := &tidemark.Service{Type: "slack", Title: "ops", Settings: map[string]string{"url": "https://x.example/<&>", "room": "1"}}
		ok(t, s.CreateService(ctx, org, operator, slack))
		if slack.ID <= 0 || slack.CreatedAt == 0 || slack.UpdatedAt != slack.CreatedAt {
			t.Errorf("created %+v", slack)
		}
		same(t, "Service", slack, must(s.Service(ctx, org, slack.ID))(t))

		rename := tidemark.ServiceUpdate{Title: tidemark.Some("on-call")}
		got := must(s.UpdateService(ctx, org, operator, slack.ID, rename.Apply))(t)
		want := *slack
		want.Title, want.UpdatedAt = "on-call", got.UpdatedAt
		same(t, "UpdateService", &want, got)
		same(t, "Service after the update", &want, must(s.Service(ctx, org, slack.ID))(t))
		if got.UpdatedAt <= slack.UpdatedAt {
			t.Errorf("updated_at went from %d to %d", slack.UpdatedAt, got.UpdatedAt)
		}

		ok(t, s.DeleteService(ctx, org, operator, slack.ID))
		again := addService(t, s, org, "on-call")
		if again.ID == slack.ID {
			t.Errorf("the id %d of a deleted service came back", again.ID)
		}
		twin := addService(t, s, org, "on-call") // titles are not unique
		if twin.ID == again.ID {
			t.Errorf("two services with id %d", twin.ID)
		}
	})
}

// Every list works as this one does.
func TestServiceList(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		for _, title := range []string{"beta", "Alpha", "alphabet", "ÄLPHA", "50%_off", `back\slash`, "_x", "Zeta"} {
			addService(t, s, org, title)
		}
		addService(t, s, addOrg(t, s, "other"), "alpha")
		f := func(p tidemark.Page, found int, want ...string) {
			t.Helper()
			checkList(t, serviceTitle, found, 8, want...)(s.Services(ctx, org, p))
		}
		f(tidemark.Page{}, 8, "50%_off", "_x", "Alpha", "alphabet", `back\slash`, "beta", "Zeta", "ÄLPHA")
		f(tidemark.Page{Length: 2, Offset: 2}, 8, "Alpha", "alphabet")
		f(tidemark.Page{Length: 2, Offset: 2, OrderBy: "title", Desc: true}, 8, "beta", `back\slash`)
		f(tidemark.Page{OrderBy: "id", Length: 1}, 8, "beta")
		f(tidemark.Page{Offset: 8}, 8)
		f(tidemark.Page{Offset: 1 << 40}, 8)
		f(tidemark.Page{Offset: -5, Length: -5}, 8, "50%_off", "_x", "Alpha", "alphabet", `back\slash`, "beta", "Zeta", "ÄLPHA")
		f(tidemark.Page{Name: "ALPHA"}, 2, "Alpha", "alphabet")
		f(tidemark.Page{Name: "älp"}, 1, "ÄLPHA")
		f(tidemark.Page{Name: "a*a"}, 1, "Alpha")
		f(tidemark.Page{Name: "*a"}, 4, "Alpha", "beta", "Zeta", "ÄLPHA")
		f(tidemark.Page{Name: "*"}, 8, "50%_off", "_x", "Alpha", "alphabet", `back\slash`, "beta", "Zeta", "ÄLPHA")
		f(tidemark.Page{Name: "%"}, 1, "50%_off")
		f(tidemark.Page{Name: "_"}, 2, "50%_off", "_x")
		f(tidemark.Page{Name: `\`}, 1, `back\slash`)
		f(tidemark.Page{Name: `k\s*`}, 0)
		f(tidemark.Page{Name: `*k\s*`}, 1, `back\slash`)
		f(tidemark.Page{Name: "nothing"}, 0)
		f(tidemark.Page{Name: "a\x00"}, 0)
		f(tidemark.Page{Name: "\xff"}, 0)
		f(tidemark.Page{Name: strings.Repeat("a*", 100_000)}, 0)

		// An exact match comes first, whatever the order.
		addService(t, s, org, "my zeta")
		addService(t, s, org, "a zeta")
		checkList(t, serviceTitle, 3, 10, "Zeta", "a zeta", "my zeta")(s.Services(ctx, org, tidemark.Page{Name: "zeta"}))
		checkList(t, serviceTitle, 3, 10, "Zeta", "my zeta", "a zeta")(s.Services(ctx, org, tidemark.Page{Name: "zeta", OrderBy: "title", Desc: true}))
	})
}

func TestServiceListLength(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ok(t, store.FillServices(t.Context(), s, org, tidemark.MaxPageLength+1))
		for _, length := range []int{0, tidemark.MaxPageLength, 1 << 30} {
			list, n, err := s.Services(t.Context(), org, tidemark.Page{Length: length})
			if err != nil || len(list) != tidemark.MaxPageLength || n.Found != tidemark.MaxPageLength+1 {
				t.Errorf("length %d: %d services, %v, %v", length, len(list), n, err)
			}
		}
	})
}

func TestServiceErrors(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx := t.Context()
		other := addOrg(t, s, "other")
		ops := addService(t, s, org, "ops")
		untitle := func(v *tidemark.Service) { v.Title = "" }
		checkKinds(t, []wrong{
			{"no such service", func() error { return errOf(s.Service(ctx, org, 999)) }, tidemark.NotFound},
			{"of another org", func() error { return errOf(s.Service(ctx, other, ops.ID)) }, tidemark.NotFound},
			{"update of another org", func() error { return errOf(s.UpdateService(ctx, other, operator, ops.ID, untitle)) }, tidemark.NotFound},
			{"delete of another org", func() error { return s.DeleteService(ctx, other, operator, ops.ID) }, tidemark.NotFound},
			{"in no org", func() error { return s.CreateService(ctx, 999, operator, hook("x")) }, tidemark.NotFound},
			{"without title", func() error { return s.CreateService(ctx, org, operator, hook("")) }, tidemark.Invalid},
			{"with a NUL", func() error { return s.CreateService(ctx, org, operator, hook("a\x00")) }, tidemark.Invalid},
			{"update to no title", func() error { return errOf(s.UpdateService(ctx, org, operator, ops.ID, untitle)) }, tidemark.Invalid},
			{"unknown type", func() error {
				return s.CreateService(ctx, org, operator, &tidemark.Service{Type: "pigeon", Title: "x"})
			}, tidemark.Invalid},
			{"delete nothing", func() error { return s.DeleteService(ctx, org, operator, 999) }, tidemark.NotFound},
			{"order by SQL", func() error { return listErr(s.Services(ctx, org, tidemark.Page{OrderBy: "1; DROP"})) }, tidemark.Invalid},
		})
		same(t, "untouched", ops, must(s.Service(ctx, org, ops.ID))(t))
	})
}

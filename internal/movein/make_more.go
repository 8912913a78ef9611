package movein

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark-metrics/tidemark"
)

// makeLayout puts the charts of a space that was made where they were. A space
// that was there keeps its layout.
func (m *maker) makeLayout(ctx context.Context, space *Object) error {
	id, made := m.space(space)
	if space.Layout == nil || !made || id == 0 || m.dry || m.outcome("space", space) != Made {
		return nil
	}
	layout := *space.Layout
	layout.Places = slices.Clone(layout.Places)
	for i := range layout.Places {
		layout.Places[i].Chart = m.ids["chart"+strconv.FormatInt(layout.Places[i].Chart, 10)]
	}
	layout.Places = slices.DeleteFunc(layout.Places, func(p tidemark.GridPosition) bool { return p.Chart == 0 })
	layout.UpdatedAt, layout.UpdatedBy, layout.Version = 0, "", 0 // versions are the old server's
	err := m.server.Do(ctx, "PUT", "/admin/spaces/"+strconv.FormatInt(id, 10)+"/layout", layout, nil)
	if tidemark.KindOf(err) == tidemark.Invalid && err != nil {
		m.miss("space "+strconv.Quote(space.Name), "its layout was refused: %v", err)
		return nil
	}
	return err
}

// outcome is what became of an object of a kind.
func (m *maker) outcome(kind string, o *Object) string {
	for _, out := range m.report.Outcomes {
		if out.Kind == kind && out.Name == o.Name && out.Old == o.Old {
			return out.Did
		}
	}
	return ""
}

// makeChecks makes checks, each with its alert, before the alerts: one of the
// same name is then there already.
func (m *maker) makeChecks(ctx context.Context, all *Objects) error {
	if len(all.Checks) == 0 {
		return nil
	}
	there, err := checksOf(ctx, m.server)
	if err != nil {
		return err
	}
	for _, o := range all.Checks {
		want, err := as(o.Body, tidemark.NewCheck())
		if err == nil {
			err = want.Validate()
		}
		at := slices.IndexFunc(there, func(c tidemark.Check) bool { return strings.EqualFold(c.Name, o.Name) })
		switch {
		case err != nil:
			err = m.done("check", o, "", 0, err)
		case at >= 0:
			err = m.done("check", o, There, there[at].ID, nil)
		case m.dry:
			err = m.done("check", o, Made, 0, nil)
		default:
			err = m.check(ctx, o)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (m *maker) check(ctx context.Context, o *Object) error {
	b := maps.Clone(o.Body)
	b["services"] = m.services(o.Name, o.Body["services"])
	var answer struct {
		Check tidemark.Check
		URL   string
	}
	err := m.server.Do(ctx, "POST", "/admin/checks", b, &answer)
	if err == nil && answer.URL != "" {
		m.miss("check "+strconv.Quote(o.Name), "jobs have to call a new address: %s", answer.URL)
	}
	return m.done("check", o, Made, answer.Check.ID, err)
}

func (m *maker) makeObjectives(ctx context.Context, all *Objects) error {
	if len(all.Objectives) == 0 {
		return nil
	}
	there, err := m.server.Objectives().List(ctx)
	if err != nil {
		return err
	}
	for _, o := range all.Objectives {
		want, err := as(o.Body, tidemark.NewObjective())
		if err == nil {
			err = want.Validate()
		}
		at := slices.IndexFunc(there, func(v tidemark.Objective) bool { return strings.EqualFold(v.Name, o.Name) })
		switch {
		case err != nil:
			err = m.done("objective", o, "", 0, err)
		case at >= 0:
			err = m.done("objective", o, There, there[at].ID, nil)
		case m.dry:
			err = m.done("objective", o, Made, 0, nil)
		default:
			made, failed := m.server.Objectives().Create(ctx, o.Body)
			err = m.done("objective", o, Made, made.ID, failed)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// makeMaintenance makes maintenance windows after the alerts that they name.
func (m *maker) makeMaintenance(ctx context.Context, all *Objects) error {
	if len(all.Maintenance) == 0 {
		return nil
	}
	there, err := m.server.Maintenance().List(ctx)
	if err != nil {
		return err
	}
	for _, o := range all.Maintenance {
		want, err := as(o.Body, tidemark.NewMaintenance())
		at := slices.IndexFunc(there, func(v tidemark.Maintenance) bool { return v.Name == want.Name && v.StartsAt == want.StartsAt })
		switch {
		case err != nil:
			err = m.done("maintenance", o, "", 0, err)
		case at >= 0:
			err = m.done("maintenance", o, There, there[at].ID, nil)
		case m.dry:
			err = m.done("maintenance", o, Made, 0, nil)
		default:
			err = m.maintain(ctx, o, want)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// maintain makes a maintenance window, with the ids that alerts have here. One
// that named alerts none of which is here is not made: its tags alone would
// cover all alerts.
func (m *maker) maintain(ctx context.Context, o *Object, want *tidemark.Maintenance) error {
	b, covers := maps.Clone(o.Body), want.Covers
	covers.Alerts = nil
	for _, old := range want.Covers.Alerts {
		if id, known := m.ids["alert"+strconv.FormatInt(old, 10)]; known {
			covers.Alerts = append(covers.Alerts, id)
		} else {
			m.miss("maintenance "+strconv.Quote(o.Name), "alert %d was not imported", old)
		}
	}
	if len(want.Covers.Alerts) > 0 && len(covers.Alerts) == 0 && len(covers.Labels) == 0 {
		return m.done("maintenance", o, "", 0, tidemark.InvalidField("covers", "none of its alerts was imported"))
	}
	b["covers"] = covers
	made, err := m.server.Maintenance().Create(ctx, b)
	return m.done("maintenance", o, Made, made.ID, err)
}

package movein

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark-metrics/tidemark"
)

func (m *maker) makeMetrics(ctx context.Context, all *Objects) error {
	for _, o := range all.Metrics {
		did, err := m.metric(ctx, o)
		if err := m.done("metric", o, did, 0, err); err != nil {
			return err
		}
		if err == nil {
			m.metrics[tidemark.MetricKey(o.Name)] = true
		}
	}
	return nil
}

func (m *maker) metric(ctx context.Context, o *Object) (string, error) {
	want, err := as(o.Body, &tidemark.Metric{Type: tidemark.Gauge})
	if err != nil {
		return "", err
	}
	if err := want.Validate(); err != nil {
		return "", err
	}
	has, err := m.server.Metric(ctx, o.Name)
	if err != nil {
		if tidemark.KindOf(err) != tidemark.NotFound || m.dry {
			return Made, ifNot(err, tidemark.NotFound)
		}
		return Made, m.server.PutMetric(ctx, o.Name, o.Body)
	}
	lacks := lacking(has, want)
	if len(lacks) == 0 {
		return There, nil
	}
	if m.dry {
		return Filled, nil
	}
	return Filled, m.server.PutMetric(ctx, o.Name, lacks)
}

// ifNot is err unless it is of a kind.
func ifNot(err error, kind tidemark.Kind) error {
	if tidemark.KindOf(err) == kind {
		return nil
	}
	return err
}

func (m *maker) makeServices(ctx context.Context, all *Objects) error {
	if len(all.Services) == 0 {
		return nil
	}
	there, err := m.server.Services().List(ctx)
	if err != nil {
		return err
	}
	for _, o := range all.Services {
		want, err := as(o.Body, &tidemark.Service{})
		if err == nil {
			err = want.Validate()
		}
		if t, known := tidemark.LookupServiceType(want.Type); known && t.Dead {
			m.miss("service "+strconv.Quote(o.Name), "%s no longer exists: nobody is notified through it", t.Title)
		}
		at := slices.IndexFunc(there, func(s tidemark.Service) bool { return s.Type == want.Type && s.Title == want.Title })
		switch {
		case at >= 0:
			err = m.done("service", o, There, there[at].ID, nil)
		case len(o.Lacks) > 0:
			m.miss("service "+strconv.Quote(o.Name), "its secrets are not in the export (%s): make a service of type %s with this title, and import again",
				strings.Join(o.Lacks, ", "), want.Type)
			err = nil
		case err != nil:
			err = m.done("service", o, "", 0, err)
		case m.dry:
			err = m.done("service", o, Made, 0, nil)
		default:
			made, failed := m.server.Services().Create(ctx, o.Body)
			err = m.done("service", o, Made, made.ID, failed)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (m *maker) makeSpaces(ctx context.Context, all *Objects) error {
	if len(all.Spaces) == 0 {
		return nil
	}
	there, err := m.server.Spaces().List(ctx)
	if err != nil {
		return err
	}
	for _, o := range all.Spaces {
		at := slices.IndexFunc(there, func(s tidemark.Space) bool { return s.Name != nil && *s.Name == o.Name })
		did, id := There, int64(0)
		var err error
		switch {
		case at >= 0:
			id = there[at].ID
		case m.dry:
			did, err = Made, (&tidemark.Space{Name: &o.Name}).Validate()
		default:
			var made *tidemark.Space
			made, err = m.server.Spaces().Create(ctx, body{"name": o.Name})
			did, id = Made, made.ID
		}
		if err := m.done("space", o, did, id, err); err != nil {
			return err
		}
	}
	for _, o := range all.Spaces { // after all spaces, since charts point at them
		if err := m.makeCharts(ctx, o); err != nil {
			return err
		}
		if err := m.makeLayout(ctx, o); err != nil {
			return err
		}
	}
	return nil
}

// space returns the id of the space of o; 0 where a dry run would make it. It
// reports false where the space was refused.
func (m *maker) space(o *Object) (int64, bool) {
	for _, out := range m.report.Outcomes {
		if out.Kind == "space" && out.Name == o.Name && out.Old == o.Old {
			return out.New, out.Did != Refused
		}
	}
	return 0, false
}

func (m *maker) makeCharts(ctx context.Context, space *Object) error {
	id, made := m.space(space)
	there := make(map[string][]int64) // charts may share a name: the first is the first
	if id != 0 {
		charts, err := m.server.Charts(ctx, id)
		if err != nil {
			return err
		}
		for _, c := range charts {
			there[c.Name] = append(there[c.Name], c.ID)
		}
	}
	for _, o := range space.Charts {
		chart, err := as(o.Body, tidemark.NewChart())
		if err == nil {
			err = chart.Validate()
		}
		if err == nil && !made {
			err = tidemark.Errorf(tidemark.Invalid, "its space was refused")
		}
		label := &Object{Old: o.Old, Name: space.Name + " / " + o.Name}
		wanted := m.chartBody(label.Name, o)
		switch same := there[o.Name]; {
		case err != nil:
			err = m.done("chart", label, "", 0, err)
		case len(same) > 0:
			there[o.Name] = same[1:]
			err = m.done("chart", label, There, same[0], nil)
		case m.dry:
			err = m.done("chart", label, Made, 0, nil)
		default:
			made, failed := m.server.CreateChart(ctx, id, wanted)
			err = m.done("chart", label, Made, made.ID, failed)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// chartBody is the body of a chart with ids of here.
func (m *maker) chartBody(label string, o *Object) body {
	related := textOf(o.Body["related_space"])
	if related == "" {
		return o.Body
	}
	b := maps.Clone(o.Body)
	delete(b, "related_space")
	if id, known := m.ids["space"+related]; known {
		b["related_space"] = id
	} else {
		m.miss("chart "+strconv.Quote(label), "its related space %s was not imported", related)
	}
	return b
}

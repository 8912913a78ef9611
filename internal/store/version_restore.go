package store

import (
	"context"
	"slices"

	"github.com/tidemark-metrics/tidemark"
)

// alertDocument is an alert as versions have it: services by their ids.
type alertDocument struct {
	tidemark.Alert
	Services []int64 `json:"services"`
}

// RestoreAlert makes one alert of org what it was, also if it is deleted, and
// returns it. Services that are gone are left out.
func (s *Store) RestoreAlert(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, id, number int64) (v *tidemark.Alert, err error) {
	err = s.write(ctx, func(tx conn) error {
		k := tidemark.VersionsOf(tidemark.AlertVersions, id)
		old, err := s.versionOf(ctx, tx, org, k, number)
		if err != nil {
			return err
		}
		doc := alertDocument{Alert: *tidemark.NewAlert()}
		if err := into(old.Document, &doc); err != nil {
			return err
		}
		is := doc.Alert
		is.ServiceIDs = doc.Services
		for name, attribute := range is.Attributes {
			is.Attributes[name] = plain(attribute)
		}
		if err := s.dropGoneServices(ctx, tx, org, &is); err != nil {
			return err
		}
		v, err = s.putAlert(ctx, tx, revision{operation{org, by, "alert.restore"}, number}, id, &is)
		return err
	})
	if err != nil {
		return nil, err
	}
	return v, nil
}

// revision is an operation that may bring a version back.
type revision struct {
	operation
	restored int64
}

// putAlert makes an alert what it was, or makes it again.
func (s *Store) putAlert(ctx context.Context, tx conn, w revision, id int64, is *tidemark.Alert) (*tidemark.Alert, error) {
	v, err := s.changeAlert(ctx, tx, w, id, func(v *tidemark.Alert) { *v = *is })
	if tidemark.KindOf(err) != tidemark.NotFound {
		return v, err
	}
	if err := prepareAlert(is); err != nil {
		return nil, err
	}
	return is, s.insertAlertAs(ctx, tx, w, id, is)
}

// dropGoneServices removes services from v that org no longer has, and steps of
// its escalation that would notify nobody.
func (s *Store) dropGoneServices(ctx context.Context, tx conn, org tidemark.OrgID, v *tidemark.Alert) error {
	there, err := values[int64](ctx, s, tx, `SELECT id `+ofOrg, org)
	if err != nil {
		return err
	}
	isGone := func(id int64) bool { return !slices.Contains(there, id) }
	v.ServiceIDs = slices.DeleteFunc(v.ServiceIDs, isGone)
	for i := range v.Escalation {
		v.Escalation[i].Services = slices.DeleteFunc(v.Escalation[i].Services, isGone)
	}
	v.Escalation = slices.DeleteFunc(v.Escalation, func(step tidemark.EscalationStep) bool { return len(step.Services) == 0 })
	return nil
}

// ChartVersion returns a chart of org as one of its versions has it.
func (s *Store) ChartVersion(ctx context.Context, org tidemark.OrgID, id, number int64) (*tidemark.Chart, error) {
	return s.chartVersion(ctx, s.db, org, id, number)
}

func (s *Store) chartVersion(ctx context.Context, q conn, org tidemark.OrgID, id, number int64) (*tidemark.Chart, error) {
	old, err := s.versionOf(ctx, q, org, tidemark.VersionsOf(tidemark.ChartVersions, id), number)
	if err != nil {
		return nil, err
	}
	c := tidemark.NewChart()
	if err := into(old.Document, c); err != nil {
		return nil, err
	}
	c.ID = id
	return c, c.Validate()
}

// RestoreChart makes a chart of org what it was and returns it. One that is
// deleted comes back with its space.
func (s *Store) RestoreChart(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, id, number int64) (v *tidemark.Chart, err error) {
	err = s.write(ctx, func(tx conn) error {
		space, err := value[int64](ctx, s, tx, "chart", `SELECT space_id FROM charts WHERE org_id = ? AND id = ?`, org, id)
		if err != nil {
			return err
		}
		is, err := s.chartVersion(ctx, tx, org, id, number)
		if err != nil {
			return err
		}
		w := revision{operation{org, by, "chart.restore"}, number}
		v, err = s.changeChart(ctx, tx, w, tidemark.ChartKey{Space: space, Chart: id}, func(c *tidemark.Chart) { *c = *is })
		return err
	})
	if err != nil {
		return nil, err
	}
	return v, nil
}

// RestoreMetric makes a composite of org what it was, also if it is deleted,
// and returns it and whether it is new again.
func (s *Store) RestoreMetric(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, name string, number int64) (m *tidemark.Metric, created bool, err error) {
	is, err := s.MetricVersion(ctx, org, name, number)
	if err != nil {
		return nil, false, err
	}
	restore := func(m *tidemark.Metric) {
		m.Type, m.Composite, m.DisplayName, m.Description = is.Type, is.Composite, is.DisplayName, is.Description
		m.Period, m.SourceLag, m.Attributes = is.Period, is.SourceLag, is.Attributes
	}
	return s.putMetric(ctx, revision{operation{org, by, "metric.restore"}, number}, is.Name, restore)
}

// MetricVersion returns a composite of org as one of its versions has it.
func (s *Store) MetricVersion(ctx context.Context, org tidemark.OrgID, name string, number int64) (*tidemark.Metric, error) {
	old, err := s.Version(ctx, org, tidemark.VersionsOfMetric(name), number)
	if err != nil {
		return nil, err
	}
	m := &tidemark.Metric{Attributes: map[string]any{}}
	if err := into(old.Document, m); err != nil {
		return nil, err
	}
	for key, v := range m.Attributes {
		m.Attributes[key] = plain(v)
	}
	return m, nil
}

package store

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

// unchanged returns the one version of what was never changed since versions
// are kept, as it is.
func (s *Store) unchanged(ctx context.Context, q conn, org tidemark.OrgID, k tidemark.VersionKey) (*tidemark.Version, error) {
	read := map[tidemark.VersionKind]func(context.Context, conn, tidemark.OrgID, tidemark.VersionKey) (*tidemark.Version, error){
		tidemark.SpaceVersions: s.unchangedSpace, tidemark.ChartVersions: s.unchangedChart,
		tidemark.AlertVersions: s.unchangedAlert, tidemark.MetricVersions: s.unchangedMetric,
	}[k.Kind]
	if read == nil || !k.IsValid() {
		return nil, noSuch(objectVersionColumns.noun)
	}
	v, err := read(ctx, q, org, k)
	if err != nil {
		return nil, err
	}
	v.Number = tidemark.FirstVersion
	return v, nil
}

func (s *Store) unchangedSpace(ctx context.Context, q conn, org tidemark.OrgID, k tidemark.VersionKey) (*tidemark.Version, error) {
	at, err := value[int64](ctx, s, q, "space", `SELECT updated_at FROM spaces WHERE org_id = ? AND id = ?`, org, k.Number())
	if err != nil {
		return nil, err
	}
	doc, err := s.spaceDocument(ctx, q, org, k.Number())
	return &tidemark.Version{At: at, Document: doc}, err
}

func (s *Store) unchangedChart(ctx context.Context, q conn, org tidemark.OrgID, k tidemark.VersionKey) (*tidemark.Version, error) {
	at, err := value[int64](ctx, s, q, "chart", `SELECT updated_at FROM charts WHERE org_id = ? AND id = ?`, org, k.Number())
	if err != nil {
		return nil, err
	}
	v, err := one(ctx, s, q, chartColumns, `FROM charts WHERE org_id = ? AND id = ?`, org, k.Number())
	if err != nil {
		return nil, err
	}
	return &tidemark.Version{At: at, Document: fieldsOfChart(v)}, nil
}

func (s *Store) unchangedAlert(ctx context.Context, q conn, org tidemark.OrgID, k tidemark.VersionKey) (*tidemark.Version, error) {
	v, err := s.alert(ctx, q, `FROM alerts WHERE org_id = ? AND id = ?`, org, k.Number())
	if err != nil {
		return nil, err
	}
	return &tidemark.Version{At: v.UpdatedAt, Document: fieldsOfAlert(v)}, nil
}

func (s *Store) unchangedMetric(ctx context.Context, q conn, org tidemark.OrgID, k tidemark.VersionKey) (*tidemark.Version, error) {
	m, err := one(ctx, s, q, metricColumns, `FROM metrics WHERE org_id = ? AND name_key = ?`, org, k.ID)
	if err != nil {
		return nil, err
	}
	if m.Type != tidemark.Composite {
		return nil, noSuch(objectVersionColumns.noun)
	}
	return &tidemark.Version{At: m.UpdatedAt, Document: fieldsOf(m)}, nil
}

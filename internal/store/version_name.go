package store

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

// NameVersion calls a version of a thing of org something, or nothing again.
// What was never changed has no version of which anything could be kept.
func (s *Store) NameVersion(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, k tidemark.VersionKey, number int64, name string) error {
	return s.write(ctx, func(tx conn) error {
		v, err := one(ctx, s, tx, objectVersionColumns, fromVersions+` AND number = ?`+s.dialect.forUpdate, org, k.Kind, k.ID, number)
		if err != nil || v.Name == name {
			return err
		}
		v.Name = name
		if err := v.Validate(); err != nil {
			return err
		}
		_, err = s.exec(ctx, tx, `UPDATE object_versions SET name = ? WHERE org_id = ? AND kind = ? AND object = ? AND number = ?`,
			name, org, k.Kind, k.ID, number)
		if err != nil {
			return err
		}
		called, _ := v.Document["name"].(string)
		return s.note(ctx, tx, operation{org, by, "version.name"}, versionObject(k, called), map[string]any{"version": number, "name": name})
	})
}

// versionObject is how the audit log calls a thing of which a version is meant.
func versionObject(k tidemark.VersionKey, called string) string {
	if k.Kind == tidemark.MetricVersions {
		return metricObject(called)
	}
	return named(string(k.Kind), k.Number(), called)
}

package store

import (
	"context"
	"slices"
	"strconv"

	"github.com/tidemark-metrics/tidemark"
)

// spaceVersion is the document of a version of a space. Charts have versions
// of their own, and are named by them. A chart has no more versions than its
// space since then: each of its saves is one of the space, so that what is
// named is kept.
type spaceVersion struct {
	Name        string                  `json:"name"`
	Charts      []chartVersion          `json:"charts"`
	Places      []tidemark.GridPosition `json:"layout"`
	Sections    []tidemark.Section      `json:"sections,omitempty"`
	DefaultTags []tidemark.TagFilter    `json:"default_tags"`
	Annotations []string                `json:"annotations"`
	Tags        []string                `json:"space_tags,omitempty"`
}

// chartVersion names a version of a chart, with what lists show of it.
type chartVersion struct {
	ID      int64  `json:"id"`
	Version int64  `json:"version"`
	Name    string `json:"name"`
	Type    string `json:"type"`
}

// layoutFields are the fields of a space's document that a layout has.
var layoutFields = []string{"layout", "sections", "default_tags", "annotations"}

var chartVersionColumns = columns[chartVersion]{
	noun: "chart",
	names: `c.body, c.id, COALESCE((SELECT MAX(v.number) FROM object_versions v
		WHERE v.org_id = c.org_id AND v.kind = 'chart' AND v.object = CAST(c.id AS TEXT)), 1)`,
	dest: func(v *chartVersion) []any { return []any{asJSON(v), &v.ID, &v.Version} },
}

// spaceDocument returns what is to be kept of a space.
func (s *Store) spaceDocument(ctx context.Context, q conn, org tidemark.OrgID, id int64) (fields, error) {
	sp, err := one(ctx, s, q, spaceColumns, `FROM spaces WHERE org_id = ? AND id = ?`, org, id)
	if err != nil {
		return nil, err
	}
	charts, err := many(ctx, s, q, chartVersionColumns, `FROM charts c WHERE c.org_id = ? AND c.space_id = ? ORDER BY c.id`, org, id)
	if err != nil {
		return nil, err
	}
	l, err := s.layoutOf(ctx, q, org, id)
	if err != nil {
		return nil, err
	}
	about, err := s.spaceAbout(ctx, q, org, id)
	if err != nil {
		return nil, err
	}
	doc := spaceVersion{
		Charts: []chartVersion{}, Places: l.Places, Sections: l.Sections, DefaultTags: l.DefaultTags, Annotations: l.Annotations, Tags: about.Tags,
	}
	if sp.Name != nil {
		doc.Name = *sp.Name
	}
	for _, c := range charts {
		doc.Charts = append(doc.Charts, *c)
	}
	return fieldsOf(&doc), nil
}

// beginSpace locks a space of org that is about to be changed, or whose charts
// are. One from before versions were kept gets its first.
func (s *Store) beginSpace(ctx context.Context, tx conn, org tidemark.OrgID, id int64) error {
	_, err := value[int64](ctx, s, tx, "space", `SELECT id FROM spaces WHERE org_id = ? AND id = ?`+s.dialect.forUpdate, org, id)
	if err != nil {
		return err
	}
	k := tidemark.VersionsOf(tidemark.SpaceVersions, id)
	if n, err := s.lastVersion(ctx, tx, org, k); err != nil || n > 0 {
		return err
	}
	v, err := s.unchanged(ctx, tx, org, k)
	if err != nil {
		return err
	}
	return s.addVersion(ctx, tx, save{operation: operation{org: org}, key: k}, v)
}

// keepSpace adds a version of a space as it is now, unless that is what it was.
func (s *Store) keepSpace(ctx context.Context, tx conn, w operation, id, restored int64) error {
	is, err := s.spaceDocument(ctx, tx, w.org, id)
	if err != nil {
		return err
	}
	k := tidemark.VersionsOf(tidemark.SpaceVersions, id)
	was, err := s.lastDocument(ctx, tx, w.org, k)
	if err != nil {
		return err
	}
	if err := s.keep(ctx, tx, save{operation: w, key: k, restored: restored, was: was, is: is}); err != nil {
		return err
	}
	return s.forgetCharts(ctx, tx, w.org, id)
}

// lastDocument returns the document of the last version of k, or nil if there
// is none or it is deleted.
func (s *Store) lastDocument(ctx context.Context, tx conn, org tidemark.OrgID, k tidemark.VersionKey) (fields, error) {
	found, err := many(ctx, s, tx, objectVersionColumns, fromVersions+` ORDER BY number DESC LIMIT 1`, org, k.Kind, k.ID)
	if err != nil || len(found) == 0 || slices.Contains(deletions, found[0].Action) {
		return nil, err
	}
	return found[0].Document, nil
}

// keepGoneSpace adds the last version of a space that is about to be deleted,
// and the first of those of its charts that have none.
func (s *Store) keepGoneSpace(ctx context.Context, tx conn, w operation, id int64) error {
	if err := s.beginSpace(ctx, tx, w.org, id); err != nil {
		return err
	}
	was, err := s.spaceDocument(ctx, tx, w.org, id)
	if err != nil {
		return err
	}
	var doc spaceVersion
	if err := into(was, &doc); err != nil {
		return err
	}
	for _, c := range doc.Charts {
		if err := s.keepFirstChart(ctx, tx, w.org, id, c.ID); err != nil {
			return err
		}
	}
	return s.keep(ctx, tx, save{operation: w, key: tidemark.VersionsOf(tidemark.SpaceVersions, id), was: was})
}

// keepFirstChart adds the first version of a chart that has none.
func (s *Store) keepFirstChart(ctx context.Context, tx conn, org tidemark.OrgID, space, id int64) error {
	k := tidemark.VersionsOf(tidemark.ChartVersions, id)
	if n, err := s.lastVersion(ctx, tx, org, k); err != nil || n > 0 {
		return err
	}
	v, err := s.unchanged(ctx, tx, org, k)
	if err != nil {
		return err
	}
	return s.addVersion(ctx, tx, save{operation: operation{org: org}, key: k, space: space}, v)
}

// forgetCharts drops the versions of charts that are gone, and were before
// anything that is kept of their space.
func (s *Store) forgetCharts(ctx context.Context, tx conn, org tidemark.OrgID, space int64) error {
	_, err := s.exec(ctx, tx, `
		DELETE FROM object_versions WHERE org_id = ? AND kind = 'chart' AND space_id = ? AND object IN (
			SELECT object FROM object_versions WHERE org_id = ? AND kind = 'chart' AND space_id = ?
			GROUP BY object HAVING MAX(at) < (SELECT MIN(at) FROM object_versions WHERE org_id = ? AND kind = 'space' AND object = ?))
		AND object NOT IN (SELECT CAST(id AS TEXT) FROM charts WHERE org_id = ? AND space_id = ?)`,
		org, space, org, space, org, strconv.FormatInt(space, 10), org, space)
	return err
}

// checkSeenLayout is checkSeen for a layout: what else changed of the space,
// its name or its charts, is not in its way.
func (s *Store) checkSeenLayout(ctx context.Context, tx conn, w operation, space int64) error {
	k := tidemark.VersionsOf(tidemark.SpaceVersions, space)
	err := s.checkSeen(ctx, tx, w, k)
	if tidemark.KindOf(err) != tidemark.Stale {
		return err
	}
	seen, gone := s.versionOf(ctx, tx, w.org, k, w.by.Seen)
	is, failed := s.spaceDocument(ctx, tx, w.org, space)
	if gone != nil || failed != nil {
		return err
	}
	if sameJSON(partOf(seen.Document, layoutFields), partOf(is, layoutFields)) {
		return nil
	}
	return err
}

// partOf returns some of the fields of a document.
func partOf(document map[string]any, names []string) fields {
	part := make(fields, len(names))
	for _, name := range names {
		part[name] = document[name]
	}
	return part
}

package store

import (
	"context"
	"slices"

	"github.com/tidemark-metrics/tidemark"
)

// SpaceVersionCharts returns the charts of a space of org as one of its
// versions has them.
func (s *Store) SpaceVersionCharts(ctx context.Context, org tidemark.OrgID, id, number int64) ([]*tidemark.Chart, error) {
	doc, err := s.spaceVersion(ctx, s.db, org, id, number)
	if err != nil {
		return nil, err
	}
	return s.chartsOf(ctx, s.db, org, doc)
}

func (s *Store) spaceVersion(ctx context.Context, q conn, org tidemark.OrgID, id, number int64) (*spaceVersion, error) {
	old, err := s.versionOf(ctx, q, org, tidemark.VersionsOf(tidemark.SpaceVersions, id), number)
	if err != nil {
		return nil, err
	}
	doc := new(spaceVersion)
	return doc, into(old.Document, doc)
}

// chartsOf returns the charts that doc names, in the versions that it names.
func (s *Store) chartsOf(ctx context.Context, q conn, org tidemark.OrgID, doc *spaceVersion) ([]*tidemark.Chart, error) {
	charts := make([]*tidemark.Chart, len(doc.Charts))
	for i, c := range doc.Charts {
		v, err := s.chartVersion(ctx, q, org, c.ID, c.Version)
		if tidemark.KindOf(err) == tidemark.NotFound {
			return nil, tidemark.Errorf(tidemark.Conflict, "version %d of the chart %q is no longer kept", c.Version, c.Name)
		}
		if err != nil {
			return nil, err
		}
		charts[i] = v
	}
	return charts, nil
}

// RestoreSpace makes a space of org what it was, with its charts and where
// they are, also if it is deleted. Charts that were not there are deleted.
func (s *Store) RestoreSpace(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, id, number int64) (*tidemark.Space, error) {
	w := operation{org, by, "space.restore"}
	err := s.write(ctx, func(tx conn) error {
		doc, err := s.spaceVersion(ctx, tx, org, id, number)
		if err != nil {
			return err
		}
		if err := s.placeSpace(ctx, tx, w, id, doc); err != nil {
			return err
		}
		if err := s.restoreCharts(ctx, tx, w, id, doc); err != nil {
			return err
		}
		l := &tidemark.Layout{Places: doc.Places, Sections: doc.Sections, DefaultTags: doc.DefaultTags, Annotations: doc.Annotations, UpdatedAt: s.now(), UpdatedBy: by.Name}
		if err := s.putLayout(ctx, tx, org, id, l); err != nil {
			return err
		}
		if err := s.putTags(ctx, tx, org, id, doc.Tags); err != nil {
			return err
		}
		if err := s.keepSpace(ctx, tx, w, id, number); err != nil {
			return err
		}
		return s.note(ctx, tx, w, named("space", id, doc.Name), map[string]any{"version": number})
	})
	if err != nil {
		return nil, err
	}
	return s.Space(ctx, org, id)
}

// placeSpace gives a space the name of doc, or makes it again.
func (s *Store) placeSpace(ctx context.Context, tx conn, w operation, id int64, doc *spaceVersion) error {
	sp := &tidemark.Space{ID: id, Name: &doc.Name}
	if err := sp.Validate(); err != nil {
		return err
	}
	err := s.beginSpace(ctx, tx, w.org, id)
	if tidemark.KindOf(err) == tidemark.NotFound {
		return s.insertSpaceAs(ctx, tx, w, id, sp)
	}
	if err != nil {
		return err
	}
	if err := s.checkSeen(ctx, tx, w, tidemark.VersionsOf(tidemark.SpaceVersions, id)); err != nil {
		return err
	}
	return s.renameSpace(ctx, tx, w.org, sp)
}

// restoreCharts gives a space the charts of doc and no others. They keep their
// ids.
func (s *Store) restoreCharts(ctx context.Context, tx conn, w operation, space int64, doc *spaceVersion) error {
	charts, err := s.chartsOf(ctx, tx, w.org, doc)
	if err != nil {
		return err
	}
	there, err := many(ctx, s, tx, chartVersionColumns, `FROM charts c WHERE c.org_id = ? AND c.space_id = ? ORDER BY c.id`, w.org, space)
	if err != nil {
		return err
	}
	w.by.Seen = 0 // that is about the space
	for _, c := range there {
		if !slices.ContainsFunc(charts, func(v *tidemark.Chart) bool { return v.ID == c.ID }) {
			w.action = "chart.delete"
			if err := s.removeChart(ctx, tx, w, tidemark.ChartKey{Space: space, Chart: c.ID}); err != nil {
				return err
			}
		}
	}
	w.action = "chart.restore"
	for i, is := range charts {
		number := doc.Charts[i].Version
		at := slices.IndexFunc(there, func(c *chartVersion) bool { return c.ID == is.ID })
		switch {
		case at < 0:
			err = s.insertChartAs(ctx, tx, revision{w, number}, space, is.ID, is)
		case there[at].Version != number:
			_, err = s.editChart(ctx, tx, revision{w, number}, tidemark.ChartKey{Space: space, Chart: is.ID}, func(c *tidemark.Chart) { *c = *is })
		}
		if err != nil {
			return err
		}
	}
	return nil
}

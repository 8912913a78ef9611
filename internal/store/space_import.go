package store

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

// SpaceContents is what is in a space: charts, and where they are.
type SpaceContents struct {
	Charts []*tidemark.Chart
	Layout tidemark.Layout
	Tags   []string
}

// ImportSpace adds v to org with all that is in it, or nothing. Charts get ids
// of their own, and the layout follows them; it sets the IDs of v and of the
// charts.
func (s *Store) ImportSpace(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, v *tidemark.Space, in SpaceContents) error {
	if err := in.Validate(v); err != nil {
		return err
	}
	was := make([]int64, len(in.Charts)) // a transaction may be run again
	for i, c := range in.Charts {
		was[i] = c.ID
		for j := range c.Streams {
			c.Streams[j].ID = 0
		}
	}
	return s.write(ctx, func(tx conn) error {
		w := operation{org, by, "space.import"}
		if err := s.insertSpaceAs(ctx, tx, w, 0, v); err != nil {
			return err
		}
		ids := make(map[int64]int64, len(in.Charts))
		for i, c := range in.Charts {
			if err := s.insertChart(ctx, tx, org, v.ID, 0, c); err != nil {
				return err
			}
			if err := s.keepChart(ctx, tx, revision{operation: w}, v.ID, nil, c); err != nil {
				return err
			}
			ids[was[i]] = c.ID
			v.Charts = append(v.Charts, c.ID)
		}
		if err := s.putLayout(ctx, tx, org, v.ID, in.layoutOf(ids, s.now())); err != nil {
			return err
		}
		if err := s.putTags(ctx, tx, org, v.ID, in.Tags); err != nil {
			return err
		}
		if err := s.keepSpace(ctx, tx, w, v.ID, 0); err != nil {
			return err
		}
		return s.note(ctx, tx, w, spaceColumns.object(v), map[string]any{"charts": len(in.Charts)})
	})
}

// Validate reports what is wrong with a space and what is in it, or nil.
func (in *SpaceContents) Validate(v *tidemark.Space) error {
	var p tidemark.Problems
	for _, c := range in.Charts {
		p.Add("charts.", c.Validate())
	}
	p.Add("", in.Layout.Validate())
	about := tidemark.SpaceAbout{Tags: tidemark.SpaceTags(in.Tags)}
	p.Add("", about.Validate())
	p.Add("", v.Validate())
	return p.Err()
}

// layoutOf returns the layout for charts whose ids have changed.
func (in *SpaceContents) layoutOf(ids map[int64]int64, now int64) *tidemark.Layout {
	l := in.Layout
	l.Places, l.UpdatedAt = []tidemark.GridPosition{}, now
	for _, p := range in.Layout.Places {
		if id, ok := ids[p.Chart]; ok {
			p.Chart = id
			l.Places = append(l.Places, p)
		}
	}
	return &l
}

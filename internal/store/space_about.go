package store

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

// aboutRow is what is kept of a space, with its id.
type aboutRow struct {
	tidemark.SpaceAbout
	space int64
}

// An owner who left the organization is none any more.
var aboutColumns = columns[aboutRow]{
	noun:  "space",
	names: `s.id, s.tags, COALESCE(u.id, 0), COALESCE(u.email, ''), COALESCE(v.at, s.updated_at), COALESCE(v.actor, '')`,
	dest: func(v *aboutRow) []any {
		return []any{&v.space, asJSON(&v.Tags), &v.Owner, &v.OwnerName, &v.EditedAt, &v.EditedBy}
	},
}

const fromAbout = `FROM spaces s
	LEFT JOIN memberships m ON m.org_id = s.org_id AND m.user_id = s.owner_id
	LEFT JOIN users u ON u.id = m.user_id
	LEFT JOIN object_versions v ON v.org_id = s.org_id AND v.kind = 'space' AND v.object = CAST(s.id AS TEXT) AND v.number = (
		SELECT MAX(l.number) FROM object_versions l WHERE l.org_id = s.org_id AND l.kind = 'space' AND l.object = CAST(s.id AS TEXT))
	WHERE s.org_id = ? `

// SpacesAbout returns what is kept of each space of org, by id.
func (s *Store) SpacesAbout(ctx context.Context, org tidemark.OrgID) (map[int64]*tidemark.SpaceAbout, error) {
	found, err := many(ctx, s, s.db, aboutColumns, fromAbout, org)
	if err != nil {
		return nil, err
	}
	about := make(map[int64]*tidemark.SpaceAbout, len(found))
	for _, v := range found {
		about[v.space] = &v.SpaceAbout
	}
	return about, nil
}

// SpaceAbout returns what is kept of one space of org.
func (s *Store) SpaceAbout(ctx context.Context, org tidemark.OrgID, space int64) (*tidemark.SpaceAbout, error) {
	return s.spaceAbout(ctx, s.db, org, space)
}

func (s *Store) spaceAbout(ctx context.Context, q conn, org tidemark.OrgID, space int64) (*tidemark.SpaceAbout, error) {
	v, err := one(ctx, s, q, aboutColumns, fromAbout+`AND s.id = ?`, org, space)
	if err != nil {
		return nil, err
	}
	return &v.SpaceAbout, nil
}

// UpdateSpaceAbout changes the tags and the owner of a space of org.
func (s *Store) UpdateSpaceAbout(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, space int64, change func(*tidemark.SpaceAbout)) error {
	w := operation{org, by, "space.update"}
	return s.write(ctx, func(tx conn) error {
		if err := s.beginSpace(ctx, tx, org, space); err != nil {
			return err
		}
		v, err := s.spaceAbout(ctx, tx, org, space)
		if err != nil {
			return err
		}
		was := *v
		change(v)
		if err := v.Validate(); err != nil {
			return err
		}
		if err := s.putOwner(ctx, tx, org, space, v); err != nil {
			return err
		}
		if err := s.putTags(ctx, tx, org, space, v.Tags); err != nil {
			return err
		}
		if err := s.keepSpace(ctx, tx, w, space, 0); err != nil {
			return err
		}
		return s.noteAbout(ctx, tx, w, space, &was, v)
	})
}

// putOwner gives a space to a member of org, or to nobody, and sets their name.
func (s *Store) putOwner(ctx context.Context, tx conn, org tidemark.OrgID, space int64, v *tidemark.SpaceAbout) error {
	v.OwnerName = ""
	var owner *int64
	if v.Owner != 0 {
		m, err := s.membership(ctx, tx, org, v.Owner)
		if tidemark.KindOf(err) == tidemark.NotFound {
			return tidemark.InvalidField("owner", "is not a member")
		}
		if err != nil {
			return err
		}
		owner, v.OwnerName = &v.Owner, m.Email
	}
	_, err := s.exec(ctx, tx, `UPDATE spaces SET owner_id = ? WHERE org_id = ? AND id = ?`, owner, org, space)
	return err
}

func (s *Store) putTags(ctx context.Context, tx conn, org tidemark.OrgID, space int64, tags []string) error {
	kept := tidemark.SpaceTags(tags)
	_, err := s.exec(ctx, tx, `UPDATE spaces SET tags = ? WHERE org_id = ? AND id = ?`, asJSON(&kept), org, space)
	return err
}

func (s *Store) noteAbout(ctx context.Context, tx conn, w operation, space int64, was, is *tidemark.SpaceAbout) error {
	sp, err := one(ctx, s, tx, spaceColumns, `FROM spaces WHERE org_id = ? AND id = ?`, w.org, space)
	if err != nil {
		return err
	}
	shown := func(a *tidemark.SpaceAbout) fields { return fields{"tags": a.Tags, "owner": a.OwnerName} }
	return s.noteChange(ctx, tx, w, spaceColumns.object(sp), shown(was), shown(is))
}

// personOf returns the id of the person who asks for w, or nil if it is none.
func (s *Store) personOf(ctx context.Context, tx conn, w operation) (*int64, error) {
	if w.by.Kind != tidemark.ByUser {
		return nil, nil
	}
	found, err := values[int64](ctx, s, tx, `SELECT id FROM users WHERE email = ?`, w.by.Name)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], nil
}

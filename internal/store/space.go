package store

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

var spaceColumns = columns[tidemark.Space]{
	noun:  "space",
	names: `id, name`,
	dest:  func(v *tidemark.Space) []any { return []any{&v.ID, &v.Name} },
	object: func(v *tidemark.Space) string {
		if v.Name == nil {
			return named("space", v.ID, "")
		}
		return named("space", v.ID, *v.Name)
	},
}

// Spaces returns a page of org's spaces, without the ids of their charts.
func (s *Store) Spaces(ctx context.Context, org tidemark.OrgID, p tidemark.Page) ([]*tidemark.Space, tidemark.Counts, error) {
	return page(ctx, s, spaceColumns, listing{
		from: `FROM spaces WHERE org_id = ?`, args: []any{org}, key: "name_key",
		orders: []order{{"name", "name_key"}, {"updated_at", "updated_at"}, {"id", "id"}},
	}, p)
}

// Space returns one space of org with the ids of its charts.
func (s *Store) Space(ctx context.Context, org tidemark.OrgID, id int64) (*tidemark.Space, error) {
	v, err := one(ctx, s, s.db, spaceColumns, `FROM spaces WHERE org_id = ? AND id = ?`, org, id)
	if err != nil {
		return nil, err
	}
	v.Charts, err = values[int64](ctx, s, s.db, `SELECT id FROM charts WHERE org_id = ? AND space_id = ? ORDER BY id`, org, id)
	return v, err
}

// CreateSpace adds v to org and sets its ID. Names are not unique.
func (s *Store) CreateSpace(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, v *tidemark.Space) error {
	if err := v.Validate(); err != nil {
		return err
	}
	w := operation{org, by, "space.create"}
	return s.write(ctx, func(tx conn) error {
		if err := s.insertSpaceAs(ctx, tx, w, 0, v); err != nil {
			return err
		}
		if err := s.keepSpace(ctx, tx, w, v.ID, 0); err != nil {
			return err
		}
		return created(ctx, s, tx, w, spaceColumns, v)
	})
}

// insertSpaceAs adds a space, with an id that it had or, if that is 0, a new
// one. Its owner is the person who adds it.
func (s *Store) insertSpaceAs(ctx context.Context, tx conn, w operation, id int64, v *tidemark.Space) error {
	v.Charts = []int64{}
	now := s.now()
	if err := s.room(ctx, tx, w.org, tidemark.LimitSpaces); err != nil {
		return err
	}
	owner, err := s.personOf(ctx, tx, w)
	if err != nil {
		return err
	}
	return insertAs(ctx, s, tx, id, &v.ID, `spaces`, `org_id, name, name_key, owner_id, created_at, updated_at`,
		w.org, *v.Name, key(*v.Name), owner, now, now)
}

// UpdateSpace applies change to one space of org and returns the result,
// without the ids of its charts.
func (s *Store) UpdateSpace(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, id int64, change func(*tidemark.Space)) (v *tidemark.Space, err error) {
	w := operation{org, by, "space.update"}
	err = s.write(ctx, func(tx conn) error {
		if err := s.beginSpace(ctx, tx, org, id); err != nil {
			return err
		}
		if err := s.checkSeen(ctx, tx, w, tidemark.VersionsOf(tidemark.SpaceVersions, id)); err != nil {
			return err
		}
		if v, err = one(ctx, s, tx, spaceColumns, `FROM spaces WHERE org_id = ? AND id = ?`, org, id); err != nil {
			return err
		}
		was := fieldsOf(v)
		change(v)
		v.ID = id
		if err := v.Validate(); err != nil {
			return err
		}
		if err := s.renameSpace(ctx, tx, org, v); err != nil {
			return err
		}
		if err := s.keepSpace(ctx, tx, w, id, 0); err != nil {
			return err
		}
		return s.noteChange(ctx, tx, w, spaceColumns.object(v), was, fieldsOf(v))
	})
	if err != nil {
		return nil, err
	}
	return v, nil
}

func (s *Store) renameSpace(ctx context.Context, tx conn, org tidemark.OrgID, v *tidemark.Space) error {
	return s.affect(ctx, tx, "space", `UPDATE spaces SET name = ?, name_key = ?, updated_at = ? WHERE org_id = ? AND id = ?`,
		*v.Name, key(*v.Name), s.now(), org, v.ID)
}

// DeleteSpace removes one space of org with its charts.
func (s *Store) DeleteSpace(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, id int64) error {
	w := operation{org, by, "space.delete"}
	return s.write(ctx, func(tx conn) error {
		if err := s.keepGoneSpace(ctx, tx, w, id); err != nil {
			return err
		}
		return remove(ctx, s, tx, w, spaceColumns, `FROM spaces WHERE org_id = ? AND id = ?`, org, id)
	})
}

// hasSpace is NotFound unless org has the space.
func (s *Store) hasSpace(ctx context.Context, q conn, org tidemark.OrgID, id int64) error {
	_, err := value[int64](ctx, s, q, "space", `SELECT id FROM spaces WHERE org_id = ? AND id = ?`, org, id)
	return err
}

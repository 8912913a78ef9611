package store

import (
	"context"
	"strconv"

	"github.com/tidemark-metrics/tidemark"
)

var sourceColumns = columns[tidemark.Source]{
	noun:   "source",
	names:  `name, display_name`,
	dest:   func(v *tidemark.Source) []any { return []any{&v.Name, &v.DisplayName} },
	object: func(v *tidemark.Source) string { return "source " + strconv.Quote(shorten(v.Name)) },
}

const fromSource = `FROM sources WHERE org_id = ? AND name = ?`

// maxSources is how many sources of an organization somebody may have put.
const maxSources = 100_000

// Sources returns the sources of org that somebody has put, by name. Others
// are known by their measurements alone.
func (s *Store) Sources(ctx context.Context, org tidemark.OrgID) ([]*tidemark.Source, error) {
	return collect(each(ctx, s, s.db, sourceColumns, `FROM sources WHERE org_id = ? ORDER BY name`, org))
}

// Source returns one source of org that somebody has put, by its name in any
// case.
func (s *Store) Source(ctx context.Context, org tidemark.OrgID, name string) (*tidemark.Source, error) {
	return one(ctx, s, s.db, sourceColumns, fromSource, org, key(name))
}

// PutSource applies change to the source of org called name, or to a new one
// if there is none, and returns the result and whether it is new.
func (s *Store) PutSource(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, name string, change func(*tidemark.Source)) (v *tidemark.Source, created bool, err error) {
	err = s.write(ctx, func(tx conn) error {
		v, err = one(ctx, s, tx, sourceColumns, fromSource+s.dialect.forUpdate, org, key(name))
		if created = tidemark.KindOf(err) == tidemark.NotFound; created {
			v, err = &tidemark.Source{}, s.roomForSource(ctx, tx, org)
		}
		if err != nil {
			return err
		}
		var was fields
		if !created {
			was = fieldsOf(v)
		}
		change(v)
		v.Name = key(name)
		if err := v.Validate(); err != nil {
			return err
		}
		_, err := s.exec(ctx, tx, `
			INSERT INTO sources (org_id, name, display_name) VALUES (?, ?, ?)
			ON CONFLICT (org_id, name) DO UPDATE SET display_name = excluded.display_name`, org, v.Name, v.DisplayName)
		if err != nil {
			return err
		}
		return s.noteChange(ctx, tx, operation{org, by, "source.update"}, sourceColumns.object(v), was, fieldsOf(v))
	})
	if err != nil {
		return nil, false, err
	}
	return v, created, nil
}

func (s *Store) roomForSource(ctx context.Context, tx conn, org tidemark.OrgID) error {
	n, err := value[int64](ctx, s, tx, "source", `SELECT COUNT(*) FROM sources WHERE org_id = ?`, org)
	if err == nil && n >= maxSources {
		return tidemark.Errorf(tidemark.TooLarge, "an organization can name at most %d sources", maxSources)
	}
	return err
}

// DeleteSource forgets what was put about one source of org, by its name in
// any case. Its measurements stay.
func (s *Store) DeleteSource(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, name string) error {
	return s.write(ctx, func(tx conn) error {
		return remove(ctx, s, tx, operation{org, by, "source.delete"}, sourceColumns, fromSource, org, key(name))
	})
}

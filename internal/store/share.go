package store

import (
	"context"
	"slices"

	"github.com/tidemark-metrics/tidemark"
)

var shareColumns = columns[tidemark.Share]{
	noun:  "share",
	names: `id, org_id, COALESCE(space_id, 0), COALESCE(playlist_id, 0), name, created_at, created_by, expires_at, last_opened_at, locked_tags`,
	dest: func(v *tidemark.Share) []any {
		return []any{&v.ID, &v.Org, &v.Space, &v.Playlist, &v.Name, &v.CreatedAt, &v.CreatedBy, &v.ExpiresAt, &v.LastOpenedAt, asJSON(&v.LockedTags)}
	},
	object: func(v *tidemark.Share) string { return named("share", v.ID, v.Name) },
}

// CreateShare adds a link to a space or a playlist of org, to be found by the
// hash of its secret, and sets its ID.
func (s *Store) CreateShare(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, v *tidemark.Share, hash string) error {
	if err := v.Validate(); err != nil {
		return err
	}
	v.Org = org
	return s.write(ctx, func(tx conn) error {
		if err := s.room(ctx, tx, org, tidemark.LimitShares); err != nil {
			return err
		}
		if err := s.hasShared(ctx, tx, org, v); err != nil {
			return err
		}
		err := insert(ctx, s, tx, &v.ID, `
			INSERT INTO shares (org_id, space_id, playlist_id, hash, name, created_at, created_by, expires_at, last_opened_at, locked_tags)
			VALUES (?, NULLIF(CAST(? AS BIGINT), 0), NULLIF(CAST(? AS BIGINT), 0), ?, ?, ?, ?, ?, 0, ?)
			RETURNING id`,
			org, v.Space, v.Playlist, hash, v.Name, v.CreatedAt, v.CreatedBy, v.ExpiresAt, asJSON(&v.LockedTags))
		if err != nil {
			return err
		}
		return created(ctx, s, tx, operation{org, by, "share.create"}, shareColumns, v)
	})
}

// hasShared refuses a link to what org does not have.
func (s *Store) hasShared(ctx context.Context, tx conn, org tidemark.OrgID, v *tidemark.Share) error {
	if v.Playlist == 0 {
		return s.hasSpace(ctx, tx, org, v.Space)
	}
	_, err := one(ctx, s, tx, playlistColumns, fromPlaylist, org, v.Playlist)
	return err
}

// Shares returns the links to a space of org that work at now.
func (s *Store) Shares(ctx context.Context, org tidemark.OrgID, space, now int64) ([]*tidemark.Share, error) {
	return many(ctx, s, s.db, shareColumns, `FROM shares WHERE org_id = ? AND space_id = ? AND expires_at > ? ORDER BY id`, org, space, now)
}

// PlaylistShares returns the links to a playlist of org that work at now.
func (s *Store) PlaylistShares(ctx context.Context, org tidemark.OrgID, playlist, now int64) ([]*tidemark.Share, error) {
	return many(ctx, s, s.db, shareColumns, `FROM shares WHERE org_id = ? AND playlist_id = ? AND expires_at > ? ORDER BY id`, org, playlist, now)
}

// ShareByHash returns the link with the given hash, in any organization, if
// it works at now.
func (s *Store) ShareByHash(ctx context.Context, hash string, now int64) (*tidemark.Share, error) {
	return one(ctx, s, s.db, shareColumns, `FROM shares WHERE hash = ? AND expires_at > ?`, hash, now)
}

// TouchShare notes that a link was opened.
func (s *Store) TouchShare(ctx context.Context, id, now int64) error {
	return s.affect(ctx, s.writer, "share", `UPDATE shares SET last_opened_at = ? WHERE id = ?`, now, id)
}

// DeleteShare makes a link of org stop working.
func (s *Store) DeleteShare(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, id int64) error {
	return s.write(ctx, func(tx conn) error {
		return remove(ctx, s, tx, operation{org, by, "share.delete"}, shareColumns, `FROM shares WHERE org_id = ? AND id = ?`, org, id)
	})
}

var layoutColumns = columns[tidemark.Layout]{
	noun:  "layout",
	names: `places, sections, default_tags, annotations, updated_at, updated_by`,
	dest: func(v *tidemark.Layout) []any {
		return []any{asJSON(&v.Places), asJSON(&v.Sections), asJSON(&v.DefaultTags), asJSON(&v.Annotations), &v.UpdatedAt, &v.UpdatedBy}
	},
}

// Layout returns the layout of a space of org: an empty one if none was saved.
func (s *Store) Layout(ctx context.Context, org tidemark.OrgID, space int64) (*tidemark.Layout, error) {
	if _, err := s.Space(ctx, org, space); err != nil {
		return nil, err
	}
	version, err := s.LatestVersion(ctx, org, tidemark.VersionsOf(tidemark.SpaceVersions, space))
	if err != nil { // what is read now is that version, or a later one
		return nil, err
	}
	v, err := s.layoutOf(ctx, s.db, org, space)
	if err != nil {
		return nil, err
	}
	v.Version = version
	return v, nil
}

func (s *Store) layoutOf(ctx context.Context, q conn, org tidemark.OrgID, space int64) (*tidemark.Layout, error) {
	v, err := one(ctx, s, q, layoutColumns, `FROM layouts WHERE org_id = ? AND space_id = ?`, org, space)
	if err != nil && tidemark.KindOf(err) == tidemark.NotFound {
		return &tidemark.Layout{Places: []tidemark.GridPosition{}, DefaultTags: []tidemark.TagFilter{}, Annotations: []string{}}, nil
	}
	return v, err
}

// SaveLayout replaces the layout of a space of org, and sets the version of the
// space that has it.
func (s *Store) SaveLayout(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, space int64, v *tidemark.Layout) error {
	if err := v.Validate(); err != nil {
		return err
	}
	v.UpdatedAt = s.now()
	w := operation{org, by, "space.layout"}
	return s.write(ctx, func(tx conn) error {
		if err := s.beginSpace(ctx, tx, org, space); err != nil {
			return err
		}
		if err := s.checkSeenLayout(ctx, tx, w, space); err != nil {
			return err
		}
		sp, err := one(ctx, s, tx, spaceColumns, `FROM spaces WHERE org_id = ? AND id = ?`, org, space)
		if err != nil {
			return err
		}
		old, err := many(ctx, s, tx, layoutColumns, `FROM layouts WHERE org_id = ? AND space_id = ?`, org, space)
		if err != nil {
			return err
		}
		if err := s.putLayout(ctx, tx, org, space, v); err != nil {
			return err
		}
		was := fields{}
		if len(old) > 0 {
			was = fieldsOf(old[0])
		}
		if err := s.keepSpace(ctx, tx, w, space, 0); err != nil {
			return err
		}
		if v.Version, err = s.lastVersion(ctx, tx, org, tidemark.VersionsOf(tidemark.SpaceVersions, space)); err != nil {
			return err
		}
		return s.noteChange(ctx, tx, w, spaceColumns.object(sp), was, fieldsOf(v))
	})
}

func (s *Store) putLayout(ctx context.Context, tx conn, org tidemark.OrgID, space int64, v *tidemark.Layout) error {
	_, err := s.exec(ctx, tx, `
		INSERT INTO layouts (space_id, org_id, places, sections, default_tags, annotations, updated_at, updated_by)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (space_id) DO UPDATE SET places = excluded.places, sections = excluded.sections, default_tags = excluded.default_tags,
			annotations = excluded.annotations, updated_at = excluded.updated_at, updated_by = excluded.updated_by`,
		space, org, asJSON(&v.Places), asJSON(&v.Sections), asJSON(&v.DefaultTags), asJSON(&v.Annotations), v.UpdatedAt, v.UpdatedBy)
	return err
}

const maxPins = 8

// Pins returns the spaces of org that a user keeps at hand, in their order.
func (s *Store) Pins(ctx context.Context, org tidemark.OrgID, user int64) ([]int64, error) {
	var pins []int64
	found, err := values[string](ctx, s, s.db, `SELECT spaces FROM pins WHERE org_id = ? AND user_id = ?`, org, user)
	if err != nil || len(found) == 0 {
		return []int64{}, err
	}
	err = asJSON(&pins).Scan(found[0])
	return pins, err
}

// SetPins replaces the spaces of org that a user keeps at hand.
func (s *Store) SetPins(ctx context.Context, org tidemark.OrgID, user int64, spaces []int64) error {
	if len(spaces) > maxPins {
		return tidemark.InvalidField("spaces", "has more than %d entries", maxPins)
	}
	if spaces == nil {
		spaces = []int64{}
	}
	sorted := slices.Sorted(slices.Values(spaces))
	if len(slices.Compact(sorted)) != len(spaces) {
		return tidemark.InvalidField("spaces", "holds one twice")
	}
	_, err := s.exec(ctx, s.writer, `
		INSERT INTO pins (org_id, user_id, spaces) VALUES (?, ?, ?)
		ON CONFLICT (org_id, user_id) DO UPDATE SET spaces = excluded.spaces`, org, user, asJSON(&spaces))
	return err
}

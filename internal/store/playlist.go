package store

import (
	"context"
	"slices"

	"github.com/tidemark-metrics/tidemark"
)

var playlistColumns = columns[tidemark.Playlist]{
	noun:  "playlist",
	names: `id, name, spaces, created_at, created_by`,
	dest: func(v *tidemark.Playlist) []any {
		return []any{&v.ID, &v.Name, asJSON(&v.Spaces), &v.CreatedAt, &v.CreatedBy}
	},
	object: func(v *tidemark.Playlist) string { return named("playlist", v.ID, v.Name) },
	shown:  func(v *tidemark.Playlist) fields { return fields{"name": v.Name, "spaces": v.Spaces} },
}

const fromPlaylist = `FROM playlists WHERE org_id = ? AND id = ?`

// Playlists returns the playlists of org, by name.
func (s *Store) Playlists(ctx context.Context, org tidemark.OrgID) ([]*tidemark.Playlist, error) {
	return many(ctx, s, s.db, playlistColumns, `FROM playlists WHERE org_id = ? ORDER BY name_key, id`, org)
}

// Playlist returns one playlist of org.
func (s *Store) Playlist(ctx context.Context, org tidemark.OrgID, id int64) (*tidemark.Playlist, error) {
	return one(ctx, s, s.db, playlistColumns, fromPlaylist, org, id)
}

// CreatePlaylist adds v to org and sets its ID, time and owner.
func (s *Store) CreatePlaylist(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, v *tidemark.Playlist) error {
	if err := v.Validate(); err != nil {
		return err
	}
	v.CreatedAt, v.CreatedBy = s.now(), by.String()
	return s.write(ctx, func(tx conn) error {
		if err := s.room(ctx, tx, org, tidemark.LimitPlaylists); err != nil {
			return err
		}
		if err := s.hasSpacesOf(ctx, tx, org, v, &tidemark.Playlist{}); err != nil {
			return err
		}
		err := insert(ctx, s, tx, &v.ID, `
			INSERT INTO playlists (org_id, name, name_key, spaces, created_at, created_by)
			VALUES (?, ?, ?, ?, ?, ?) RETURNING id`, org, v.Name, key(v.Name), asJSON(&v.Spaces), v.CreatedAt, v.CreatedBy)
		if err != nil {
			return taken(err, "name")
		}
		return created(ctx, s, tx, operation{org, by, "playlist.create"}, playlistColumns, v)
	})
}

// UpdatePlaylist changes a playlist of org.
func (s *Store) UpdatePlaylist(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, id int64, change func(*tidemark.Playlist)) (*tidemark.Playlist, error) {
	var was tidemark.Playlist
	return editNoted(ctx, s, operation{org, by, "playlist.update"}, playlistColumns, fromPlaylist, []any{org, id},
		func(v *tidemark.Playlist) {
			was = tidemark.Playlist{Spaces: slices.Clone(v.Spaces)}
			change(v)
		},
		func(tx conn, v *tidemark.Playlist) error {
			if err := s.hasSpacesOf(ctx, tx, org, v, &was); err != nil {
				return err
			}
			return taken(s.affect(ctx, tx, "playlist", `UPDATE playlists SET name = ?, name_key = ?, spaces = ? WHERE org_id = ? AND id = ?`,
				v.Name, key(v.Name), asJSON(&v.Spaces), org, id), "name")
		})
}

// hasSpacesOf refuses spaces in v that org does not have. Those that the
// playlist had before may have been deleted since, and may come back.
func (s *Store) hasSpacesOf(ctx context.Context, tx conn, org tidemark.OrgID, v, was *tidemark.Playlist) error {
	for i := range v.Spaces {
		id := v.Spaces[i].Space
		if was.Has(id) {
			continue
		}
		switch err := s.hasSpace(ctx, tx, org, id); {
		case tidemark.KindOf(err) == tidemark.NotFound && err != nil:
			return tidemark.InvalidField("spaces.space", "%d is no space of the organization", id)
		case err != nil:
			return err
		}
	}
	return nil
}

// DeletePlaylist removes a playlist of org, and the links to it.
func (s *Store) DeletePlaylist(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, id int64) error {
	return s.write(ctx, func(tx conn) error {
		return remove(ctx, s, tx, operation{org, by, "playlist.delete"}, playlistColumns, fromPlaylist, org, id)
	})
}

package store

import (
	"context"
	"strconv"

	"github.com/tidemark-metrics/tidemark"
)

var streamColumns = columns[tidemark.AnnotationStream]{
	noun:  "annotation stream",
	names: `name, display_name`,
	dest:  func(v *tidemark.AnnotationStream) []any { return []any{&v.Name, &v.DisplayName} },
	object: func(v *tidemark.AnnotationStream) string {
		return "annotation stream " + strconv.Quote(shorten(v.Name))
	},
}

const fromStream = `FROM annotation_streams WHERE org_id = ? AND name_key = ?`

// AnnotationStreams returns a page of org's annotation streams.
func (s *Store) AnnotationStreams(ctx context.Context, org tidemark.OrgID, p tidemark.Page) ([]*tidemark.AnnotationStream, tidemark.Counts, error) {
	return page(ctx, s, streamColumns, listing{
		from: `FROM annotation_streams WHERE org_id = ?`, args: []any{org}, key: "name_key",
		orders: []order{{"name", "name_key"}},
	}, p)
}

// AnnotationStream returns one annotation stream of org, by its name in any
// case.
func (s *Store) AnnotationStream(ctx context.Context, org tidemark.OrgID, name string) (*tidemark.AnnotationStream, error) {
	return one(ctx, s, s.db, streamColumns, fromStream, org, key(name))
}

// UpdateStream applies change to one annotation stream of org and returns the
// result. Its name stays.
func (s *Store) UpdateStream(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, name string, change func(*tidemark.AnnotationStream)) (*tidemark.AnnotationStream, error) {
	return editNoted(ctx, s, operation{org, by, "annotations.update"}, streamColumns, fromStream, []any{org, key(name)},
		func(v *tidemark.AnnotationStream) {
			name := v.Name
			change(v)
			v.Name = name
		},
		func(tx conn, v *tidemark.AnnotationStream) error {
			_, err := s.exec(ctx, tx, `UPDATE annotation_streams SET display_name = ? WHERE org_id = ? AND name_key = ?`,
				v.DisplayName, org, key(name))
			return err
		})
}

// DeleteStream removes one annotation stream of org with all its events.
func (s *Store) DeleteStream(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, name string) error {
	return s.write(ctx, func(tx conn) error {
		return remove(ctx, s, tx, operation{org, by, "annotations.delete"}, streamColumns, fromStream, org, key(name))
	})
}

// streamID returns the id of an annotation stream of org.
func (s *Store) streamID(ctx context.Context, q conn, org tidemark.OrgID, name string) (int64, error) {
	return value[int64](ctx, s, q, "annotation stream", `SELECT id FROM annotation_streams WHERE org_id = ? AND name_key = ?`, org, key(name))
}

// ensureStream is streamID; it adds the stream if there is none.
func (s *Store) ensureStream(ctx context.Context, tx conn, org tidemark.OrgID, name string) (int64, error) {
	if id, err := s.streamID(ctx, tx, org, name); err == nil || tidemark.KindOf(err) != tidemark.NotFound {
		return id, err
	}
	_, err := s.exec(ctx, tx, `INSERT INTO annotation_streams (org_id, name, name_key) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`,
		org, name, key(name))
	if err != nil {
		return 0, err
	}
	return s.streamID(ctx, tx, org, name)
}

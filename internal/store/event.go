package store

import (
	"context"
	"iter"
	"slices"

	"github.com/tidemark-metrics/tidemark"
)

// Links are a JSON column: they are never read without their event, and a
// change locks the event, so that each rel stays unique within it.
var eventColumns = columns[tidemark.AnnotationEvent]{
	noun:  "event",
	names: `id, title, description, source, start_time, end_time, links`,
	dest: func(v *tidemark.AnnotationEvent) []any {
		return []any{&v.ID, &v.Title, &v.Description, &v.Source, &v.StartTime, &v.EndTime, asJSON(&v.Links)}
	},
	object: func(v *tidemark.AnnotationEvent) string { return named("annotation", v.ID, v.Title) },
}

const fromEvent = `FROM events WHERE org_id = ? AND id = ?
	AND stream_id = (SELECT id FROM annotation_streams WHERE org_id = ? AND name_key = ?)`

func eventArgs(org tidemark.OrgID, k tidemark.EventKey) []any {
	return []any{org, k.ID, org, key(k.Stream)}
}

// maxEvents is the most events that one call returns.
const maxEvents = 10_000

// Events returns the events of a stream of org that q selects, by start time:
// the latest of them, if there are more than q's Count, 10,000 or 8 MiB.
func (s *Store) Events(ctx context.Context, org tidemark.OrgID, stream string, q tidemark.AnnotationEventQuery) ([]*tidemark.AnnotationEvent, error) {
	id, err := s.streamID(ctx, s.db, org, stream)
	if err != nil {
		return nil, err
	}
	rest, args := `FROM events WHERE org_id = ? AND stream_id = ? AND start_time >= ?`, []any{org, id, q.Start}
	if q.Overlapping {
		rest, args = `FROM events WHERE org_id = ? AND stream_id = ? AND (start_time >= ? OR end_time > ?)`, append(args, q.Start)
	}
	if q.End != 0 {
		rest, args = rest+` AND start_time <= ?`, append(args, q.End)
	}
	if len(q.Sources) > maxIn {
		return nil, tidemark.InvalidField("sources", "has more than %d entries", maxIn)
	}
	if len(q.Sources) > 0 {
		m := matchAny("source_key", q.Sources)
		rest, args = rest+` AND `+m.where, append(args, m.args...)
	}
	count := q.Count
	if count <= 0 || count > maxEvents {
		count = maxEvents
	}
	found, next, err := pageOfEvents(each(ctx, s, s.db, eventColumns, rest+` ORDER BY start_time DESC, id DESC LIMIT ?`, append(args, count)...))
	if q.Next != nil {
		*q.Next = next
	}
	slices.Reverse(found)
	return found, err
}

// StreamEvent is an event and the name of its stream.
type StreamEvent struct {
	tidemark.AnnotationEvent
	Stream string
}

var streamEventColumns = columns[StreamEvent]{
	noun:  "event",
	names: `events.id, events.title, events.start_time, events.end_time, s.name`,
	dest: func(v *StreamEvent) []any {
		return []any{&v.ID, &v.Title, &v.StartTime, &v.EndTime, &v.Stream}
	},
}

// EventsBetween returns events of all streams of org that begin in [start,
// end), the first most of them by time and without their texts and links; but
// not those that alerts leave.
func (s *Store) EventsBetween(ctx context.Context, org tidemark.OrgID, start, end int64, most int) ([]*StreamEvent, error) {
	return many(ctx, s, s.db, streamEventColumns, `FROM annotation_streams s JOIN events ON events.stream_id = s.id
		WHERE s.org_id = ? AND events.org_id = ? AND events.start_time >= ? AND events.start_time < ? AND s.name_key <> ?
		ORDER BY events.start_time, events.id LIMIT ?`, org, org, start, end, tidemark.AlertStream, most)
}

// maxEventBytes is how many bytes of events one call returns, about.
const maxEventBytes = 8 << 20

// pageOfEvents returns the first of events, which come latest first, and the
// time at which the next page ends: 0 if these are all.
func pageOfEvents(events iter.Seq2[*tidemark.AnnotationEvent, error]) (found []*tidemark.AnnotationEvent, next int64, err error) {
	found = []*tidemark.AnnotationEvent{}
	size := int64(0)
	for v, err := range events {
		if err != nil {
			return nil, 0, err
		}
		if size += v.Bytes(); size > maxEventBytes && len(found) > 0 {
			// Those of one second stay together, unless they are too many.
			first := slices.IndexFunc(found, func(e *tidemark.AnnotationEvent) bool { return e.StartTime == v.StartTime })
			if first == 0 {
				return found, max(0, v.StartTime-1), nil
			}
			if first > 0 {
				found = found[:first]
			}
			return found, v.StartTime, nil
		}
		found = append(found, v)
	}
	return found, 0, nil
}

// Event returns one event of org.
func (s *Store) Event(ctx context.Context, org tidemark.OrgID, k tidemark.EventKey) (*tidemark.AnnotationEvent, error) {
	return one(ctx, s, s.db, eventColumns, fromEvent, eventArgs(org, k)...)
}

// CreateEvent adds v to a stream of org, which it creates if there is none,
// and sets v's ID.
func (s *Store) CreateEvent(ctx context.Context, org tidemark.OrgID, stream string, v *tidemark.AnnotationEvent) error {
	if err := s.roomFor(ctx, org, tidemark.LimitAnnotations, 1); err != nil {
		return err
	}
	err := s.write(ctx, func(tx conn) error { return s.createEvent(ctx, tx, org, stream, v) })
	if err == nil {
		s.added(org, tidemark.LimitAnnotations, 1)
	}
	return err
}

func (s *Store) createEvent(ctx context.Context, tx conn, org tidemark.OrgID, stream string, v *tidemark.AnnotationEvent) error {
	var p tidemark.Problems
	p.Add("", (&tidemark.AnnotationStream{Name: stream}).Validate())
	p.Add("", v.Validate())
	if err := p.Err(); err != nil {
		return err
	}
	if err := s.limits.Check(org, tidemark.LimitAnnotationBytes, v.Bytes()); err != nil {
		return err
	}
	return s.insertEvent(ctx, tx, org, stream, v)
}

// insertEvent is createEvent for what was validated, or is our own.
func (s *Store) insertEvent(ctx context.Context, tx conn, org tidemark.OrgID, stream string, v *tidemark.AnnotationEvent) error {
	if v.Links == nil {
		v.Links = []tidemark.Link{}
	}
	id, err := s.ensureStream(ctx, tx, org, stream)
	if err != nil {
		return err
	}
	return insert(ctx, s, tx, &v.ID, `
		INSERT INTO events (org_id, stream_id, title, description, source, source_key, start_time, end_time, links)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
		RETURNING id`,
		org, id, v.Title, v.Description, v.Source, sourceKey(v), v.StartTime, v.EndTime, asJSON(&v.Links))
}

// sourceKey is the source of an event as queries match it.
func sourceKey(v *tidemark.AnnotationEvent) string {
	if v.Source == nil || *v.Source == "" {
		return tidemark.UnassignedName
	}
	return key(*v.Source)
}

// UpdateEvent applies change to one event of org and returns the result.
func (s *Store) UpdateEvent(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, k tidemark.EventKey, change func(*tidemark.AnnotationEvent)) (*tidemark.AnnotationEvent, error) {
	return s.changeEvent(ctx, operation{org, by, "annotation.update"}, k, func(v *tidemark.AnnotationEvent) error { change(v); return nil })
}

func (s *Store) changeEvent(ctx context.Context, w operation, k tidemark.EventKey, change func(*tidemark.AnnotationEvent) error) (*tidemark.AnnotationEvent, error) {
	var was fields
	return editOrNot(ctx, s, eventColumns, fromEvent, eventArgs(w.org, k),
		func(v *tidemark.AnnotationEvent) error { was = fieldsOf(v); return change(v) },
		func(tx conn, v *tidemark.AnnotationEvent) error {
			v.ID = k.ID
			if err := s.limits.Check(w.org, tidemark.LimitAnnotationBytes, v.Bytes()); err != nil {
				return err
			}
			_, err := s.exec(ctx, tx, `
				UPDATE events SET title = ?, description = ?, source = ?, source_key = ?, start_time = ?, end_time = ?, links = ?
				WHERE org_id = ? AND id = ?`,
				v.Title, v.Description, v.Source, sourceKey(v), v.StartTime, v.EndTime, asJSON(&v.Links), w.org, k.ID)
			if err != nil {
				return err
			}
			return s.noteChange(ctx, tx, w, eventColumns.object(v), was, fieldsOf(v))
		})
}

// DeleteEvent removes one event of org.
func (s *Store) DeleteEvent(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, k tidemark.EventKey) error {
	return s.write(ctx, func(tx conn) error {
		return remove(ctx, s, tx, operation{org, by, "annotation.delete"}, eventColumns, fromEvent, eventArgs(org, k)...)
	})
}

// CreateLink adds v to one event of org. A second link with the same rel is a
// Conflict.
func (s *Store) CreateLink(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, k tidemark.EventKey, v *tidemark.Link) error {
	if err := v.Validate(); err != nil {
		return err
	}
	_, err := s.changeEvent(ctx, operation{org, by, "annotation.update"}, k, func(e *tidemark.AnnotationEvent) error {
		if linkIndex(e, v.Rel) >= 0 {
			return taken(tidemark.Errorf(tidemark.Conflict, "already exists"), "rel")
		}
		e.Links = append(e.Links, *v)
		return nil
	})
	return err
}

// DeleteLink removes one link of one event of org.
func (s *Store) DeleteLink(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, k tidemark.LinkKey) error {
	_, err := s.changeEvent(ctx, operation{org, by, "annotation.update"}, k.Event, func(e *tidemark.AnnotationEvent) error {
		i := linkIndex(e, k.Rel)
		if i < 0 {
			return noSuch("link")
		}
		e.Links = slices.Delete(e.Links, i, i+1)
		return nil
	})
	return err
}

func linkIndex(e *tidemark.AnnotationEvent, rel string) int {
	return slices.IndexFunc(e.Links, func(l tidemark.Link) bool { return l.Rel == rel })
}

package store

import "context"

// pruneAtOnce is how many rows one statement deletes, so that others who write
// need not wait for long.
const pruneAtOnce = 1000

// PruneAudit forgets what is in the audit logs of all organizations from
// before a time.
func (s *Store) PruneAudit(ctx context.Context, before int64) error {
	return s.prune(ctx, `DELETE FROM audit WHERE id IN (SELECT id FROM audit WHERE at < ? LIMIT ?)`, before)
}

// PruneJobs forgets the jobs of all organizations that were last changed before
// a time, and the snapshots that they drew.
func (s *Store) PruneJobs(ctx context.Context, before int64) error {
	return s.prune(ctx, `DELETE FROM jobs WHERE id IN (SELECT id FROM jobs WHERE updated_at < ? LIMIT ?)`, before)
}

// PruneEvents forgets the events of all organizations that began before a time
// in the annotation stream called stream.
func (s *Store) PruneEvents(ctx context.Context, stream string, before int64) error {
	return s.prune(ctx, `
		DELETE FROM events WHERE id IN (
			SELECT e.id FROM annotation_streams a JOIN events e ON e.stream_id = a.id
			WHERE a.name_key = ? AND e.start_time < ? LIMIT ?)`, key(stream), before)
}

// prune runs a DELETE, whose last argument is how many rows to delete, until
// there are none left.
func (s *Store) prune(ctx context.Context, stmt string, args ...any) error {
	args = append(args, pruneAtOnce)
	for {
		n, err := s.exec(ctx, s.writer, stmt, args...)
		if err != nil || n < pruneAtOnce {
			return err
		}
	}
}

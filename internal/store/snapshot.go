package store

import (
	"context"
	"strconv"

	"github.com/tidemark-metrics/tidemark"
)

var snapshotColumns = columns[tidemark.Snapshot]{
	noun:  "snapshot",
	names: `id, job_id, subject, duration, end_time, created_at, updated_at, image, COALESCE(image_key, '')`,
	dest: func(v *tidemark.Snapshot) []any {
		return []any{
			&v.ID, &v.Job, (*[]byte)(&v.Subject), &v.Duration, &v.EndTime, &v.CreatedAt, &v.UpdatedAt, &v.Image, &v.ImageKey,
		}
	},
	object: func(v *tidemark.Snapshot) string { return "snapshot " + strconv.FormatInt(v.ID, 10) },
	shown: func(v *tidemark.Snapshot) fields { // its key opens the image to anyone
		return fields{"subject": v.Subject, "duration": v.Duration, "end_time": v.EndTime}
	},
}

// Snapshot returns one snapshot of org, with its image if that is drawn.
func (s *Store) Snapshot(ctx context.Context, org tidemark.OrgID, id int64) (*tidemark.Snapshot, error) {
	return one(ctx, s, s.db, snapshotColumns, `FROM snapshots WHERE org_id = ? AND id = ?`, org, id)
}

// SnapshotByKey returns the snapshot whose image may be opened with key, in
// any organization, if it was made since then.
func (s *Store) SnapshotByKey(ctx context.Context, key string, since int64) (*tidemark.Snapshot, error) {
	return one(ctx, s, s.db, snapshotColumns, `FROM snapshots WHERE image_key = ? AND created_at >= ?`, key, since)
}

// DeleteSnapshot removes one snapshot of org and its image.
func (s *Store) DeleteSnapshot(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, id int64) error {
	return s.write(ctx, func(tx conn) error {
		return remove(ctx, s, tx, operation{org, by, "snapshot.delete"}, snapshotColumns, `FROM snapshots WHERE org_id = ? AND id = ?`, org, id)
	})
}

// CreateSnapshot adds v to org, with a job that draws it, and sets its ID, Job
// and times.
func (s *Store) CreateSnapshot(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, v *tidemark.Snapshot) error {
	v.CreatedAt = s.now()
	v.UpdatedAt, v.Image = v.CreatedAt, nil
	return s.write(ctx, func(tx conn) error {
		if err := s.room(ctx, tx, org, tidemark.LimitSnapshots); err != nil {
			return err
		}
		job := &tidemark.Job{State: tidemark.JobQueued}
		if err := s.createJob(ctx, tx, org, job); err != nil {
			return err
		}
		v.Job = job.ID
		err := insert(ctx, s, tx, &v.ID, `
			INSERT INTO snapshots (org_id, job_id, subject, duration, end_time, created_at, updated_at, image_key)
			VALUES (?, ?, ?, ?, ?, ?, ?, NULLIF(?, ''))
			RETURNING id`,
			org, v.Job, string(v.Subject), v.Duration, v.EndTime, v.CreatedAt, v.UpdatedAt, v.ImageKey)
		if err != nil {
			return err
		}
		return created(ctx, s, tx, operation{org, by, "snapshot.create"}, snapshotColumns, v)
	})
}

// SaveSnapshotImage sets the image of one snapshot of org, a PNG, and with it
// completes its job.
func (s *Store) SaveSnapshotImage(ctx context.Context, org tidemark.OrgID, id int64, png []byte) error {
	return s.write(ctx, func(tx conn) error {
		now := s.now()
		job, err := value[int64](ctx, s, tx, "snapshot", `
			UPDATE snapshots SET image = ?, updated_at = ? WHERE org_id = ? AND id = ?
			RETURNING job_id`, png, now, org, id)
		if err != nil {
			return err
		}
		_, err = s.exec(ctx, tx, `UPDATE jobs SET state = ?, progress = 100, updated_at = ? WHERE org_id = ? AND id = ?`,
			tidemark.JobComplete, now, org, job)
		return err
	})
}

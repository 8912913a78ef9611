package store

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

var jobColumns = columns[tidemark.Job]{
	noun:  "job",
	names: `id, state, progress, output, errors`,
	dest: func(v *tidemark.Job) []any {
		return []any{&v.ID, &v.State, &v.Progress, &v.Output, asJSON(&v.Errors)}
	},
}

// Job returns one job of org.
func (s *Store) Job(ctx context.Context, org tidemark.OrgID, id int64) (*tidemark.Job, error) {
	return one(ctx, s, s.db, jobColumns, `FROM jobs WHERE org_id = ? AND id = ?`, org, id)
}

// CreateJob adds v to org and sets its ID.
func (s *Store) CreateJob(ctx context.Context, org tidemark.OrgID, v *tidemark.Job) error {
	return s.createJob(ctx, s.writer, org, v)
}

func (s *Store) createJob(ctx context.Context, q conn, org tidemark.OrgID, v *tidemark.Job) error {
	if err := v.Validate(); err != nil {
		return err
	}
	now := s.now()
	return insert(ctx, s, q, &v.ID, `
		INSERT INTO jobs (org_id, state, progress, output, errors, created_at, updated_at)
		VALUES (?, ?, ?, ?, ?, ?, ?)
		RETURNING id`,
		org, v.State, v.Progress, v.Output, asJSON(&v.Errors), now, now)
}

// UpdateJob applies change to one job of org and returns the result.
func (s *Store) UpdateJob(ctx context.Context, org tidemark.OrgID, id int64, change func(*tidemark.Job)) (*tidemark.Job, error) {
	return edit(ctx, s, jobColumns, `FROM jobs WHERE org_id = ? AND id = ?`, []any{org, id}, change,
		func(tx conn, v *tidemark.Job) error {
			v.ID = id
			_, err := s.exec(ctx, tx, `
				UPDATE jobs SET state = ?, progress = ?, output = ?, errors = ?, updated_at = ?
				WHERE org_id = ? AND id = ?`,
				v.State, v.Progress, v.Output, asJSON(&v.Errors), s.now(), org, id)
			return err
		})
}

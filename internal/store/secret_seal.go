package store

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

// sealBatch is how many rows are looked at or sealed at a time.
const sealBatch = 100

// clearService is a service as the table has it.
type clearService struct {
	org tidemark.OrgID
	tidemark.Service
}

var clearServiceColumns = columns[clearService]{
	noun:  "service",
	names: `id, org_id, type, settings`,
	dest: func(v *clearService) []any {
		return []any{&v.ID, &v.org, &v.Type, asJSON((*map[string]string)(&v.Settings))}
	},
}

// SealServices seals what earlier versions left in clear, and returns how many
// services that were. Each is done in one transaction, so that it may be killed
// at any time and is done again by the next start.
func (s *Store) SealServices(ctx context.Context) (n int, err error) {
	for after := int64(0); ; {
		found, err := many(ctx, s, s.db, clearServiceColumns, `FROM services WHERE id > ? ORDER BY id LIMIT ?`, after, sealBatch)
		if err != nil || len(found) == 0 {
			return n, err
		}
		for _, v := range found {
			after = v.ID
			if _, secret := v.SplitSettings(); len(secret) == 0 {
				continue
			}
			if err := s.sealService(ctx, v.org, v.ID); err != nil {
				return n, err
			}
			n++
		}
	}
}

func (s *Store) sealService(ctx context.Context, org tidemark.OrgID, id int64) error {
	return s.write(ctx, func(tx conn) error {
		v, err := one(ctx, s, tx, s.serviceColumns(), `FROM services WHERE org_id = ? AND id = ?`+s.dialect.forUpdate, org, id)
		if tidemark.KindOf(err) == tidemark.NotFound && err != nil {
			return nil // deleted meanwhile
		}
		if err != nil || v.Unreadable != "" { // what cannot be read must not be overwritten
			return err
		}
		return s.saveSettings(ctx, tx, org, v)
	})
}

const sweptSetting = "secrets.swept"

// Sweep removes from the file of the database, once in its life, what was
// deleted and overwritten before secrets were sealed: SQLite leaves it where it
// was. PostgreSQL does so in its own time.
func (s *Store) Sweep(ctx context.Context) error {
	if s.dialect.name != sqliteDialect.name {
		return nil
	}
	if _, err := s.Setting(ctx, sweptSetting); err == nil || tidemark.KindOf(err) != tidemark.NotFound {
		return err
	}
	for _, stmt := range []string{`VACUUM`, `PRAGMA wal_checkpoint(TRUNCATE)`} {
		if _, err := s.exec(ctx, s.writer, stmt); err != nil {
			return err
		}
	}
	return s.SetSetting(ctx, sweptSetting, []byte("1"))
}

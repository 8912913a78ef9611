package store

import (
	"context"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

// Lease is the right to be the only one who does something, for a while. Each
// new holder gets a larger Fence: what a holder saves while it has been
// replaced without noticing is refused by it. A server that was started again
// is a new holder: its former process may be frozen, not dead.
type Lease struct {
	Name, Holder string
	Fence        int64
	ExpiresAt    int64 // by the database's clock
}

var leaseColumns = columns[Lease]{
	noun:  "lease",
	names: `name, holder, fence, expires_at`,
	dest:  func(v *Lease) []any { return []any{&v.Name, &v.Holder, &v.Fence, &v.ExpiresAt} },
}

// TakeLease renews mine for as long, which is what the process has of the lease:
// what it got the last time, or, without a fence, nothing yet. A process that
// has nothing gets the lease if nobody has it, or another process of the same
// holder. Otherwise the lease of its holder is returned. Time is the
// database's: the clocks of servers may differ.
func (s *Store) TakeLease(ctx context.Context, mine Lease, ttl time.Duration) (lease Lease, held bool, err error) {
	err = s.write(ctx, func(tx conn) error {
		taken, err := s.exec(ctx, tx, `
			INSERT INTO leases (name, holder, fence, expires_at) VALUES (?, ?, 1, `+s.dialect.clock+` + ?)
			ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at,
				fence = CASE WHEN leases.holder = excluded.holder AND leases.fence = ? THEN leases.fence ELSE leases.fence + 1 END
			WHERE leases.holder = excluded.holder AND (leases.fence = ? OR ? = 0) OR leases.expires_at < `+s.dialect.clock,
			mine.Name, mine.Holder, seconds(ttl), mine.Fence, mine.Fence, mine.Fence)
		if err != nil {
			return err
		}
		now, err := one(ctx, s, tx, leaseColumns, `FROM leases WHERE name = ?`, mine.Name)
		if err == nil {
			lease, held = *now, taken > 0
		}
		return err
	})
	return lease, held, err
}

// ReleaseLease lets go of a lease, so that the next holder need not wait.
func (s *Store) ReleaseLease(ctx context.Context, lease Lease) error {
	_, err := s.exec(ctx, s.writer, `UPDATE leases SET expires_at = 0 WHERE name = ? AND holder = ? AND fence = ?`, lease.Name, lease.Holder, lease.Fence)
	return err
}

// Leases returns all leases that were ever taken, by name. Those that have
// expired have no holder.
func (s *Store) Leases(ctx context.Context) ([]*Lease, error) {
	c := leaseColumns
	c.names = `name, CASE WHEN expires_at >= ` + s.dialect.clock + ` THEN holder ELSE '' END, fence, expires_at`
	return many(ctx, s, s.db, c, `FROM leases ORDER BY name`)
}

// fence makes a transaction fail unless lease is still the latest. Its row is
// locked, so that nobody can take the lease before the transaction ends.
func (s *Store) fence(ctx context.Context, tx conn, lease Lease) error {
	fence, err := value[int64](ctx, s, tx, "lease", `SELECT fence FROM leases WHERE name = ?`+s.dialect.forUpdate, lease.Name)
	if err != nil {
		return err
	}
	if fence != lease.Fence {
		return tidemark.Errorf(tidemark.Conflict, "another server has taken over %s", lease.Name)
	}
	return nil
}

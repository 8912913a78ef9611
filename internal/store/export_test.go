package store

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

// SetClock makes the store believe what now says of the time.
func (s *Store) SetClock(now func() int64) { s.now = now }

// MaxCharts is maxCharts for tests.
const MaxCharts = maxCharts

// FillAudit adds entries at the times from 1 to n.
func FillAudit(ctx context.Context, s *Store, org tidemark.OrgID, n int) error {
	return s.write(ctx, func(tx conn) error {
		for i := range n {
			if err := s.addAudit(ctx, tx, org, &tidemark.AuditEntry{At: int64(i + 1)}); err != nil {
				return err
			}
		}
		return nil
	})
}

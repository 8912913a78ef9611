package store

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

// maxBrowsers is how many browsers are known of one person; those that were
// not used for longest are forgotten.
const maxBrowsers = 50

// seeBrowser notes that the person of v signs in from its browser, and says in
// v whether it is a new one. The first of all is not: it comes with the account.
func (s *Store) seeBrowser(ctx context.Context, tx conn, v *tidemark.Session) error {
	v.NewBrowser = false
	if v.Browser == "" {
		return nil
	}
	hash := v.BrowserHash()
	n, err := s.exec(ctx, tx, `UPDATE browsers SET seen_at = ? WHERE user_id = ? AND hash = ?`, v.CreatedAt, v.User, hash)
	if err != nil || n > 0 {
		return err
	}
	known, err := value[int64](ctx, s, tx, "browser", `SELECT COUNT(*) FROM browsers WHERE user_id = ?`, v.User)
	if err != nil {
		return err
	}
	v.NewBrowser = known > 0
	if _, err := s.exec(ctx, tx, `INSERT INTO browsers (user_id, hash, seen_at) VALUES (?, ?, ?)`, v.User, hash, v.CreatedAt); err != nil {
		return err
	}
	_, err = s.exec(ctx, tx, `
		DELETE FROM browsers WHERE user_id = ? AND hash <> ? AND hash NOT IN (
			SELECT hash FROM browsers WHERE user_id = ? AND hash <> ? ORDER BY seen_at DESC, hash LIMIT ?)`,
		v.User, hash, v.User, hash, maxBrowsers-1)
	return err
}

// forgetBrowsers has every browser of a person be a new one, also the next, if
// any were known.
func (s *Store) forgetBrowsers(ctx context.Context, tx conn, user int64) error {
	n, err := s.exec(ctx, tx, `DELETE FROM browsers WHERE user_id = ?`, user)
	if err != nil || n == 0 {
		return err
	}
	// No browser has this hash. Without a row the next one would come with the account.
	_, err = s.exec(ctx, tx, `INSERT INTO browsers (user_id, hash, seen_at) VALUES (?, '', ?)`, user, s.now())
	return err
}

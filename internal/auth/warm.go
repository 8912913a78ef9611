package auth

import (
	"context"
	"crypto/sha256"
	"encoding/hex"

	"github.com/tidemark-metrics/tidemark"
)

// maxWarm bounds how many secrets are known from the start.
const maxWarm = 1000

// Warm learns the secrets of the tokens that were used last, so that the first
// requests with them do not wait for the database. It returns the organization
// of the very last, 0 if none was ever used, and is called before anything else
// is asked of a.
func (a *Authenticator) Warm(ctx context.Context) (last tidemark.OrgID, err error) {
	version, err := a.store.TokenVersion(ctx)
	if err != nil {
		return 0, err
	}
	list, err := a.store.RecentCredentials(ctx, maxWarm)
	if err != nil || len(list) == 0 {
		return 0, err
	}
	known := newCache(version)
	for _, c := range list {
		var sum [sha256.Size]byte
		if n, err := hex.Decode(sum[:], []byte(c.Hash)); err == nil && n == len(sum) {
			e := &entry{hash: c.Hash}
			e.know(c)
			known.entries[sum] = e
		}
	}
	a.known.Store(known)
	return list[0].Org, nil
}

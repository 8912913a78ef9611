package auth

import (
	"context"

	"github.com/tidemark-metrics/tidemark"
)

// DeleteOrg removes an organization with everything it has but measurements.
// Its tokens are refused from the next request on.
func (a *Authenticator) DeleteOrg(ctx context.Context, org tidemark.OrgID, by tidemark.Actor) error {
	defer a.forget()
	return a.store.DeleteOrg(ctx, org, by)
}

package app

import (
	"context"
	"fmt"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// firstOrg is the name of the organization of a new server, until its owner
// gives it another.
const firstOrg = "My organization"

// Bootstrap makes the first organization and its Full Access token, if the
// store has none yet. It returns the token's secret, for the one time that it
// can be shown; "" if there was nothing to do.
func Bootstrap(ctx context.Context, st *store.Store, wanted string) (tidemark.Secret, error) {
	orgs, err := st.Orgs(ctx)
	if err != nil || len(orgs) > 0 {
		return "", err
	}
	secret := tidemark.NewSecret()
	if wanted != "" {
		if secret, err = tidemark.ParseSecret(wanted); err != nil {
			return "", fmt.Errorf("bootstrap token: %w", err)
		}
	}
	by := tidemark.Actor{Kind: tidemark.ByBootstrap}
	org, err := st.CreateOrg(ctx, by, firstOrg)
	if err != nil {
		return "", fmt.Errorf("make the first organization: %w", err)
	}
	t := &tidemark.Token{Name: "first token", Role: tidemark.FullAccess, Active: true}
	if err := st.CreateToken(ctx, org.ID, by, t, secret); err != nil {
		return "", fmt.Errorf("make the first token: %w", err)
	}
	return secret, nil
}

package people

import (
	"net/http"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/auth"
)

// proofs answers GET /ui/api/proof: what the person may prove with that it is
// them.
func (s *API) proofs(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	p, err := s.Auth.Proofs(r.Context(), who)
	if err != nil {
		return rest.Reply{}, err
	}
	answer := proofs{Codes: p.Codes > 0, Passkeys: []string{}, Password: p.Password, TOTP: p.TOTP}
	for _, k := range p.Passkeys {
		answer.Passkeys = append(answer.Passkeys, k.Name)
	}
	if s.OIDC != nil {
		answer.OIDC = &oidcTitle{Title: s.OIDC.Title}
	}
	return rest.OK(answer), nil
}

// askProof answers POST /ui/api/proof/passkey.
func (s *API) askProof(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	return challenge(s.Auth.BeginProof(r.Context(), who, s.BaseURL(r)))
}

// prove answers POST /ui/api/proof.
func (s *API) prove(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	var body proofBody
	if err := rest.ReadShort(r, &body); err != nil {
		return rest.Reply{}, err
	}
	p := auth.Proof{Password: body.Password, Code: body.Code, Passkey: passkeyBody{body.Key, body.Credential}.answer()}
	return rest.NoContent, s.Auth.Prove(r.Context(), who, p, s.BaseURL(r))
}

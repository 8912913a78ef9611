package v1

import (
	"errors"
	"maps"
	"net/http"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
)

// TokenView is a token as the wire has it. The secret is whole in the answer
// that creates it, and masked ever after.
type TokenView struct {
	ID         int64         `json:"id"`
	Name       string        `json:"name"`
	Token      string        `json:"token"`
	Active     bool          `json:"active"`
	Role       tidemark.Role `json:"role"`
	Href       string        `json:"href"`
	CreatedAt  *string       `json:"created_at"`
	UpdatedAt  *string       `json:"updated_at"`
	LastUsedAt *string       `json:"last_used_at"`
	ExpiresAt  *string       `json:"expires_at"`
	IdleDays   int64         `json:"idle_days,omitempty"`
	OldUntil   *string       `json:"old_token_until,omitempty"`
	// Left out where the token is not narrowed, as the original had it.
	Scope    *tidemark.TokenScope `json:"scope,omitempty"`
	Networks []string             `json:"networks,omitempty"`
}

// tokenTime is a time in the one format that only tokens have; nil for 0.
func tokenTime(at int64) *string {
	if at == 0 {
		return nil
	}
	text := time.Unix(at, 0).UTC().Format("2006-01-02 15:04:05 UTC")
	return &text
}

func (s *API) viewToken(r *http.Request, t *tidemark.Token) *TokenView {
	v := &TokenView{
		ID: t.ID, Name: t.Name, Token: t.Mask(), Active: t.Active, Role: t.Role,
		Href:      s.BaseURL(r) + "/v1/api_tokens/" + t.ResourceID(),
		CreatedAt: tokenTime(t.CreatedAt), UpdatedAt: tokenTime(t.UpdatedAt), ExpiresAt: tokenTime(t.ExpiresAt), IdleDays: t.IdleDays,
		LastUsedAt: tokenTime(s.Auth.LastUsed(t.ID, t.LastUsedAt)),
	}
	if v.Networks = t.Networks; !t.Scope.IsWhole() {
		v.Scope = &t.Scope
	}
	if t.OldUntil > s.Now().Unix() {
		v.OldUntil = tokenTime(t.OldUntil)
	}
	return v
}

// tokens answers GET /v1/api_tokens.
func (s *API) tokens(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	p, err := rest.ReadPage(r)
	if err != nil {
		return rest.Reply{}, err
	}
	return s.listTokens(r, who, p)
}

func (s *API) listTokens(r *http.Request, who tidemark.Identity, p tidemark.Page) (rest.Reply, error) {
	found, n, err := s.Store.Tokens(r.Context(), who.Org, p)
	if err != nil {
		return rest.Reply{}, err
	}
	views := make([]*TokenView, len(found))
	for i, t := range found {
		views[i] = s.viewToken(r, t)
	}
	return rest.OK(map[string]any{"query": rest.PageOf(p, len(views), n), "api_tokens": views}), nil
}

// token answers GET /v1/api_tokens/:id. With a name instead of an id it is a
// search by name, whose answer is a list: so the documents show it.
func (s *API) token(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := rest.ByID(r)
	if name := r.PathValue("id"); err != nil && !isDigits(name) {
		p, err := rest.ReadPage(r)
		if err != nil {
			return rest.Reply{}, err
		}
		p.Name = name
		if (&tidemark.Token{Name: name, Role: tidemark.ViewOnly}).Validate() != nil {
			return rest.Reply{}, rest.ErrNotFound
		}
		return s.listTokens(r, who, p)
	}
	if err != nil {
		return rest.Reply{}, err
	}
	t, err := s.Store.Token(r.Context(), who.Org, id)
	if err != nil {
		return rest.Reply{}, err
	}
	return rest.OK(s.viewToken(r, t)), nil
}

func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// createToken answers POST /v1/api_tokens. A value sent by ordinary clients
// as part of an old object is not a wish: only import_token is.
func (s *API) createToken(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	object, err := rest.ReadObject(r)
	if err != nil {
		return rest.Reply{}, err
	}
	var u tidemark.TokenUpdate
	var imported struct {
		Token tidemark.Opt[string] `json:"import_token"`
	}
	if err := decodeBoth(object, &u, &imported); err != nil {
		return rest.Reply{}, err
	}
	t := &tidemark.Token{Active: true}
	u.Apply(t)
	secret := tidemark.NewSecret()
	if imported.Token.Set && !imported.Token.Null {
		if secret, err = tidemark.ParseSecret(imported.Token.V); err != nil {
			return rest.Reply{}, renamed(err, "token", "import_token")
		}
	}
	if err := s.expiryAhead(t); err != nil {
		return rest.Reply{}, err
	}
	if err := s.Auth.CreateToken(r.Context(), who, t, secret); err != nil {
		return rest.Reply{}, renamed(err, "token", "import_token")
	}
	view := s.viewToken(r, t)
	view.Token = secret.Reveal()
	return rest.Created(view, r.URL.EscapedPath()+"/"+t.ResourceID()), nil
}

// decodeBoth reads two things of one body; the problems of both are reported.
func decodeBoth(object map[string]any, one, other any) error {
	var p tidemark.Problems
	p.Add("", rest.Decode(object, one))
	p.Add("", rest.Decode(object, other))
	return p.Err()
}

// renamed gives the problems of a field to the name the caller knows it by.
func renamed(err error, from, to string) error {
	if e, ok := errors.AsType[*tidemark.Error](err); ok && e.Fields[from] != nil {
		fields := maps.Clone(e.Fields)
		fields[to] = fields[from]
		delete(fields, from)
		return &tidemark.Error{Kind: e.Kind, Msg: e.Msg, Fields: fields, Err: e.Err}
	}
	return err
}

func (s *API) expiryAhead(t *tidemark.Token) error {
	if t.ExpiresAt != 0 && t.ExpiresAt <= s.Now().Unix() {
		return tidemark.InvalidField("expires_at", "is in the past")
	}
	return nil
}

// updateToken answers PUT /v1/api_tokens/:id, with the result, unlike most.
func (s *API) updateToken(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := rest.ByID(r)
	if err != nil {
		return rest.Reply{}, err
	}
	var u tidemark.TokenUpdate
	if err := rest.ReadInto(r, &u); err != nil {
		return rest.Reply{}, err
	}
	if err := s.mayExpire(r, who, id, u); err != nil {
		return rest.Reply{}, err
	}
	t, err := s.Auth.UpdateToken(r.Context(), who, id, u.Apply)
	if err != nil {
		return rest.Reply{}, err
	}
	return rest.OK(s.viewToken(r, t)), nil
}

// mayExpire refuses an end in the past, as for new tokens. What is over may
// be sent back as it is: many clients send all of what they read.
func (s *API) mayExpire(r *http.Request, who tidemark.Identity, id int64, u tidemark.TokenUpdate) error {
	if !u.ExpiresAt.Set {
		return nil
	}
	old, err := s.Store.Token(r.Context(), who.Org, id)
	if err != nil || old.ExpiresAt == u.ExpiresAt.V {
		return err
	}
	return s.expiryAhead(&tidemark.Token{ExpiresAt: u.ExpiresAt.V})
}

// deleteToken answers DELETE /v1/api_tokens/:id.
func (s *API) deleteToken(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := rest.ByID(r)
	if err != nil {
		return rest.Reply{}, err
	}
	return rest.NoContent, s.Auth.DeleteToken(r.Context(), who, id)
}

const (
	defaultOverlap = 24 * 3600
	maxOverlap     = 90 * 24 * 3600
)

// rotateToken answers POST /v1/api_tokens/:id/rotate: a new secret, while the
// old one goes on working for overlap seconds.
func (s *API) rotateToken(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := rest.ByID(r)
	if err != nil {
		return rest.Reply{}, err
	}
	body := struct {
		Overlap tidemark.Seconds `json:"overlap"`
	}{Overlap: defaultOverlap}
	if err := rest.ReadInto(r, &body); err != nil {
		return rest.Reply{}, err
	}
	if body.Overlap < 0 || body.Overlap > maxOverlap {
		return rest.Reply{}, tidemark.InvalidField("overlap", "must be 0 to %d seconds", maxOverlap)
	}
	var until int64
	if body.Overlap > 0 {
		until = s.Now().Unix() + int64(body.Overlap)
	}
	secret := tidemark.NewSecret()
	t, err := s.Auth.RotateToken(r.Context(), who, id, secret, until)
	if err != nil {
		return rest.Reply{}, err
	}
	view := s.viewToken(r, t)
	view.Token = secret.Reveal()
	return rest.OK(view), nil
}

package client

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"github.com/tidemark-metrics/tidemark"
)

// What follows works only through the door that a server keeps for its own
// operator.

// OrgHeader says which organization an operator's request is about, by id.
const OrgHeader = "X-Tidemark-Org"

// Orgs returns all organizations of the server.
func (c *Client) Orgs(ctx context.Context) ([]tidemark.Org, error) {
	var answer struct{ Orgs []tidemark.Org }
	err := c.Do(ctx, http.MethodGet, "/admin/orgs", nil, &answer)
	return answer.Orgs, err
}

// CreateOrg adds an organization.
func (c *Client) CreateOrg(ctx context.Context, name string) (*tidemark.Org, error) {
	o := new(tidemark.Org)
	return o, c.create(ctx, "/admin/orgs", map[string]any{"name": name}, o)
}

// OrgLimits returns the limits of the client's organization, and what it uses
// of them.
func (c *Client) OrgLimits(ctx context.Context) ([]tidemark.LimitUse, error) {
	var answer struct{ Limits []tidemark.LimitUse }
	err := c.Do(ctx, http.MethodGet, "/admin/limits", nil, &answer)
	return answer.Limits, err
}

// SetOrgLimits gives the client's organization limits of its own; nil is the
// server's value again.
func (c *Client) SetOrgLimits(ctx context.Context, values map[tidemark.LimitName]*int64) error {
	return c.Do(ctx, http.MethodPut, "/admin/limits", values, nil)
}

// ServerAudit returns entries of the audit logs of all organizations and of the
// server itself, the newest first, at most as many as an answer holds. Params
// are those of GET /admin/audit.
func (c *Client) ServerAudit(ctx context.Context, params url.Values) ([]tidemark.OrgAuditEntry, error) {
	var answer struct{ Audit []tidemark.OrgAuditEntry }
	err := c.Do(ctx, http.MethodGet, "/admin/audit?"+params.Encode(), nil, &answer)
	return answer.Audit, err
}

// DeleteOrg removes an organization with everything it has.
func (c *Client) DeleteOrg(ctx context.Context, id tidemark.OrgID) error {
	return c.Do(ctx, http.MethodDelete, "/admin/orgs/"+strconv.FormatInt(int64(id), 10), nil, nil)
}

// Person is somebody who can sign in, and where they are members.
type Person struct {
	ID        int64  `json:"id"`
	Email     string `json:"email"`
	Name      string `json:"name"`
	CreatedAt int64  `json:"created_at"`
	Operator  bool   `json:"operator"`
	Orgs      []struct {
		Org  tidemark.OrgID `json:"org"`
		Role tidemark.Role  `json:"role"`
	} `json:"orgs"`
}

// Users returns everybody who can sign in.
func (c *Client) Users(ctx context.Context) ([]Person, error) {
	var answer struct{ Users []Person }
	err := c.Do(ctx, http.MethodGet, "/admin/users", nil, &answer)
	return answer.Users, err
}

// DeleteUser removes a person from the server.
func (c *Client) DeleteUser(ctx context.Context, email string) error {
	return c.Do(ctx, http.MethodDelete, "/admin/users/"+url.PathEscape(email), nil, nil)
}

// ResetSecondFactor removes a person's passkeys, authenticator app and recovery
// codes, and ends their sessions.
func (c *Client) ResetSecondFactor(ctx context.Context, email string) error {
	return c.Do(ctx, http.MethodDelete, "/admin/users/"+url.PathEscape(email)+"/second_factor", nil, nil)
}

// SetOperator says whether a person is an operator of the server.
func (c *Client) SetOperator(ctx context.Context, email string, on bool) error {
	return c.Do(ctx, http.MethodPut, "/admin/users/"+url.PathEscape(email)+"/operator", map[string]bool{"operator": on}, nil)
}

// NewUser is a person to add to an organization.
type NewUser struct {
	Email    string        `json:"email"`
	Name     string        `json:"name"`
	Password string        `json:"password"`
	Role     tidemark.Role `json:"role"`
}

// CreateUser adds a person to the client's organization.
func (c *Client) CreateUser(ctx context.Context, u NewUser) (*tidemark.User, error) {
	made := new(tidemark.User)
	return made, c.create(ctx, "/admin/users", u, made)
}

// SetPassword changes a person's password.
func (c *Client) SetPassword(ctx context.Context, email, password string) error {
	return c.Do(ctx, http.MethodPut, "/admin/users/"+url.PathEscape(email)+"/password", map[string]any{"password": password}, nil)
}

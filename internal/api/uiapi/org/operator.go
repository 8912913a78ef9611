package org

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
)

const (
	// maxOperatorOrgs is how many organizations an answer lists.
	maxOperatorOrgs = 200
	// nearestLimits is how many limits of each are shown in the list.
	nearestLimits = 3
	// nearLimit is the part of a limit from which on it is near, in percent.
	nearLimit = 80
	// maxSearch is how many characters a search has.
	maxSearch = 255
)

// operatorLimits is what organizations use of their limits, and what they ask
// for. Of what they have it says names and numbers alone.
type operatorLimits struct {
	Found    int                      `json:"found"`    // organizations that match, of which 200 are listed
	Orgs     []operatorOrg            `json:"orgs"`     // those nearest to a limit first
	Requests []*tidemark.LimitRequest `json:"requests"` // that wait for an answer
	Server   []tidemark.LimitUse      `json:"server"`   // the limits where an organization has none of its own
	Total    int                      `json:"total"`    // organizations there are
}

// operatorOrg is an organization as operators see it.
type operatorOrg struct {
	ID      tidemark.OrgID      `json:"id"`
	Name    string              `json:"name"`
	Near    int                 `json:"near"`    // limits of which 80 % are used
	Nearest []tidemark.LimitUse `json:"nearest"` // the three that come first
	Own     int                 `json:"own"`     // limits with a value of their own
}

// operatorOrgLimits is one organization as operators see it.
type operatorOrgLimits struct {
	ID       tidemark.OrgID           `json:"id"`
	Limits   []tidemark.LimitUse      `json:"limits"`
	Name     string                   `json:"name"`
	Requests []*tidemark.LimitRequest `json:"requests"`
}

// operatorLimitsBody is limits that an operator sets for an organization.
type operatorLimitsBody struct {
	Limits map[string]*int64 `json:"limits"` // numbers by name, 0 for no limit; null is the server's value again
}

// operatorLimits answers GET /ui/api/operator/limits.
func (s *API) operatorLimits(r *http.Request, _ tidemark.Identity) (rest.Reply, error) {
	q := r.URL.Query().Get("q")
	var p tidemark.Problems
	if p.Text("q", q, 0, maxSearch); p.Err() != nil {
		return rest.Reply{}, p.Err()
	}
	orgs, err := s.Store.Orgs(r.Context())
	if err != nil {
		return rest.Reply{}, err
	}
	requests, err := s.Store.OpenLimitRequests(r.Context())
	if err != nil {
		return rest.Reply{}, err
	}
	found, err := s.operatorOrgs(r.Context(), orgs, q)
	if err != nil {
		return rest.Reply{}, err
	}
	return rest.OK(operatorLimits{
		Found: len(found), Orgs: found[:min(len(found), maxOperatorOrgs)], Requests: requests, Server: s.ServerLimits(), Total: len(orgs),
	}), nil
}

// operatorOrgs lists the organizations whose name has q in it, those nearest to
// a limit first.
func (s *API) operatorOrgs(ctx context.Context, orgs []*tidemark.Org, q string) ([]operatorOrg, error) {
	limits, err := s.EachLimits(ctx, orgs)
	if err != nil {
		return nil, err
	}
	found := []operatorOrg{}
	for _, o := range orgs {
		if strings.Contains(strings.ToLower(o.Name), strings.ToLower(strings.TrimSpace(q))) {
			found = append(found, operatorOrgOf(o, limits[o.ID]))
		}
	}
	slices.SortStableFunc(found, func(a, b operatorOrg) int { return cmp.Compare(nearest(b), nearest(a)) })
	return found, nil
}

func operatorOrgOf(o *tidemark.Org, limits []tidemark.LimitUse) operatorOrg {
	v := operatorOrg{ID: o.ID, Name: o.Name, Nearest: []tidemark.LimitUse{}}
	for _, l := range limits {
		if l.Own {
			v.Own++
		}
		if l.Share() >= nearLimit {
			v.Near++
		}
		if l.Share() >= 0 {
			v.Nearest = append(v.Nearest, l)
		}
	}
	slices.SortStableFunc(v.Nearest, func(a, b tidemark.LimitUse) int { return cmp.Compare(b.Share(), a.Share()) })
	v.Nearest = v.Nearest[:min(len(v.Nearest), nearestLimits)]
	return v
}

// nearest is the part that an organization uses of its nearest limit.
func nearest(o operatorOrg) float64 {
	if len(o.Nearest) == 0 {
		return -1
	}
	return o.Nearest[0].Share()
}

// createOrg answers POST /ui/api/operator/orgs: an organization whose first
// Admin is the operator who makes it.
func (s *API) createOrg(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	var body shared.NameBody
	if err := rest.ReadInto(r, &body); err != nil {
		return rest.Reply{}, err
	}
	o, err := s.Store.CreateOrgFor(r.Context(), who.Actor(), strings.TrimSpace(body.Name), who.User)
	if err != nil {
		return rest.Reply{}, err
	}
	return rest.Created(shared.OrgOfOwn{ID: o.ID, Name: o.Name, Role: tidemark.FullAccess}, "/ui/api/operator/orgs/"+strconv.FormatInt(int64(o.ID), 10)+"/limits"), nil
}

// operatorOrg answers GET /ui/api/operator/orgs/{id}/limits.
func (s *API) operatorOrg(r *http.Request, _ tidemark.Identity) (rest.Reply, error) {
	o, err := s.orgInPath(r)
	if err != nil {
		return rest.Reply{}, err
	}
	limits, err := s.LimitsOf(r.Context(), o.ID)
	if err != nil {
		return rest.Reply{}, err
	}
	requests, err := s.Store.LimitRequests(r.Context(), o.ID)
	return rest.OK(operatorOrgLimits{ID: o.ID, Limits: limits, Name: o.Name, Requests: requests}), err
}

// setOperatorLimits answers PUT /ui/api/operator/orgs/{id}/limits.
func (s *API) setOperatorLimits(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	o, err := s.orgInPath(r)
	if err != nil {
		return rest.Reply{}, err
	}
	body, err := rest.ReadObject(r)
	if err != nil {
		return rest.Reply{}, err
	}
	object, ok := body["limits"].(map[string]any)
	if !ok {
		return rest.Reply{}, tidemark.InvalidField("limits", "must be an object")
	}
	values, err := shared.ReadLimits(object)
	if err == nil {
		err = s.SetLimitsOf(r.Context(), o.ID, who.Actor(), values)
	}
	return rest.NoContent, below("limits.", err)
}

// below is err with its fields below another.
func below(prefix string, err error) error {
	var p tidemark.Problems
	if p.Add(prefix, err) {
		return p.Err()
	}
	return err
}

// answerLimitRequest answers PUT /ui/api/operator/orgs/{id}/requests/{limit}.
func (s *API) answerLimitRequest(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	o, err := s.orgInPath(r)
	if err != nil {
		return rest.Reply{}, err
	}
	var body tidemark.LimitAnswer
	if err := rest.ReadInto(r, &body); err != nil {
		return rest.Reply{}, err
	}
	if err := s.Store.ResolveLimitRequest(r.Context(), o.ID, who.Actor(), tidemark.LimitName(r.PathValue("limit")), body); err != nil {
		return rest.Reply{}, err
	}
	return rest.NoContent, s.FollowLimits(r.Context())
}

// orgInPath is the organization that the path names.
func (s *API) orgInPath(r *http.Request) (*tidemark.Org, error) {
	id, err := rest.ByID(r)
	if err != nil {
		return nil, err
	}
	return s.Store.Org(r.Context(), tidemark.OrgID(id))
}

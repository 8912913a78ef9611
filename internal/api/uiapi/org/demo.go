package org

import (
	"cmp"
	"net/http"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/demo"
)

// elsewhere is the answer about a demo that is not theirs.
const elsewhere = "elsewhere"

var errDemoElsewhere = tidemark.Errorf(tidemark.Conflict, "This server has a demo already. Ask its owner to add you there.")

// demoState answers GET /ui/api/demo.
func (s *API) demoState(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	if s.Demo == nil { // the whole server is one
		return rest.OK(demoView{State: elsewhere}), nil
	}
	return s.viewDemo(r, who, s.Demo.State())
}

func (s *API) viewDemo(r *http.Request, who tidemark.Identity, d demo.State) (rest.Reply, error) {
	mine, err := s.isDemoAdmin(r, who, d)
	if err != nil {
		return rest.Reply{}, err
	}
	if !mine && d.Stage != demo.None {
		return rest.OK(demoView{State: elsewhere}), nil
	}
	var org *demoOrg
	if d.Org != 0 {
		o, err := s.Store.Org(r.Context(), d.Org)
		if err != nil {
			return rest.Reply{}, err
		}
		org = &demoOrg{ID: o.ID, Name: o.Name}
	}
	return rest.OK(demoView{Done: d.Done, Error: d.Error, Org: org, State: d.Stage}), nil
}

// isDemoAdmin reports whether who may do with the demo as they like.
func (s *API) isDemoAdmin(r *http.Request, who tidemark.Identity, d demo.State) (bool, error) {
	if d.Org == 0 {
		return true, nil
	}
	m, err := s.Store.Membership(r.Context(), d.Org, who.User)
	if err != nil && tidemark.KindOf(err) == tidemark.NotFound {
		return false, nil
	}
	return err == nil && m.Role == tidemark.FullAccess, err
}

// startDemo answers POST /ui/api/demo: it is filled in the background.
func (s *API) startDemo(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	if s.Demo == nil {
		return rest.Reply{}, errDemoElsewhere
	}
	d, err := s.Demo.Start(r.Context(), who.Actor(), who.User)
	if err != nil {
		return rest.Reply{}, err
	}
	if mine, err := s.isDemoAdmin(r, who, d); err != nil || !mine {
		return rest.Reply{}, cmp.Or(err, errDemoElsewhere)
	}
	rep, err := s.viewDemo(r, who, d)
	rep.Status = http.StatusAccepted
	return rep, err
}

// removeDemo answers DELETE /ui/api/demo, also where there is none any more.
func (s *API) removeDemo(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	if s.Demo == nil {
		return rest.Reply{}, rest.ErrForbiddenMember
	}
	if mine, err := s.isDemoAdmin(r, who, s.Demo.State()); err != nil || !mine {
		return rest.Reply{}, cmp.Or(err, rest.ErrForbiddenMember)
	}
	return rest.NoContent, s.Demo.Remove(r.Context(), who.Actor())
}

package alerts

import (
	"net/http"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
)

// savedViewBody is a view of the list of alerts that somebody keeps.
type savedViewBody struct {
	Name   string                   `json:"name"`
	Filter tidemark.AlertViewFilter `json:"filter"`
}

// savedViewList is the views that somebody sees: everybody's, then their own.
type savedViewList struct {
	Views []*tidemark.AlertView `json:"views"`
}

// savedViews answers GET /ui/api/alert_views.
func (s *API) savedViews(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	views, err := s.Store.AlertViews(r.Context(), who.Org, who.User)
	if err != nil {
		return rest.Reply{}, err
	}
	return rest.OK(savedViewList{views}), nil
}

// saveView answers POST /ui/api/alert_views: for oneself.
func (s *API) saveView(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	return s.saveViewOf(r, who, who.User)
}

// shareView answers POST /ui/api/alert_views/shared: for everybody.
func (s *API) shareView(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	return s.saveViewOf(r, who, tidemark.Everybody)
}

func (s *API) saveViewOf(r *http.Request, who tidemark.Identity, user int64) (rest.Reply, error) {
	var body savedViewBody
	if err := rest.ReadShort(r, &body); err != nil {
		return rest.Reply{}, err
	}
	v := &tidemark.AlertView{Name: body.Name, Filter: body.Filter}
	if err := s.Store.CreateAlertView(r.Context(), who.Org, who.Actor(), user, v); err != nil {
		return rest.Reply{}, err
	}
	return rest.Created(v, "/ui/api/alert_views"), nil
}

// deleteView answers DELETE /ui/api/alert_views/:id: one's own.
func (s *API) deleteView(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	return s.deleteViewOf(r, who, who.User)
}

// unshareView answers DELETE /ui/api/alert_views/shared/:id: everybody's.
func (s *API) unshareView(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	return s.deleteViewOf(r, who, tidemark.Everybody)
}

func (s *API) deleteViewOf(r *http.Request, who tidemark.Identity, user int64) (rest.Reply, error) {
	id, err := rest.ByID(r)
	if err != nil {
		return rest.Reply{}, err
	}
	return rest.NoContent, s.Store.DeleteAlertView(r.Context(), who.Org, who.Actor(), user, id)
}

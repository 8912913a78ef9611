package org

import (
	"net/http"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
)

// tagDropBody is a tag that is to be left out from now on.
type tagDropBody struct {
	Metric string `json:"metric"` // a name, in which * stands for anything
	Tag    string `json:"tag"`
}

// tagDropList is the tags that an organization does not record.
type tagDropList struct {
	Drops []*tidemark.TagDrop `json:"drops"`
}

// tagDrops answers GET /ui/api/tag_drops.
func (s *API) tagDrops(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	drops, err := s.Store.TagDrops(r.Context(), who.Org)
	if err != nil {
		return rest.Reply{}, err
	}
	return rest.OK(tagDropList{drops}), nil
}

// dropTag answers POST /ui/api/tag_drops.
func (s *API) dropTag(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	var body tagDropBody
	if err := rest.ReadShort(r, &body); err != nil {
		return rest.Reply{}, err
	}
	v := &tidemark.TagDrop{Metric: body.Metric, Tag: body.Tag}
	if err := s.Store.CreateTagDrop(r.Context(), who.Org, who.Actor(), v); err != nil {
		return rest.Reply{}, err
	}
	s.Recorder.TagDropsChanged(who.Org)
	return rest.Created(v, "/ui/api/tag_drops"), nil
}

// keepTag answers DELETE /ui/api/tag_drops/:id.
func (s *API) keepTag(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := rest.ByID(r)
	if err != nil {
		return rest.Reply{}, err
	}
	if err := s.Store.DeleteTagDrop(r.Context(), who.Org, who.Actor(), id); err != nil {
		return rest.Reply{}, err
	}
	s.Recorder.TagDropsChanged(who.Org)
	return rest.NoContent, nil
}

package dashboards

import (
	"context"
	"net/http"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// spacesOverview answers GET /ui/api/spaces: every space, with what the list
// shows of it.
func (s *API) spacesOverview(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	counts, err := s.Store.ChartCounts(r.Context(), who.Org)
	if err != nil {
		return rest.Reply{}, err
	}
	pins, err := s.Store.Pins(r.Context(), who.Org, who.User)
	if err != nil {
		return rest.Reply{}, err
	}
	opened, err := s.Store.SpacesOpened(r.Context(), who.Org, who.User)
	if err != nil {
		return rest.Reply{}, err
	}
	pinned := make(map[int64]int)
	for i, id := range pins {
		pinned[id] = i + 1
	}
	spaces, err := rest.Every(r.Context(), who.Org, s.Store.Spaces)
	if err != nil {
		return rest.Reply{}, err
	}
	about, err := s.Store.SpacesAbout(r.Context(), who.Org)
	if err != nil {
		return rest.Reply{}, err
	}
	list := []spaceSummary{}
	for _, sp := range spaces {
		a := about[sp.ID]
		if a == nil {
			continue // deleted, or made, meanwhile
		}
		list = append(list, spaceSummary{
			Charts: counts[sp.ID], ID: sp.ID, Name: sp.Name, OpenedAt: opened[sp.ID], Pin: pinned[sp.ID], Pinned: pinned[sp.ID] > 0,
			Tags: a.Tags, Owner: a.Owner, OwnerName: a.OwnerName, EditedAt: a.EditedAt, EditedBy: a.EditedBy,
		})
	}
	return rest.OK(spaceList{Spaces: list}), nil
}

// openedSpace answers PUT /ui/api/spaces/:id/opened: the person looks at it.
func (s *API) openedSpace(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	space, err := rest.BySpace(r)
	if err != nil {
		return rest.Reply{}, err
	}
	return rest.NoContent, s.Store.OpenSpace(r.Context(), who.Org, who.User, space, s.Now().Unix())
}

// setSpaceAbout answers PUT /ui/api/spaces/:id/about: its tags and its owner.
func (s *API) setSpaceAbout(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	space, err := rest.BySpace(r)
	if err != nil {
		return rest.Reply{}, err
	}
	var body tidemark.SpaceAboutUpdate
	if err := rest.ReadInto(r, &body); err != nil {
		return rest.Reply{}, err
	}
	return rest.NoContent, s.Store.UpdateSpaceAbout(r.Context(), who.Org, who.Actor(), space, body.Apply)
}

// setPins answers PUT /ui/api/pins.
func (s *API) setPins(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	var body pinsBody
	if err := rest.ReadInto(r, &body); err != nil {
		return rest.Reply{}, err
	}
	return rest.NoContent, s.Store.SetPins(r.Context(), who.Org, who.User, body.Spaces)
}

// saveLayout answers PUT /ui/api/spaces/:id/layout.
func (s *API) saveLayout(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	space, err := rest.BySpace(r)
	if err != nil {
		return rest.Reply{}, err
	}
	l := tidemark.Layout{Places: []tidemark.GridPosition{}, DefaultTags: []tidemark.TagFilter{}, Annotations: []string{}}
	if err := rest.ReadInto(r, &l); err != nil {
		return rest.Reply{}, err
	}
	l.UpdatedBy = who.Name
	by := who.Actor()
	by.Seen = l.Version
	if err := s.Store.SaveLayout(r.Context(), who.Org, by, space, &l); err != nil {
		return rest.Reply{}, err
	}
	return rest.OK(savedVersion{Version: l.Version}), nil
}

const documentVersion = 1

func (s *API) readSpace(ctx context.Context, org tidemark.OrgID, id int64) (*spaceDocument, error) {
	sp, err := s.Store.Space(ctx, org, id)
	if err != nil {
		return nil, err
	}
	charts, err := s.Store.Charts(ctx, org, id)
	if err != nil {
		return nil, err
	}
	l, err := s.Store.Layout(ctx, org, id)
	if err != nil {
		return nil, err
	}
	about, err := s.Store.SpaceAbout(ctx, org, id)
	if err != nil {
		return nil, err
	}
	doc := &spaceDocument{Version: documentVersion, Charts: charts, Places: l.Places, Sections: l.Sections, DefaultTags: l.DefaultTags, Annotations: l.Annotations, Tags: about.Tags}
	if sp.Name != nil {
		doc.Name = *sp.Name
	}
	return doc, nil
}

// writeSpace makes a space of a document.
func (s *API) writeSpace(ctx context.Context, who tidemark.Identity, doc *spaceDocument) (*tidemark.Space, error) {
	sp := &tidemark.Space{Name: &doc.Name}
	l := tidemark.Layout{Places: doc.Places, Sections: doc.Sections, DefaultTags: doc.DefaultTags, Annotations: doc.Annotations, UpdatedBy: who.Name}
	in := store.SpaceContents{Charts: doc.Charts, Layout: l, Tags: doc.Tags}
	if err := in.Validate(sp); err != nil {
		return nil, err
	}
	for _, c := range doc.Charts {
		if err := s.CheckStreams(ctx, who.Org, nil, c); err != nil {
			return nil, err
		}
	}
	return sp, s.Store.ImportSpace(ctx, who.Org, who.Actor(), sp, in)
}

// exportSpace answers GET /ui/api/spaces/:id/export.
func (s *API) exportSpace(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := rest.BySpace(r)
	if err != nil {
		return rest.Reply{}, err
	}
	doc, err := s.readSpace(r.Context(), who.Org, id)
	return rest.OK(doc), err
}

// importSpace answers POST /ui/api/spaces/import.
func (s *API) importSpace(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	doc := spaceDocument{Places: []tidemark.GridPosition{}, DefaultTags: []tidemark.TagFilter{}, Annotations: []string{}}
	if err := rest.ReadInto(r, &doc); err != nil {
		return rest.Reply{}, err
	}
	if doc.Version != documentVersion {
		return rest.Reply{}, tidemark.InvalidField("tidemark_space", "must be %d: this is not an exported space", documentVersion)
	}
	sp, err := s.writeSpace(r.Context(), who, &doc)
	if err != nil {
		return rest.Reply{}, err
	}
	return rest.Created(sp, "/v1/spaces/"+sp.ResourceID()), nil
}

// duplicateSpace answers POST /ui/api/spaces/:id/duplicate.
func (s *API) duplicateSpace(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := rest.BySpace(r)
	if err != nil {
		return rest.Reply{}, err
	}
	var body duplicateBody
	if err := rest.ReadInto(r, &body); err != nil {
		return rest.Reply{}, err
	}
	doc, err := s.readSpace(r.Context(), who.Org, id)
	if err != nil {
		return rest.Reply{}, err
	}
	doc.Name = body.Name
	sp, err := s.writeSpace(r.Context(), who, doc)
	if err != nil {
		return rest.Reply{}, err
	}
	return rest.Created(sp, "/v1/spaces/"+sp.ResourceID()), nil
}

package dashboards

import (
	"context"
	"crypto/rand"
	"net/http"
	"slices"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
)

// shares answers GET /ui/api/spaces/:id/shares.
func (s *API) shares(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	space, err := rest.BySpace(r)
	if err != nil {
		return rest.Reply{}, err
	}
	if _, err := s.Store.Space(r.Context(), who.Org, space); err != nil {
		return rest.Reply{}, err
	}
	found, err := s.Store.Shares(r.Context(), who.Org, space, s.Now().Unix())
	return rest.OK(shareList{Shares: found}), err
}

// createShare answers POST /ui/api/spaces/:id/shares.
func (s *API) createShare(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	space, err := rest.BySpace(r)
	if err != nil {
		return rest.Reply{}, err
	}
	return s.makeShare(r, who, &tidemark.Share{Space: space}, "")
}

// wallForm follows the key in links that open as a wall display.
const wallForm = "/wall"

// makeShare makes a link of what r says, whose address ends in form. The link is
// in this answer and in no other: only its hash is kept.
func (s *API) makeShare(r *http.Request, who tidemark.Identity, share *tidemark.Share, form string) (rest.Reply, error) {
	var body shareBody
	if err := rest.ReadInto(r, &body); err != nil {
		return rest.Reply{}, err
	}
	now := s.Now().Unix()
	share.Name, share.CreatedAt, share.CreatedBy = body.Name, now, who.Name
	share.ExpiresAt, share.LockedTags = now+body.ExpiresIn, body.LockedTags
	key := tidemark.Secret(rand.Text() + rand.Text())
	if err := s.Store.CreateShare(r.Context(), who.Org, who.Actor(), share, key.Hash()); err != nil {
		return rest.Reply{}, err
	}
	answer := newShare{
		CreatedAt: share.CreatedAt, ExpiresAt: share.ExpiresAt, ID: share.ID, LockedTags: share.LockedTags, Name: share.Name,
		URL: s.BaseURL(r) + "/s/" + key.Reveal() + form,
	}
	return rest.Created(answer, "/ui/api/shares"), nil
}

// openShare finds the share whose link r came by.
func (s *API) openShare(r *http.Request) (*tidemark.Share, error) {
	return s.Store.ShareByHash(r.Context(), tidemark.Secret(r.PathValue("key")).Hash(), s.Now().Unix())
}

// openShared finds the share whose link r came by and the space that is asked
// for: one of its playlist, or its own.
func (s *API) openShared(r *http.Request, space int64) (*tidemark.Share, int64, error) {
	share, err := s.openShare(r)
	if err != nil {
		return nil, 0, err
	}
	if share.Playlist == 0 && space == 0 {
		return share, share.Space, nil
	}
	list, err := s.playlistOf(r.Context(), share)
	if err == nil && !list.Has(space) {
		err = tidemark.Errorf(tidemark.NotFound, "the link shows no such space")
	}
	return share, space, err
}

// touchEvery is how often, in seconds, it is kept that a link was opened:
// people without an account must not keep the database busy with writing.
const touchEvery = 60

// touchShare notes that a link was opened.
func (s *API) touchShare(ctx context.Context, share *tidemark.Share) error {
	now := s.Now().Unix()
	if now-share.LastOpenedAt < touchEvery {
		return nil
	}
	return s.Store.TouchShare(ctx, share.ID, now)
}

// shared answers GET /ui/api/shared/:key: a space, to anyone who has the link.
func (s *API) shared(r *http.Request, _ tidemark.Identity) (rest.Reply, error) {
	var p tidemark.Problems
	asked := rest.QueryInt(&p, r, "space", 0)
	if err := p.Err(); err != nil {
		return rest.Reply{}, err
	}
	share, space, err := s.openShared(r, asked)
	if err != nil {
		return rest.Reply{}, err
	}
	doc, err := s.readSpace(r.Context(), share.Org, space)
	if err != nil {
		return rest.Reply{}, err
	}
	o, err := s.Store.Org(r.Context(), share.Org)
	if err != nil {
		return rest.Reply{}, err
	}
	if err := s.touchShare(r.Context(), share); err != nil {
		return rest.Reply{}, err
	}
	return rest.OK(sharedSpace{
		Annotations: doc.Annotations, Charts: doc.Charts, DefaultTags: doc.DefaultTags, ExpiresAt: share.ExpiresAt, Places: doc.Places, Sections: doc.Sections,
		LockedTags: share.LockedTags, Name: doc.Name, Org: o.Name,
	}), nil
}

// querySharedChart answers POST /ui/api/shared/:key/query: the data of one
// chart of the space, and of nothing else.
func (s *API) querySharedChart(r *http.Request, _ tidemark.Identity) (rest.Reply, error) {
	var body sharedQueryBody
	if err := rest.ReadShort(r, &body); err != nil {
		return rest.Reply{}, err
	}
	share, space, err := s.openShared(r, body.Space)
	if err != nil {
		return rest.Reply{}, err
	}
	chart, err := s.Store.Chart(r.Context(), share.Org, tidemark.ChartKey{Space: space, Chart: body.Chart})
	if err != nil {
		return rest.Reply{}, err
	}
	if share.LockedTags != nil {
		body.Dynamic = share.LockedTags
	}
	q := shared.ManyQueries{Start: body.Start, End: body.End, Resolution: body.Resolution, Dynamic: body.Dynamic, Queries: shared.ChartQueries(chart)}
	shared.AskDistributions(chart, q.Queries)
	return s.answerQueries(r, share.Org, &q)
}

// sharedAnnotations answers GET /ui/api/shared/:key/annotations.
func (s *API) sharedAnnotations(r *http.Request, _ tidemark.Identity) (rest.Reply, error) {
	var p tidemark.Problems
	asked := rest.QueryInt(&p, r, "space", 0)
	q := tidemark.AnnotationEventQuery{
		Count: shared.MaxEvents, Overlapping: true,
		Start: rest.QueryInt(&p, r, "start_time", 0), End: rest.QueryInt(&p, r, "end_time", rest.MaxSeconds),
	}
	if err := p.Err(); err != nil {
		return rest.Reply{}, err
	}
	share, space, err := s.openShared(r, asked)
	if err != nil {
		return rest.Reply{}, err
	}
	l, err := s.Store.Layout(r.Context(), share.Org, space)
	if err != nil {
		return rest.Reply{}, err
	}
	events := []sharedEvent{}
	for _, stream := range slices.Sorted(slices.Values(l.Annotations)) {
		found, err := s.Store.Events(r.Context(), share.Org, stream, q)
		if err != nil && tidemark.KindOf(err) != tidemark.NotFound {
			return rest.Reply{}, err
		}
		if err := s.HoldEvents(r.Context(), share.Org, found); err != nil {
			return rest.Reply{}, err
		}
		for _, e := range found {
			events = append(events, sharedEvent{e, stream})
		}
	}
	return rest.OK(sharedEventList{Events: events}), nil
}

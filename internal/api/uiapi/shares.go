package uiapi

import (
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

// createShare answers POST /ui/api/spaces/:id/shares. The link is in this
// answer and in no other: only its hash is kept.
func (s *API) createShare(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	space, err := rest.BySpace(r)
	if err != nil {
		return rest.Reply{}, err
	}
	var body shareBody
	if err := rest.ReadInto(r, &body); err != nil {
		return rest.Reply{}, err
	}
	now := s.Now().Unix()
	share := &tidemark.Share{
		Space: space, Name: body.Name, CreatedAt: now, CreatedBy: who.Name, ExpiresAt: now + body.ExpiresIn, LockedTags: body.LockedTags,
	}
	key := tidemark.Secret(rand.Text() + rand.Text())
	if err := s.Store.CreateShare(r.Context(), who.Org, who.Actor(), share, key.Hash()); err != nil {
		return rest.Reply{}, err
	}
	answer := newShare{
		CreatedAt: share.CreatedAt, ExpiresAt: share.ExpiresAt, ID: share.ID, LockedTags: share.LockedTags, Name: share.Name,
		URL: s.BaseURL(r) + "/s/" + key.Reveal(),
	}
	return rest.Created(answer, "/ui/api/shares"), nil
}

// openShare finds the share whose link r came by.
func (s *API) openShare(r *http.Request) (*tidemark.Share, error) {
	return s.Store.ShareByHash(r.Context(), tidemark.Secret(r.PathValue("key")).Hash(), s.Now().Unix())
}

// touchEvery is how often, in seconds, it is kept that a link was opened:
// people without an account must not keep the database busy with writing.
const touchEvery = 60

// shared answers GET /ui/api/shared/:key: a space, to anyone who has the link.
func (s *API) shared(r *http.Request, _ tidemark.Identity) (rest.Reply, error) {
	share, err := s.openShare(r)
	if err != nil {
		return rest.Reply{}, err
	}
	doc, err := s.readSpace(r.Context(), share.Org, share.Space)
	if err != nil {
		return rest.Reply{}, err
	}
	o, err := s.Store.Org(r.Context(), share.Org)
	if err != nil {
		return rest.Reply{}, err
	}
	if now := s.Now().Unix(); now-share.LastOpenedAt >= touchEvery {
		if err := s.Store.TouchShare(r.Context(), share.ID, now); err != nil {
			return rest.Reply{}, err
		}
	}
	return rest.OK(sharedSpace{
		Annotations: doc.Annotations, Charts: doc.Charts, DefaultTags: doc.DefaultTags, ExpiresAt: share.ExpiresAt, Places: doc.Places, Sections: doc.Sections,
		LockedTags: share.LockedTags, Name: doc.Name, Org: o.Name,
	}), nil
}

// querySharedChart answers POST /ui/api/shared/:key/query: the data of one
// chart of the space, and of nothing else.
func (s *API) querySharedChart(r *http.Request, _ tidemark.Identity) (rest.Reply, error) {
	share, err := s.openShare(r)
	if err != nil {
		return rest.Reply{}, err
	}
	var body sharedQueryBody
	if err := rest.ReadShort(r, &body); err != nil {
		return rest.Reply{}, err
	}
	chart, err := s.Store.Chart(r.Context(), share.Org, tidemark.ChartKey{Space: share.Space, Chart: body.Chart})
	if err != nil {
		return rest.Reply{}, err
	}
	if share.LockedTags != nil {
		body.Dynamic = share.LockedTags
	}
	q := shared.ManyQueries{Start: body.Start, End: body.End, Resolution: body.Resolution, Dynamic: body.Dynamic, Queries: shared.ChartQueries(chart)}
	return s.answerQueries(r, share.Org, &q)
}

// sharedAnnotations answers GET /ui/api/shared/:key/annotations.
func (s *API) sharedAnnotations(r *http.Request, _ tidemark.Identity) (rest.Reply, error) {
	share, err := s.openShare(r)
	if err != nil {
		return rest.Reply{}, err
	}
	var p tidemark.Problems
	q := tidemark.AnnotationEventQuery{
		Count: shared.MaxEvents, Overlapping: true,
		Start: rest.QueryInt(&p, r, "start_time", 0), End: rest.QueryInt(&p, r, "end_time", rest.MaxSeconds),
	}
	if err := p.Err(); err != nil {
		return rest.Reply{}, err
	}
	l, err := s.Store.Layout(r.Context(), share.Org, share.Space)
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

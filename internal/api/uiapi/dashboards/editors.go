package dashboards

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
)

// editorList is who else has an editor of a thing open, and its latest version.
type editorList struct {
	Editors []*tidemark.Editor `json:"editors"`
	Version int64              `json:"version"`
	At      int64              `json:"at"`    // when that was saved
	Actor   string             `json:"actor"` // by whom
}

const (
	// sayEvery is how often others are told of an open editor. A server that
	// stops without closing its editors is forgotten after editorTime.
	sayEvery   = 10 * time.Second
	editorTime = 25 * time.Second
)

// watchEditors answers GET /ui/api/history/:kind/:id/editors: the caller has
// an editor open for as long as they listen.
func (s *API) watchEditors(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	k, err := byVersions(r)
	if err != nil {
		return rest.Reply{}, err
	}
	if _, err := s.Store.LatestVersion(r.Context(), who.Org, k); err != nil {
		return rest.Reply{}, err
	}
	leave, err := s.Watch(who.Org)
	if err != nil {
		return rest.Reply{}, err
	}
	return rest.Reply{Status: http.StatusOK, Kind: "text/event-stream", Events: func(w http.ResponseWriter) {
		defer leave()
		me := tidemark.Editor{Key: rand.Text(), Name: who.Name}
		defer func() {
			// The request is over. A failure is made good by editorTime.
			_ = s.Store.StopEditing(context.WithoutCancel(r.Context()), who.Org, k, me.Key)
		}()
		var said time.Time
		s.StreamChanges(r, w, who, "editors", func(ctx context.Context) ([]byte, error) {
			if time.Since(said) >= sayEvery {
				said = time.Now()
				_ = s.Store.Editing(ctx, who.Org, k, me, s.Now().Add(editorTime).Unix()) // said again soon
			}
			return s.othersEditing(ctx, who.Org, k, me)
		})
	}}, nil
}

// othersEditing is the event for somebody who has an editor open.
func (s *API) othersEditing(ctx context.Context, org tidemark.OrgID, k tidemark.VersionKey, me tidemark.Editor) ([]byte, error) {
	all, err := s.Store.Editors(ctx, org, k, s.Now().Unix())
	if err != nil {
		return nil, err
	}
	latest, err := s.Store.Versions(ctx, org, k, 0, 1)
	if err != nil {
		return nil, err
	}
	list := editorList{Editors: []*tidemark.Editor{}, Version: latest[0].Number, At: latest[0].At, Actor: latest[0].Actor}
	for _, e := range all {
		if e.Key != me.Key {
			list.Editors = append(list.Editors, e)
		}
	}
	return json.Marshal(list)
}

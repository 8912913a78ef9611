package dashboards

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
)

// editorList is who else has an editor of a thing open, and its latest version.
type editorList struct {
	Editors []*tidemark.Editor `json:"editors"`
	Version int64              `json:"version"`
	At      int64              `json:"at"`    // when that was saved
	Actor   string             `json:"actor"` // by whom
}

const (
	// lookEvery is how often an open editor is told of others, and sayEvery how
	// often they are told of it. A server that stops without closing its
	// editors is forgotten after editorTime.
	lookEvery  = 2 * time.Second
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
		s.pumpEditors(r, w, who, k, me)
	}}, nil
}

func (s *API) pumpEditors(r *http.Request, w http.ResponseWriter, who tidemark.Identity, k tidemark.VersionKey, me tidemark.Editor) {
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Time{}) // an open stream is not a slow request
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	var said, checked time.Time
	var told []byte
	for n := 0; ; n++ {
		if time.Since(said) >= sayEvery {
			said = time.Now()
			_ = s.Store.Editing(r.Context(), who.Org, k, me, s.Now().Add(editorTime).Unix()) // said again soon
		}
		if time.Since(checked) >= shared.CheckEvery {
			checked = time.Now()
			if !s.MayStillWatch(r.Context(), who) {
				return
			}
		}
		switch body, err := s.othersEditing(r.Context(), who.Org, k, me); {
		case err == nil && !bytes.Equal(body, told):
			told = body
			fmt.Fprintf(w, "event: editors\ndata: %s\n\n", body)
		case time.Duration(n)*lookEvery%shared.Heartbeat == 0:
			fmt.Fprint(w, ": still here\n\n")
		}
		if control.Flush() != nil {
			return
		}
		select {
		case <-r.Context().Done():
			return
		case <-s.Stopping:
			return
		case <-look.C:
		}
	}
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

package dashboards

import (
	"context"
	"net/http"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
)

// playlistList is the playlists of an organization.
type playlistList struct {
	Playlists []*tidemark.Playlist `json:"playlists"`
}

// sharedPlaylist is what a link shows in wall form: the spaces of a playlist,
// or the one space that the link is to.
type sharedPlaylist struct {
	ExpiresAt int64        `json:"expires_at"`
	Name      string       `json:"name"`
	Org       string       `json:"org"`
	Spaces    []sharedTurn `json:"spaces"`
}

// sharedTurn is one turn of a playlist as viewers of a link see it.
type sharedTurn struct {
	tidemark.PlaylistSpace
	Name string `json:"name"`
	Gone bool   `json:"gone"` // it was deleted
}

// playlists answers GET /ui/api/playlists.
func (s *API) playlists(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	found, err := s.Store.Playlists(r.Context(), who.Org)
	return rest.OK(playlistList{found}), err
}

// createPlaylist answers POST /ui/api/playlists.
func (s *API) createPlaylist(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	var u tidemark.PlaylistUpdate
	if err := rest.ReadInto(r, &u); err != nil {
		return rest.Reply{}, err
	}
	v := new(tidemark.Playlist)
	u.Apply(v)
	if err := s.Store.CreatePlaylist(r.Context(), who.Org, who.Actor(), v); err != nil {
		return rest.Reply{}, err
	}
	return rest.Created(v, "/ui/api/playlists"), nil
}

// updatePlaylist answers PUT /ui/api/playlists/:id.
func (s *API) updatePlaylist(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := rest.ByID(r)
	if err != nil {
		return rest.Reply{}, err
	}
	var u tidemark.PlaylistUpdate
	if err := rest.ReadInto(r, &u); err != nil {
		return rest.Reply{}, err
	}
	v, err := s.Store.UpdatePlaylist(r.Context(), who.Org, who.Actor(), id, u.Apply)
	return rest.OK(v), err
}

// playlistShares answers GET /ui/api/playlists/:id/shares.
func (s *API) playlistShares(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := rest.ByID(r)
	if err != nil {
		return rest.Reply{}, err
	}
	if _, err := s.Store.Playlist(r.Context(), who.Org, id); err != nil {
		return rest.Reply{}, err
	}
	found, err := s.Store.PlaylistShares(r.Context(), who.Org, id, s.Now().Unix())
	return rest.OK(shareList{Shares: found}), err
}

// sharePlaylist answers POST /ui/api/playlists/:id/shares.
func (s *API) sharePlaylist(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := rest.ByID(r)
	if err != nil {
		return rest.Reply{}, err
	}
	return s.makeShare(r, who, &tidemark.Share{Playlist: id}, wallForm)
}

// sharedPlaylist answers GET /ui/api/shared/:key/playlist: what a link shows in
// wall form, to anyone who has it.
func (s *API) sharedPlaylist(r *http.Request, _ tidemark.Identity) (rest.Reply, error) {
	share, err := s.openShare(r)
	if err != nil {
		return rest.Reply{}, err
	}
	list, err := s.playlistOf(r.Context(), share)
	if err != nil {
		return rest.Reply{}, err
	}
	o, err := s.Store.Org(r.Context(), share.Org)
	if err != nil {
		return rest.Reply{}, err
	}
	answer := sharedPlaylist{ExpiresAt: share.ExpiresAt, Name: list.Name, Org: o.Name, Spaces: make([]sharedTurn, len(list.Spaces))}
	for i, turn := range list.Spaces {
		if answer.Spaces[i], err = s.sharedTurn(r.Context(), share.Org, turn); err != nil {
			return rest.Reply{}, err
		}
	}
	return rest.OK(answer), s.touchShare(r.Context(), share)
}

// playlistOf is the playlist that a link shows: one of a single space that
// stays where it is to a space.
func (s *API) playlistOf(ctx context.Context, share *tidemark.Share) (*tidemark.Playlist, error) {
	if share.Playlist != 0 {
		return s.Store.Playlist(ctx, share.Org, share.Playlist)
	}
	return &tidemark.Playlist{Spaces: []tidemark.PlaylistSpace{{Space: share.Space}}}, nil
}

func (s *API) sharedTurn(ctx context.Context, org tidemark.OrgID, turn tidemark.PlaylistSpace) (sharedTurn, error) {
	v := sharedTurn{PlaylistSpace: turn}
	space, err := s.Store.Space(ctx, org, turn.Space)
	switch {
	case err != nil && tidemark.KindOf(err) == tidemark.NotFound:
		v.Gone = true
	case err != nil:
		return v, err
	case space.Name != nil:
		v.Name = *space.Name
	}
	return v, nil
}

package store_test

import (
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// TestPlaylists: an organization sees its own, each name once, of its own
// spaces; one that was deleted stays in its place, and the audit log has what
// became of them.
func TestPlaylists(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx, other := t.Context(), addOrg(t, s, "other")
		first, second, theirs := addSpace(t, s, org, "first"), addSpace(t, s, org, "second"), addSpace(t, s, other, "theirs")
		turn := func(id int64) tidemark.PlaylistSpace { return tidemark.PlaylistSpace{Space: id, Seconds: 30} }
		v := &tidemark.Playlist{Name: "Office", Spaces: []tidemark.PlaylistSpace{
			{Space: first.ID, Seconds: 30, Range: "-1h", Tags: []tidemark.TagFilter{{Name: "region", Values: []string{"eu"}}}}, turn(second.ID), turn(first.ID),
		}}
		ok(t, s.CreatePlaylist(ctx, org, operator, v))
		same(t, "playlists", []*tidemark.Playlist{v}, must(s.Playlists(ctx, org))(t))
		same(t, "playlist", v, must(s.Playlist(ctx, org, v.ID))(t))
		same(t, "owner", operator.String(), v.CreatedBy)
		checkFields(t, s.CreatePlaylist(ctx, org, operator, &tidemark.Playlist{Name: "OFFICE", Spaces: v.Spaces}), "name", "is already taken")
		checkFields(t, s.CreatePlaylist(ctx, org, operator, &tidemark.Playlist{Name: "x", Spaces: []tidemark.PlaylistSpace{turn(theirs.ID)}}),
			"spaces.space", "3 is no space of the organization")

		ok(t, s.DeleteSpace(ctx, org, operator, second.ID))
		change := func(add ...int64) error {
			return errOf(s.UpdatePlaylist(ctx, org, operator, v.ID, func(v *tidemark.Playlist) {
				v.Name = "Lobby"
				for _, id := range add {
					v.Spaces = append(v.Spaces, turn(id))
				}
			}))
		}
		checkFields(t, change(theirs.ID), "spaces.space", "3 is no space of the organization")
		ok(t, change(second.ID))
		kept := must(s.Playlist(ctx, org, v.ID))(t)
		if kept.Name != "Lobby" || len(kept.Spaces) != 4 || !kept.Has(second.ID) || kept.Has(theirs.ID) {
			t.Errorf("changed to %+v", kept)
		}

		wantKind(t, "of another organization", tidemark.NotFound, s.DeletePlaylist(ctx, other, operator, v.ID))
		ok(t, s.CreateShare(ctx, org, operator, &tidemark.Share{Playlist: v.ID, Name: "wall", ExpiresAt: 100}, "hash"))
		same(t, "links", v.ID, must(s.ShareByHash(ctx, "hash", 5))(t).Playlist)
		same(t, "links to it", 1, len(must(s.PlaylistShares(ctx, org, v.ID, 5))(t)))
		same(t, "links to the space of the same number", 0, len(must(s.Shares(ctx, org, v.ID, 5))(t)))
		ok(t, s.DeletePlaylist(ctx, org, operator, v.ID))
		wantKind(t, "the link to one that is gone", tidemark.NotFound, errOf(s.ShareByHash(ctx, "hash", 5)))
		wantKind(t, "a link to nothing", tidemark.NotFound, s.CreateShare(ctx, org, operator, &tidemark.Share{Playlist: v.ID, Name: "wall", ExpiresAt: 100}, "other"))
		var did []string
		for _, e := range must(s.AuditLog(ctx, org, tidemark.AuditQuery{Action: "playlist.*"}))(t) {
			did = append(did, e.Action)
		}
		same(t, "audit log", []string{"playlist.delete", "playlist.update", "playlist.create"}, did)
	})
}

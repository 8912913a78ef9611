package api

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

// TestEventsAreNotBuffered: nginx passes on an answer without an end as it
// comes only if it is told to.
func TestEventsAreNotBuffered(t *testing.T) {
	w := ownWorld(t)
	for _, path := range []string{"/ui/api/watch", "/ui/api/arrivals/watch", "/ui/api/tokens/1/watch", "/ui/api/history/alert/1/editors"} {
		rec := w.ask("Admin", "GET", path, "")
		if got := rec.Header().Get("X-Accel-Buffering"); rec.Code != http.StatusOK || got != "no" {
			t.Errorf("%s: %d, X-Accel-Buffering: %q", path, rec.Code, got)
		}
	}
}

// TestUnownedRefusals: a request with a token that nobody has may be of any
// organization, so only those who belong to all of them see it.
func TestUnownedRefusals(t *testing.T) {
	w := ownWorld(t)
	w.ask("unknown", "PUT", "/v1/metrics/secret.project", `{"period":60}`)
	if rec := w.ask("Admin", "GET", "/ui/api/arrivals", ""); strings.Contains(rec.Body.String(), `"status":401`) {
		t.Errorf("the Admin of one of two organizations sees it: %s", rec.Body)
	}
	w.joinTheirs(t, "admin@example.org")
	if rec := w.ask("Admin", "GET", "/o/1/ui/api/arrivals", ""); !strings.Contains(rec.Body.String(), `"status":401`) {
		t.Errorf("somebody who belongs to all organizations does not see it: %s", rec.Body)
	}
}

// TestShareOpensAreNotAllWritten: that a link was opened is kept once a
// minute, however often it is.
func TestShareOpensAreNotAllWritten(t *testing.T) {
	w := ownWorld(t)
	key := w.keys["/ui/api/shared/"]
	share, err := w.Store.ShareByHash(t.Context(), tidemark.Secret(key).Hash(), 0)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now().Unix()
	for ago, kept := range map[int64]bool{20: false, 600: true} {
		if err := w.Store.TouchShare(t.Context(), share.ID, now-ago); err != nil {
			t.Fatal(err)
		}
		if rec := w.ask("", "GET", "/ui/api/shared/"+key, ""); rec.Code != http.StatusOK {
			t.Fatalf("%d %s", rec.Code, rec.Body)
		}
		after, err := w.Store.ShareByHash(t.Context(), tidemark.Secret(key).Hash(), 0)
		if err != nil || (after.LastOpenedAt != now-ago) != kept {
			t.Errorf("opened %d s after the last time: kept as %d s ago, %v", ago, now-after.LastOpenedAt, err)
		}
	}
}

// joinTheirs makes a person of ours a member of the other organization, too:
// then they belong to all there are.
func (w *world) joinTheirs(t *testing.T, email string) {
	t.Helper()
	u, err := w.Store.UserByEmail(t.Context(), email)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Store.AddMember(t.Context(), w.theirs, tidemark.ServerActor(), u.ID, tidemark.ViewOnly); err != nil {
		t.Fatal(err)
	}
}

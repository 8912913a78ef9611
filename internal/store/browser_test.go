package store_test

import (
	"fmt"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// TestBrowsers: the first browser of a person is not new, every other is once,
// and of very many those that were not used for longest are forgotten. A new
// password forgets all.
func TestBrowsers(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ctx, n := t.Context(), 0
		ann, bob := addUser(t, s, "ann@example.org"), addUser(t, s, "bob@example.org")
		signIn := func(u *tidemark.User, browser string) bool {
			t.Helper()
			n++
			v := &tidemark.Session{User: u.ID, Org: org, CreatedAt: int64(n), ExpiresAt: 1 << 40, Browser: tidemark.Secret(browser), NewBrowser: true}
			ok(t, s.CreateSession(ctx, tidemark.PersonActor(u.Email, ""), v, fmt.Sprint("hash ", n), "password"))
			return v.NewBrowser
		}
		for i, tt := range []struct {
			who     *tidemark.User
			browser string
			want    bool
		}{
			{ann, "laptop", false}, {ann, "laptop", false}, {ann, "phone", true}, {ann, "phone", false}, {ann, "", false},
			{bob, "laptop", false}, {bob, "phone", true}, {ann, "laptop", false},
		} {
			if got := signIn(tt.who, tt.browser); got != tt.want {
				t.Errorf("%d: %s at %q is new: %v", i, tt.who.Email, tt.browser, got)
			}
		}
		entries := must(s.AuditLog(ctx, org, tidemark.AuditQuery{Action: "session.open", Actor: "ann@"}))(t)
		told := 0
		for _, e := range entries {
			if e.Detail["new_browser"] == true {
				told++
			}
		}
		if told != 1 {
			t.Errorf("%d of %d sign-ins are said to be from new browsers", told, len(entries))
		}
		for i := range 49 { // with the laptop 50: the phone goes
			if !signIn(ann, fmt.Sprint("other ", i)) {
				t.Errorf("browser %d is known", i)
			}
		}
		if signIn(ann, "laptop") || signIn(bob, "phone") || !signIn(ann, "phone") {
			t.Error("the wrong browsers are forgotten")
		}

		carl := addUser(t, s, "carl@example.org")
		ok(t, s.SetPassword(ctx, tidemark.PersonActor(ann.Email, ""), ann.ID, "hash", 0))
		ok(t, s.SetPassword(ctx, operator, carl.ID, "hash", 0))
		if !signIn(ann, "laptop") || signIn(ann, "laptop") || signIn(bob, "laptop") {
			t.Error("a new password forgets the wrong browsers")
		}
		if signIn(carl, "laptop") {
			t.Error("the first browser of an account is new because it has a password")
		}
	})
}

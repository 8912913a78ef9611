package auth_test

import (
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/auth"
	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/store/fresh"
)

// person is a server with one person, and a clock to turn.
func person(t *testing.T) (n node, at *time.Time) {
	t.Helper()
	st, err := store.Open(t.Context(), fresh.SQLite(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	now := time.Now()
	n = newNode(st, func() time.Time { return now })
	owner(t, n)
	key, err := n.NewSetupKey(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := n.Setup(t.Context(), key, "Shop", "ann@example.org", "correct horse", auth.Browser{}); err != nil {
		t.Fatal(err)
	}
	return n, &now
}

// TestGuessing: five wrong passwords from one address and the person waits two
// minutes there, even with the right one, but not elsewhere; the right one in
// between starts the count again.
func TestGuessing(t *testing.T) {
	n, now := person(t)
	try := func(password, address string) tidemark.Kind {
		t.Helper()
		_, _, err := n.SignIn(t.Context(), "ann@example.org", password, auth.Browser{Address: address})
		if err == nil {
			return 0
		}
		return tidemark.KindOf(err)
	}
	for i := range 4 {
		if got := try("wrong", "192.0.2.1"); got != tidemark.Unauthenticated {
			t.Fatalf("wrong %d: %v", i, got)
		}
	}
	if got := try("correct horse", "192.0.2.1"); got != 0 {
		t.Fatalf("right after four wrong: %v", got)
	}
	for range 5 {
		try("wrong", "192.0.2.1")
	}
	if got := try("correct horse", "192.0.2.1"); got != tidemark.TooMany {
		t.Errorf("right after five wrong: %v", got)
	}
	if got := try("correct horse", "198.51.100.7"); got != 0 {
		t.Errorf("right from elsewhere: %v", got)
	}
	*now = now.Add(2 * time.Minute)
	if got := try("correct horse", "192.0.2.1"); got != 0 {
		t.Errorf("two minutes later: %v", got)
	}
}

// TestAskReset: mails are sent to those who exist, three in a row and no more.
func TestAskReset(t *testing.T) {
	n, now := person(t)
	ask := func(email, from string) bool {
		t.Helper()
		u, key, err := n.AskReset(t.Context(), email, auth.Browser{Address: from})
		if err != nil || (u == nil) != (key == "") {
			t.Fatalf("%v, %v, %v", u, key, err)
		}
		return u != nil
	}
	if ask("stranger@example.org", "192.0.2.1") {
		t.Error("a stranger gets a link")
	}
	for i := range 3 {
		if !ask(" Ann@example.org", "192.0.2.1") {
			t.Fatalf("%d: no link", i)
		}
	}
	if ask("ann@example.org", "198.51.100.7") {
		t.Error("a fourth mail")
	}
	*now = now.Add(15 * time.Minute)
	if !ask("ann@example.org", "198.51.100.7") {
		t.Error("no link a quarter of an hour later")
	}
}

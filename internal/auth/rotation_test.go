package auth_test

import (
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/auth"
)

// TestOldSecret: the secret before works until the new one is seen, however
// long that takes, and a minute longer; an answer that got lost signs nobody
// out.
func TestOldSecret(t *testing.T) {
	n, now := person(t)
	secret, _, err := n.SignIn(t.Context(), "ann@example.org", "correct horse", auth.Browser{})
	if err != nil {
		t.Fatal(err)
	}
	show := func(secret tidemark.Secret) (fresh tidemark.Secret, known bool) {
		t.Helper()
		_, fresh, err := n.IdentifySession(t.Context(), secret)
		if err != nil && tidemark.KindOf(err) != tidemark.Unauthenticated {
			t.Fatal(err)
		}
		return fresh, err == nil
	}
	*now = now.Add(2 * time.Hour)
	lost, known := show(secret)
	if !known || lost == "" {
		t.Fatal("it is not replaced")
	}
	*now = now.Add(30 * time.Minute)
	if again, known := show(secret); !known || again != "" {
		t.Errorf("half an hour later: %v, another: %v", known, again != "")
	}
	*now = now.Add(2 * time.Hour)
	fresh, known := show(secret)
	if !known || fresh == "" {
		t.Fatal("it is not replaced again")
	}
	if _, known := show(lost); known {
		t.Error("the one that got lost works")
	}
	if _, known := show(fresh); !known {
		t.Error("the new one does not work")
	}
	*now = now.Add(30 * time.Second)
	if _, known := show(secret); !known {
		t.Error("the old one does not work for requests under way")
	}
	*now = now.Add(31 * time.Second)
	if _, known := show(secret); known {
		t.Error("the old one still works")
	}
	if _, known := show(fresh); !known {
		t.Error("the new one stopped working")
	}
}

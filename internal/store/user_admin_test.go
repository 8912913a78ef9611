package store_test

import (
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

func TestDeleteUser(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		ann, bob := addUser(t, s, "ann@example.org"), addUser(t, s, "bob@example.org")
		must(s.AddMember(t.Context(), org, operator, ann.ID, tidemark.FullAccess))(t)
		must(s.AddMember(t.Context(), org, operator, bob.ID, tidemark.ViewOnly))(t)
		if all := must(s.Users(t.Context()))(t); len(all) != 2 || all[0].Email != "ann@example.org" {
			t.Errorf("users = %+v", all)
		}
		if err := s.DeleteUser(t.Context(), operator, ann.ID); tidemark.KindOf(err) != tidemark.Conflict || !strings.Contains(err.Error(), "last admin") {
			t.Errorf("the last admin was deleted: %v", err)
		}
		ok(t, s.DeleteUser(t.Context(), operator, bob.ID))
		if err := s.DeleteUser(t.Context(), operator, bob.ID); tidemark.KindOf(err) != tidemark.NotFound {
			t.Errorf("deleted twice: %v", err)
		}
		if members := must(s.Members(t.Context(), org))(t); len(members) != 1 {
			t.Errorf("members = %+v", members)
		}
	})
}

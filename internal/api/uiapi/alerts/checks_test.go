package alerts

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
)

// TestTriesOfChecksAreLimited: drafts of checks that nobody answers are tried
// a few at a time, counted by organization.
func TestTriesOfChecksAreLimited(t *testing.T) {
	t.Parallel()
	started, end := make(chan struct{}), make(chan struct{})
	s := New(shared.New(shared.Options{Probe: func(context.Context, *tidemark.Check) tidemark.CheckState {
		started <- struct{}{}
		<-end
		return tidemark.CheckState{}
	}}))
	try := func(org tidemark.OrgID) error {
		r := httptest.NewRequest(http.MethodPost, "/ui/api/checks/try", strings.NewReader(`{"kind":"tcp","target":"192.0.2.1:80"}`))
		r.Header.Set("Content-Type", "application/json")
		_, err := s.tryCheck(r, tidemark.Identity{Org: org})
		return err
	}
	errs := make(chan error)
	for range maxTrying {
		go func() { errs <- try(1) }()
		<-started
	}
	if err := try(1); tidemark.KindOf(err) != tidemark.TooMany || !strings.Contains(err.Error(), "4 checks are being tried already") {
		t.Errorf("one too many: %v", err)
	}
	go func() { errs <- try(2) }()
	<-started
	close(end)
	for range maxTrying + 1 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	if len(s.trying.of) != 0 {
		t.Errorf("tries that never end: %v", s.trying.of)
	}
}

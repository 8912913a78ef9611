package api

import (
	"context"
	"fmt"
	"net/http"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	v1 "github.com/tidemark-metrics/tidemark/internal/api/v1"
)

// Rehearse answers questions about measurements of an organization that nobody
// asked, each the target of a request, so that whoever asks first does not wait
// for what a process does once. It is off the record: no token is used, and
// nothing is counted.
func (s *Server) Rehearse(ctx context.Context, org tidemark.OrgID, targets []string) error {
	stage := rest.New(rest.Config{
		Site: s.Options.Site, Table: v1.New(s.Base).Routes(),
		Identify: func(*http.Request, rest.Route) (rest.Caller, error) {
			return rest.Caller{Identity: tidemark.Identity{Org: org, Role: tidemark.ViewOnly}}, nil
		},
		Answered: func(*http.Request, rest.Route, rest.Caller, rest.Reply, error) {},
	})
	for _, target := range targets {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, target, http.NoBody)
		if err != nil {
			return err
		}
		w := &unheard{header: make(http.Header)}
		if play(stage, w, r); w.status/100 != 2 {
			return fmt.Errorf("rehearsed %s: status %d", target, w.status)
		}
	}
	return nil
}

// play has h answer; an answer that broke off counts as none.
func play(h http.Handler, w *unheard, r *http.Request) {
	defer func() {
		if p := recover(); p == any(http.ErrAbortHandler) {
			w.status = 0
		} else if p != nil {
			panic(p)
		}
	}()
	h.ServeHTTP(w, r)
}

// unheard is an answer that goes nowhere.
type unheard struct {
	header http.Header
	status int
}

func (w *unheard) Header() http.Header    { return w.header }
func (w *unheard) WriteHeader(status int) { w.status = status }

func (w *unheard) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	return len(b), nil
}

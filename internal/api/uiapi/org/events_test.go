package org

import (
	"context"
	"net/http/httptest"
	"testing"
	"testing/synctest"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/usage"
)

// TestEventsEnd: a page that watches is sent what happens, all that is there at
// once, and its stream ends when its client leaves or the server stops.
func TestEventsEnd(t *testing.T) {
	t.Parallel()
	for _, ends := range []string{"client", "server"} {
		synctest.Test(t, func(t *testing.T) {
			stopping, c, over := make(chan struct{}), make(chan usage.Activity, 2), make(chan struct{})
			s := New(shared.New(shared.Options{Site: &rest.Site{}, Stopping: stopping}))
			ctx, leave := context.WithCancel(t.Context())
			defer leave()
			for i := range 2 {
				c <- usage.Activity{Kind: "request", Body: map[string]int{"n": i}}
			}
			w := httptest.NewRecorder()
			go func() {
				defer close(over)
				s.pump(httptest.NewRequestWithContext(ctx, "GET", "/", nil), w, tidemark.Identity{}, c)
			}()
			synctest.Wait()
			if ends == "client" {
				leave()
			} else {
				close(stopping)
			}
			<-over
			if want := ": listening\n\nevent: request\ndata: {\"n\":0}\n\nevent: request\ndata: {\"n\":1}\n\n"; w.Body.String() != want || !w.Flushed {
				t.Errorf("sent %q", w.Body)
			}
		})
	}
}

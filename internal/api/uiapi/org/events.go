package org

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/nonnil"
	"github.com/tidemark-metrics/tidemark/internal/usage"
)

// events streams what f wants to receive, as server-sent events, until the
// caller goes away, is not signed in any more, or the server stops.
func (s *API) events(r *http.Request, who tidemark.Identity, f usage.Filter) (rest.Reply, error) {
	leave, err := s.Watch(who.Org)
	if err != nil {
		return rest.Reply{}, err
	}
	return rest.Reply{Status: http.StatusOK, Kind: "text/event-stream", Events: func(w http.ResponseWriter) {
		defer leave()
		c, stop := s.Usage.Listen(f)
		defer stop()
		s.pump(r, w, who, c)
	}}, nil
}

func (s *API) pump(r *http.Request, w http.ResponseWriter, who tidemark.Identity, c <-chan usage.Activity) {
	fmt.Fprint(w, ": listening\n\n")
	shared.Stream(s.Base, r, w, who, c, func(e usage.Activity) bool {
		turn, err := s.Site.Turns.Begin(r.Context(), who.Org)
		if err != nil {
			return false
		}
		text := eventsText(e, c)
		turn.Done() // listeners may be slow to read
		_, err = w.Write(text)
		return err == nil && http.NewResponseController(w).Flush() == nil && pause(r.Context(), eventsEvery)
	})
}

// eventsEvery is how often a listener gets events: one after
// another, events of a busy organization would keep the server busy.
const eventsEvery = 200 * time.Millisecond

// eventsText is e and what else is there already.
func eventsText(e usage.Activity, c <-chan usage.Activity) []byte {
	var b bytes.Buffer
	for more := len(c); ; more-- {
		body, _ := json.Marshal(nonnil.Of(e.Body))
		fmt.Fprintf(&b, "event: %s\ndata: %s\n\n", e.Kind, body)
		if more == 0 {
			return b.Bytes()
		}
		e = <-c
	}
}

// pause waits, and reports whether ctx is still wanted.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

package uiapi

import (
	"net/http"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/api/apitest"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/api/v1"
)

// TestEveryStreamIsCounted: an organization whose pages watch as much as they
// may gets no answer without an end from any route, and gets one again when
// they leave.
func TestEveryStreamIsCounted(t *testing.T) {
	stopped := make(chan struct{})
	close(stopped) // no stream lasts
	w, s, c := apitest.Open(t, New, v1.New, func(o *shared.Options) { o.Stopping = stopped })
	c.Check(t,
		apitest.Exchange{Request: "POST /v1/spaces", Body: `{"name":"Front"}`, Want: `201 {"id":1,...`},
		apitest.Exchange{Request: "POST /v1/api_tokens", Body: `{"name":"agent","role":"recorder"}`, Want: `201 {...`},
	)
	var all []string
	for _, rt := range s.Routes() {
		if _, ok := rt.Answer.(rest.Events); ok {
			all = append(all, strings.NewReplacer("{kind}", "space", "{id}", "1").Replace(strings.Join(strings.Fields(rt.Pattern), " ")))
		}
	}
	if len(all) < 4 {
		t.Fatalf("only %q answer without an end", all)
	}
	var left []func()
	for {
		leave, err := w.Watch(c.Who.Org)
		if err != nil {
			break
		}
		left = append(left, leave)
	}
	for _, request := range all {
		if got := c.Ask(request, "").Code; got != http.StatusTooManyRequests {
			t.Errorf("%s, one too many: %d", request, got)
		}
	}
	for _, leave := range left {
		leave()
	}
	for _, request := range all {
		if got := c.Ask(request, ""); got.Code != http.StatusOK {
			t.Errorf("%s: %d %s", request, got.Code, got.Body)
		}
	}
}

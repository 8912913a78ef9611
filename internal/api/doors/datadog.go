package doors

import (
	"net/http"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/ingest"
	"github.com/tidemark-metrics/tidemark/internal/protocol/datadog"
)

// datadogV1 answers POST /api/v1/series.
func (s *API) datadogV1(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	return s.datadog(r, who, func(b *bench) error { return datadog.DecodeV1(b.text, b.batch) },
		map[string]string{"status": "ok"})
}

// datadogV2 answers POST /api/v2/series.
func (s *API) datadogV2(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	return s.datadog(r, who, func(b *bench) error {
		if isJSON(r) {
			return datadog.DecodeV2JSON(b.text, b.batch)
		}
		return datadog.DecodeV2(b.text, b.batch)
	}, map[string]any{"errors": []string{}})
}

// datadog records a request and answers with ok, unless something was refused
// or left out. An agent does not repeat what is answered with 400, so that the
// rest, which is recorded, comes once.
func (s *API) datadog(r *http.Request, who tidemark.Identity, decode func(*bench) error, ok any) (rest.Reply, error) {
	t, err := s.take(r, who, ingest.Origin{}, decode)
	if err != nil {
		return rest.Reply{}, err
	}
	if _, text := t.partial(silentDatadog); text != "" {
		return t.reply(rest.Reply{Status: http.StatusBadRequest, Body: map[string]any{"errors": []string{text}}}), nil
	}
	return t.reply(rest.Reply{Status: http.StatusAccepted, Body: ok}), nil
}

// datadogValidate answers GET /api/v1/validate: anyone who gets here has a token.
func (s *API) datadogValidate(*http.Request, tidemark.Identity) (rest.Reply, error) {
	return rest.OK(map[string]bool{"valid": true}), nil
}

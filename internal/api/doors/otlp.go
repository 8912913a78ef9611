package doors

import (
	"encoding/json"
	"net/http"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/ingest"
	"github.com/tidemark-metrics/tidemark/internal/protocol/otlp"
)

// otlp answers POST /otlp/v1/metrics, in the form of the request: protocol
// buffers or JSON.
func (s *API) otlp(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	kind := contentKind(r)
	if kind != protobuf && kind != jsonKind {
		return rest.Reply{}, tidemark.Errorf(tidemark.Unsupported, "the content type must be %s or %s", protobuf, jsonKind)
	}
	t, err := s.take(r, who, ingest.Origin{}, func(b *bench) error {
		if kind == jsonKind {
			return b.otlp.DecodeJSON(b.text, b.batch)
		}
		return b.otlp.Decode(b.text, b.batch)
	})
	if err != nil {
		return rest.Reply{}, err
	}
	rejected, text := t.partial(silentOTLP)
	body := otlp.Response(rejected, text)
	if kind == jsonKind {
		body = responseJSON(rejected, text)
	}
	return t.reply(rest.Text(http.StatusOK, kind, body, nil)), nil
}

const (
	protobuf = "application/x-protobuf"
	jsonKind = "application/json"
)

func contentKind(r *http.Request) string {
	if isJSON(r) {
		return jsonKind
	}
	return r.Header.Get("Content-Type")
}

// partialSuccess is what JSON has of a request of which not all was taken.
type partialSuccess struct {
	Rejected int    `json:"rejectedDataPoints,string"`
	Message  string `json:"errorMessage,omitempty"`
}

func responseJSON(rejected int, text string) []byte {
	var answer struct {
		Partial *partialSuccess `json:"partialSuccess,omitempty"`
	}
	if rejected > 0 || text != "" {
		answer.Partial = &partialSuccess{rejected, text}
	}
	body, _ := json.Marshal(answer) // numbers and texts
	return body
}

// rpcCodes are the codes of gRPC for statuses of HTTP.
var rpcCodes = map[int]int{
	http.StatusBadRequest: 3, http.StatusUnauthorized: 16, http.StatusForbidden: 7, http.StatusNotFound: 5,
	http.StatusRequestEntityTooLarge: 3, http.StatusUnsupportedMediaType: 3, http.StatusTooManyRequests: 8, http.StatusServiceUnavailable: 14, http.StatusPreconditionFailed: 9,
}

// asStatus writes errors as exporters of OpenTelemetry expect them: as a
// google.rpc.Status.
func asStatus(r *http.Request, err error) error {
	w, ok := refusal(r, err)
	if !ok {
		return err
	}
	if contentKind(r) != protobuf {
		w.Body = map[string]any{"code": rpcCodes[w.Status], "message": w.Says}
		return &w
	}
	w.Kind, w.Text = protobuf, otlp.Status(rpcCodes[w.Status], w.Says)
	return &w
}

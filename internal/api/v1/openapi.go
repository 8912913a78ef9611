package v1

import (
	"encoding/json"
	"io"
	"net/http"
	"sync"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/docs"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"go.yaml.in/yaml/v3"
)

// openAPIJSON is the document as JSON, made once.
var openAPIJSON = sync.OnceValues(func() ([]byte, error) {
	var tree map[string]any
	if err := yaml.Unmarshal(docs.OpenAPI, &tree); err != nil {
		return nil, err
	}
	return json.Marshal(tree)
})

// openAPI answers GET /v1/openapi.json.
func (s *API) openAPI(*http.Request, tidemark.Identity) (rest.Reply, error) {
	body, err := openAPIJSON()
	if err != nil {
		return rest.Reply{}, err
	}
	return rest.Reply{Status: http.StatusOK, Stream: func(w io.Writer) error {
		_, err := w.Write(body)
		return err
	}}, nil
}

package app

import (
	"net/http"

	"github.com/tidemark-metrics/tidemark/internal/config"
	"github.com/tidemark-metrics/tidemark/internal/demo"
	"github.com/tidemark-metrics/tidemark/internal/outbound"
)

// wayOut is how anything leaves the server.
func wayOut(cfg *config.Config) *outbound.Client {
	return outbound.New(outbound.Options{
		Allow: cfg.OutboundAllow, Inside: map[string]http.Handler{demo.Host: demo.Receiver()},
	})
}

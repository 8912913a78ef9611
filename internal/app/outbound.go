package app

import (
	"net/netip"

	"github.com/tidemark-metrics/tidemark/internal/config"
	"github.com/tidemark-metrics/tidemark/internal/outbound"
)

// wayOut is how anything leaves the server.
func wayOut(cfg *config.Config) *outbound.Client {
	allow := cfg.OutboundAllow
	if cfg.Demo {
		// The demo's own receiver of notifications is on this machine.
		allow = append(allow, netip.MustParsePrefix("127.0.0.1/32"))
	}
	return outbound.New(outbound.Options{Allow: allow})
}

package app

import (
	"net/http"
	"net/url"
	"strconv"

	"github.com/tidemark-metrics/tidemark/internal/config"
	"github.com/tidemark-metrics/tidemark/internal/demo"
	"github.com/tidemark-metrics/tidemark/internal/outbound"
)

// wayOut is how everything leaves the server that users choose.
func wayOut(cfg *config.Config) *outbound.Client {
	return outbound.New(outbound.Options{
		Allow: cfg.OutboundAllow, Inside: map[string]http.Handler{demo.Host: demo.Receiver()},
	})
}

// ownWayOut is how the server reaches what the operator named: the mail server,
// the issuer and who waits for the heartbeat, wherever they are. Users' notifications never go this way,
// so that a mail server on a private address is not open to them.
func ownWayOut(cfg *config.Config) *outbound.Client {
	c := outbound.New(outbound.Options{Allow: cfg.OutboundAllow})
	if cfg.SMTP.Host != "" {
		c.AllowHost(cfg.SMTP.Host, strconv.FormatInt(cfg.SMTP.Port, 10))
	}
	if u, err := url.Parse(cfg.OIDC.Issuer); err == nil && u.Host != "" {
		c.AllowURL(u)
	}
	if u, err := url.Parse(cfg.Heartbeat.URL); err == nil && u.Host != "" {
		c.AllowURL(u)
	}
	return c
}

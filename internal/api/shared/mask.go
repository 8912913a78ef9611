package shared

import (
	"net/http"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
)

// Masked hides the secrets in services' settings, wherever do's answer has
// some, from those who may not see them.
func Masked(do rest.Endpoint) rest.Endpoint {
	return func(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
		rep, err := do(r, who)
		if err == nil && !who.Role.SeesSecrets() {
			rep.Body = maskBody(rep.Body)
		}
		return rep, err
	}
}

func maskBody(body any) any {
	switch body := body.(type) {
	case *tidemark.Service:
		return body.Masked()
	case *tidemark.Alert:
		MaskAll(body.Services)
	case map[string]any:
		switch items := body["services"].(type) {
		case []*tidemark.Service:
			MaskAll(items)
		}
		if alerts, ok := body["alerts"].([]*tidemark.Alert); ok {
			for _, a := range alerts {
				MaskAll(a.Services)
			}
		}
	}
	return body
}

// MaskAll hides the secrets of services, in place.
func MaskAll(services []*tidemark.Service) {
	for i, s := range services {
		services[i] = s.Masked()
	}
}

package api

import (
	"net/http"

	"github.com/tidemark-metrics/tidemark"
)

func newService() *tidemark.Service { return &tidemark.Service{Settings: map[string]string{}} }

// masked hides the secrets in services' settings, wherever do's answer has
// some, from those who may not see them.
func masked(do endpoint) endpoint {
	return func(r *http.Request, who tidemark.Identity) (reply, error) {
		rep, err := do(r, who)
		if err == nil && !who.Role.SeesSecrets() {
			rep.body = maskBody(rep.body)
		}
		return rep, err
	}
}

func maskBody(body any) any {
	switch body := body.(type) {
	case *tidemark.Service:
		return body.Masked()
	case *tidemark.Alert:
		maskAll(body.Services)
	case map[string]any:
		switch items := body["services"].(type) {
		case []*tidemark.Service:
			maskAll(items)
		}
		if alerts, ok := body["alerts"].([]*tidemark.Alert); ok {
			for _, a := range alerts {
				maskAll(a.Services)
			}
		}
	}
	return body
}

func maskAll(services []*tidemark.Service) {
	for i, s := range services {
		services[i] = s.Masked()
	}
}

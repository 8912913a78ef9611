package api

import (
	"testing"
)

func TestNounsOfRoutes(t *testing.T) {
	for pattern, want := range map[string]string{
		"GET    /v1/spaces": "spaces", "PUT /v1/spaces/{space}/charts/{chart}": "charts", "GET /v1/api_tokens/{id}": "tokens",
		"POST /v1/measurements": "measurements", "POST /v1/annotations/{name}": "annotations", "GET /v1/chart_types": "chart types",
	} {
		if got := nounOf(pattern); got != want {
			t.Errorf("%s is about %q, want %q", pattern, got, want)
		}
	}
}

package api

import (
	"fmt"
	"testing"

	"github.com/tidemark-metrics/tidemark"
)

func TestNouns(t *testing.T) {
	for pattern, want := range map[string]string{
		"GET    /v1/spaces": "spaces", "PUT /v1/spaces/{space}/charts/{chart}": "charts", "GET /v1/api_tokens/{id}": "tokens",
		"POST /v1/measurements": "measurements", "POST /v1/annotations/{name}": "annotations", "GET /v1/chart_types": "chart types",
	} {
		if got := nounOf(pattern); got != want {
			t.Errorf("%s is about %q, want %q", pattern, got, want)
		}
	}
}

// TestUses: every role but Full Access is told what it would refuse.
func TestUses(t *testing.T) {
	got := viewUses([]*tidemark.TokenUse{{Action: tidemark.View, Noun: "spaces", Requests: 312}, {Action: tidemark.Record, Noun: "measurements", Requests: 1}})
	want := "[{read spaces 312 [recorder]} {sent measurements 1 [viewer]}]"
	if fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
}

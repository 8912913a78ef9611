package rest

import (
	"testing"

	"github.com/tidemark-metrics/tidemark"
)

func TestEveryKindHasAStatus(t *testing.T) {
	for _, k := range tidemark.Kinds {
		if statuses[k] == 0 {
			t.Errorf("kind %d has no status", k)
		}
	}
}

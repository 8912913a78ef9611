package org

import (
	"fmt"
	"testing"

	"github.com/tidemark-metrics/tidemark"
)

// TestUses: every role but Full Access is told what it would refuse.
func TestUses(t *testing.T) {
	got := viewUses([]*tidemark.TokenUse{{Action: tidemark.View, Noun: "spaces", Requests: 312}, {Action: tidemark.Record, Noun: "measurements", Requests: 1}})
	want := "[{read spaces 312 [recorder]} {sent measurements 1 [viewer]}]"
	if fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
}

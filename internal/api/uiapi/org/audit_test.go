package org

import (
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
)

// TestAuditCSV: what somebody named something is no formula, and a count is
// there for every entry.
func TestAuditCSV(t *testing.T) {
	entries := func(yield func(*tidemark.AuditEntry, error) bool) {
		yield(&tidemark.AuditEntry{ID: 1, Actor: "token:x", Action: "space.create", Object: "=HYPERLINK(1)", After: map[string]any{"name": "a<b"}}, nil)
	}
	var b strings.Builder
	if err := writeAuditCSV(&b, entries); err != nil {
		t.Fatal(err)
	}
	want := "id,time,actor,address,action,object,count,detail,before,after\n" +
		`1,1970-01-01T00:00:00Z,token:x,,space.create,'=HYPERLINK(1),1,,,"{""name"":""a<b""}"` + "\n"
	if b.String() != want {
		t.Errorf("got %s", b.String())
	}
}

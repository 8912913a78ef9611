package org

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/apitest"
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

// TestAuditPages: the audit log comes in pages that begin where the one before
// ended, and as a file with all that the filters select.
func TestAuditPages(t *testing.T) {
	t.Parallel()
	w, _, c := newClient(t)
	const n = 7
	for i := range n {
		name := fmt.Sprint("s", i)
		if err := w.Store.CreateSpace(t.Context(), w.Org, tidemark.ServerActor(), &tidemark.Space{Name: &name}); err != nil {
			t.Fatal(err)
		}
	}
	const filter = "action=space.*&length=3"
	var seen []int64
	for before := int64(0); ; {
		var page auditPage
		rec := c.Ask(fmt.Sprintf("GET /ui/api/audit?%s&before=%d", filter, before), "")
		if err := json.Unmarshal(rec.Body.Bytes(), &page); err != nil {
			t.Fatalf("%s: %v", rec.Body, err)
		}
		for _, e := range page.Audit {
			if len(seen) > 0 && e.ID >= seen[len(seen)-1] {
				t.Errorf("%d comes after %v", e.ID, seen)
			}
			seen = append(seen, e.ID)
		}
		if before = page.Next; before == 0 {
			break
		}
	}
	if len(seen) != n {
		t.Errorf("%d of %d entries", len(seen), n)
	}
	for format, want := range map[string]struct {
		kind  string
		lines int
	}{"": {"text/csv; charset=utf-8", n + 1}, "&format=csv": {"text/csv; charset=utf-8", n + 1}, "&format=jsonl": {"application/x-ndjson", n}} {
		rec := c.Ask("GET /ui/api/audit/export?"+filter+format, "")
		if lines := strings.Count(rec.Body.String(), "\n"); rec.Code != 200 || lines != want.lines || rec.Header().Get("Content-Type") != want.kind || !strings.HasPrefix(rec.Header().Get("Content-Disposition"), "attachment; ") {
			t.Errorf("%q: %d lines, %v", format, lines, rec.Header())
		}
	}
	c.Check(t,
		apitest.Exchange{Request: "GET /ui/api/audit/export?format=xml", Want: `400 {"errors":{"params":{"format":["must be csv or jsonl"]}}}`},
		apitest.Exchange{Request: "GET /ui/api/audit?length=0", Want: `400 {"errors":{"params":{"length":["must be 1 to 100"]}}}`},
	)
}

// TestFormulas: no cell of an export is taken for a formula.
func TestFormulas(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]string{"": "", "a=b": "a=b", "=1+1": "'=1+1", "+1": "'+1", "-1": "'-1", "@x": "'@x", "\tx": "'\tx", "\rx": "'\rx", "ü": "ü"} {
		if got := harmless(cell); got != want {
			t.Errorf("%q: %q, want %q", cell, got, want)
		}
	}
}

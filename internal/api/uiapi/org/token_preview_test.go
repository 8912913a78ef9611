package org

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/query"
)

// TestPreviewsAreQueries: previews of tokens count as queries of their
// organization: one more than it may have at once waits, and is refused then.
func TestPreviewsAreQueries(t *testing.T) {
	t.Parallel()
	one := tidemark.NewLimits(map[tidemark.LimitName]int64{tidemark.LimitQueries: 1})
	s := New(&shared.Base{Options: shared.Options{Querier: query.New(query.Options{Limits: query.Limits{Wait: time.Millisecond}, Organizations: one})}})
	if _, err := s.Querier.Hold(t.Context(), 3); err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest("POST", "/ui/api/tokens/preview", strings.NewReader(`{}`))
	r.Header.Set("Content-Type", "application/json")
	if _, err := s.previewToken(r, tidemark.Identity{Org: 3}); tidemark.KindOf(err) != tidemark.TooMany {
		t.Errorf("%v", err)
	}
}

// TestPreviewGroups: senders to which the same happens are one group, however
// many there are, and what is left out is counted.
func TestPreviewGroups(t *testing.T) {
	t.Parallel()
	p := newPreviewed(&tidemark.Token{Role: tidemark.RecordOnly, Scope: tidemark.TokenScope{Metrics: []string{"a.*"}}})
	for i := range 300 {
		host := tidemark.Tags{{Name: "host", Value: "h" + strings.Repeat("x", i)}}
		p.add("a.b", host, 2)
		p.add("c"+strings.Repeat("d", i/3)+".e", host, 1)
	}
	list, more := p.groups()
	if len(list) != maxPreviewGroups || more != 100-maxPreviewGroups || list[0].Count != 3 || list[0].Values != 9 || list[0].Refused != 3 {
		t.Errorf("%d groups and %d more, first %+v", len(list), more, list[0])
	}
	p = newPreviewed(&tidemark.Token{Role: tidemark.RecordOnly, Scope: tidemark.TokenScope{Metrics: []string{"a.*"}}})
	for i := range 300 {
		p.add("b"+strings.Repeat("c", i%9), tidemark.Tags{{Name: "host", Value: "h" + strings.Repeat("x", i/9)}}, int64(1+i%9))
	}
	if list, _ := p.groups(); len(list[0].Reasons) != maxReasons || list[0].Reasons[0].What != "bcccccccc" {
		t.Errorf("%+v", list)
	}
}

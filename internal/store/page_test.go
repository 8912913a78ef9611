package store_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// TestNameFilter compares what lists find with a model of the rule, for random
// names and patterns of few and awkward characters.
func TestNameFilter(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, org tidemark.OrgID) {
		r := rand.New(rand.NewPCG(1, 2))
		text := func(alphabet string, most int) string {
			letters := []rune(alphabet)
			var b strings.Builder
			for range 1 + r.IntN(most) {
				b.WriteRune(letters[r.IntN(len(letters))])
			}
			return b.String()
		}
		const awkward = `aAb%_\äÄİK.[]`
		var titles []string
		for range 40 {
			v := addService(t, s, org, text(awkward, 5))
			titles = append(titles, v.Title)
		}
		for range 80 {
			name := text(awkward+"**", 4)
			desc := r.IntN(2) == 0
			want := filtered(titles, name, desc)
			page := tidemark.Page{Name: name, OrderBy: "title", Desc: desc}
			list, n, err := s.Services(t.Context(), org, page)
			ok(t, err)
			got := []string{}
			for _, v := range list {
				got = append(got, v.Title)
			}
			same(t, "found "+name, want, got)
			same(t, "counts of "+name, tidemark.Counts{Found: len(want), Total: len(titles)}, n)
		}
	})
}

// filtered is the rule: part of the name or a glob, whatever the case; an exact
// match first; then by name, then as they were added.
func filtered(titles []string, name string, desc bool) []string {
	found := []string{}
	low := strings.ToLower(name)
	for _, title := range titles {
		if matches(strings.ToLower(title), low) {
			found = append(found, title)
		}
	}
	if desc {
		slices.Reverse(found)
	}
	slices.SortStableFunc(found, func(a, b string) int {
		a, b = strings.ToLower(a), strings.ToLower(b)
		if (a == low) != (b == low) && !strings.Contains(low, "*") {
			if a == low {
				return -1
			}
			return 1
		}
		if desc {
			a, b = b, a
		}
		return cmp.Compare(a, b)
	})
	return found
}

func matches(title, pattern string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return strings.Contains(title, pattern)
	}
	first, last := parts[0], parts[len(parts)-1]
	if !strings.HasPrefix(title, first) {
		return false
	}
	title = title[len(first):]
	for _, part := range parts[1 : len(parts)-1] {
		_, after, ok := strings.Cut(title, part)
		if !ok {
			return false
		}
		title = after
	}
	return strings.HasSuffix(title, last)
}

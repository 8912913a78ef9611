package query_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"pgregory.net/rapid"
)

// search is a tags_search and what it means.
type search struct {
	text string
	term bool // binds as tightly as anything
	is   func(tags map[string]string) bool
}

var (
	drawTagName  = rapid.SampledFrom([]string{"host", "dc", "and", "or", "Order"})
	drawTagValue = rapid.SampledFrom([]string{"a", "b", "web 1", "(x)", "!a", "or", "=", ""})
)

// drawTerm is one condition.
func drawTerm(t *rapid.T) search {
	name, value := drawTagName.Draw(t, "name"), drawTagValue.Draw(t, "value")
	key, quoted := strings.ToLower(name), rapid.SampledFrom([]string{`"%s"`, `'%s'`}).Draw(t, "quotes")
	blank := rapid.SampledFrom([]string{"", " ", "\n\t"}).Draw(t, "blank")
	pattern := fmt.Sprintf(quoted, value)
	switch rapid.IntRange(0, 4).Draw(t, "kind") {
	case 0:
		return search{"*", true, func(map[string]string) bool { return true }}
	case 1:
		return search{"!" + blank + name, true, func(tags map[string]string) bool { _, has := tags[key]; return !has }}
	case 2:
		return search{name + blank + "=" + blank + "!" + pattern, true, func(tags map[string]string) bool { v, has := tags[key]; return has && v != value }}
	case 3:
		return search{name + "=" + blank + strings.ToUpper(pattern), true, func(tags map[string]string) bool { v, has := tags[key]; return has && v == value }}
	}
	return search{name + "=A*", true, func(tags map[string]string) bool { return strings.HasPrefix(tags[key], "a") }}
}

func drawSearch(t *rapid.T, depth int) search {
	kind := rapid.IntRange(0, 3).Draw(t, "shape")
	if depth == 0 || kind == 0 {
		return drawTerm(t)
	}
	inner := drawSearch(t, depth-1)
	switch kind {
	case 1:
		return search{"( " + inner.text + ")", true, inner.is}
	case 2:
		return search{"!(" + inner.text + " )", true, func(tags map[string]string) bool { return !inner.is(tags) }}
	}
	parts := []search{inner}
	for range rapid.IntRange(1, 2).Draw(t, "more") {
		parts = append(parts, drawSearch(t, depth-1))
	}
	and := rapid.Bool().Draw(t, "and")
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = p.text
		if !p.term {
			texts[i] = "(" + p.text + ")"
		}
	}
	word := map[bool]string{true: " And ", false: " OR "}[and]
	return search{strings.Join(texts, word), false, func(tags map[string]string) bool {
		if and {
			return !slices.ContainsFunc(parts, func(p search) bool { return !p.is(tags) })
		}
		return slices.ContainsFunc(parts, func(p search) bool { return p.is(tags) })
	}}
}

// TestSearchModel: a search picks the streams that its words say, however it is
// nested, spaced and cased.
func TestSearchModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := drawSearch(t, 3)
		f, err := query.ParseTagsSearch(s.text)
		if err != nil {
			t.Fatalf("%s: %v", s.text, err)
		}
		tags := make(map[string]string)
		for range rapid.IntRange(0, 4).Draw(t, "tags") {
			tags[strings.ToLower(drawTagName.Draw(t, "name"))] = drawTagValue.Draw(t, "value")
		}
		if got, want := f.Match(tidemark.MakeTags(tags)), s.is(tags); got != want {
			t.Fatalf("%s of %v: %v, want %v", s.text, tags, got, want)
		}
	})
}

// TestSearchBinds: and binds tighter than or, with or without parentheses.
func TestSearchBinds(t *testing.T) {
	t.Parallel()
	for text, same := range map[string]string{
		"a=1 or b=1 and c=1":        "a=1 or (b=1 and c=1)",
		"a=1 and b=1 or c=1":        "(a=1 and b=1) or c=1",
		"a=1 or b=1 or c=1 and d=1": "a=1 or (b=1 or (c=1 and d=1))",
		"!(a=1 or b=1) and c=1":     "(!(a=1 or b=1)) and c=1",
		"and=1 and or=1":            "(and=1) and (or=1)",
		"orchid=1 or android=1":     "(orchid=1) or (android=1)",
	} {
		f, err := query.ParseTagsSearch(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		g, err := query.ParseTagsSearch(same)
		if err != nil {
			t.Fatalf("%s: %v", same, err)
		}
		names := []string{"a", "b", "c", "d", "and", "or", "orchid", "android"}
		for bits := range 1 << len(names) {
			tags := make(map[string]string)
			for i, name := range names {
				if bits>>i&1 == 1 {
					tags[name] = "1"
				}
			}
			if list := tidemark.MakeTags(tags); f.Match(list) != g.Match(list) {
				t.Fatalf("%s and %s differ for %v", text, same, tags)
			}
		}
	}
}

// TestSearchErrors: an error is about the field, says what was expected, and
// where.
func TestSearchErrors(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		offset int
		says   string
	}{
		"host":          {4, "expected = and a pattern after host"},
		"host=":         {5, "expected a pattern"},
		"=a":            {0, "expected the name of a tag, found ="},
		"host=a and":    {10, "expected the name of a tag, found the end"},
		"host=a host=b": {7, `expected and, or, or the end, found "host=b"`},
		"(host=a":       {7, "expected and, or, or ) for the ( at offset 0"},
		"host=a)":       {6, `expected and, or, or the end, found ")"`},
		`host="a`:       {5, "text is not closed"},
		"größe=a":       {0, "expected the name of a tag, found größe"},
		"!":             {1, "expected the name of a tag, found the end"},
	} {
		_, err := query.ParseTagsSearch(text)
		place := composeErrorOf(err)
		if tidemark.KindOf(err) != tidemark.Invalid || place == nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if place.Offset != want.offset || place.Msg != want.says {
			t.Errorf("%s: at %d: %v, want at %d: %s", text, place.Offset, err, want.offset, want.says)
		}
	}
}

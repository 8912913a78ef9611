package tsdb_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"pgregory.net/rapid"
)

func TestGlob(t *testing.T) {
	for _, tt := range []struct {
		pattern, s string
		want       bool
	}{
		{"", "", true},
		{"", "a", false},
		{"a", "a", true},
		{"a", "", false},
		{"*", "", true},
		{"*", "anything", true},
		{"**", "", true},
		{"a*", "a", true},
		{"a*", "ab", true},
		{"a*", "ba", false},
		{"*a", "ba", true},
		{"*a", "ab", false},
		{"a*a", "a", false}, // one letter is not two
		{"a*a", "aa", true},
		{"*ab*ab", "ab", false},
		{"*ab*ab", "abab", true},
		{"*ab*ab", "abxab", true},
		{"a*b*c", "a.b.c", true},
		{"a*b*c", "acb", false},
		{"*b*", "abc", true},
		{"a?c", "abc", false},
		{"[a]", "a", false},
		{"a.c", "abc", false},
	} {
		if got := tsdb.Glob(tt.pattern, tt.s); got != tt.want {
			t.Errorf("Glob(%q, %q) is %v, want %v", tt.pattern, tt.s, got, tt.want)
		}
	}
}

// TestGlobIsRegexp compares with the standard library's idea of "any text".
func TestGlobIsRegexp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pattern := rapid.StringOfN(rapid.RuneFrom([]rune("ab*")), 0, 8, -1).Draw(t, "pattern")
		s := rapid.StringOfN(rapid.RuneFrom([]rune("ab")), 0, 10, -1).Draw(t, "s")
		re := regexp.MustCompile(`^` + strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, `.*`) + `$`)
		if got, want := tsdb.Glob(pattern, s), re.MatchString(s); got != want {
			t.Fatalf("Glob(%q, %q) is %v, want %v", pattern, s, got, want)
		}
		if got, want := tsdb.IsGlob(pattern), strings.ContainsRune(pattern, '*'); got != want {
			t.Fatalf("IsGlob(%q) is %v", pattern, got)
		}
	})
}

func TestFilter(t *testing.T) {
	not := func(f tsdb.Filter) tsdb.Filter { return tsdb.Filter{Op: tsdb.Not, Args: []tsdb.Filter{f}} }
	web := tidemark.MakeTags(map[string]string{"host": "web1", "dc": "eu"})
	bare := tidemark.Tags{}
	for name, tt := range map[string]struct {
		f         tsdb.Filter
		web, bare bool
	}{
		"zero":             {tsdb.Filter{}, true, true},
		"equal":            {tsdb.TagIs("host", "web1"), true, false},
		"other value":      {tsdb.TagIs("host", "web2"), false, false},
		"one of":           {tsdb.TagIs("host", "web2", "web1"), true, false},
		"glob":             {tsdb.TagIs("host", "w*1"), true, false},
		"no pattern":       {tsdb.TagIs("host"), false, false},
		"is not":           {tsdb.TagIsNot("host", "web2"), true, false},
		"is not itself":    {tsdb.TagIsNot("host", "web1"), false, false},
		"not":              {not(tsdb.TagIs("host", "web1")), false, true},
		"present":          {tsdb.TagPresent("dc"), true, false},
		"absent":           {tsdb.TagAbsent("dc"), false, true},
		"all of nothing":   {tsdb.AllOf(), true, true},
		"any of nothing":   {tsdb.AnyOf(), false, false},
		"all":              {tsdb.AllOf(tsdb.TagIs("host", "web*"), tsdb.TagIs("dc", "us")), false, false},
		"any":              {tsdb.AnyOf(tsdb.TagIs("host", "web*"), tsdb.TagIs("dc", "us")), true, false},
		"not of any":       {not(tsdb.AnyOf(tsdb.TagPresent("host"), tsdb.TagPresent("x"))), false, true},
		"absent or a host": {tsdb.AnyOf(tsdb.TagAbsent("host"), tsdb.TagIs("host", "web1")), true, true},
	} {
		if err := tt.f.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := tt.f.Match(web); got != tt.web {
			t.Errorf("%s: matches %v: %v, want %v", name, web, got, tt.web)
		}
		if got := tt.f.Match(bare); got != tt.bare {
			t.Errorf("%s: matches no tags: %v, want %v", name, got, tt.bare)
		}
	}
}

func TestFilterValidate(t *testing.T) {
	deep := tsdb.Filter{}
	for range 100 {
		deep = tsdb.AllOf(deep)
	}
	for name, f := range map[string]tsdb.Filter{
		"not of nothing": {Op: tsdb.Not},
		"not of two":     {Op: tsdb.Not, Args: make([]tsdb.Filter, 2)},
		"unknown":        {Op: tsdb.Is + 1},
		"within":         tsdb.AllOf(tsdb.TagPresent("a"), tsdb.AnyOf(tsdb.Filter{Op: tsdb.Not})),
		"too deep":       deep,
	} {
		if err := f.Validate(); tidemark.KindOf(err) != tidemark.Invalid {
			t.Errorf("%s: got %v, want an Invalid error", name, err)
		}
	}
}

package tidemark

import (
	"regexp"
	"strings"
	"testing"

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
		{"edge.*", "edge.requests", true},
		{"edge.*", "edge.", true},
		{"edge.*", "edge", false},
		{"edge.*", "xedge.a", false},
		{"a*b*c", "axxbyybzc", true},
		{"a*b*c", "axxbyy", false},
		{"*.p99", "edge.p99", true},
		{"*.p99", "edge.p999", false},
		{"a**b", "ab", true},
		{strings.Repeat("a*", 100) + "b", strings.Repeat("a", 255), false}, // takes no exponential time
	} {
		if got := Glob(tt.pattern, tt.s); got != tt.want {
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
		if got, want := Glob(pattern, s), re.MatchString(s); got != want {
			t.Fatalf("Glob(%q, %q) is %v, want %v", pattern, s, got, want)
		}
		if got, want := IsGlob(pattern), strings.ContainsRune(pattern, '*'); got != want {
			t.Fatalf("IsGlob(%q) is %v", pattern, got)
		}
	})
}

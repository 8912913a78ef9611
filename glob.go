package tidemark

import "strings"

// IsGlob reports whether a pattern can match more than itself.
func IsGlob(pattern string) bool { return strings.Contains(pattern, "*") }

// Glob reports whether pattern matches s: * stands for any text, everything
// else for itself.
func Glob(pattern, s string) bool {
	first, rest, more := strings.Cut(pattern, "*")
	if !more {
		return pattern == s
	}
	if !strings.HasPrefix(s, first) {
		return false
	}
	s = s[len(first):]
	// Taking the leftmost place for each part leaves the most for the others.
	for {
		part, after, more := strings.Cut(rest, "*")
		if !more {
			return strings.HasSuffix(s, part)
		}
		i := strings.Index(s, part)
		if i < 0 {
			return false
		}
		s, rest = s[i+len(part):], after
	}
}

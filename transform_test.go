package tidemark

import (
	"strings"
	"testing"
)

func TestIsTransform(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"x", "x/p", "x/p*60", "x*8", "8*x", "x / 1000000", "(x - 32) * 5 / 9", "-x", "x+x", "1 - x", "x*(p+1)/p", "60", ".5*x", "1.5*x",
		"((x))", "x/(2*p)",
	} {
		if !isTransform(text) {
			t.Errorf("%q is refused", text)
		}
	}
	for _, text := range []string{
		"", " ", "x*x", "x*(x+1)", "(x+1)*(x-1)", "1/x", "p/x", "x/(x+1)", "x**2", "(x", "x)", "x+", "*x", "2x", "x x", "y", "x^2", ".", "1.2.3",
		"x/p;", "()", strings.Repeat("(", 200),
	} {
		if isTransform(text) {
			t.Errorf("%q is taken", text)
		}
	}
}

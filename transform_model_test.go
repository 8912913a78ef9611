package tidemark

import (
	"testing"

	"pgregory.net/rapid"
)

// drawFormula draws a formula as text, with how often x is multiplied in it and
// whether something is divided by x.
func drawFormula(t *rapid.T, depth int) (text string, degree int, divides bool) {
	blank := rapid.SampledFrom([]string{"", "", " "}).Draw(t, "blank")
	kind := rapid.IntRange(0, 7).Draw(t, "kind")
	if depth == 0 {
		kind %= 3
	}
	switch kind {
	case 0:
		return blank + "x", 1, false
	case 1:
		return blank + "p", 0, false
	case 2:
		return blank + rapid.SampledFrom([]string{"0", "60", "1.5", ".5", "3."}).Draw(t, "number"), 0, false
	case 3:
		a, n, d := drawFormula(t, depth-1)
		return blank + "-(" + a + ")", n, d
	}
	a, n, d := drawFormula(t, depth-1)
	b, m, e := drawFormula(t, depth-1)
	a, b, d = blank+"("+a+")", "("+b+")", d || e
	switch kind {
	case 4:
		return a + "+" + b, max(n, m), d
	case 5:
		return a + " - " + b, max(n, m), d
	case 6:
		return a + "*" + b, n + m, d
	}
	return a + "/" + b, n, d || m > 0
}

// TestTransformIsLinear: a formula is taken if and only if x stands in it to the
// power of one at most and under no line of a fraction.
func TestTransformIsLinear(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text, degree, divides := drawFormula(t, rapid.IntRange(0, 4).Draw(t, "depth"))
		if got, want := isTransform(text), degree <= 1 && !divides; got != want {
			t.Fatalf("%q of degree %d, divides by x %v: taken %v", text, degree, divides, got)
		}
		if isTransform(text+")") || isTransform("("+text) || isTransform(text+" x") || isTransform(text+"*") {
			t.Fatalf("%q is taken with more than a formula", text)
		}
	})
}

// FuzzIsTransform: no text makes it panic or run for long, and what is taken has
// nothing in it but a formula.
func FuzzIsTransform(f *testing.F) {
	for _, text := range []string{"x*8/p", "((((x))))", "1..2", "-+-x", "x/0", "\x00", "х"} { // the last is Cyrillic
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !isTransform(text) {
			return
		}
		for _, r := range text {
			if !(r >= '0' && r <= '9' || r == 'x' || r == 'p' || r == ' ' || r == '.' || r == '+' || r == '-' || r == '*' || r == '/' || r == '(' || r == ')') {
				t.Fatalf("%q is taken", text)
			}
		}
	})
}

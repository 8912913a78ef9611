package tidemark

import "strings"

// isTransform reports whether text is a formula of x, the value, and p, the
// period: numbers, + - * / and parentheses, linear in x.
func isTransform(text string) bool {
	f := formula{rest: text}
	degree := f.sum()
	f.blanks()
	return !f.failed && f.rest == "" && degree <= 1
}

// formula is what is left to read of a formula. Its methods read one part of
// it and return how often x is multiplied in it.
type formula struct {
	rest   string
	failed bool
}

func (f *formula) sum() int {
	degree := f.product()
	for f.take('+') || f.take('-') {
		degree = max(degree, f.product())
	}
	return degree
}

func (f *formula) product() int {
	degree := f.atom()
	for {
		switch {
		case f.take('*'):
			degree += f.atom()
		case f.take('/'):
			f.failed = f.atom() > 0 || f.failed // a curve
		default:
			return degree
		}
	}
}

func (f *formula) atom() int {
	for f.take('-') || f.take('+') {
	}
	switch {
	case f.take('x'):
		return 1
	case f.take('p'), f.number():
		return 0
	case f.take('('):
		degree := f.sum()
		f.failed = !f.take(')') || f.failed
		return degree
	}
	f.failed = true
	return 0
}

// number steps over a number, if there is one.
func (f *formula) number() bool {
	f.blanks()
	after := strings.TrimLeft(f.rest, "0123456789")
	if decimals, ok := strings.CutPrefix(after, "."); ok {
		after = strings.TrimLeft(decimals, "0123456789")
		if len(f.rest)-len(after) == 1 {
			return false // a lone point
		}
	}
	found := len(after) < len(f.rest)
	f.rest = after
	return found
}

// take steps over a sign, if it is next.
func (f *formula) take(sign byte) bool {
	f.blanks()
	if f.rest == "" || f.rest[0] != sign {
		return false
	}
	f.rest = f.rest[1:]
	return true
}

func (f *formula) blanks() { f.rest = strings.TrimLeft(f.rest, " ") }

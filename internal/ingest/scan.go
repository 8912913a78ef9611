package ingest

import (
	"math"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// maxDepth bounds how deep a body may nest: the deepest that means anything
// is five.
const maxDepth = 100

// scanner reads JSON from left to right, once, and copies nothing. The first
// fault sticks: after it every method returns at once, so that the callers
// read like the grammar.
type scanner struct {
	b     []byte
	i     int
	fault string // what is wrong at i, or ""
	text  []byte // the latest text that had escapes, without them
}

func (s *scanner) fail(what string) {
	if s.fault == "" {
		s.fault = what
	}
}

// peek returns the first byte after white space, or 0 at the end or after a
// fault. No value starts with a 0.
func (s *scanner) peek() byte {
	for s.i < len(s.b) {
		c := s.b[s.i]
		if c > ' ' {
			if s.fault != "" {
				return 0
			}
			return c
		}
		if c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			s.fail("unexpected control character")
			return 0
		}
		s.i++
	}
	s.fail("unexpected end")
	return 0
}

// enter steps into an object or array, whose bracket is at i, and reports
// whether there is something in it.
func (s *scanner) enter(end byte) bool {
	s.i++
	if s.peek() == end {
		s.i++
		return false
	}
	return s.fault == ""
}

// more steps to the next member of an object or array, if there is one, and
// else out of it.
func (s *scanner) more(end byte) bool {
	switch c := s.peek(); {
	case s.fault != "":
		return false
	case c == ',':
		s.i++
		return true
	case c == end:
		s.i++
		return false
	}
	s.fail("expected a comma or " + string(end))
	return false
}

// key returns the name of the next member of an object and steps to its value.
func (s *scanner) key() []byte {
	if s.peek() != '"' {
		s.fail("expected a name in quotes")
		return nil
	}
	key := s.str()
	s.colon()
	return key
}

// colon steps over the colon after a name.
func (s *scanner) colon() {
	if s.peek() != ':' {
		s.fail("expected a colon")
		return
	}
	s.i++
}

// str returns the text whose first quote is at i. It is valid until the next
// call.
func (s *scanner) str() []byte {
	start := s.i + 1
	for i := start; i < len(s.b); i++ {
		switch c := s.b[i]; {
		case c == '"':
			s.i = i + 1
			return s.b[start:i]
		case c == '\\':
			return s.escaped(start, i)
		case c < ' ':
			s.i = i
			s.fail("control character in a text")
			return nil
		}
	}
	s.i = len(s.b)
	s.fail("unexpected end")
	return nil
}

// escaped is str for a text with a backslash at i.
func (s *scanner) escaped(start, i int) []byte {
	s.text = append(s.text[:0], s.b[start:i]...)
	for i < len(s.b) {
		c := s.b[i]
		switch {
		case c == '"':
			s.i = i + 1
			return s.text
		case c < ' ':
			s.i = i
			s.fail("control character in a text")
			return nil
		case c != '\\':
			s.text = append(s.text, c)
			i++
		default:
			s.i = i
			n := s.unescape()
			if n == 0 {
				s.fail("bad escape in a text")
				return nil
			}
			i += n
		}
	}
	s.i = len(s.b)
	s.fail("unexpected end")
	return nil
}

// unescape appends what the escape at i stands for and returns its length, or
// 0 where it stands for nothing.
func (s *scanner) unescape() int {
	if s.i+1 >= len(s.b) {
		return 0
	}
	switch c := s.b[s.i+1]; c {
	case '"', '\\', '/':
		s.text = append(s.text, c)
	case 'b':
		s.text = append(s.text, '\b')
	case 'f':
		s.text = append(s.text, '\f')
	case 'n':
		s.text = append(s.text, '\n')
	case 'r':
		s.text = append(s.text, '\r')
	case 't':
		s.text = append(s.text, '\t')
	case 'u':
		return s.unicode()
	default:
		return 0
	}
	return 2
}

// unicode is unescape for \uXXXX. Half a surrogate pair becomes U+FFFD, as
// everywhere in Go.
func (s *scanner) unicode() int {
	r := hex4(s.b, s.i)
	if r < 0 {
		return 0
	}
	if utf16.IsSurrogate(r) {
		if pair := utf16.DecodeRune(r, hex4(s.b, s.i+6)); pair != utf8.RuneError {
			s.text = utf8.AppendRune(s.text, pair)
			return 12
		}
		r = utf8.RuneError
	}
	s.text = utf8.AppendRune(s.text, r)
	return 6
}

// hex4 returns the code of the escape \uXXXX at i, or -1 if there is none.
func hex4(b []byte, i int) rune {
	if i+6 > len(b) || b[i] != '\\' || b[i+1] != 'u' {
		return -1
	}
	var r rune
	for _, c := range b[i+2 : i+6] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return -1
		}
		r = r<<4 | rune(c)
	}
	return r
}

// word steps over a literal.
func (s *scanner) word(w string) bool {
	if len(s.b)-s.i < len(w) || string(s.b[s.i:s.i+len(w)]) != w {
		s.fail("unexpected text")
		return false
	}
	s.i += len(w)
	return true
}

// skip steps over a value of any kind.
func (s *scanner) skip(depth int) {
	if depth > maxDepth {
		s.fail("nested too deeply")
	}
	switch c := s.peek(); {
	case s.fault != "":
	case c == '"':
		s.str()
	case c == '-' || c >= '0' && c <= '9':
		s.number()
	case c == 't':
		s.word("true")
	case c == 'f':
		s.word("false")
	case c == 'n':
		s.word("null")
	case c == '{':
		for more := s.enter('}'); more; more = s.more('}') {
			s.key()
			s.skip(depth + 1)
		}
	case c == '[':
		for more := s.enter(']'); more; more = s.more(']') {
			s.skip(depth + 1)
		}
	default:
		s.fail("unexpected character")
	}
}

// pow10 are the powers of ten that a float64 holds exactly.
var pow10 = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// number reads the number at i, rounded as the standard library does it; it
// is infinite where it is too large.
func (s *scanner) number() float64 {
	start := s.i
	mantissa, exponent, short := s.decimal()
	if s.fault != "" {
		return 0
	}
	// Both factors are exact here, so that one rounding makes the product
	// exact too: no more than that is needed for nearly all that is sent.
	if short && mantissa < 1<<53 && exponent >= -22 && exponent <= 22 {
		v := float64(mantissa)
		if exponent < 0 {
			v /= pow10[-exponent]
		} else {
			v *= pow10[exponent]
		}
		if s.b[start] == '-' {
			return -v
		}
		return v
	}
	v, err := strconv.ParseFloat(string(s.b[start:s.i]), 64)
	if err != nil && !math.IsInf(v, 0) {
		s.fail("not a number")
	}
	return v
}

// decimal steps over a number. It is mantissa * 10^exponent if short.
func (s *scanner) decimal() (mantissa uint64, exponent int, short bool) {
	b, i := s.b, s.i
	if b[i] == '-' {
		i++
	}
	first := i
	for ; i < len(b) && b[i]-'0' < 10; i++ {
		mantissa = mantissa*10 + uint64(b[i]-'0')
	}
	digits := i - first
	valid := digits == 1 || digits > 1 && b[first] != '0'
	if i < len(b) && b[i] == '.' {
		i++
		dot := i
		for ; i < len(b) && b[i]-'0' < 10; i++ {
			mantissa = mantissa*10 + uint64(b[i]-'0')
		}
		exponent = dot - i
		digits -= exponent
		valid = valid && exponent < 0
	}
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		var e int
		e, i = power(b, i+1)
		valid = valid && i > 0
		exponent += e
	}
	if !valid {
		s.fail("not a number")
		return 0, 0, false
	}
	s.i = i
	return mantissa, exponent, digits <= 19 // more may have overflowed
}

// power reads the exponent at i and returns it and where it ends, or 0 if
// there is none. Large ones are cut to what is large enough not to matter.
func power(b []byte, i int) (e, end int) {
	negative := i < len(b) && b[i] == '-'
	if i < len(b) && (b[i] == '-' || b[i] == '+') {
		i++
	}
	start := i
	for ; i < len(b) && b[i]-'0' < 10; i++ {
		e = min(e*10+int(b[i]-'0'), 1<<20)
	}
	if i == start {
		return 0, 0
	}
	if negative {
		e = -e
	}
	return e, i
}

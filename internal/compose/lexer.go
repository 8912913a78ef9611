package compose

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// kind is the kind of a token. A punctuation mark is its own kind.
type kind rune

const (
	eof    kind = -1
	word   kind = 'a' // a name, a number or a bare tag
	quoted kind = '"'
)

func (k kind) String() string {
	switch k {
	case eof:
		return "the end"
	case word:
		return "a name"
	case quoted:
		return "a text"
	}
	return strconv.QuoteRune(rune(k))
}

type token struct {
	Span
	kind kind
	text string // of a word or, without its quotes, of a text
}

// String returns the token as errors show it.
func (t token) String() string {
	switch t.kind {
	case word:
		return t.text
	case quoted:
		return strconv.Quote(t.text)
	}
	return t.kind.String()
}

// lexer cuts the input into tokens.
type lexer struct {
	in  string
	pos int
}

// next returns the next token, or an error if there is none at l.pos.
func (l *lexer) next() (token, *Error) {
	l.blanks()
	start := l.pos
	if start == len(l.in) {
		return token{kind: eof, Span: Span{start, 0}}, nil
	}
	switch c := l.in[start]; {
	case strings.IndexByte("()[]{},:", c) >= 0:
		l.pos++
		return token{kind: kind(c), Span: Span{start, 1}}, nil
	case c == '"' || c == '\'':
		return l.text(c)
	case isWordByte(c):
		for l.pos < len(l.in) && isWordByte(l.in[l.pos]) {
			l.pos++
		}
		return token{kind: word, Span: Span{start, l.pos - start}, text: l.in[start:l.pos]}, nil
	default:
		return token{}, l.unexpected(start)
	}
}

// noBreak is a blank that comes along when text is copied from a page.
const noBreak = "\u00a0"

// blanks skips what is free between tokens.
func (l *lexer) blanks() {
	for l.pos < len(l.in) {
		switch {
		case isBlank(l.in[l.pos]):
			l.pos++
		case strings.HasPrefix(l.in[l.pos:], noBreak):
			l.pos += len(noBreak)
		default:
			return
		}
	}
}

func (l *lexer) unexpected(at int) *Error {
	r, n := utf8.DecodeRuneInString(l.in[at:])
	e := Errorf(Span{at, n}, "unexpected %q", r)
	switch {
	case strings.ContainsRune("*%&!", r):
		e.Msg += ": put it in quotes"
	case strings.ContainsRune("“”„«»‘’", r): // what word processors make of quotes
		e.Msg += ": quotes are straight here"
		e.Suggestion = `"`
	}
	return e
}

// text scans a text in quotes; l.pos is at the opening one.
func (l *lexer) text(quote byte) (token, *Error) {
	start := l.pos
	body := start + 1
	var escaped bool
	for i := body; i < len(l.in); i++ {
		switch c := l.in[i]; {
		case c == quote:
			l.pos = i + 1
			t := token{kind: quoted, Span: Span{start, l.pos - start}, text: l.in[body:i]}
			if escaped {
				t.text = unescape(t.text)
			}
			return t, nil
		case c == '\\' && i+1 < len(l.in) && isEscapable(l.in[i+1]):
			escaped = true
			i++
		case c < ' ' || c == 0x7f:
			return token{}, Errorf(Span{start, i - start}, "text is not closed before the control character at offset %d", i)
		}
	}
	return token{}, Errorf(Span{start, len(l.in) - start}, "text is not closed")
}

func isEscapable(c byte) bool { return c == '\\' || c == '"' || c == '\'' }

// unescape drops the backslashes that take the meaning from what follows.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && isEscapable(s[i+1]) {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

func isWordByte(c byte) bool { return isNameByte(c) || strings.IndexByte("@.+-/", c) >= 0 }

func isNameByte(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || isDigit(c)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isName reports whether a word can name a function.
func isName(s string) bool {
	for i := range len(s) {
		if !isNameByte(s[i]) {
			return false
		}
	}
	return !isDigit(s[0])
}

// isNumber reports whether a word starts like a number.
func isNumber(s string) bool {
	s = strings.TrimLeft(s, "+-.")
	return s != "" && isDigit(s[0])
}

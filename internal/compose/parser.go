package compose

import "unicode/utf8"

// What one expression may be; far above anything seen, and still bounded.
const (
	MaxLength = 32 << 10 // bytes
	MaxDepth  = 64       // calls and sets within each other: it bounds the stack
	MaxNodes  = 4096     // calls, sets, texts, maps and their entries
)

// Parse reads one expression. The error, if there is one, is an *Error.
func Parse(text string) (Expr, error) {
	if len(text) > MaxLength {
		return nil, Errorf(Span{MaxLength, len(text) - MaxLength}, "longer than %d bytes", MaxLength)
	}
	if !utf8.ValidString(text) {
		return nil, Errorf(invalidUTF8(text), "not valid UTF-8")
	}
	p := parser{lex: lexer{in: text}}
	p.advance()
	if p.tok.kind == eof {
		p.failf(p.tok.Span, "nothing here: write an expression such as s(\"cpu\", \"*\")")
	}
	e := p.expr()
	if p.tok.kind != eof {
		p.failf(p.tok.Span, "expected the end, found %v", p.tok)
	}
	if p.err != nil {
		return nil, p.err
	}
	return e, nil
}

func invalidUTF8(text string) Span {
	for i, r := range text {
		if _, n := utf8.DecodeRuneInString(text[i:]); r == utf8.RuneError && n == 1 {
			return Span{i, 1}
		}
	}
	return Span{}
}

// parser is a recursive-descent parser with one token of lookahead. The first
// error sticks: after it every method returns quickly and its result is
// ignored, so that the grammar below reads like the grammar above.
type parser struct {
	lex   lexer
	tok   token
	last  int // offset behind the last token that was consumed
	depth int
	nodes int
	err   *Error
}

func (p *parser) advance() {
	if p.err == nil {
		p.last = p.tok.end()
		p.tok, p.err = p.lex.next()
	}
}

func (p *parser) failf(at Span, format string, args ...any) {
	if p.err == nil {
		p.err = Errorf(at, format, args...)
	}
}

// node counts a node of the tree against the limit.
func (p *parser) node() {
	if p.nodes++; p.nodes > MaxNodes {
		p.failf(p.tok.Span, "more than %d functions, texts and options", MaxNodes)
	}
}

// expect consumes a token of kind k.
func (p *parser) expect(k kind) token {
	t := p.tok
	if t.kind != k {
		p.failf(t.Span, "expected %v, found %v", k, t)
	}
	p.advance()
	return t
}

// since returns the span from start to the last token consumed.
func (p *parser) since(start int) Span { return Span{start, p.last - start} }

// expr = call | set .
func (p *parser) expr() Expr {
	p.node()
	if p.depth++; p.depth > MaxDepth {
		p.failf(p.tok.Span, "nested more than %d deep", MaxDepth)
	}
	defer func() { p.depth-- }()
	switch p.tok.kind {
	case '[':
		return p.set()
	case word:
		return p.call()
	}
	p.failf(p.tok.Span, "expected a function or [, found %v", p.tok)
	return &Set{}
}

// set = "[" expr { "," expr } "]" .
func (p *parser) set() Expr {
	set := &Set{Span: p.tok.Span}
	p.list('[', ']', func() { set.Exprs = append(set.Exprs, p.expr()) })
	set.Span = p.since(set.Offset)
	if len(set.Exprs) == 0 {
		p.failf(set.Span, "a set needs at least one series")
	}
	return set
}

// call = name "(" [ arg { "," arg } ] ")" .
func (p *parser) call() Expr {
	t := p.expect(word)
	if p.err == nil && !isName(t.text) {
		p.failf(t.Span, "expected a function, found %v", t)
	}
	call := &Call{Name: t.text, NameSpan: t.Span}
	p.list('(', ')', func() { call.Args = append(call.Args, p.arg()) })
	call.Span = p.since(t.Offset)
	return call
}

// arg = expr | text | map .
func (p *parser) arg() Expr {
	switch t := p.tok; {
	case t.kind == quoted || t.kind == word && isNumber(t.text):
		p.node()
		p.advance()
		return &Text{Span: t.Span, Value: t.text}
	case t.kind == '{':
		p.node()
		m := &Map{}
		p.list('{', '}', func() { p.pair(m) })
		m.Span = p.since(t.Offset)
		return m
	}
	return p.expr()
}

// pair = ( word | text ) ":" value .
func (p *parser) pair(m *Map) {
	p.node()
	key := p.wordOrText("a name")
	if p.err == nil && m.Get(key.Value) != nil {
		p.failf(key.Span, "%q is given twice", key.Value)
	}
	p.expect(':')
	pair := Pair{Key: key}
	if p.tok.kind == '[' {
		pair.List = true
		start := p.tok.Offset
		p.list('[', ']', func() {
			p.node()
			pair.Values = append(pair.Values, p.wordOrText("a value"))
		})
		if len(pair.Values) == 0 {
			p.failf(p.since(start), "a list needs at least one value")
		}
	} else {
		pair.Values = []Text{p.wordOrText("a value")}
	}
	m.Pairs = append(m.Pairs, pair)
}

// wordOrText = word | text .
func (p *parser) wordOrText(what string) Text {
	t := p.tok
	if t.kind != word && t.kind != quoted {
		p.failf(t.Span, "expected %s, found %v", what, t)
	}
	p.advance()
	return Text{Span: t.Span, Value: t.text}
}

// list parses open [ item { "," item } [ "," ] ] end.
func (p *parser) list(open, end kind, item func()) {
	p.expect(open)
	for p.err == nil && p.tok.kind != end {
		item()
		if p.err == nil && p.tok.kind != end {
			if p.tok.kind != ',' {
				p.failf(p.tok.Span, "expected ',' or %v, found %v", end, p.tok)
			}
			p.advance()
		}
	}
	p.expect(end)
}

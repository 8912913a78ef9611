package compose

import "strings"

func (e *Call) String() string { return text(e) }
func (e *Set) String() string  { return text(e) }
func (e *Text) String() string { return text(e) }
func (e *Map) String() string  { return text(e) }

func text(e Expr) string {
	var b strings.Builder
	e.print(&b)
	return b.String()
}

func (e *Call) print(b *strings.Builder) {
	b.WriteString(e.Name)
	b.WriteByte('(')
	printList(b, e.Args)
	b.WriteByte(')')
}

func (e *Set) print(b *strings.Builder) {
	b.WriteByte('[')
	printList(b, e.Exprs)
	b.WriteByte(']')
}

func printList(b *strings.Builder, exprs []Expr) {
	for i, e := range exprs {
		comma(b, i)
		e.print(b)
	}
}

func (e *Map) print(b *strings.Builder) {
	b.WriteByte('{')
	for i := range e.Pairs {
		comma(b, i)
		e.Pairs[i].print(b)
	}
	b.WriteByte('}')
}

func (p *Pair) print(b *strings.Builder) {
	p.Key.print(b)
	b.WriteString(": ")
	if !p.List {
		p.Value().print(b)
		return
	}
	b.WriteByte('[')
	for i := range p.Values {
		comma(b, i)
		p.Values[i].print(b)
	}
	b.WriteByte(']')
}

// escaper undoes what the lexer makes of a backslash.
var escaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

func (e *Text) print(b *strings.Builder) {
	b.WriteByte('"')
	_, _ = escaper.WriteString(b, e.Value) // a Builder takes everything
	b.WriteByte('"')
}

func comma(b *strings.Builder, i int) {
	if i > 0 {
		b.WriteString(", ")
	}
}

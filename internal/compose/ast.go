// Package compose reads the composite language:
//
//	expr  = call | set .
//	call  = name "(" [ arg { "," arg } ] ")" .
//	set   = "[" expr { "," expr } "]" .
//	arg   = expr | text | map .
//	map   = "{" [ pair { "," pair } ] "}" .
//	pair  = ( word | text ) ":" value .
//	value = word | text | "[" ( word | text ) { "," ( word | text ) } "]" .
//	text  = '"' characters '"' | "'" characters "'" | number .
//
// A name is a word of letters, digits and _ ; a word may hold @ . + - and / as
// well, so that tags and numbers need no quotes. A number is a word that
// starts like one, such as -1.5, 1e9 or 1/1024. In quotes \ takes the meaning
// from a following quote or \ and is itself before anything else. Blanks and
// line breaks are free between all of these, and a list may end in a comma.
//
// The result is a tree that says what was written, and where, and nothing
// more: what the functions mean is the business of package query.
//
// Parse is safe for concurrent use, and so is the tree: nothing changes it.
package compose

import "strings"

// Span is a part of the text: its first byte, and its length in bytes.
type Span struct{ Offset, Length int }

// end returns the offset behind the span.
func (s Span) end() int { return s.Offset + s.Length }

// Expr is a node of the tree: *Call, *Set, *Text or *Map.
type Expr interface {
	// String returns the node in the canonical form of the language, which
	// parses to an equal tree.
	String() string
	// Pos returns the part of the text that the node was read from.
	Pos() Span

	print(b *strings.Builder)
}

// Call is a function applied to arguments.
type Call struct {
	Span
	Name     string
	NameSpan Span
	Args     []Expr
}

// Set is a list of expressions.
type Set struct {
	Span
	Exprs []Expr
}

// Text is a text in quotes, or a number or a word without them.
type Text struct {
	Span
	Value string
}

// Map is a list of tags or options, in the order they were written.
type Map struct {
	Span
	Pairs []Pair
}

// Pair is one entry of a map. It has one value, or a list of them.
type Pair struct {
	Key    Text
	Values []Text
	List   bool // the values were written as a list
}

// Value returns the first value.
func (p *Pair) Value() *Text { return &p.Values[0] }

// Pos returns s itself, so that nodes have their position by embedding it.
func (s Span) Pos() Span { return s }

// Get returns the entry called key, or nil.
func (m *Map) Get(key string) *Pair {
	for i := range m.Pairs {
		if m.Pairs[i].Key.Value == key {
			return &m.Pairs[i]
		}
	}
	return nil
}

// Walk calls visit for e and everything in it, parents first. It does not
// descend into a node for which visit returns false.
func Walk(e Expr, visit func(Expr) bool) {
	if !visit(e) {
		return
	}
	switch e := e.(type) {
	case *Call:
		for _, arg := range e.Args {
			Walk(arg, visit)
		}
	case *Set:
		for _, x := range e.Exprs {
			Walk(x, visit)
		}
	}
}

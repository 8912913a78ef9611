package promql

import (
	"fmt"
	"unicode/utf8"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
)

// What one expression may be; far above anything seen. Prometheus' parser takes
// time that grows with the square of how deep an expression is, what writes it
// prettily with the cube, and neither can be stopped.
const (
	MaxLength    = 32 << 10 // bytes
	MaxDepth     = 64       // brackets within each other, or signs before one operand
	MaxOperators = 256      // signs and ranges too: a + b + c is a tree as deep as it is long
	MaxTokens    = 4096     // names, texts, numbers, signs and brackets
)

// NewParser returns a parser of expressions and selectors that refuses what is
// too long or too deep before it begins to parse.
func NewParser(o parser.Options) parser.Parser { return bounded{parser.NewParser(o)} }

// bounded is a parser with bounds. Descriptions of series, which are a language
// of Prometheus' tests, have none.
type bounded struct{ parser.Parser }

func (b bounded) ParseExpr(text string) (parser.Expr, error) {
	if err := checkBounds(text); err != nil {
		return nil, err
	}
	return b.Parser.ParseExpr(text)
}

func (b bounded) ParseMetric(text string) (labels.Labels, error) {
	if err := checkBounds(text); err != nil {
		return labels.EmptyLabels(), err
	}
	return b.Parser.ParseMetric(text)
}

func (b bounded) ParseMetricSelector(text string) ([]*labels.Matcher, error) {
	if err := checkBounds(text); err != nil {
		return nil, err
	}
	return b.Parser.ParseMetricSelector(text)
}

func (b bounded) ParseMetricSelectors(texts []string) ([][]*labels.Matcher, error) {
	for _, text := range texts {
		if err := checkBounds(text); err != nil {
			return nil, err
		}
	}
	return b.Parser.ParseMetricSelectors(texts)
}

// checkBounds says where an expression is too much. It goes over the tokens
// once, with Prometheus' own lexer: quotes and comments are what they are to the
// parser, which ends where the lexer finds an error.
func checkBounds(text string) error {
	if len(text) > MaxLength {
		return tooMuch(text, MaxLength, "longer than %d bytes", MaxLength)
	}
	var s shape
	var token parser.Item
	for lexer := parser.Lex(text); ; {
		switch lexer.NextItem(&token); token.Typ {
		case parser.EOF, parser.ERROR:
			return nil
		case parser.COMMENT:
			continue
		}
		s.add(token.Typ)
		switch at := int(token.Pos); {
		case s.open > MaxDepth || s.signs > MaxDepth:
			return tooMuch(text, at, "nested more than %d deep", MaxDepth)
		case s.operators > MaxOperators:
			return tooMuch(text, at, "more than %d operators", MaxOperators)
		case s.tokens > MaxTokens:
			return tooMuch(text, at, "more than %d names, texts, numbers and signs", MaxTokens)
		}
	}
}

func tooMuch(text string, at int, format string, most int) error {
	return fmt.Errorf("at character %d: "+format, utf8.RuneCountInString(text[:at])+1, most)
}

// shape is what is known of an expression up to a token. A path of its tree
// passes through no more than the brackets that are open at its end, the
// operators, and a leaf.
type shape struct {
	tokens, operators int
	open              int // brackets
	signs             int // in a row
	selecting         bool
}

func (s *shape) add(t parser.ItemType) {
	s.tokens++
	switch t {
	case parser.ADD, parser.SUB:
		s.signs++
	default:
		s.signs = 0
	}
	switch t {
	case parser.LEFT_BRACE:
		s.selecting = true
		s.open++
	case parser.LEFT_PAREN:
		s.open++
	case parser.LEFT_BRACKET:
		s.open++
		s.operators++
	case parser.RIGHT_BRACE:
		s.selecting = false
		s.open--
	case parser.RIGHT_PAREN, parser.RIGHT_BRACKET:
		s.open--
	}
	if t.IsOperator() && !s.selecting {
		s.operators++
	}
}

package query

import (
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/compose"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// What one tags_search may be.
const (
	maxSearchLength = 16 << 10
	maxSearchDepth  = 20 // of parentheses; each is up to three levels of a filter
	maxSearchTerms  = 1000
)

// ParseTagsSearch reads a tags_search:
//
//	search = either .
//	either = both { "or" both } .
//	both   = term { "and" term } .
//	term   = "*" | "(" either ")" | "!" "(" either ")" | "!" name | name "=" [ "!" ] pattern .
//
// In words: and binds tighter than or; words and values may be in any case;
// name=pattern picks streams whose tag matches, with * for any text;
// name=!pattern those that have the tag with another value; !name those
// without the tag; !( ... ) those that ... does not pick; * all. A pattern with
// blanks or parentheses is put in quotes, single or double. Nothing at all
// picks everything. The error is Invalid, about the field tags_search, and
// holds a *compose.Error with the place.
func ParseTagsSearch(text string) (tsdb.Filter, error) {
	p := searcher{in: text}
	f := p.search()
	if p.err != nil {
		return tsdb.Filter{}, p.err.In("tags_search")
	}
	return f, nil
}

// searcher is a recursive-descent parser whose first error sticks.
type searcher struct {
	in    string
	pos   int
	depth int
	terms int
	err   *compose.Error
}

func (p *searcher) search() tsdb.Filter {
	if len(p.in) > maxSearchLength {
		p.failf(compose.Span{Offset: maxSearchLength, Length: len(p.in) - maxSearchLength}, "longer than %d bytes", maxSearchLength)
		return tsdb.Filter{}
	}
	if p.blank(); p.pos == len(p.in) {
		return tsdb.Filter{}
	}
	f := p.either()
	if p.blank(); p.pos < len(p.in) {
		p.failf(p.here(), "expected and, or, or the end, found %q", p.in[p.pos:p.here().Offset+p.here().Length])
	}
	return f
}

func (p *searcher) failf(at compose.Span, format string, args ...any) {
	if p.err == nil {
		p.err = compose.Errorf(at, format, args...)
	}
}

// here returns the span of the word at the current place.
func (p *searcher) here() compose.Span {
	end := p.pos
	for end < len(p.in) && isPatternByte(p.in[end]) {
		end++
	}
	if end == p.pos && end < len(p.in) {
		end++
	}
	return compose.Span{Offset: p.pos, Length: end - p.pos}
}

func (p *searcher) blank() {
	for p.pos < len(p.in) && strings.IndexByte(" \t\r\n", p.in[p.pos]) >= 0 {
		p.pos++
	}
}

// mark consumes a mark, if it is next.
func (p *searcher) mark(c byte) bool {
	if p.pos < len(p.in) && p.in[p.pos] == c {
		p.pos++
		return true
	}
	return false
}

// operator consumes the word and or or, if it is next.
func (p *searcher) operator(word string) bool {
	p.blank()
	end := p.pos + len(word)
	if p.err != nil || end > len(p.in) || !strings.EqualFold(p.in[p.pos:end], word) {
		return false
	}
	if end < len(p.in) && isPatternByte(p.in[end]) {
		return false // only the beginning of a longer word
	}
	p.pos = end
	return true
}

// either = both { "or" both } .
func (p *searcher) either() tsdb.Filter {
	filters := []tsdb.Filter{p.both()}
	for p.operator("or") {
		filters = append(filters, p.both())
	}
	if len(filters) == 1 {
		return filters[0]
	}
	return tsdb.AnyOf(filters...)
}

// both = term { "and" term } .
func (p *searcher) both() tsdb.Filter {
	filters := []tsdb.Filter{p.term()}
	for p.operator("and") {
		filters = append(filters, p.term())
	}
	return allOf(filters)
}

// term = "*" | "(" either ")" | "!" "(" either ")" | "!" name | name "=" [ "!" ] pattern .
func (p *searcher) term() tsdb.Filter {
	p.blank()
	if p.terms++; p.terms > maxSearchTerms {
		p.failf(p.here(), "more than %d conditions", maxSearchTerms)
	}
	if p.err != nil {
		return tsdb.Filter{}
	}
	if p.mark('!') {
		if p.blank(); p.pos < len(p.in) && p.in[p.pos] == '(' {
			return tsdb.Filter{Op: tsdb.Not, Args: []tsdb.Filter{p.term()}}
		}
		return tsdb.TagAbsent(p.name())
	}
	if p.mark('(') {
		return p.parentheses()
	}
	if p.mark('*') {
		return tsdb.Filter{}
	}
	name := p.name()
	if p.blank(); !p.mark('=') {
		p.failf(p.here(), "expected = and a pattern after %s", name)
		return tsdb.Filter{}
	}
	p.blank()
	not := p.mark('!')
	pattern := p.pattern()
	if not {
		return tsdb.TagIsNot(name, pattern)
	}
	return tsdb.TagIs(name, pattern)
}

// parentheses parses what follows an opening one.
func (p *searcher) parentheses() tsdb.Filter {
	start := p.pos - 1
	if p.depth++; p.depth > maxSearchDepth {
		p.failf(compose.Span{Offset: start, Length: 1}, "parentheses nested more than %d deep", maxSearchDepth)
	}
	f := p.either()
	p.depth--
	if p.blank(); p.err == nil && !p.mark(')') {
		p.failf(p.here(), "expected and, or, or ) for the ( at offset %d", start)
	}
	return f
}

func (p *searcher) name() string {
	at := p.here()
	word := p.in[at.Offset : at.Offset+at.Length]
	if i := strings.IndexByte(word, '='); i >= 0 {
		word = word[:i]
		at.Length = i
	}
	if !tidemark.IsTagName(word) {
		switch {
		case at.Offset == len(p.in):
			word = "the end"
		case at.Length == 0:
			word, at.Length = "=", 1
		}
		p.failf(at, "expected the name of a tag, found %s", word)
	}
	p.pos += at.Length
	return strings.ToLower(word)
}

// pattern parses a word, or a text in quotes.
func (p *searcher) pattern() string {
	for _, quote := range []byte(`"'`) {
		start := p.pos
		if !p.mark(quote) {
			continue
		}
		n := strings.IndexByte(p.in[p.pos:], quote)
		if n < 0 {
			p.failf(compose.Span{Offset: start, Length: len(p.in) - start}, "text is not closed")
			n = len(p.in) - p.pos - 1
		}
		text := p.in[p.pos : p.pos+max(0, n)]
		p.pos = min(len(p.in), p.pos+n+1)
		return strings.ToLower(text)
	}
	start := p.pos
	for p.pos < len(p.in) && isPatternByte(p.in[p.pos]) {
		p.pos++
	}
	if p.pos == start {
		p.failf(p.here(), "expected a pattern")
	}
	return strings.ToLower(p.in[start:p.pos])
}

func isPatternByte(c byte) bool { return strings.IndexByte(" \t\r\n()\"'", c) < 0 }

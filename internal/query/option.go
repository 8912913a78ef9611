package query

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark-metrics/tidemark/internal/compose"
)

// option is an option of a function: its name, what it may be, and what it is
// where it is not given.
type option struct {
	name     string
	parse    parser
	preset   string // "" if there is none
	required bool
}

// parser reads the value of an option. what says, for errors, what it takes.
type parser struct {
	what string
	read func(text string) (optionValue, bool)
}

// optionValue is the value of an option.
type optionValue struct {
	number float64
	word   string
}

// settings are the values of a call's options, by name.
type settings map[string]optionValue

func (s settings) number(name string) float64 { return s[name].number }
func (s settings) integer(name string) int64  { return int64(s[name].number) }
func (s settings) word(name string) string    { return s[name].word }

func (s settings) has(name string) bool {
	_, ok := s[name]
	return ok
}

func parseNumber(text string) (optionValue, bool) {
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return optionValue{number: v}, err == nil && isFinite(v)
}

var number = parser{"a number", parseNumber}

// numberFrom takes numbers between low and high, both included.
func numberFrom(low, high float64, what string) parser {
	return parser{what, func(text string) (optionValue, bool) {
		s, ok := parseNumber(text)
		return s, ok && s.number >= low && s.number <= high
	}}
}

// positive takes numbers above 0.
var positive = parser{"a number above 0", func(text string) (optionValue, bool) {
	s, ok := parseNumber(text)
	return s, ok && s.number > 0
}}

// wholeFrom takes whole numbers between low and high, both included.
func wholeFrom(low, high int64) parser {
	what := "a whole number from " + strconv.FormatInt(low, 10) + " to " + strconv.FormatInt(high, 10)
	return parser{what, func(text string) (optionValue, bool) {
		s, ok := parseNumber(text)
		return s, ok && s.number == math.Trunc(s.number) && s.number >= float64(low) && s.number <= float64(high)
	}}
}

// factor takes numbers and fractions of whole numbers, such as 1/1024.
var factor = parser{`a number, or a fraction such as "1/1024"`, func(text string) (optionValue, bool) {
	above, below, fraction := strings.Cut(text, "/")
	if !fraction {
		return parseNumber(text)
	}
	a, err := strconv.ParseUint(strings.TrimSpace(above), 10, 53)
	b, err2 := strconv.ParseUint(strings.TrimSpace(below), 10, 53)
	return optionValue{number: float64(a) / float64(b)}, err == nil && err2 == nil && b > 0
}}

// filling takes numbers and "last".
var filling = parser{`a number or "last"`, func(text string) (optionValue, bool) {
	if strings.EqualFold(text, "last") {
		return optionValue{word: "last"}, true
	}
	return parseNumber(text)
}}

// oneOf takes one of some words, in any case.
func oneOf(words ...string) parser {
	what := words[0]
	for i, w := range words[1:] {
		sep := ", "
		if i == len(words)-2 {
			sep = " or "
		}
		what += sep + w
	}
	return parser{what, func(text string) (optionValue, bool) {
		text = strings.ToLower(text)
		if text == "average" {
			text = "mean" // the name it has in a metric's attributes
		}
		return optionValue{word: text}, slices.Contains(words, text)
	}}
}

var boolean = oneOf("true", "false")

// settings reads the options that a call was given.
func (f *function) settings(call *compose.Call, given *compose.Map) (settings, error) {
	s := make(settings, len(f.options))
	if given != nil {
		for i := range given.Pairs {
			if err := f.set(s, &given.Pairs[i]); err != nil {
				return nil, err
			}
		}
	}
	for _, o := range f.options {
		switch {
		case s.has(o.name):
		case o.required:
			return nil, needsOption(call, o.name+": "+o.parse.what)
		case o.preset != "":
			s[o.name], _ = o.parse.read(o.preset)
		}
	}
	return s, nil
}

func needsOption(call *compose.Call, what string) error {
	return compose.Errorf(call.NameSpan, "%s needs the option %s", call.Name, what)
}

// set reads one option.
func (f *function) set(s settings, p *compose.Pair) error {
	i := slices.IndexFunc(f.options, func(o option) bool { return o.name == p.Key.Value })
	if i < 0 {
		return f.unknown(&p.Key)
	}
	value, ok := f.options[i].parse.read(p.Value().Value)
	if !ok || p.List {
		at := p.Value().Span
		return compose.Errorf(at, "%s of %s must be %s, not %q", p.Key.Value, f.name, f.options[i].parse.what, p.Value().Value)
	}
	s[f.options[i].name] = value
	return nil
}

func (f *function) unknown(key *compose.Text) error {
	if len(f.options) == 0 {
		return compose.Errorf(key.Span, "%s has no options", f.name)
	}
	names := make([]string, len(f.options))
	for i, o := range f.options {
		names[i] = o.name
	}
	return compose.Errorf(key.Span, "%s has no option %q, only %s", f.name, key.Value, strings.Join(names, ", ")).
		Suggest(nearest(key.Value, names))
}

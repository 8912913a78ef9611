package promql

import (
	"slices"

	"github.com/prometheus/prometheus/model/labels"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// spelling is how names and values of queries are written in storage: in the
// alphabet of the API and in lower case, as they were when they were recorded.
// Where it is exact they are there as they are.
type spelling struct{ exact bool }

func (s spelling) metric(name string) string {
	if s.exact {
		return name
	}
	return lower(protocol.MetricName(name))
}

func (s spelling) tag(name string) string {
	if s.exact {
		return name
	}
	return lower(protocol.LabelName(name))
}

func (s spelling) value(value string) string {
	if s.exact {
		return value
	}
	return lower(protocol.LabelValue(value))
}

// text returns what was sent for a text that storage has.
func (s spelling) text(stored string) string {
	if s.exact {
		return stored
	}
	return protocol.Unescape(stored)
}

func (s spelling) matcher(m *labels.Matcher) matcher {
	out := matcher{Matcher: m, tag: s.tag(m.Name), value: s.value(m.Value)}
	if isName(m) {
		out.value = s.metric(m.Value)
	}
	return out
}

// matches reports whether m lets a text through that storage has. One that is
// cut there cannot be read back, but can be compared.
func (s spelling) matches(m *matcher, stored string) bool {
	switch m.Type {
	case labels.MatchEqual:
		return m.value == stored
	case labels.MatchNotEqual:
		return m.value != stored
	}
	return m.Matches(s.text(stored))
}

// namePatterns returns globs for the names that m lets through, and how
// specific they are.
func (s spelling) namePatterns(m *labels.Matcher) (patterns []string, specific int) {
	switch set := s.each(s.metric, m.SetMatches()); {
	case m.Type == labels.MatchEqual && !tidemark.IsGlob(s.metric(m.Value)):
		return []string{s.metric(m.Value)}, 3
	case m.Type != labels.MatchRegexp:
	case len(set) > 0 && !slices.ContainsFunc(set, tidemark.IsGlob):
		slices.Sort(set)
		return slices.Compact(set), 2
	case s.isPrefix(m.Prefix(), s.metric):
		return []string{m.Prefix() + "*"}, 1
	}
	return nil, 0
}

func (s spelling) each(spell func(string) string, texts []string) []string {
	texts = slices.Clone(texts)
	for i := range texts {
		texts[i] = spell(texts[i])
	}
	return texts
}

// maxPrefix is how long the beginning of a text is never cut in storage.
const maxPrefix = 32

// isPrefix reports whether all that begins with p does so in storage too.
func (s spelling) isPrefix(p string, spell func(string) string) bool {
	return p != "" && !tidemark.IsGlob(p) && (s.exact || len(p) <= maxPrefix && spell(p) == p)
}

// condition returns a filter that picks at least what m matches. A label that
// is missing is one with an empty value.
func (s spelling) condition(m *labels.Matcher) tsdb.Filter {
	f, tag := s.present(m), s.tag(m.Name)
	if m.Matches("") && f.Op != tsdb.Any {
		return tsdb.AnyOf(tsdb.TagAbsent(tag), tsdb.TagIs(tag, ""), f)
	}
	if !m.Matches("") && f.Op == tsdb.Any {
		return tsdb.TagPresent(tag)
	}
	return f
}

// present is condition for streams that have the tag.
func (s spelling) present(m *labels.Matcher) tsdb.Filter {
	tag, set := s.tag(m.Name), s.each(s.value, m.SetMatches())
	switch m.Type {
	case labels.MatchEqual:
		return tsdb.TagIs(tag, s.value(m.Value))
	case labels.MatchNotEqual:
		return isNot(tag, s.value(m.Value))
	case labels.MatchNotRegexp:
		if len(set) > 0 {
			return isNot(tag, set...)
		}
	case labels.MatchRegexp:
		if len(set) > 0 {
			return tsdb.TagIs(tag, set...)
		}
		if p := m.Prefix(); s.isPrefix(p, s.value) || s.exact && p != "" {
			return tsdb.TagIs(tag, p+"*")
		}
	}
	return tsdb.Filter{}
}

// isNot picks the streams that have the tag, with another value. A * in a
// value would exclude more than that value.
func isNot(tag string, values ...string) tsdb.Filter {
	if slices.ContainsFunc(values, tidemark.IsGlob) {
		return tsdb.Filter{}
	}
	return tsdb.TagIsNot(tag, values...)
}

// lower returns text in lower case, as the API does it: letters of ASCII only.
func lower(text string) string {
	for i := range len(text) {
		if c := text[i]; c >= 'A' && c <= 'Z' {
			return lowered(text)
		}
	}
	return text
}

func lowered(text string) string {
	out := []byte(text)
	for i, c := range out {
		if c >= 'A' && c <= 'Z' {
			out[i] = c + 'a' - 'A'
		}
	}
	return string(out)
}

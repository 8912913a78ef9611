package promql

import (
	"slices"

	"github.com/prometheus/prometheus/model/labels"

	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/spelling"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// wording is how names and values of queries are written in storage, in the
// alphabet of the API and in lower case, and how those of storage are shown: as
// they were sent.
type wording struct{ words *spelling.Words }

// metric returns the name of a metric as storage may have it; so do tag and
// value. Several names can be one there: what is found is compared with written.
func (s wording) metric(name string) string { return lower(protocol.MetricName(name)) }

func (s wording) tag(name string) string { return lower(protocol.LabelName(name)) }

func (s wording) value(value string) string { return lower(protocol.LabelValue(value)) }

func (s wording) matcher(m *labels.Matcher) matcher {
	if isName(m) {
		return matcher{Matcher: m, value: protocol.MetricName(m.Value)}
	}
	tag := s.tag(m.Name)
	return matcher{Matcher: m, tag: tag, value: protocol.LabelValue(m.Value), absent: s.words.Name(tag) != protocol.LabelName(m.Name)}
}

// matches reports whether m lets a text through that was first spelled so. One
// that is cut cannot be read back, but can be compared.
func (s wording) matches(m *matcher, spelled string) bool {
	switch m.Type {
	case labels.MatchEqual:
		return m.value == spelled
	case labels.MatchNotEqual:
		return m.value != spelled
	}
	return m.Matches(protocol.Unescape(spelled))
}

// namePatterns returns globs for the names that m lets through, and perhaps
// others, and how specific they are.
func (s wording) namePatterns(m *labels.Matcher) (patterns []string, specific int) {
	switch set := s.each(s.metric, m.SetMatches()); {
	case m.Type == labels.MatchEqual:
		return []string{s.metric(m.Value)}, 3
	case m.Type != labels.MatchRegexp:
	case len(set) > 0:
		slices.Sort(set)
		return slices.Compact(set), 2
	case s.isPrefix(m.Prefix(), protocol.MetricName):
		return []string{s.metric(m.Prefix()) + "*"}, 1
	}
	return nil, 0
}

func (s wording) each(spell func(string) string, texts []string) []string {
	texts = slices.Clone(texts)
	for i := range texts {
		texts[i] = spell(texts[i])
	}
	return texts
}

// maxPrefix is how long the beginning of a text is never cut in storage.
const maxPrefix = 32

// isPrefix reports whether all that begins with p does so in storage too, but
// for case.
func (s wording) isPrefix(p string, mapped func(string) string) bool {
	return p != "" && len(p) <= maxPrefix && mapped(p) == p
}

// condition returns a filter that picks at least what m matches. A label that
// is missing is one with an empty value.
func (s wording) condition(m *matcher) tsdb.Filter {
	if m.absent {
		return tsdb.Filter{}
	}
	f := s.present(m)
	if m.Matches("") && f.Op != tsdb.Any {
		return tsdb.AnyOf(tsdb.TagAbsent(m.tag), tsdb.TagIs(m.tag, ""), f)
	}
	if !m.Matches("") && f.Op == tsdb.Any {
		return tsdb.TagPresent(m.tag)
	}
	return f
}

// present is condition for streams that have the tag.
func (s wording) present(m *matcher) tsdb.Filter {
	tag, set := m.tag, m.SetMatches()
	switch m.Type {
	case labels.MatchEqual:
		return tsdb.TagIs(tag, s.value(m.Value))
	case labels.MatchNotEqual:
		return s.isNot(tag, m.Value)
	case labels.MatchNotRegexp:
		return s.isNot(tag, set...)
	case labels.MatchRegexp:
		if len(set) > 0 {
			return tsdb.TagIs(tag, s.each(s.value, set)...)
		}
		if p := m.Prefix(); s.isPrefix(p, protocol.LabelValue) {
			return tsdb.TagIs(tag, s.value(p)+"*")
		}
	}
	return tsdb.Filter{}
}

// isNot picks the streams that have the tag, with another value. One that is
// shown otherwise is another.
func (s wording) isNot(tag string, values ...string) tsdb.Filter {
	var excluded []string
	for _, v := range values {
		if stored := s.value(v); s.words.Value(tag, stored) == protocol.LabelValue(v) {
			excluded = append(excluded, stored)
		}
	}
	if len(excluded) == 0 {
		return tsdb.Filter{}
	}
	return tsdb.TagIsNot(tag, excluded...)
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

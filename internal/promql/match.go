package promql

import (
	"slices"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// picker is a list of matchers as an engine can be asked for them: patterns
// and filter pick all streams that match, and perhaps others.
type picker struct {
	matchers []*labels.Matcher
	patterns []string // of names of metrics, in order, without overlap
	filter   tsdb.Filter
}

func newPicker(matchers []*labels.Matcher) *picker {
	p := &picker{patterns: []string{"*"}}
	specific := 0
	for _, m := range matchers {
		switch {
		case isStat(m):
			continue
		case !isName(m):
			if f := condition(m); f.Op != tsdb.Any {
				p.filter.Args = append(p.filter.Args, f)
			}
		default:
			if patterns, how := namePatterns(m); how > specific {
				p.patterns, specific = patterns, how
			}
		}
		p.matchers = append(p.matchers, m)
	}
	if len(p.filter.Args) > 0 {
		p.filter.Op = tsdb.And
	}
	return p
}

// namePatterns returns globs for the names that m lets through, and how
// specific they are.
func namePatterns(m *labels.Matcher) (patterns []string, specific int) {
	switch set := slices.Clone(m.SetMatches()); {
	case m.Type == labels.MatchEqual && !tsdb.IsGlob(m.Value):
		return []string{m.Value}, 3
	case m.Type != labels.MatchRegexp:
	case len(set) > 0 && !slices.ContainsFunc(set, tsdb.IsGlob):
		slices.Sort(set)
		return slices.Compact(set), 2
	case m.Prefix() != "" && !tsdb.IsGlob(m.Prefix()):
		return []string{m.Prefix() + "*"}, 1
	}
	return nil, 0
}

// condition returns a filter that picks at least what m matches. A label that
// is missing is one with an empty value.
func condition(m *labels.Matcher) tsdb.Filter {
	f := present(m)
	if m.Matches("") && f.Op != tsdb.Any {
		return tsdb.AnyOf(tsdb.TagAbsent(m.Name), tsdb.TagIs(m.Name, ""), f)
	}
	if !m.Matches("") && f.Op == tsdb.Any {
		return tsdb.TagPresent(m.Name)
	}
	return f
}

// present is condition for streams that have the tag.
func present(m *labels.Matcher) tsdb.Filter {
	set := m.SetMatches()
	switch m.Type {
	case labels.MatchEqual:
		return tsdb.TagIs(m.Name, m.Value)
	case labels.MatchNotEqual:
		return isNot(m.Name, m.Value)
	case labels.MatchNotRegexp:
		if len(set) > 0 {
			return isNot(m.Name, set...)
		}
	case labels.MatchRegexp:
		if len(set) > 0 {
			return tsdb.TagIs(m.Name, set...)
		}
		if p := m.Prefix(); p != "" {
			return tsdb.TagIs(m.Name, p+"*")
		}
	}
	return tsdb.Filter{}
}

// isNot picks the streams that have the tag, with another value. A * in a
// value would exclude more than that value.
func isNot(tag string, values ...string) tsdb.Filter {
	if slices.ContainsFunc(values, tsdb.IsGlob) {
		return tsdb.Filter{}
	}
	return tsdb.TagIsNot(tag, values...)
}

// matches reports whether a stream is picked.
func (p *picker) matches(metric string, tags tidemark.Tags) bool {
	for _, m := range p.matchers {
		value := metric
		if !isName(m) {
			value, _ = tags.Get(m.Name)
		}
		if !m.Matches(value) {
			return false
		}
	}
	return true
}

// narrow returns a filter for the streams that were found to match, where the
// filter of p picks many others: it lists the values that a tag has among them.
func (p *picker) narrow(found []*series) tsdb.Filter {
	const most = 256 // values that a filter can be compared with quickly
	f := p.filter
	for _, m := range p.matchers {
		if isName(m) || m.Type != labels.MatchRegexp && m.Type != labels.MatchNotRegexp {
			continue
		}
		seen := make(map[string]bool)
		for _, s := range found {
			v, ok := s.tags.Get(m.Name)
			if !ok || tsdb.IsGlob(v) {
				seen = nil
				break
			}
			if seen[v] = true; len(seen) > most {
				break
			}
		}
		if n := len(seen); n == 0 || n > most {
			continue
		}
		values := make([]string, 0, len(seen))
		for v := range seen {
			values = append(values, v)
		}
		f = tsdb.AllOf(f, tsdb.TagIs(m.Name, values...))
	}
	return f
}

// makeLabels returns the labels of a stream.
func makeLabels(b *labels.ScratchBuilder, metric string, tags tidemark.Tags) labels.Labels {
	b.Reset()
	b.Add(model.MetricNameLabel, metric)
	for _, t := range tags {
		if t.Name != model.MetricNameLabel && t.Value != "" {
			b.Add(t.Name, t.Value)
		}
	}
	b.Sort()
	return b.Labels()
}

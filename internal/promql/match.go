package promql

import (
	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// picker is a list of matchers as an engine can be asked for them: patterns
// and filter pick all streams that match, and perhaps others.
type picker struct {
	spelling spelling
	matchers []matcher
	patterns []string // of names of metrics, in order, without overlap
	filter   tsdb.Filter
}

// matcher is one of them, with what it is about as storage has it.
type matcher struct {
	*labels.Matcher
	tag   string
	value string // of = and !=
}

func (e *Engine) newPicker(matchers []*labels.Matcher) *picker {
	p := &picker{spelling: spelling{e.o.CaseSensitive}, patterns: []string{"*"}}
	specific := 0
	for _, m := range e.fold(matchers) {
		switch {
		case isStat(m):
			continue
		case !isName(m):
			if f := p.spelling.condition(m); f.Op != tsdb.Any {
				p.filter.Args = append(p.filter.Args, f)
			}
		default:
			if patterns, how := p.spelling.namePatterns(m); how > specific {
				p.patterns, specific = patterns, how
			}
		}
		p.matchers = append(p.matchers, p.spelling.matcher(m))
	}
	if len(p.filter.Args) > 0 {
		p.filter.Op = tsdb.And
	}
	return p
}

// matches reports whether a stream is picked.
func (p *picker) matches(metric string, tags tidemark.Tags) bool {
	for i := range p.matchers {
		m := &p.matchers[i]
		value := metric
		if !isName(m.Matcher) {
			value, _ = tags.Get(m.tag)
		}
		if !p.spelling.matches(m, value) {
			return false
		}
	}
	return true
}

// narrow returns a filter for the streams that were found to match, where the
// filter of p picks many others: it lists the values that a tag has among them.
func (p *picker) narrow(found []*series) tsdb.Filter {
	const most = 1024 // values that a filter can be compared with quickly
	f := p.filter
	for _, m := range p.matchers {
		if isName(m.Matcher) || m.Type != labels.MatchRegexp && m.Type != labels.MatchNotRegexp {
			continue
		}
		seen := make(map[string]bool)
		for _, s := range found {
			v, ok := s.tags.Get(m.tag)
			if !ok || tidemark.IsGlob(v) {
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
		f = tsdb.AllOf(f, tsdb.TagIs(m.tag, values...))
	}
	return f
}

// labels returns the labels of a stream.
func (p *picker) labels(b *labels.ScratchBuilder, metric string, tags tidemark.Tags) labels.Labels {
	b.Reset()
	b.Add(model.MetricNameLabel, p.spelling.text(metric))
	for _, t := range tags {
		if t.Name != model.MetricNameLabel && t.Value != "" {
			b.Add(p.spelling.text(t.Name), p.spelling.text(t.Value))
		}
	}
	b.Sort()
	return b.Labels()
}

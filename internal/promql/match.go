package promql

import (
	"context"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// picker is a list of matchers as an engine can be asked for them: patterns
// and filter pick all streams that match, and perhaps others.
type picker struct {
	wording
	matchers []matcher
	patterns []string // of names of metrics, in order, without overlap
	filter   tsdb.Filter
}

// matcher is one of them, with what it is about as storage has it.
type matcher struct {
	*labels.Matcher
	tag    string
	value  string // of = and !=, in the alphabet of the API
	absent bool   // no stream has such a label: it is spelled in another way
}

func (e *Engine) newPicker(ctx context.Context, org tidemark.OrgID, matchers []*labels.Matcher) (*picker, error) {
	words, err := e.o.Spellings.Of(ctx, org)
	if err != nil {
		return nil, err
	}
	p := &picker{wording: wording{words}, patterns: []string{"*"}}
	specific := 0
	for _, of := range matchers {
		if isStat(of) {
			continue
		}
		m := p.matcher(of)
		if p.matchers = append(p.matchers, m); !isName(of) {
			if f := p.condition(&m); f.Op != tsdb.Any {
				p.filter.Args = append(p.filter.Args, f)
			}
		} else if patterns, how := p.namePatterns(of); how > specific {
			p.patterns, specific = patterns, how
		}
	}
	if len(p.filter.Args) > 0 {
		p.filter.Op = tsdb.And
	}
	return p, nil
}

// matchesTags reports whether a stream is picked as far as its tags tell.
func (p *picker) matchesTags(tags tidemark.Tags) bool {
	for i := range p.matchers {
		m := &p.matchers[i]
		if isName(m.Matcher) {
			continue
		}
		value := ""
		if !m.absent {
			value, _ = tags.Get(m.tag)
		}
		if value != "" {
			value = p.words.Value(m.tag, value)
		}
		if !p.matches(m, value) {
			return false
		}
	}
	return true
}

// matchesName reports whether the streams of a metric are picked that was first
// called so.
func (p *picker) matchesName(name string) bool {
	for i := range p.matchers {
		if m := &p.matchers[i]; isName(m.Matcher) && !p.matches(m, name) {
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
		if isName(m.Matcher) || m.absent || m.Type != labels.MatchRegexp && m.Type != labels.MatchNotRegexp {
			continue
		}
		seen := make(map[string]bool)
		for _, s := range found {
			v, ok := s.tags.Get(m.tag)
			if !ok {
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
func (p *picker) labels(b *labels.ScratchBuilder, f *found) labels.Labels {
	b.Reset()
	b.Add(model.MetricNameLabel, protocol.Unescape(f.name))
	for _, t := range p.words.Tags(f.tags) {
		if t.Name != model.MetricNameLabel && t.Value != "" {
			b.Add(protocol.Unescape(t.Name), protocol.Unescape(t.Value))
		}
	}
	b.Sort()
	return b.Labels()
}

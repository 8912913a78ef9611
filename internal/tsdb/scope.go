package tsdb

import (
	"context"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/tidemark-metrics/tidemark"
)

// Scope is what may be read on behalf of a token that has one. It travels in
// the context, unlike the organization: whoever reads for such a token keeps to
// its scope without knowing of it, and cannot forget it.
type Scope struct {
	tidemark.TokenScope
	Token string // its name
}

type scopeKey struct{}

// WithScope returns a context in which a Reader of Scoped keeps to s.
func WithScope(ctx context.Context, s *Scope) context.Context {
	return context.WithValue(ctx, scopeKey{}, s)
}

// ScopeOf returns the scope that ctx has, nil if everything may be read.
func ScopeOf(ctx context.Context) *Scope {
	s, _ := ctx.Value(scopeKey{}).(*Scope)
	return s
}

// Check refuses a metric, or a glob, of which not everything is in s by its
// name, in lower case. No scope refuses nothing. A glob is in s if a pattern of
// s matches it as it is written: no name has a *, so that what its * stands for
// lies within what one of the pattern stands for.
func (s *Scope) Check(metric string) error {
	if s == nil || s.AllowsMetric(metric) {
		return nil
	}
	return s.Outside(metric)
}

// Outside is the refusal of what is not in s.
func (s *Scope) Outside(what string) error {
	return tidemark.Errorf(tidemark.Forbidden, "%s is outside the scope of token %s", what, s.Token)
}

// narrow returns what f picks within s.
func (s *Scope) narrow(f Filter) Filter {
	if len(s.Tags) == 0 {
		return f
	}
	all := []Filter{f}
	for _, t := range s.Tags {
		values := make([]string, len(t.Values))
		for i, v := range t.Values {
			values[i] = strings.ToLower(v)
		}
		all = append(all, TagIs(strings.ToLower(t.Name), values...))
	}
	return AllOf(all...)
}

// Scoped returns r such that it keeps to the scope of the context: streams
// outside are not there, and a metric that is asked for by its name and is
// outside is refused. Of no Reader it returns none.
func Scoped(r Reader) Reader {
	if r == nil {
		return nil
	}
	return scoped{r}
}

// scoped embeds nothing: a method that Reader gets must be narrowed here first.
type scoped struct{ all Reader }

func (r scoped) Select(ctx context.Context, org tidemark.OrgID, q *Query) iter.Seq2[*Series, error] {
	s := ScopeOf(ctx)
	if s == nil {
		return r.all.Select(ctx, org, q)
	}
	return func(yield func(*Series, error) bool) {
		if err := s.Check(q.Metric); err != nil && !tidemark.IsGlob(q.Metric) {
			yield(nil, err)
			return
		}
		narrowed := *q
		narrowed.Filter = s.narrow(q.Filter)
		for one, err := range r.all.Select(ctx, org, &narrowed) {
			if err == nil && !s.AllowsMetric(one.Metric) { // groups are of one metric, too
				continue
			}
			if !yield(one, err) {
				return
			}
		}
	}
}

func (r scoped) Streams(ctx context.Context, org tidemark.OrgID, metric string, filter Filter) iter.Seq2[*Stream, error] {
	s := ScopeOf(ctx)
	if s == nil {
		return r.all.Streams(ctx, org, metric, filter)
	}
	return func(yield func(*Stream, error) bool) {
		for one, err := range r.all.Streams(ctx, org, metric, s.narrow(filter)) {
			if err == nil && !s.AllowsMetric(one.Metric) {
				continue
			}
			if !yield(one, err) {
				return
			}
		}
	}
}

func (r scoped) TagNames(ctx context.Context, org tidemark.OrgID, metric string) ([]TagCount, error) {
	if ScopeOf(ctx) == nil {
		return r.all.TagNames(ctx, org, metric)
	}
	return r.count(ctx, org, metric, func(tags tidemark.Tags, n map[string]int) {
		for _, t := range tags {
			n[t.Name]++
		}
	})
}

func (r scoped) TagValues(ctx context.Context, org tidemark.OrgID, metric, tag string) ([]TagCount, error) {
	if ScopeOf(ctx) == nil {
		return r.all.TagValues(ctx, org, metric, tag)
	}
	return r.count(ctx, org, metric, func(tags tidemark.Tags, n map[string]int) {
		if v, ok := tags.Get(tag); ok {
			n[v]++
		}
	})
}

// count counts something of the streams of metric.
func (r scoped) count(ctx context.Context, org tidemark.OrgID, metric string, add func(tidemark.Tags, map[string]int)) ([]TagCount, error) {
	n := make(map[string]int)
	for s, err := range r.Streams(ctx, org, metric, Filter{}) {
		if err != nil {
			return nil, err
		}
		add(s.Tags, n)
	}
	counts := make([]TagCount, 0, len(n))
	for _, name := range slices.Sorted(maps.Keys(n)) {
		counts = append(counts, TagCount{Name: name, Streams: n[name]})
	}
	return counts, nil
}

// Stats is refused: it is about everything.
func (r scoped) Stats(ctx context.Context) (Stats, error) {
	if s := ScopeOf(ctx); s != nil {
		return Stats{}, s.Outside("the state of the server")
	}
	return r.all.Stats(ctx)
}

// Tiers are the same for everybody.
func (r scoped) Tiers() []Tier { return r.all.Tiers() }

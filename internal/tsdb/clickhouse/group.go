package clickhouse

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/tidemark-metrics/tidemark/internal/sketch"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// makeGroups says which series each stream becomes a part of.
func (r *reading) makeGroups() {
	if !r.q.Group {
		for i := range r.picked {
			r.places.add(&r.picked[i], i, i)
		}
		return
	}
	by := r.q.GroupNames()
	keys := make([]string, len(r.picked))
	groups := make(map[string]groupOf)
	for i := range r.picked {
		if tags, ok := tsdb.GroupTags(r.picked[i].tags, by); ok {
			keys[i] = string(tsdb.AppendKey(nil, r.picked[i].metric, tags))
			groups[keys[i]] = groupOf{r.picked[i].metric, tags}
		}
	}
	r.groups = slices.SortedFunc(maps.Values(groups), func(a, b groupOf) int {
		return cmp.Or(strings.Compare(a.metric, b.metric), a.tags.Compare(b.tags))
	})
	number := make(map[string]int, len(r.groups))
	for i, g := range r.groups {
		number[string(tsdb.AppendKey(nil, g.metric, g.tags))] = i
	}
	r.member = make([]int, len(r.picked))
	for i := range r.picked {
		r.member[i] = -1
		if keys[i] == "" {
			continue
		}
		r.member[i] = number[keys[i]]
		place := i
		if r.inSQL() {
			place = r.member[i]
		}
		r.places.add(&r.picked[i], place, i)
	}
}

// points are what one stream has: a summary, and a sketch if q wants some, for
// each time.
type points struct {
	times []int64
	all   []tsdb.Distribution
}

// add merges what comes after all that is there already.
func (p *points) add(t int64, d *tsdb.Distribution, sketches bool) {
	if n := len(p.times); n > 0 && p.times[n-1] == t {
		p.all[n-1].Merge(d)
		return
	}
	first := tsdb.Distribution{}
	if sketches { // with one there from the start single values are counted too
		first.Sketch = new(sketch.Sketch)
	}
	first.Merge(d)
	p.times, p.all = append(p.times, t), append(p.all, first)
}

// fill adds what q asks for to a series.
func (p *points) fill(s *tsdb.Series, q *tsdb.Query) {
	for i, t := range p.times {
		s.Append(q, t, &p.all[i])
	}
	s.Finish(q)
}

// grouping makes groups of streams that come one after the other.
type grouping struct {
	r      *reading
	merged []map[int64]*tsdb.Distribution // of each group, if q merges
	values []map[int64]*value             // if it does not
}

// value is what a group has at one time.
type value struct {
	n, sum, min, max float64
}

func newGrouping(r *reading) *grouping {
	return &grouping{r: r, merged: make([]map[int64]*tsdb.Distribution, len(r.groups)), values: make([]map[int64]*value, len(r.groups))}
}

// add takes the points of the stream with a number.
func (g *grouping) add(number int, p *points) {
	group := g.r.member[number]
	if g.r.q.Merges() {
		if g.merged[group] == nil {
			g.merged[group] = make(map[int64]*tsdb.Distribution)
		}
		for i, t := range p.times {
			if old := g.merged[group][t]; old != nil {
				old.Merge(&p.all[i])
				continue
			}
			first := p.all[i]
			g.merged[group][t] = &first
		}
		return
	}
	var s tsdb.Series
	p.fill(&s, g.r.q)
	if g.values[group] == nil {
		g.values[group] = make(map[int64]*value)
	}
	for i, t := range s.Times {
		v, x := g.values[group][t], s.Values[i]
		if v == nil {
			g.values[group][t] = &value{1, x, x, x}
			continue
		}
		v.n, v.sum, v.min, v.max = v.n+1, v.sum+x, min(v.min, x), max(v.max, x)
	}
}

// emit yields all groups.
func (g *grouping) emit() error {
	for i, of := range g.r.groups {
		s := &tsdb.Series{Metric: of.metric, Tags: of.tags}
		if g.r.q.Merges() {
			var p points
			for _, t := range slices.Sorted(maps.Keys(g.merged[i])) {
				p.times, p.all = append(p.times, t), append(p.all, *g.merged[i][t])
			}
			p.fill(s, g.r.q)
		} else {
			for _, t := range slices.Sorted(maps.Keys(g.values[i])) {
				s.Times, s.Values = append(s.Times, t), append(s.Values, g.values[i][t].of(g.r.q.GroupFunction))
			}
		}
		if err := g.r.emit(s); err != nil {
			return err
		}
	}
	return nil
}

func (v *value) of(f tsdb.GroupFunction) float64 {
	switch f {
	case tsdb.GroupSum:
		return v.sum
	case tsdb.GroupMin:
		return v.min
	case tsdb.GroupMax:
		return v.max
	}
	return v.sum / v.n
}

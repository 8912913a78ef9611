package query

import (
	"context"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/turns"
)

// evaluation is one evaluation of one expression.
type evaluation struct {
	*Querier
	org     tidemark.OrgID
	window  Window
	dynamic []tidemark.TagFilter
	filter  tsdb.Filter // for the leaves with dynamic tags
	tiers   []tsdb.Tier
	share   *share // nil where others do not matter
	work    *turns.Work

	mostHeld int64 // what held may be

	reads    map[readKey]*read
	order    []*read
	watching []map[*read]bool           // by the group_by()s being prepared
	groups   map[nodeKey]map[*read]bool // what each group_by() has in it
	mapped   map[*mapped][]string       // what & stands for in each map()
	memo     map[nodeKey][]*Series      // of what is the same for all groups

	points, held, series, streams atomic.Int64
	pinned                        holding // what memo holds
	branches                      int

	mu       sync.Mutex
	metrics  map[string]*tidemark.Metric
	promised []*tidemark.Metric // those of metrics of which only the name is known
}

func newEvaluation(q *Querier, org tidemark.OrgID, w Window) *evaluation {
	ev := &evaluation{
		Querier: q, org: org, window: w,
		mostHeld: q.mostHeld(org),
		reads:    make(map[readKey]*read), metrics: make(map[string]*tidemark.Metric),
	}
	if w.Now != 0 {
		ev.tiers = q.engine.Tiers()
	}
	return ev
}

// mostHeld is how many points an evaluation of org may have in memory.
func (q *Querier) mostHeld(org tidemark.OrgID) int64 {
	most := int64(q.limits.Held)
	if own := q.budget.limits.Of(org, tidemark.LimitQueryPoints); own > 0 {
		most = min(most, own)
	}
	return most
}

// env is what map() and timeshift() around something set.
type env struct {
	shift int64  // seconds that times are moved forward
	amp   string // what & stands for
	bound bool   // & stands for something
}

// scope is an env, and the group that is looked at.
type scope struct {
	at     env
	values []string // of the tags of the enclosing group_by()s
}

type readKey struct {
	leaf *leaf
	at   env
}

type nodeKey struct {
	node node
	at   env
}

// metric returns the properties of a metric: those of a gauge if it is not
// known. It always returns the same pointer for the same metric.
func (ev *evaluation) metric(ctx context.Context, name string) (*tidemark.Metric, error) {
	ev.mu.Lock()
	defer ev.mu.Unlock()
	if m := ev.metrics[name]; m != nil {
		return m, nil
	}
	m := plainGauge(name)
	if ev.catalog != nil {
		known, err := ev.catalog.Metric(ctx, ev.org, name)
		switch {
		case err == nil:
			m = known
		case tidemark.KindOf(err) != tidemark.NotFound:
			return nil, err
		}
	}
	ev.metrics[name] = m
	return m, nil
}

func plainGauge(name string) *tidemark.Metric {
	return &tidemark.Metric{Name: name, Type: tidemark.Gauge, Attributes: map[string]any{}}
}

// promise returns the pointer for a metric that is looked up by keepPromises,
// together with all others. Nothing of it may be read before that.
func (ev *evaluation) promise(name string) *tidemark.Metric {
	ev.mu.Lock()
	defer ev.mu.Unlock()
	m := ev.metrics[name]
	if m == nil {
		m = plainGauge(name)
		ev.metrics[name] = m
		ev.promised = append(ev.promised, m)
	}
	return m
}

// keepPromises fills in what promise returned: one look into the catalog,
// however many there are.
func (ev *evaluation) keepPromises(ctx context.Context) error {
	ev.mu.Lock()
	defer ev.mu.Unlock()
	if ev.catalog == nil || len(ev.promised) == 0 {
		return nil
	}
	names := make([]string, len(ev.promised))
	for i, m := range ev.promised {
		names[i] = m.Name
	}
	known, err := ev.catalog.MetricsByName(ctx, ev.org, names)
	if err != nil {
		return err
	}
	for i, m := range ev.promised {
		if k := known[names[i]]; k != nil {
			*m = *k
		}
	}
	ev.promised = nil
	return nil
}

// hold counts points and series in memory against the limits. It is called
// before they are made.
func (ev *evaluation) hold(points, series int) error {
	held := ev.held.Add(int64(points))
	if held > ev.mostHeld {
		return tooMany(int(ev.mostHeld), "points (series x steps) in memory")
	}
	if err := ev.share.cover(held); err != nil {
		return err
	}
	if ev.series.Add(int64(series)) > int64(ev.limits.Series) {
		return tooMany(ev.limits.Series, "series in memory")
	}
	return nil
}

// holding is a number of points and series.
type holding struct{ points, series int64 }

func (h *holding) add(in []*Series) {
	for _, s := range in {
		h.points += int64(len(s.Values))
	}
	h.series += int64(len(in))
}

// mark returns what is held before a part of the expression is evaluated,
// without what is pinned.
func (ev *evaluation) mark() holding {
	return holding{ev.held.Load() - ev.pinned.points, ev.series.Load() - ev.pinned.series}
}

// release forgets what was held since a mark, but for the outcome and what is
// pinned: the rest can be collected. It is for evaluating, which is not
// concurrent.
func (ev *evaluation) release(mark holding, outcome []*Series) {
	mark.add(outcome)
	ev.held.Store(mark.points + ev.pinned.points)
	ev.series.Store(mark.series + ev.pinned.series)
}

const branches = "groups, values in map() and offsets in timeshift()"

// branch counts one more evaluation of a part of the expression: a group, a
// value or an offset. Nested ones multiply.
func (ev *evaluation) branch(ctx context.Context) error {
	if ev.branches++; ev.branches > ev.limits.Branches {
		return tooMany(ev.limits.Branches, branches)
	}
	return ev.work.Yield(ctx)
}

// tooMany is the error of a query over a limit.
func tooMany(limit int, what string) error {
	return tidemark.Errorf(tidemark.TooLarge,
		"the query needs more than %d %s: narrow its tags, shorten its time or ask for a coarser resolution", limit, what)
}

// once is a node that is the same for all groups.
type once struct{ node }

func (o *once) eval(ctx context.Context, ev *evaluation, sc scope) ([]*Series, error) {
	key := nodeKey{o, sc.at}
	if known, ok := ev.memo[key]; ok {
		return slices.Clone(known), ev.hold(0, len(known))
	}
	out, err := o.node.eval(ctx, ev, sc)
	if err != nil {
		return nil, err
	}
	for i, s := range out {
		c := *s
		c.shared = true
		out[i] = &c
	}
	if ev.memo == nil {
		ev.memo = make(map[nodeKey][]*Series)
	}
	ev.memo[key] = out
	ev.pinned.add(out)
	return slices.Clone(out), nil
}

// sortedKeys returns the keys of m in order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

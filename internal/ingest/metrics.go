package ingest

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// maxKnown is how many metrics of one organization are remembered. One that
// has more is looked up again now and then, which is slower and not wrong.
const maxKnown = 500_000

// metricCache remembers which metrics there are, so that recording a known
// one reads nothing from the control store.
type metricCache struct {
	mu   sync.RWMutex
	orgs map[tidemark.OrgID]*orgMetrics
}

// known is a metric that exists, as it was when it was last looked at.
type known struct {
	name   string // in lower case
	metric *tidemark.Metric
}

func newKnown(m *tidemark.Metric) *known { return &known{name: tidemark.MetricKey(m.Name), metric: m} }

// orgMetrics are those of one organization.
type orgMetrics struct {
	gate sync.RWMutex // held by writers of measurements, against Forget
	mu   sync.RWMutex
	m    map[string]*known
	// changes counts what was dropped, so that what was read before a change
	// is not remembered after it.
	changes uint64
	drops   *[]*tidemark.TagDrop // nil where they are not known
	totals  totals
	settled settled
	about   about
}

func (c *metricCache) of(org tidemark.OrgID) *orgMetrics {
	c.mu.RLock()
	o := c.orgs[org]
	c.mu.RUnlock()
	if o != nil {
		return o
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.orgs[org] == nil {
		c.orgs[org] = &orgMetrics{m: make(map[string]*known)}
	}
	return c.orgs[org]
}

func (o *orgMetrics) find(name []byte) *known {
	o.mu.RLock()
	defer o.mu.RUnlock()
	return o.m[string(name)]
}

// seen returns the count of changes, to be given to add with what is read
// afterwards.
func (o *orgMetrics) seen() uint64 {
	o.mu.RLock()
	defer o.mu.RUnlock()
	return o.changes
}

func (o *orgMetrics) add(k *known, seen uint64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.changes != seen {
		return
	}
	if len(o.m) >= maxKnown {
		clear(o.m)
	}
	o.m[k.name] = k
}

func (o *orgMetrics) drop(name string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.changes++
	delete(o.m, tidemark.MetricKey(name))
}

// Metric returns one metric of org, by its name in any case, or NotFound. It
// is the caller's to read only. Where the metric is known the control store is
// not asked.
func (r *Recorder) Metric(ctx context.Context, org tidemark.OrgID, name string) (*tidemark.Metric, error) {
	o := r.cache.of(org)
	if k := o.find([]byte(tidemark.MetricKey(name))); k != nil {
		return k.metric, nil
	}
	seen := o.seen()
	m, err := r.Metrics.Metric(ctx, org, name)
	if err != nil {
		return nil, err
	}
	o.add(newKnown(m), seen)
	return m, nil
}

// MetricsByName returns those of org's metrics that have one of names, in any
// case, by their tidemark.MetricKey. The control store is asked once, for
// those that are not known.
func (r *Recorder) MetricsByName(ctx context.Context, org tidemark.OrgID, names []string) (map[string]*tidemark.Metric, error) {
	o := r.cache.of(org)
	seen := o.seen()
	found := make(map[string]*tidemark.Metric, len(names))
	var missing []string
	for _, name := range names {
		if k := o.find([]byte(tidemark.MetricKey(name))); k != nil {
			found[k.name] = k.metric
		} else {
			missing = append(missing, name)
		}
	}
	if len(missing) == 0 {
		return found, nil
	}
	stored, err := r.Metrics.MetricsByName(ctx, org, missing)
	if err != nil {
		return nil, err
	}
	for key, m := range stored {
		o.add(newKnown(m), seen)
		found[key] = m
	}
	return found, nil
}

// miss notes that the metric of it may have to be created, as the first
// measurement of it describes it. It is counted when the items are sorted
// again.
func (d *intake) miss(it *item) {
	if d.missing[string(d.stream)] == nil {
		d.missing[string(d.stream)] = d.describe(it)
	}
}

// create makes sure that the missing metrics exist, and remembers them.
func (r *Recorder) create(ctx context.Context, org tidemark.OrgID, d *intake) error {
	names := slices.Sorted(maps.Keys(d.missing))
	ms := make([]*tidemark.Metric, len(names))
	for i, name := range names {
		ms[i] = d.missing[name]
	}
	seen := d.org.seen()
	stored, err := r.Metrics.EnsureMetrics(ctx, org, ms)
	if err != nil {
		return fmt.Errorf("create metrics: %w", err)
	}
	for _, m := range stored {
		if err := r.find(ctx, org, d, m); err != nil {
			return err
		}
		d.org.add(d.found[tidemark.MetricKey(m.Name)], seen)
	}
	return nil
}

// find makes a stored metric one that d has found.
func (r *Recorder) find(ctx context.Context, org tidemark.OrgID, d *intake, m *tidemark.Metric) error {
	// Also for one that was there: a crash may have come between its
	// creation and this.
	if fold, _ := m.Folds(); fold {
		if err := r.setMode(ctx, org, m); err != nil {
			return err
		}
	}
	k := newKnown(m)
	d.found[k.name] = k
	return nil
}

// refuseNew refuses the items of metrics for which there is no room. Some of
// the missing ones may be there: they were only not known here.
func (r *Recorder) refuseNew(ctx context.Context, org tidemark.OrgID, d *intake) error {
	stored, err := r.MetricsByName(ctx, org, slices.Sorted(maps.Keys(d.missing)))
	if err != nil {
		return fmt.Errorf("find metrics: %w", err)
	}
	for _, m := range stored {
		if err := r.find(ctx, org, d, m); err != nil {
			return err
		}
	}
	d.refuseMissing()
	return nil
}

func (r *Recorder) setMode(ctx context.Context, org tidemark.OrgID, m *tidemark.Metric) error {
	var mode tsdb.Mode
	if fold, period := m.Folds(); fold {
		mode = tsdb.Mode{Fold: true, Period: period}
	}
	if err := r.Engine.SetMode(ctx, org, tidemark.MetricKey(m.Name), mode); err != nil {
		return fmt.Errorf("set mode of %s: %w", m.Name, err)
	}
	return nil
}

// MetricChanged tells the recorder that m was created or changed by someone
// else. It must be called after the change is stored.
func (r *Recorder) MetricChanged(ctx context.Context, org tidemark.OrgID, m *tidemark.Metric) error {
	r.cache.of(org).drop(m.Name)
	if m.Type == tidemark.Composite {
		return nil
	}
	return r.setMode(ctx, org, m)
}

// Paused runs f while nothing is recorded for org, so that what f finds of
// measurements is still so when it acts on it. f must not record.
func (r *Recorder) Paused(org tidemark.OrgID, f func() error) error {
	o := r.cache.of(org)
	o.gate.Lock()
	defer o.gate.Unlock()
	return f()
}

// HasData reports whether there are measurements of one metric.
func (r *Recorder) HasData(ctx context.Context, org tidemark.OrgID, name string) (bool, error) {
	for _, err := range r.Engine.Streams(ctx, org, tidemark.MetricKey(name), tsdb.Filter{}) {
		return err == nil, err
	}
	return false, nil
}

// Invalidate makes the recorder ask the control store again for every metric.
// It is for changes made elsewhere, of which nothing more is known.
func (r *Recorder) Invalidate() {
	r.cache.mu.RLock()
	defer r.cache.mu.RUnlock()
	for _, o := range r.cache.orgs {
		o.mu.Lock()
		clear(o.m)
		o.changes++
		o.drops = nil
		o.mu.Unlock()
	}
}

// Forget deletes one metric and all its data. Measurements recorded later make
// a new metric. It is NotFound if there is none.
func (r *Recorder) Forget(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, name string) error {
	if strings.Contains(name, "*") {
		return tidemark.Errorf(tidemark.NotFound, "no such metric")
	}
	n, err := r.forget(ctx, org, by, []string{name}, nil)
	if err == nil && n == 0 {
		return tidemark.Errorf(tidemark.NotFound, "no such metric")
	}
	return err
}

// ForgetMany deletes the metrics that names, which may hold *, match and
// exclude does not. That there are none is fine.
func (r *Recorder) ForgetMany(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, names, exclude []string) error {
	_, err := r.forget(ctx, org, by, names, exclude)
	return err
}

// ForgetAll deletes all metrics of an organization and their data.
func (r *Recorder) ForgetAll(ctx context.Context, org tidemark.OrgID, by tidemark.Actor) error {
	return r.ForgetMany(ctx, org, by, []string{"*"}, nil)
}

func (r *Recorder) forget(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, names, exclude []string) (int, error) {
	o := r.cache.of(org)
	o.gate.Lock()
	defer o.gate.Unlock()
	matched, err := r.Metrics.MatchMetrics(ctx, org, names, exclude)
	if err != nil || len(matched) == 0 {
		return 0, err
	}
	// The data goes first: should the rest fail, the metric is still there to
	// be deleted again.
	for _, name := range matched {
		if err := r.Engine.Delete(ctx, org, tidemark.MetricKey(name)); err != nil {
			return 0, fmt.Errorf("delete data of %s: %w", name, err)
		}
		o.drop(name)
	}
	if err := r.Metrics.DeleteMetrics(ctx, org, by, matched); err != nil {
		return 0, fmt.Errorf("delete metrics: %w", err)
	}
	return len(matched), nil
}

// names yields the metrics that the batch touches.
func (d *intake) names() iter.Seq[string] {
	return func(yield func(string) bool) {
		for k := range d.touched {
			if !yield(k.name) {
				return
			}
		}
	}
}

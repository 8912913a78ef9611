package v1

import (
	"context"
	"errors"

	"github.com/tidemark-metrics/tidemark"
)

// What a metric is, measured or a composite, decides what becomes of the
// measurements that agents send: a metric that became a composite by mistake
// would refuse them all, and hide those there are.

// saveMetric makes a change to one metric, or a new one, for who.
func (s *API) saveMetric(ctx context.Context, who tidemark.Identity, name string, u tidemark.MetricUpdate) (m *tidemark.Metric, isNew bool, err error) {
	save := func() error {
		if m, isNew, err = s.Store.PutMetric(ctx, who.Org, who.Actor(), name, u.Apply); err != nil {
			return err
		}
		return s.Recorder.MetricChanged(ctx, who.Org, m)
	}
	old, err := s.metricOrNew(ctx, who.Org, name)
	if err != nil {
		return nil, false, err
	}
	if !changesKind(old, u) {
		err = save()
		return m, isNew, err
	}
	err = s.Recorder.Paused(who.Org, func() error {
		old, err := s.metricOrNew(ctx, who.Org, name)
		if err == nil {
			err = s.checkKind(ctx, who, old, u)
		}
		if err != nil {
			return err
		}
		return save()
	})
	return m, isNew, err
}

// metricOrNew returns a metric as it is, or as it would be before it is made.
func (s *API) metricOrNew(ctx context.Context, org tidemark.OrgID, name string) (*tidemark.Metric, error) {
	m, err := s.Store.Metric(ctx, org, name)
	if tidemark.KindOf(err) == tidemark.NotFound {
		return &tidemark.Metric{Name: name, Type: tidemark.Gauge}, nil
	}
	return m, err
}

// saveMetrics makes one change to many metrics.
func (s *API) saveMetrics(ctx context.Context, who tidemark.Identity, w MetricSelection, u tidemark.MetricUpdate) error {
	save := func() error {
		changed, err := s.Store.UpdateMetrics(ctx, who.Org, who.Actor(), w.Names, w.Exclude, u.Apply)
		for _, m := range changed {
			err = errors.Join(err, s.Recorder.MetricChanged(ctx, who.Org, m))
		}
		return err
	}
	if !u.Type.Set && !u.Composite.Set {
		return save()
	}
	if u.Type.V == tidemark.Composite && u.Composite.V != "" { // also where no metric matches
		if err := s.CheckExpression(ctx, who.Org, "composite", "", u.Composite.V); err != nil {
			return err
		}
	}
	return s.Recorder.Paused(who.Org, func() error {
		if err := s.checkKinds(ctx, who, w, u); err != nil {
			return err
		}
		return save()
	})
}

// checkKinds is checkKind of all metrics that w picks.
func (s *API) checkKinds(ctx context.Context, who tidemark.Identity, w MetricSelection, u tidemark.MetricUpdate) error {
	names, err := s.Store.MatchMetrics(ctx, who.Org, w.Names, w.Exclude)
	if err != nil {
		return err
	}
	metrics, err := s.Store.MetricsByName(ctx, who.Org, names)
	if err != nil {
		return err
	}
	for _, m := range metrics {
		if err := s.checkKind(ctx, who, m, u); err != nil {
			return err
		}
	}
	return nil
}

// changesKind reports whether u makes another kind of metric of old.
func changesKind(old *tidemark.Metric, u tidemark.MetricUpdate) bool {
	after := *old
	u.Apply(&after)
	return after.Type != old.Type || after.Composite != old.Composite
}

var (
	errOthersComposite = tidemark.Errorf(tidemark.Forbidden, "This token may record, and not change the definition of a composite")
	errOthersType      = tidemark.Errorf(tidemark.Forbidden, "This token may record, and not change the type of a metric that has measurements")
	errHasData         = asConflict(tidemark.InvalidField("type", "cannot become composite: the metric has measurements; delete it first, or use another name"))
)

// asConflict is a problem with a field that lies in what there is already, not
// in how it was sent.
func asConflict(err error) error {
	if e, ok := errors.AsType[*tidemark.Error](err); ok {
		e.Kind = tidemark.Conflict
	}
	return err
}

// checkKind refuses what would hide measurements and, to those who may only
// record, what is not theirs to say.
func (s *API) checkKind(ctx context.Context, who tidemark.Identity, old *tidemark.Metric, u tidemark.MetricUpdate) error {
	if !changesKind(old, u) {
		return nil
	}
	after := *old
	u.Apply(&after)
	if after.Type == tidemark.Composite && u.Composite.V != "" {
		if err := s.CheckExpression(ctx, who.Org, "composite", old.Name, u.Composite.V); err != nil {
			return err
		}
	}
	mayEdit := who.Role.Allows(tidemark.Edit)
	if old.Type == tidemark.Composite && !mayEdit {
		return errOthersComposite
	}
	hasData, err := s.Recorder.HasData(ctx, who.Org, old.Name)
	switch {
	case err != nil || !hasData:
		return err
	case !mayEdit:
		return errOthersType
	case old.Type != tidemark.Composite && after.Type == tidemark.Composite:
		return errHasData
	}
	return nil
}

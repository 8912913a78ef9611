package shared

import (
	"context"
	"errors"

	"github.com/tidemark-metrics/tidemark"
)

// What a metric is, measured or a composite, decides what becomes of the
// measurements that agents send: a metric that became a composite by mistake
// would refuse them all, and hide those there are.

// SaveMetric makes a change to one metric, or a new one, for who: put makes it.
func (s *Base) SaveMetric(ctx context.Context, who tidemark.Identity, name string, u tidemark.MetricUpdate,
	put func() (*tidemark.Metric, bool, error),
) (m *tidemark.Metric, isNew bool, err error) {
	save := func() error {
		if m, isNew, err = put(); err != nil {
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
			err = s.CheckKind(ctx, who, old, u)
		}
		if err != nil {
			return err
		}
		return save()
	})
	return m, isNew, err
}

// metricOrNew returns a metric as it is, or as it would be before it is made.
func (s *Base) metricOrNew(ctx context.Context, org tidemark.OrgID, name string) (*tidemark.Metric, error) {
	m, err := s.Store.Metric(ctx, org, name)
	if tidemark.KindOf(err) == tidemark.NotFound {
		return &tidemark.Metric{Name: name, Type: tidemark.Gauge}, nil
	}
	return m, err
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

// CheckKind refuses what would hide measurements and, to those who may only
// record, what is not theirs to say.
func (s *Base) CheckKind(ctx context.Context, who tidemark.Identity, old *tidemark.Metric, u tidemark.MetricUpdate) error {
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

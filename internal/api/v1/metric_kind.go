package v1

import (
	"context"
	"errors"

	"github.com/tidemark-metrics/tidemark"
)

// Whether a metric may become another kind of metric is decided in
// shared/metric_kind.go.

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

// checkKinds is CheckKind of all metrics that w picks.
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
		if err := s.CheckKind(ctx, who, m, u); err != nil {
			return err
		}
	}
	return nil
}

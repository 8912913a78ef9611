package store

import (
	"context"
	"maps"
	"slices"

	"github.com/tidemark-metrics/tidemark"
)

// annotationType is the type of a stream of events.
const annotationType = "annotation"

// fillTypes sets the types of charts' streams, by what their names stand for
// today: a composite, an annotation stream, or a metric. A composite metric
// also brings its definition.
func (s *Store) fillTypes(ctx context.Context, q conn, org tidemark.OrgID, charts []*tidemark.Chart) error {
	names := make(map[string]bool)
	for _, v := range charts {
		for _, st := range v.Streams {
			if st.Metric != "" {
				names[tidemark.MetricKey(st.Metric)] = true
			}
		}
	}
	metrics, err := s.metricsByKey(ctx, q, org, slices.Collect(maps.Keys(names)))
	if err != nil {
		return err
	}
	maps.DeleteFunc(names, func(k string, _ bool) bool { return metrics[k] != nil })
	annotations, err := s.annotationsAmong(ctx, q, org, slices.Collect(maps.Keys(names)))
	if err != nil {
		return err
	}
	for _, v := range charts {
		for i := range v.Streams {
			fillType(&v.Streams[i], metrics, annotations)
		}
	}
	return nil
}

func fillType(st *tidemark.ChartStream, metrics map[string]*tidemark.Metric, annotations map[string]bool) {
	k := tidemark.MetricKey(st.Metric)
	switch m := metrics[k]; {
	case m != nil && m.Type == tidemark.Composite:
		st.Type, st.Composite = tidemark.Composite, m.Composite
	case st.Composite != "":
		st.Type = tidemark.Composite
	case m != nil:
		st.Type = m.Type
	case annotations[k], st.Type == annotationType:
		st.Type = annotationType
	default:
		st.Type = tidemark.Gauge // of a metric that nothing was measured of yet
	}
}

// annotationsAmong returns those of keys that are annotation streams of org.
func (s *Store) annotationsAmong(ctx context.Context, q conn, org tidemark.OrgID, keys []string) (map[string]bool, error) {
	found := make(map[string]bool)
	for chunk := range slices.Chunk(keys, maxIn) {
		some, err := values[string](ctx, s, q,
			`SELECT name_key FROM annotation_streams WHERE org_id = ? AND name_key IN `+placeholders(len(chunk)), anys(org, chunk)...)
		if err != nil {
			return nil, err
		}
		for _, k := range some {
			found[k] = true
		}
	}
	return found, nil
}

package store

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark-metrics/tidemark"
)

// EnsureMetrics adds those of ms that org does not have, and returns each of
// ms as it is stored, in the same order. What is there already is not changed,
// and costs no write.
func (s *Store) EnsureMetrics(ctx context.Context, org tidemark.OrgID, ms []*tidemark.Metric) ([]*tidemark.Metric, error) {
	wanted := make(map[string]*tidemark.Metric, len(ms))
	for _, m := range ms {
		if k := tidemark.MetricKey(m.Name); wanted[k] == nil {
			wanted[k] = m // the first to be written names it
		}
	}
	stored, err := s.metricsByKey(ctx, s.db, org, slices.Collect(maps.Keys(wanted)))
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(wanted, func(k string, _ *tidemark.Metric) bool { return stored[k] != nil })
	if len(wanted) > 0 {
		added, err := s.addMetrics(ctx, org, wanted)
		if err != nil {
			return nil, err
		}
		maps.Copy(stored, added)
	}
	all := make([]*tidemark.Metric, len(ms))
	for i, m := range ms {
		all[i] = stored[tidemark.MetricKey(m.Name)]
	}
	return all, nil
}

// addMetrics adds metrics that were not there a moment ago and returns them,
// or what somebody else put there meanwhile.
func (s *Store) addMetrics(ctx context.Context, org tidemark.OrgID, wanted map[string]*tidemark.Metric) (stored map[string]*tidemark.Metric, err error) {
	keys := slices.Sorted(maps.Keys(wanted)) // one order for all, so that none waits for another in a circle
	fresh, now, added := make([]*tidemark.Metric, len(keys)), s.now(), int64(0)
	for i, k := range keys {
		m := *wanted[k]
		m.CreatedAt, m.UpdatedAt = now, now
		if m.Attributes == nil {
			m.Attributes = map[string]any{}
		}
		if err := m.Validate(); err != nil {
			return nil, err
		}
		fresh[i] = &m
	}
	if err := s.roomFor(ctx, org, tidemark.LimitMetrics, int64(len(fresh))); err != nil {
		return nil, err
	}
	err = s.write(ctx, func(tx conn) error {
		n, err := s.insertMetrics(ctx, tx, org, fresh)
		if err != nil {
			return err
		}
		added = n
		stored, err = s.metricsByKey(ctx, tx, org, keys)
		return err
	})
	if err == nil {
		s.added(org, tidemark.LimitMetrics, added)
	}
	return stored, err
}

// MetricsByName returns those of org's metrics that have one of names, in any
// case, by their tidemark.MetricKey.
func (s *Store) MetricsByName(ctx context.Context, org tidemark.OrgID, names []string) (map[string]*tidemark.Metric, error) {
	keys := make([]string, len(names))
	for i, name := range names {
		keys[i] = tidemark.MetricKey(name)
	}
	return s.metricsByKey(ctx, s.db, org, keys)
}

// metricsByKey returns those of org's metrics that have one of keys.
func (s *Store) metricsByKey(ctx context.Context, q conn, org tidemark.OrgID, keys []string) (map[string]*tidemark.Metric, error) {
	found := make(map[string]*tidemark.Metric, len(keys))
	for chunk := range slices.Chunk(keys, maxIn) {
		rest := `FROM metrics WHERE org_id = ? AND name_key IN ` + placeholders(len(chunk))
		for m, err := range each(ctx, s, q, metricColumns, rest, anys(org, chunk)...) {
			if err != nil {
				return nil, err
			}
			found[tidemark.MetricKey(m.Name)] = m
		}
	}
	return found, nil
}

// MatchMetrics returns the names of org's metrics that are among names and not
// among exclude, in order. Names may be in any case, and hold * as a wildcard.
func (s *Store) MatchMetrics(ctx context.Context, org tidemark.OrgID, names, exclude []string) ([]string, error) {
	found, err := s.matchMetrics(ctx, org, names)
	if err != nil {
		return nil, err
	}
	excluded, err := s.matchMetrics(ctx, org, exclude)
	if err != nil {
		return nil, err
	}
	all := make([]string, 0, len(found))
	for _, k := range slices.Sorted(maps.Keys(found)) {
		if _, out := excluded[k]; !out {
			all = append(all, found[k])
		}
	}
	return all, nil
}

// matchMetrics returns the names of org's metrics that are among names, by key.
func (s *Store) matchMetrics(ctx context.Context, org tidemark.OrgID, names []string) (map[string]string, error) {
	found := make(map[string]string)
	for chunk := range slices.Chunk(names, maxIn) {
		which := matchAny("name_key", chunk)
		some, err := values[string](ctx, s, s.db, `SELECT name FROM metrics WHERE org_id = ? AND `+which.where, which.argsAfter(org)...)
		if err != nil {
			return nil, err
		}
		for _, name := range some {
			found[tidemark.MetricKey(name)] = name
		}
	}
	return found, nil
}

// UpdateMetrics applies change to all metrics of org that MatchMetrics would
// return, or to none if one of them would become invalid, and returns them.
func (s *Store) UpdateMetrics(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, names, exclude []string, change func(*tidemark.Metric)) ([]*tidemark.Metric, error) {
	matched, err := s.MatchMetrics(ctx, org, names, exclude)
	if err != nil {
		return nil, err
	}
	var changed []*tidemark.Metric
	w := operation{org, by, "metric.update"}
	single := len(matched) <= maxNotedSingly
	err = s.write(ctx, func(tx conn) error {
		changed = make([]*tidemark.Metric, 0, len(matched))
		for chunk := range slices.Chunk(matched, maxIn) {
			some, err := s.changeMetrics(ctx, tx, w, chunk, single, change)
			if err != nil {
				return err
			}
			changed = append(changed, some...)
		}
		if single {
			return nil
		}
		return s.noteMetrics(ctx, tx, w, matched)
	})
	if err != nil {
		return nil, err
	}
	return changed, nil
}

// maxNotedSingly is how many metrics that change at once have an entry in the
// audit log each.
const maxNotedSingly = 20

func metricObject(name string) string { return "metric " + strconv.Quote(shorten(name)) }

// noteMetrics notes that w was done to metrics, of which it names the first.
func (s *Store) noteMetrics(ctx context.Context, tx conn, w operation, names []string) error {
	some := names[:min(len(names), maxNotedSingly)]
	return s.note(ctx, tx, w, strconv.Itoa(len(names))+" metrics", map[string]any{"count": len(names), "names": some})
}

// noteDeleted notes that metrics are gone, few of them singly.
func (s *Store) noteDeleted(ctx context.Context, tx conn, w operation, gone []*tidemark.Metric) error {
	slices.SortFunc(gone, func(a, b *tidemark.Metric) int { return strings.Compare(a.Name, b.Name) })
	names := make([]string, len(gone))
	for i, m := range gone {
		names[i] = m.Name
	}
	if len(gone) > maxNotedSingly {
		return s.noteMetrics(ctx, tx, w, names)
	}
	for _, m := range gone {
		if err := s.noteChange(ctx, tx, w, metricObject(m.Name), fieldsOf(m), nil); err != nil {
			return err
		}
	}
	return nil
}

// changeMetrics applies change to the metrics called names, as far as they
// are still there. Single says that each is noted.
func (s *Store) changeMetrics(ctx context.Context, tx conn, w operation, names []string, single bool, change func(*tidemark.Metric)) ([]*tidemark.Metric, error) {
	which := matchAny("name_key", names)
	ms, err := many(ctx, s, tx, metricColumns,
		`FROM metrics WHERE org_id = ? AND `+which.where+` ORDER BY name_key`+s.dialect.forUpdate, which.argsAfter(w.org)...)
	if err != nil {
		return nil, err
	}
	for _, m := range ms {
		old, was := *m, fields(nil)
		if single || m.Type == tidemark.Composite {
			was = fieldsOf(m)
		}
		if err := s.changeMetric(m, change); err != nil {
			return nil, err
		}
		if err := s.keepMetric(ctx, tx, revision{operation: w}, &old, was, m); err != nil {
			return nil, err
		}
		if single {
			if err := s.noteChange(ctx, tx, w, metricObject(m.Name), was, fieldsOf(m)); err != nil {
				return nil, err
			}
		}
	}
	return ms, s.saveMetrics(ctx, tx, w.org, ms)
}

// DeleteMetrics removes the metrics of org with these names, in any case and
// with * as a wildcard. Those that are not there are no error. Data is
// elsewhere, and goes first: MatchMetrics says whose.
func (s *Store) DeleteMetrics(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, names []string) error {
	return s.write(ctx, func(tx conn) error {
		var gone []*tidemark.Metric
		for chunk := range slices.Chunk(names, maxIn) {
			which := matchAny("name_key", chunk)
			some, err := collect(eachOf(ctx, s, tx, metricColumns,
				`DELETE FROM metrics WHERE org_id = ? AND `+which.where+` RETURNING `+metricColumns.names, which.argsAfter(org)...))
			if err != nil {
				return err
			}
			gone = append(gone, some...)
		}
		for _, m := range gone {
			if err := s.keepMetric(ctx, tx, revision{operation: operation{org, by, "metric.delete"}}, m, fieldsOf(m), nil); err != nil {
				return err
			}
		}
		if err := s.noteDeleted(ctx, tx, operation{org, by, "metric.delete"}, gone); err != nil {
			return err
		}
		return s.bump(ctx, tx, metricsTopic)
	})
}

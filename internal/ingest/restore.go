package ingest

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/sketch"
	"github.com/tidemark-metrics/tidemark/internal/spelling"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// Restored counts what became of series.
type Restored struct {
	Recorded int64 `json:"recorded"` // points
	Refused  int64 `json:"refused"`
	// Problems are why some were refused, each once.
	Problems []string `json:"problems"`
}

func (r *Restored) refuse(points int, format string, args ...any) {
	r.Refused += int64(points)
	if text := fmt.Sprintf(format, args...); len(r.Problems) < MaxProblems && !slices.Contains(r.Problems, text) {
		r.Problems = append(r.Problems, text)
	}
}

// Restore records series that were recorded before, here or elsewhere, as they
// are: with summaries, which nothing is made of on the way. It creates the
// metrics that are missing. It is for an operator: how much arrives in a
// second is not limited, and alerts are not told, since what is restored is
// about the past. Where a point is there already, it is replaced; in a metric
// that folds, and where records of that age are gone, the two are added up.
func (r *Recorder) Restore(ctx context.Context, org tidemark.OrgID, series []*tsdb.Series) (Restored, error) {
	res := Restored{Problems: []string{}}
	if r.Refusing != nil {
		if err := r.Refusing(); err != nil {
			return res, err
		}
	}
	o := r.cache.of(org)
	o.gate.RLock() // as in write
	defer o.gate.RUnlock()
	b := r.restoreBatch(org, series, &res)
	written := writtenAs(series)
	kept, err := r.restoreMetrics(ctx, org, b, written, &res)
	if err != nil || kept.Len() == 0 {
		return res, err
	}
	if err := r.noteRestored(ctx, org, kept, written); err != nil {
		return res, err
	}
	if err := r.Engine.Write(ctx, org, kept); err != nil {
		return res, fmt.Errorf("write measurements: %w", err)
	}
	res.Recorded = int64(kept.Len())
	if r.OnWrite != nil {
		r.OnWrite(org, maps.Keys(metricsOf(kept, written)))
	}
	return res, nil
}

// restoreBatch makes a batch of what can be recorded of series.
func (r *Recorder) restoreBatch(org tidemark.OrgID, series []*tsdb.Series, res *Restored) *tsdb.Batch {
	b := &tsdb.Batch{Room: r.room(org)}
	now := r.Now().Unix()
	longest := int(r.Limits.Of(org, tidemark.LimitStreamBytes))
	for _, s := range series {
		key, err := restoreKey(s)
		if err == nil && longest > 0 && len(key) > longest {
			err = r.Limits.Refuse(org, tidemark.LimitStreamBytes)
		}
		if err != nil {
			res.refuse(len(s.Times), "%v", err)
			continue
		}
		for i, t := range s.Times {
			switch {
			case t < max(0, now-r.reach):
				res.refuse(1, "%s: older than anything that is kept", s.Metric)
			case t > now+tidemark.MaxTimeAhead:
				res.refuse(1, "%s: in the future", s.Metric)
			case !validSummary(&s.Summaries[i], s.SketchAt(i)):
				res.refuse(1, "%s: a summary or its sketch is invalid", s.Metric)
			default:
				b.AddDistribution(key, t, s.Summaries[i], encoded(s.SketchAt(i)))
			}
		}
	}
	return b
}

// validSummary reports whether the engine takes a summary with its sketch, if
// there is one.
func validSummary(s *tsdb.Summary, k *sketch.Sketch) bool {
	return s.Count >= 1 && !(s.Min > s.Max) && !(s.M2 < 0) && (k == nil || s.Counts(k))
}

func encoded(k *sketch.Sketch) []byte {
	if k == nil {
		return nil
	}
	return k.AppendBinary(nil)
}

// restoreKey returns the key of the stream of s, with names in lower case.
func restoreKey(s *tsdb.Series) ([]byte, error) {
	if !tidemark.IsMetricName(s.Metric) {
		return nil, fmt.Errorf("%q is no name of a metric", s.Metric)
	}
	if len(s.Tags) > tidemark.MaxTags {
		return nil, fmt.Errorf("%s has more than %d tags", s.Metric, tidemark.MaxTags)
	}
	m := make(map[string]string, len(s.Tags))
	for _, t := range s.Tags {
		if !tidemark.IsTagName(t.Name) || !tidemark.IsTagValue(t.Value) {
			return nil, fmt.Errorf("%s=%s of %s cannot be a tag", t.Name, t.Value, s.Metric)
		}
		m[strings.ToLower(t.Name)] = strings.ToLower(t.Value)
	}
	return tsdb.AppendKey(nil, tidemark.MetricKey(s.Metric), tidemark.MakeTags(m)), nil
}

// metricsOf returns the metrics that a batch has records of, and what each was
// first called.
func metricsOf(b *tsdb.Batch, written map[string]*tsdb.Series) map[string]string {
	names := make(map[string]string)
	for i := range b.Records {
		if name := tsdb.KeyMetric(b.Key(i)); names[name] == "" {
			names[name] = written[string(b.Key(i))].Metric
		}
	}
	return names
}

// writtenAs returns series by the keys of their streams, the first of each.
func writtenAs(series []*tsdb.Series) map[string]*tsdb.Series {
	by := make(map[string]*tsdb.Series, len(series))
	for _, s := range series {
		if key, err := restoreKey(s); err == nil && by[string(key)] == nil {
			by[string(key)] = s
		}
	}
	return by
}

// noteRestored is noteSpellings for what is restored.
func (r *Recorder) noteRestored(ctx context.Context, org tidemark.OrgID, b *tsdb.Batch, written map[string]*tsdb.Series) error {
	if r.Spellings == nil {
		return nil
	}
	var list []*tidemark.Spelling
	seen := make(map[spelling.Text]bool)
	for i := range b.Records {
		if i > 0 && bytes.Equal(b.Key(i), b.Key(i-1)) {
			continue
		}
		if s := written[string(b.Key(i))]; s != nil {
			_, tags, _ := tsdb.ParseKey(b.Key(i))
			list = append(list, spellingsOf(tags, s.Tags, seen)...)
		}
	}
	return r.note(ctx, org, list)
}

// restoreMetrics creates the metrics that b needs, called as they are written, and returns what of it may
// be written: nothing of composites, and nothing that there is no room for.
func (r *Recorder) restoreMetrics(ctx context.Context, org tidemark.OrgID, b *tsdb.Batch, written map[string]*tsdb.Series, res *Restored) (*tsdb.Batch, error) {
	b = r.fitting(org, b, res)
	var missing []*tidemark.Metric
	for _, name := range metricsOf(b, written) {
		missing = append(missing, &tidemark.Metric{Name: name, Type: tidemark.Gauge, Attributes: map[string]any{}})
	}
	slices.SortFunc(missing, func(a, b *tidemark.Metric) int { return strings.Compare(a.Name, b.Name) })
	stored, err := r.Metrics.EnsureMetrics(ctx, org, missing)
	if err != nil {
		return nil, fmt.Errorf("create metrics: %w", err)
	}
	composite := make(map[string]bool)
	for _, m := range stored {
		composite[tidemark.MetricKey(m.Name)] = m.Type == tidemark.Composite
		if fold, _ := m.Folds(); fold && m.Type != tidemark.Composite {
			if err := r.setMode(ctx, org, m); err != nil {
				return nil, err
			}
		}
	}
	kept := &tsdb.Batch{Room: b.Room}
	for i := range b.Records {
		if name := tsdb.KeyMetric(b.Key(i)); composite[name] {
			res.refuse(1, "%s: is a composite", name)
			continue
		}
		kept.AddDistribution(b.Key(i), b.Records[i].Time, b.Records[i].Summary, b.Sketch(i))
	}
	return kept, nil
}

// fitting returns those records of b whose streams there is room for.
func (r *Recorder) fitting(org tidemark.OrgID, b *tsdb.Batch, res *Restored) *tsdb.Batch {
	limits := r.Engine.Fits(org, b)
	if !slices.ContainsFunc(limits, func(l tidemark.LimitName) bool { return l != "" }) {
		return b
	}
	kept := &tsdb.Batch{Room: b.Room}
	for i, limit := range limits {
		if limit != "" {
			res.refuse(1, "%v", r.Limits.Refuse(org, limit))
			continue
		}
		kept.AddDistribution(b.Key(i), b.Records[i].Time, b.Records[i].Summary, b.Sketch(i))
	}
	return kept
}

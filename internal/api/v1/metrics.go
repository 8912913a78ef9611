package v1

import (
	"net/http"
	"slices"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
)

// attributeNames are the attributes that a bulk change may carry at the top
// level, beside the metric's own properties.
var attributeNames = []string{
	"color", "display_min", "display_max", "display_units_long", "display_units_short", "display_stacked",
	"summarize_function", "aggregate", "gap_detection", "display_transform", "created_by_ua",
}

// readMetric reads a change to metrics from a body.
func readMetric(object map[string]any) (tidemark.MetricUpdate, error) {
	var u tidemark.MetricUpdate
	if err := rest.Decode(object, &u); err != nil {
		return u, err
	}
	if u.Attributes.V == nil {
		u.Attributes.V = make(map[string]any)
	}
	for _, name := range attributeNames {
		if v, there := object[name]; there {
			u.Attributes.V[name] = rest.Plain(v)
		}
	}
	for name, v := range u.Attributes.V {
		u.Attributes.V[name] = coerceAttribute(name, v)
	}
	if u.Composite.Set && u.Composite.V != "" && !u.Type.Set {
		u.Type = tidemark.Some(tidemark.Composite)
	}
	return u, nil
}

// coerceAttribute makes a number or a boolean of what clients and forms send
// as text, where the attribute is one; the rest is kept as it is.
func coerceAttribute(name string, v any) any {
	switch name {
	case "display_min", "display_max":
		if v == "" {
			return nil
		}
		if f, ok := rest.Number(v); ok {
			if whole := int64(f); float64(whole) == f {
				return whole
			}
			return f
		}
	case "aggregate", "display_stacked", "gap_detection":
		if v == "" {
			return nil
		}
		if b, ok := rest.Truth(v); ok {
			return b
		}
	}
	return v
}

// putMetric answers PUT /v1/metrics/:name: 204 for a change, 201 with the
// metric where there was none.
func (s *API) putMetric(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	name, err := rest.ByNewName(r)
	if err != nil {
		return rest.Reply{}, err
	}
	object, err := rest.ReadObject(r)
	if err != nil {
		return rest.Reply{}, err
	}
	u, err := readMetric(object)
	if err != nil {
		return rest.Reply{}, err
	}
	by, err := rest.ActorOf(r, who)
	if err != nil {
		return rest.Reply{}, err
	}
	m, isNew, err := s.SaveMetric(r.Context(), who, name, u, func() (*tidemark.Metric, bool, error) {
		return s.Store.PutMetric(r.Context(), who.Org, by, name, u.Apply)
	})
	if err != nil {
		return rest.Reply{}, err
	}
	if !isNew {
		return rest.NoContent, nil
	}
	return rest.Created(m, r.URL.EscapedPath()), nil
}

// MetricSelection is the part of a bulk request that says which metrics it is about.
type MetricSelection struct {
	Names   []string `json:"names"`
	Exclude []string `json:"exclude"`
}

const maxNames = 10_000

// readWhich reads the body of a bulk request: names, a list or one pattern,
// and what to leave out. The whole body comes along.
func readWhich(r *http.Request) (MetricSelection, map[string]any, error) {
	object, err := rest.ReadObject(r)
	if err != nil {
		return MetricSelection{}, nil, err
	}
	for _, field := range []string{"names", "exclude"} {
		if one, ok := object[field].(string); ok {
			object[field] = []any{one}
		}
	}
	var w MetricSelection
	if err := rest.Decode(object, &w); err != nil {
		return w, nil, err
	}
	var p tidemark.Problems
	p.Check(len(w.Names) > 0, "names", "is not present")
	p.Check(len(w.Names) <= maxNames, "names", "has more than %d entries", maxNames)
	p.Check(!slices.Contains(w.Names, ""), "names", "must not hold an empty name")
	for _, name := range w.Names {
		p.Text("names", name, 0, tidemark.MaxName)
	}
	for _, name := range w.Exclude {
		p.Text("exclude", name, 0, tidemark.MaxName)
	}
	return w, object, p.Err()
}

// putMetrics answers PUT /v1/metrics: one change to many metrics, at once.
func (s *API) putMetrics(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	w, object, err := readWhich(r)
	if err != nil {
		return rest.Reply{}, err
	}
	u, err := readMetric(object)
	if err != nil {
		return rest.Reply{}, err
	}
	return rest.NoContent, s.saveMetrics(r.Context(), who, w, u)
}

// deleteMetrics answers DELETE /v1/metrics. Names that do not exist are no
// error.
func (s *API) deleteMetrics(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	w, _, err := readWhich(r)
	if err != nil {
		return rest.Reply{}, err
	}
	return rest.NoContent, s.Recorder.ForgetMany(r.Context(), who.Org, who.Actor(), w.Names, w.Exclude)
}

// deleteMetric answers DELETE /v1/metrics/:name: the metric and its data.
func (s *API) deleteMetric(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	name, err := rest.ByName(r)
	if err != nil {
		return rest.Reply{}, err
	}
	return rest.NoContent, s.Recorder.Forget(r.Context(), who.Org, who.Actor(), name)
}

package promapi

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	prom "github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/util/annotations"

	"github.com/tidemark-metrics/tidemark"
)

// series lists the series that match one of several selectors.
func (h *handler) series(r *request) (*result, error) {
	if len(r.Form["match[]"]) == 0 {
		return nil, badData("no match[] parameter provided")
	}
	c, err := h.catalogue(r)
	if err != nil {
		return nil, err
	}
	hints := &storage.SelectHints{Start: c.start, End: c.end, Func: "series"} // as Prometheus says that data is not needed
	found := make(map[string]labels.Labels)
	for _, matchers := range c.sets {
		set := c.querier.Select(r.Context(), false, hints, matchers...)
		for set.Next() {
			ls := set.At().Labels()
			found[string(ls.Bytes(nil))] = ls
		}
		if set.Err() != nil {
			return nil, set.Err()
		}
	}
	list := make([]labels.Labels, 0, len(found))
	for _, ls := range found {
		list = append(list, ls)
	}
	slices.SortFunc(list, labels.Compare)
	return limited(list, c.limit), nil
}

// labels lists names of labels.
func (h *handler) labels(r *request) (*result, error) {
	return h.list(r, func(ctx context.Context, q storage.Querier, matchers []*labels.Matcher) ([]string, annotations.Annotations, error) {
		return q.LabelNames(ctx, nil, matchers...)
	})
}

// labelValues lists the values of one label. Names that are not letters,
// digits and _ come escaped.
func (h *handler) labelValues(r *request) (*result, error) {
	name := r.PathValue("name")
	if strings.HasPrefix(name, "U__") {
		name = model.UnescapeName(name, model.ValueEncodingEscaping)
	}
	if !model.UTF8Validation.IsValidLabelName(name) {
		return nil, badData("invalid label name: %q", name)
	}
	return h.list(r, func(ctx context.Context, q storage.Querier, matchers []*labels.Matcher) ([]string, annotations.Annotations, error) {
		return q.LabelValues(ctx, name, nil, matchers...)
	})
}

// catalogue is what requests about series and labels have in common.
type catalogue struct {
	querier    storage.Querier
	sets       [][]*labels.Matcher
	start, end int64
	limit      int
}

func (h *handler) catalogue(r *request) (*catalogue, error) {
	limit, err := r.limit()
	if err != nil {
		return nil, err
	}
	start, end, err := r.span()
	if err != nil {
		return nil, err
	}
	sets, err := h.matchers(r)
	if err != nil {
		return nil, err
	}
	c := &catalogue{sets: sets, start: start.UnixMilli(), end: end.UnixMilli(), limit: limit}
	c.querier = h.Engine.Querier(r.org, c.start, c.end)
	return c, nil
}

// list collects texts, of all streams or of those that match one of several
// selectors.
func (h *handler) list(r *request, ask func(context.Context, storage.Querier, []*labels.Matcher) ([]string, annotations.Annotations, error)) (*result, error) {
	c, err := h.catalogue(r)
	if err != nil {
		return nil, err
	}
	if len(c.sets) == 0 {
		c.sets = [][]*labels.Matcher{nil}
	}
	var all []string
	for _, matchers := range c.sets {
		some, _, err := ask(r.Context(), c.querier, matchers)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	return limited(all, c.limit), nil
}

// limited returns a list that is cut where there is more than was asked for.
func limited[T any](list []T, limit int) *result {
	if list == nil {
		list = []T{}
	}
	if limit == 0 || len(list) <= limit {
		return data(list)
	}
	res := data(list[:limit])
	res.warnings.Add(errTruncated)
	return res
}

var errTruncated = errors.New("results truncated due to limit")

// metadata tells what is known of metrics.
func (h *handler) metadata(r *request) (*result, error) {
	limit := 0
	if text := r.Form.Get("limit"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			return nil, badData("limit must be a number")
		}
		limit = max(n, 0)
	}
	if h.Metadata == nil {
		return data(map[string][]Metadata{}), nil
	}
	found, err := h.Metadata(r.Context(), r.org, r.Form.Get("metric"), limit)
	if err != nil && tidemark.KindOf(err) == tidemark.Internal {
		err = prom.ErrStorage{Err: fmt.Errorf("metadata: %w", err)}
	}
	if err != nil {
		return nil, err
	}
	if found == nil {
		found = map[string][]Metadata{}
	}
	return data(found), nil
}

// rules lists no rules: alerts are kept elsewhere.
func (h *handler) rules(*request) (*result, error) {
	return data(map[string]any{"groups": []string{}}), nil
}

// buildInfo says what Prometheus this is like. With a field "features" it
// would be taken for Mimir.
func (h *handler) buildInfo(*request) (*result, error) {
	return data(map[string]string{
		"version": Speaks, "revision": "tidemark-" + h.Version, "branch": "", "buildUser": "", "buildDate": "", "goVersion": runtime.Version(),
	}), nil
}

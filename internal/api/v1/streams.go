package v1

import (
	"net/http"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
)

// streams answers GET /v1/metrics/:name/streams: which streams a metric has,
// and when each was last measured.
func (s *API) streams(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	m, err := s.NamedMetric(r, who)
	if err != nil {
		return rest.Reply{}, err
	}
	page, err := rest.ReadPage(r)
	if err != nil {
		return rest.Reply{}, err
	}
	filter, err := readFilter(r)
	if err != nil {
		return rest.Reply{}, err
	}
	type stream struct {
		Tags     map[string]string `json:"tags"`
		LastSeen *int64            `json:"last_seen"`
	}
	list, n := []stream{}, 0
	for one, err := range s.Engine.Streams(r.Context(), who.Org, tidemark.MetricKey(m.Name), filter) {
		if err != nil {
			return rest.Reply{}, err
		}
		if n >= page.Offset && n < page.Offset+page.Length {
			item := stream{Tags: one.Tags.Map()}
			if one.LastSeen > 0 {
				seen := one.LastSeen
				item.LastSeen = &seen
			}
			list = append(list, item)
		}
		n++
	}
	return rest.OK(map[string]any{"query": rest.PageOf(page, len(list), tidemark.Counts{Found: n, Total: n}), "streams": list}), nil
}

// maxTagValues is how many values of one tag are listed.
const maxTagValues = 1000

// metricTags answers GET /v1/metrics/:name/tags: the names of tags that the
// streams of a metric have, and their values.
func (s *API) metricTags(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	m, err := s.NamedMetric(r, who)
	if err != nil {
		return rest.Reply{}, err
	}
	key := tidemark.MetricKey(m.Name)
	names, err := s.Engine.TagNames(r.Context(), who.Org, key)
	if err != nil {
		return rest.Reply{}, err
	}
	only := r.URL.Query().Get("name")
	list := []map[string]any{}
	for _, tag := range names {
		if only != "" && !strings.EqualFold(tag.Name, only) {
			continue
		}
		counts, err := s.Engine.TagValues(r.Context(), who.Org, key, tag.Name)
		if err != nil {
			return rest.Reply{}, err
		}
		values := []map[string]any{}
		for _, v := range counts[:min(len(counts), maxTagValues)] {
			values = append(values, map[string]any{"value": v.Name, "streams": v.Streams})
		}
		list = append(list, map[string]any{"name": tag.Name, "streams": tag.Streams, "count": len(counts), "values": values})
	}
	return rest.OK(map[string]any{"tags": list}), nil
}

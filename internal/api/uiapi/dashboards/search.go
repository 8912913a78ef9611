package dashboards

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// maxFound bounds a page of the interface's lists, which are longer than
// those of /v1.
const maxFound = 500

// searchMetrics answers GET /ui/api/metrics: globs and words.
func (s *API) searchMetrics(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	var p tidemark.Problems
	offset, length := rest.QueryInt(&p, r, "offset", 0), rest.QueryInt(&p, r, "length", 200)
	p.Check(offset >= 0, "offset", "must not be negative")
	p.Check(length >= 1, "length", "must be a number from 1")
	if err := p.Err(); err != nil {
		return rest.Reply{}, err
	}
	found, total, err := s.findMetrics(r.Context(), who.Org, r.URL.Query().Get("q"))
	if err != nil {
		return rest.Reply{}, err
	}
	if r.URL.Query().Get("sort") == "streams" {
		s.sortByStreams(r.Context(), who.Org, found)
	}
	page := found[min(int(offset), len(found)):]
	page = page[:min(int(length), maxFound, len(page))]
	summaries, err := s.summarize(r.Context(), who.Org, page)
	if err != nil {
		return rest.Reply{}, err
	}
	answer := metricPage{
		Metrics: summaries,
		Query:   rest.PageOf(tidemark.Page{Offset: int(offset)}, len(page), tidemark.Counts{Found: len(found), Total: total}),
	}
	if len(found) == 0 && total > 0 {
		answer.DidYouMean, err = s.meantMetric(r.Context(), who.Org, r.URL.Query().Get("q"))
	}
	return rest.OK(answer), err
}

// sortByStreams puts the metrics with most streams first.
func (s *API) sortByStreams(ctx context.Context, org tidemark.OrgID, found []*tidemark.Metric) {
	counts := make(map[string]int, len(found))
	for _, m := range found {
		if m.Type != tidemark.Composite {
			counts[m.Name] = s.CountStreams(ctx, org, m.Name, tsdb.Filter{})
		}
	}
	slices.SortStableFunc(found, func(a, b *tidemark.Metric) int { return counts[b.Name] - counts[a.Name] })
}

// findMetrics returns the metrics that q asks for: by a glob where it has a *,
// else those that have all of its words in their name or display name.
func (s *API) findMetrics(ctx context.Context, org tidemark.OrgID, q string) (found []*tidemark.Metric, total int, err error) {
	words := strings.Fields(strings.ToLower(q))
	for m, err := range s.Store.EachMetric(ctx, org) {
		if err != nil {
			return nil, 0, err
		}
		total++
		text := tidemark.MetricKey(m.Name)
		if m.DisplayName != nil {
			text += " " + strings.ToLower(*m.DisplayName)
		}
		if !slices.ContainsFunc(words, func(w string) bool { return !hasWord(m, text, w) }) {
			found = append(found, m)
		}
	}
	return found, total, nil
}

func hasWord(m *tidemark.Metric, text, word string) bool {
	if tidemark.IsGlob(word) {
		return tidemark.Glob(word, tidemark.MetricKey(m.Name))
	}
	return strings.Contains(text, word)
}

// meantMetric returns the part of a metric's name that is most like q.
func (s *API) meantMetric(ctx context.Context, org tidemark.OrgID, q string) (string, error) {
	parts := make(map[string]bool)
	for name, err := range s.Store.MetricNames(ctx, org) {
		if err != nil {
			return "", err
		}
		name = tidemark.MetricKey(name)
		parts[name] = true
		for part := range strings.SplitSeq(name, ".") {
			parts[part] = true
		}
	}
	words := make([]string, 0, len(parts))
	for part := range parts {
		words = append(words, part)
	}
	slices.Sort(words)
	return query.Nearest(strings.TrimSpace(q), words), nil
}

const (
	lastWindow = 3600 // seconds in which a last value is looked for
	lastStep   = 60
)

func (s *API) summarize(ctx context.Context, org tidemark.OrgID, metrics []*tidemark.Metric) ([]*metricSummary, error) {
	list := make([]*metricSummary, len(metrics))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(parallelQueries)
	for i, m := range metrics {
		list[i] = &metricSummary{Name: m.Name, DisplayName: m.DisplayName, Type: m.Type, Units: m.Unit()}
		if m.Type == tidemark.Composite {
			continue
		}
		g.Go(func() error { return s.fillSummary(ctx, org, m, list[i]) })
	}
	return list, g.Wait()
}

// fillSummary looks up the last value of a metric, over all its streams, and
// how many there are.
func (s *API) fillSummary(ctx context.Context, org tidemark.OrgID, m *tidemark.Metric, sum *metricSummary) error {
	now := s.Now().Unix()
	q := &tsdb.Query{
		Metric: tidemark.MetricKey(m.Name), Start: (now - lastWindow) / lastStep * lastStep, End: now + tidemark.MaxTimeAhead, Step: lastStep,
		Function: tsdb.Mean, Group: true, GroupFunction: tsdb.GroupMean,
	}
	for sr, err := range s.Engine.Select(ctx, org, q) {
		if err != nil {
			return err
		}
		if n := len(sr.Times); n > 0 {
			v := sr.Values[n-1]
			sum.LastValue, sum.LastAt = &v, sr.Times[n-1]
		}
	}
	sum.Streams = s.CountStreams(ctx, org, m.Name, tsdb.Filter{})
	return nil
}

// metricUses answers GET /ui/api/metrics/:name/uses: where a metric is used.
func (s *API) metricUses(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	name, err := rest.ByName(r)
	if err != nil {
		return rest.Reply{}, err
	}
	spaces, alerts, err := s.Store.MetricUses(r.Context(), who.Org, name)
	if err != nil {
		return rest.Reply{}, err
	}
	return rest.OK(metricUseList{Alerts: alerts, Spaces: spaces}), nil
}

// tagsOfMetrics answers GET /ui/api/tags: the tags that the streams of some
// metrics have or, with a name, the values of one tag.
func (s *API) tagsOfMetrics(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	metrics := strings.FieldsFunc(strings.ToLower(r.URL.Query().Get("metrics")), func(c rune) bool { return c == ',' })
	if len(metrics) == 0 {
		metrics = []string{"*"}
	}
	name := r.URL.Query().Get("name")
	streams, values, err := s.countTags(r.Context(), who.Org, metrics)
	if err != nil {
		return rest.Reply{}, err
	}
	if name != "" {
		return rest.OK(tagList{Values: tagValues(valuesOf(values, name), strings.ToLower(r.URL.Query().Get("q")))}), nil
	}
	tags := []tagName{}
	for tag, n := range streams {
		tags = append(tags, tagName{Name: tag, Streams: n, Values: len(values[tag])})
	}
	slices.SortFunc(tags, func(a, b tagName) int { return cmp.Or(cmp.Compare(b.Streams, a.Streams), cmp.Compare(a.Name, b.Name)) })
	return rest.OK(tagList{Tags: tags}), nil
}

// valuesOf returns what a tag has in counts, by its name in any case.
func valuesOf(counts map[string]map[string]int, name string) map[string]int {
	for tag, values := range counts {
		if strings.EqualFold(tag, name) {
			return values
		}
	}
	return nil
}

// countTags counts streams by tag, and by tag and value.
func (s *API) countTags(ctx context.Context, org tidemark.OrgID, metrics []string) (map[string]int, map[string]map[string]int, error) {
	streams, values := make(map[string]int), make(map[string]map[string]int)
	n := 0
	for _, metric := range metrics {
		for st, err := range s.Engine.Streams(ctx, org, metric, tsdb.Filter{}) {
			if err != nil {
				return nil, nil, err
			}
			if n++; n > shared.MaxCounted {
				return streams, values, nil
			}
			for _, t := range st.Tags {
				streams[t.Name]++
				if values[t.Name] == nil {
					values[t.Name] = make(map[string]int)
				}
				values[t.Name][t.Value]++
			}
		}
	}
	return streams, values, nil
}

const maxValues = 200

func tagValues(counts map[string]int, part string) []tagValue {
	list := []tagValue{}
	for v, n := range counts {
		if strings.Contains(strings.ToLower(v), part) {
			list = append(list, tagValue{Streams: n, Value: v})
		}
	}
	slices.SortFunc(list, func(a, b tagValue) int { return cmp.Compare(a.Value, b.Value) })
	return list[:min(len(list), maxValues)]
}

const paletteItems = 6

// search answers GET /ui/api/search: what the palette shows.
func (s *API) search(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	q := r.URL.Query().Get("q")
	metrics, _, err := s.findMetrics(r.Context(), who.Org, q)
	if err != nil {
		return rest.Reply{}, err
	}
	summaries, err := s.summarize(r.Context(), who.Org, metrics[:min(len(metrics), paletteItems)])
	if err != nil {
		return rest.Reply{}, err
	}
	spaces, _, err := s.Store.Spaces(r.Context(), who.Org, tidemark.Page{Length: paletteItems, Name: q})
	if err != nil {
		return rest.Reply{}, err
	}
	counts, err := s.Store.ChartCounts(r.Context(), who.Org)
	if err != nil {
		return rest.Reply{}, err
	}
	opened, err := s.Store.SpacesOpened(r.Context(), who.Org, who.User)
	if err != nil {
		return rest.Reply{}, err
	}
	found := []foundSpace{}
	for _, sp := range spaces {
		found = append(found, foundSpace{Charts: counts[sp.ID], ID: sp.ID, Name: sp.Name, OpenedAt: opened[sp.ID]})
	}
	alerts, err := s.searchAlerts(r, who, q)
	if err != nil {
		return rest.Reply{}, err
	}
	charts, err := s.findCharts(r.Context(), who.Org, q, paletteItems)
	if err != nil {
		return rest.Reply{}, err
	}
	return rest.OK(searchAnswer{Alerts: alerts, Charts: charts, Metrics: summaries, Spaces: found}), nil
}

// searchAlerts finds alerts by name, those that fire first.
func (s *API) searchAlerts(r *http.Request, who tidemark.Identity, q string) ([]foundAlert, error) {
	alerts, err := s.Store.SearchAlerts(r.Context(), who.Org, q, paletteItems)
	list := []foundAlert{}
	for _, a := range alerts {
		v := foundAlert{ID: a.ID, Name: a.Name, State: "ok"}
		switch {
		case !a.Active:
			v.State = "inactive"
		case a.Snoozed:
			v.State = "snoozed"
		case a.Firing:
			v.State, v.Since = "firing", a.TriggeredAt
		}
		list = append(list, v)
	}
	return list, err
}

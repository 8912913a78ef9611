package dashboards

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/query"
)

// makeTemplate answers POST /ui/api/templates/:name.
func (s *API) makeTemplate(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	t, err := readTemplate(r.PathValue("template"))
	if err != nil {
		return rest.Reply{}, err
	}
	doc, err := s.fitTemplate(r.Context(), who.Org, t)
	if err != nil {
		return rest.Reply{}, err
	}
	sp, err := s.writeSpace(r.Context(), who, doc)
	if err != nil {
		return rest.Reply{}, err
	}
	made := templateMade{Space: sp.ID, Alerts: []string{}}
	for _, a := range t.Alerts {
		name, err := s.makeTemplateAlert(r.Context(), who, a)
		if err != nil {
			return rest.Reply{}, err
		}
		if name != "" {
			made.Alerts = append(made.Alerts, name)
		}
	}
	return rest.Created(made, "/v1/spaces/"+sp.ResourceID()), nil
}

// fitTemplate is the space that t is for org: with the streams that arrive,
// and the charts that have some.
func (s *API) fitTemplate(ctx context.Context, org tidemark.OrgID, t *template) (*spaceDocument, error) {
	there, err := s.metricsThere(ctx, org, append(slices.Clone(t.Needs), t.metrics()...))
	if err != nil {
		return nil, err
	}
	if t.found(there) == "" {
		return nil, tidemark.Errorf(tidemark.Invalid, "nothing arrives yet that this space is made of: there is no metric %s", strings.Join(t.Needs, " or "))
	}
	doc := &spaceDocument{Name: t.Title, Charts: []*tidemark.Chart{}, Places: []tidemark.GridPosition{}, DefaultTags: []tidemark.TagFilter{}, Annotations: []string{}}
	for i, c := range t.Charts {
		if err := s.fitChart(ctx, org, t, c, there); err != nil {
			return nil, err
		}
		if len(c.Streams) > 0 {
			c.ID = int64(i + 1)
			doc.Charts = append(doc.Charts, c)
		}
	}
	for _, p := range t.Places {
		if slices.ContainsFunc(doc.Charts, func(c *tidemark.Chart) bool { return c.ID == p.Chart }) {
			doc.Places = append(doc.Places, p)
		}
	}
	return doc, nil
}

// metrics are all that the charts of t read.
func (t *template) metrics() (names []string) {
	for _, c := range t.Charts {
		for i := range c.Streams {
			names = append(names, readBy(&c.Streams[i])...)
		}
	}
	return names
}

// readBy are the metrics that a stream reads.
func readBy(st *tidemark.ChartStream) []string {
	if st.Composite == "" {
		return []string{tidemark.MetricKey(st.Metric)}
	}
	e, err := query.Parse(strings.ReplaceAll(st.Composite, hostMark, "host"))
	if err != nil {
		return nil // TestTemplatesAreWhole has seen them all
	}
	return e.Metrics()
}

// fitChart leaves c the streams that arrive, each by the tag that names its
// own sender.
func (s *API) fitChart(ctx context.Context, org tidemark.OrgID, t *template, c *tidemark.Chart, there map[string]bool) error {
	fit := []tidemark.ChartStream{}
	for i := range c.Streams {
		reads := readBy(&c.Streams[i])
		if len(reads) == 0 || slices.ContainsFunc(reads, func(name string) bool { return !there[tidemark.MetricKey(name)] }) {
			continue
		}
		tag, err := s.hostTag(ctx, org, t, reads[0])
		if err != nil {
			return err
		}
		fit = append(fit, byHost(c.Streams[i], tag))
	}
	c.Streams = fit
	return nil
}

// hostMark stands in templates for the tag that names the sender.
const hostMark = "$host"

// byHost is a stream by the tag that names its sender. Where there is none,
// it is one of all of them.
func byHost(st tidemark.ChartStream, tag string) tidemark.ChartStream {
	if tag == "" {
		// What is grouped is one series already, and its sum is itself.
		st.Composite = strings.NewReplacer(`group_by("`+hostMark+`", `, "sum(", hostMark+",", "").Replace(st.Composite)
		st.Tags = slices.DeleteFunc(st.Tags, func(f tidemark.TagFilter) bool { return f.Name == hostMark })
		return st
	}
	st.Composite = strings.ReplaceAll(st.Composite, hostMark, tag)
	for i := range st.Tags {
		st.Tags[i].Name = strings.ReplaceAll(st.Tags[i].Name, hostMark, tag)
	}
	return st
}

// makeTemplateAlert makes an alert that is not active, unless there is one of
// that name, or nothing that it could watch.
func (s *API) makeTemplateAlert(ctx context.Context, who tidemark.Identity, a *tidemark.Alert) (string, error) {
	a.Version, a.Attributes, a.Active = 2, map[string]any{}, false
	for _, c := range a.Conditions {
		if _, err := s.Store.Metric(ctx, who.Org, c.MetricName); tidemark.KindOf(err) == tidemark.NotFound {
			return "", nil
		} else if err != nil {
			return "", err
		}
	}
	err := s.Store.CreateAlert(ctx, who.Org, who.Actor(), a)
	if err != nil && tidemark.KindOf(err) == tidemark.Conflict {
		return "", nil //nolint:nilerr // there is one of that name, perhaps changed by its owner
	}
	return a.Name, err
}
